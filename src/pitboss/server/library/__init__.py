"""The library: books, clauses and games as pages, lessons from the round records, and where a clause was used here."""
