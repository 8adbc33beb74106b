"""The whole round of one playing area on integers: its state as a row, and what a decision makes of it."""
