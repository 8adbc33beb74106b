"""The tables in service: the only room with clocks, sockets, databases and the system's randomness.

Here belong the event store, sessions and passwords, one queue per live table, HTTP and WebSocket,
and the web pages. An event is acknowledged once it is stored, and not before.

Not here: rules. The server hands commands down to `table` and `floor` and passes views up; a
browser is shown what a view says and is trusted with nothing.
"""
