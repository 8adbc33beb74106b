"""Several processes that serve one floor: who serves what, and how a client of one reaches the tables of another."""
