"""Streams of any kind as a served floor keeps them: their rows, what a decision rested on, and how it is repeated."""
