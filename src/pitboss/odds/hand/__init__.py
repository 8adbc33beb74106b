"""One hand against the dealer: what it may do, what it is worth, how often it comes."""
