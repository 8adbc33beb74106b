"""What a game is worth: exact expectation, variance and best play, from the same rules the table runs.

Here belong the recursions over compositions of the shoe, the strategies they find, the side
wagers' expectations, and the charts that show them. Every answer names its method and the bound
on its error.

Not here: sampling (that is `sim`), rules of play of its own (they are called from `play`), and
people, chips or sessions of play (those are `table` and `floor`).
"""
