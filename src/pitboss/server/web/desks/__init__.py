"""The HTTP side of the desks: the dealer's seat, drills, the supervisor's desk, the audit."""
