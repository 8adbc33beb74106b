"""What the library shows: books and clauses, games with their rules, lessons told step by step, and what is found."""
