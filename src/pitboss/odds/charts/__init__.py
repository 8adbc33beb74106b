"""Strategies as charts by totals: text, evaluation, and the best one."""
