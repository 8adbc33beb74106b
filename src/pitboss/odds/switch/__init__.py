"""Blackjack Switch: two boxes of one player and the choice between them."""
