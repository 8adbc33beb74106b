"""Games for people and programs: lists, rules, worth, side wagers, comparisons, and a page of all that."""
