"""The tables in service: the only room with clocks, sockets, databases and the system's randomness.

`storage` keeps the log, the ledger and the rounds (SQLite embedded, PostgreSQL for a real floor); `desk` runs the
streams, one writer each, and collects decisions into group commits; `web` is HTTP and WebSocket; `client` plays at a
served table. A decision is acknowledged once it is stored, and not before.

Not here: rules. The server hands commands down to `table` and `floor` and passes views up; a client is shown what a
view says and is trusted with nothing.
"""
