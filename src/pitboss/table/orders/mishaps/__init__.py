"""What can go wrong with cards and machines, and what each book makes of it."""
