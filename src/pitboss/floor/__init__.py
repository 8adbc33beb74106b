"""What spans tables, still without clocks or sockets: the casino floor as pure functions.

Everything on the floor is a stream: a state, a `decide` that answers what is asked with events or a refusal, and an
`evolve` that folds events. A live table (`live_table`, answers in `live_decisions`) is a table with its people, their
chips and its clock; the floor itself (`house`) is people, roles, exclusions, notices, and orders for several tables,
which `passing_on` brings to each; `table_news` says what the floor is to hear of a table. What a decision moves in
money follows from it (`postings`) and is kept by double entry (`ledger`); what each observer may see of an event is
said in one place (`visibility`). Time, identity and randomness arrive as arguments.

Not here: what happens within one round at one table (that is `table`), and anything that waits, listens or stores (that
is `server`). No float: money is exact.
"""
