"""The clause registers for people and programs: clause by clause how the books are met."""
