"""The statistical battery of the shuffle: a compiled twin of the table's shuffle, and the tests of what it deals."""
