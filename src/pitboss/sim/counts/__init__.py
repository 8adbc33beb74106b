"""Rounds sorted by a count: how often each count comes, what it is worth, and what bets by it come to."""
