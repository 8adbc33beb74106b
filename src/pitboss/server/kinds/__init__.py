"""Streams of any kind at the server: how they are asked, and who is shown what of them."""
