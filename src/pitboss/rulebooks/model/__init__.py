"""What a rulebook and resolved rules are made of: parameters, books, matters, `Rules`."""
