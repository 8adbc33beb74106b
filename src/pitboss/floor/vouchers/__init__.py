"""Promotional vouchers: an issue of them with its conditions, handed to players and exchanged by dealers for tokens."""
