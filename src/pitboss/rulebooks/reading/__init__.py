"""From a rulebook file to `Rules`: read, checked, resolved for one table."""
