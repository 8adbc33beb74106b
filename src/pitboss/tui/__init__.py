"""The terminal face: a table for one person and a few robots, as a full screen or line by line.

What belongs here: a session (bankroll, robots, what was decided and what it cost), the words a player reads, the
picture of the table, and the two faces on top: a Textual application and plain lines. What does not: rules (they are
asked of `table`), values of decisions (`odds`), and the world. Files, entropy and streams are handed in by the
command line; nothing here opens them.
"""
