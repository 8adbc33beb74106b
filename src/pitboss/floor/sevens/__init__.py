"""The version of Magnificent Sevens: one for all its tables, changed at all of them after a notice and a close-down."""
