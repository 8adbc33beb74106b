"""A simulation of the lab as it is shown while it runs."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.formats.wording import percent
from pitboss.report.lab.lab_answers import PictureBar, ShownNumber, SimulationShown
from pitboss.report.simulations.simulation_pictures import bars
from pitboss.sim.result import SimResult

LEAST_SHARE = 0.0005


def show_simulation(
    result: SimResult, path: Sequence[tuple[int, float]], exact: float | None
) -> SimulationShown:  # fmt: skip
    """What has been found so far; `path` is the house edge after so many rounds."""
    low, high = result.interval_95
    deviation = result.variance**0.5
    return SimulationShown(
        rounds=ShownNumber(f"{result.rounds:,}", result.rounds),
        edge=_per_cent(result.house_edge),
        low=_per_cent(low),
        high=_per_cent(high),
        deviation=ShownNumber(f"{deviation:.4f}", deviation),
        exact=None if exact is None else _per_cent(exact),
        bars=[
            PictureBar(row["at"], row["share"], f"{row['at']:+g}: {percent(row['share'], 2)} of rounds")
            for row in bars(result)
            if row["share"] >= LEAST_SHARE
        ],
        path=[PictureBar(rounds, edge, f"after {rounds:,} rounds: {percent(edge, 4)}") for rounds, edge in path],
    )


def _per_cent(number: float) -> ShownNumber:
    return ShownNumber(percent(number, 4), number)
