"""The games as environments for learning agents, in the forms Gymnasium and PettingZoo define.

Here belong the translation of a view into an observation, of an action number into a command, and
of a settlement into a reward. The rounds themselves are played by `table`, the worth of a choice
comes from `odds`; nothing about a game is decided here.
"""
