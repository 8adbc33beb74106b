"""Rounds told in words: one sentence for each kind of event, and whole records explained with their clauses."""
