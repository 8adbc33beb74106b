"""Rounds by the billion: Monte Carlo on cores, on a GPU or across a cluster.

Here belong the plan that cuts a run into blocks, the counter-based random stream of each block, the kernels that play
them, and the integer sums they come back as. A seed and a plan give the same sums on any number of workers.

Not here: a second set of rules (kernels compile the functions of `play`, and where one restates a rule for speed a
test holds the two together), nor the system's randomness: seeds are passed in.
"""
