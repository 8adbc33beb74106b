"""Floor records: what spans tables as text that people write and check, as round records are for one table.

A record names people with their roles, tables, a clock and steps; each step asks one stream (the floor itself, a table,
a meter system, a tournament, a promotion) for something, which is granted or must be refused by a clause. All streams
of a record share one ledger. `kind` says what a stream has to offer to take part, `registry` lists the kinds there are,
`read` turns text into a `FloorRecord`, `replay` plays it, `expectations` compares what came of it with what was
expected, and `floor_explanation` tells it in words.
"""
