"""A session at one table without a screen: setup, seat, moves, robots, journal and log."""
