"""What choices are worth, for the player who asks: the figures and the sheet that shows them."""
