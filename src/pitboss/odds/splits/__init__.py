"""What a box is worth after a split."""
