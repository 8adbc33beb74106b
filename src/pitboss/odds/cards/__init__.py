"""Cards as a calculation sees them: compositions, suits, the dealer's finished hands and their distribution."""
