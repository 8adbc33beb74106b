"""Programs that play at tables of a floor, and what is priced for them and for people who practise."""
