"""pitboss: approved casino rulebooks as running, provable blackjack tables.

Importing the package loads nothing but this file. Take what you need from its room:
`pitboss.rulebooks` for the law, `pitboss.table` for a live table, `pitboss.records` for
rounds on file, `pitboss.odds` and `pitboss.sim` for what a game is worth.
"""

__version__ = "0.1.0"
