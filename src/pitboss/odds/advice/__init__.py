"""What every legal action of a live hand is worth, given exactly the cards that are left."""
