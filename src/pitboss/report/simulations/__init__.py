"""Simulations for people and programs: the answer, and the distribution as a picture."""
