"""Terms of tournaments and promotions: documents held against the list of what a book says they must contain."""
