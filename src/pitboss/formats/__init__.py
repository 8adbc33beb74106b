"""Figures and rows in general: per cents and fractions as people read them, rows as tables of other libraries.

Knows no game, no rules and no odds; what is particular to a result of `odds` or `sim` belongs in `report`.
"""
