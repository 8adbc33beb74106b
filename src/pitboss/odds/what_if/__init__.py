"""Games with a rule changed, and games side by side."""
