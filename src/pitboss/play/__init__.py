"""The arithmetic of play on plain integers: totals, legal actions, the dealer's draw, outcomes, side wagers.

A function marked `@kernel` is written once and runs twice: as it stands under CPython, where the table asks it what is
legal and what is owed, and compiled inside Numba kernels, where the analyser and the simulator ask the same. A hand is
a few integers (`hard` with aces as one, `aces`, number of cards), the rules a `Packed` tuple of integers. What no
kernel asks takes `Rules` as they are: the shoe, who controls a box, what side wagers pay before they become tables.
What does not belong here: people, chips, events, clauses, I/O.
"""
