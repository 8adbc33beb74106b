"""A second blackjack, written from the rulebooks alone, to hold the table engine against.

Nothing here imports the table, the arithmetic of play or the rulebooks as data: `games` states the games again
in its own words, `rounds` plays one playing area of them straight through, in exact fractions. It is slow and cites no
clause; where it and the table disagree, one of them has misread a book.
"""
