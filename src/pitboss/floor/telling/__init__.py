"""What tables and the floor tell each other: orders of the floor, and news of the tables."""
