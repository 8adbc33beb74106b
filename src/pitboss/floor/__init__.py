"""What spans tables, still without clocks or sockets: the casino floor as pure functions.

Here belong roles and who may do what, limits and their notices, the double-entry ledger,
jackpot meters, tournaments and promotions. Time, identity and randomness arrive as arguments.

Not here: what happens within one round at one table (that is `table`), and anything that waits,
listens or stores (that is `server`). No float: money is exact.
"""
