"""What cards that have left the shoe change: effects of removal, counts, index plays, and what a counter can gain."""
