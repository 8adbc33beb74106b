"""HTTP and WebSocket: requests in, answers out, and nothing decided here but who somebody is and what is too much."""
