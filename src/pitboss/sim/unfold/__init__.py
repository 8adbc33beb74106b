"""From rules and a strategy to tables: what each card does to a hand, to a side wager and to a whole round."""
