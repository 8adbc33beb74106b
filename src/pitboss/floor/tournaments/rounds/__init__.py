"""What happens at one table of a tournament: wagers, forms, the round itself, and what it moves in tournament chips."""
