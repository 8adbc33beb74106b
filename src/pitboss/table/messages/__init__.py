"""What is said to a table and by it: commands and who asks, events, and the words of records for them."""
