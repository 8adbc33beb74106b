"""What `pitboss simulate` prints: a result for people, and the same for programs."""

from __future__ import annotations

from typing import Any

from pitboss.report.terminal_tables import print_facts, print_table
from pitboss.sim.plan import Plan
from pitboss.sim.result import SimResult

SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def result_data(result: SimResult, plan: Plan, first_round: float | None = None) -> dict[str, Any]:
    """A result for programs."""
    sums, rounds = result.sums, max(result.rounds, 1)
    data: dict[str, Any] = {
        "game": result.game,
        "decks": result.decks,
        "strategy": result.strategy,
        "house_edge": result.house_edge,
        "standard_error": result.standard_error,
        "interval_95": list(result.interval_95),
        "corrected": result.is_corrected,
        "raw": {"house_edge": result.raw.house_edge, "standard_error": result.raw.standard_error},
        "variance_ratio": result.variance_ratio,
        "rounds": result.rounds,
        "rounds_per_second": result.rounds_per_second,
        "seconds": result.seconds,
        "variance": result.variance,
        "skew": result.skew,
        "seed": result.seed,
        "boxes": result.boxes,
        "unit": result.unit,
        "rules_digest": result.rules_digest,
        "bet_per_round": result.bet_per_round,
        "hands_per_round": sums.totals["hands"] / rounds,
        "cards_per_round": sums.totals["cards"] / rounds,
        "insurance_net_per_round": sums.totals["insurance_net"] / result.unit / rounds,
        "sums": sums.totals,
        "distribution": {str(net / result.unit): times for net, times in sums.histogram.items()},
        "side_wagers": {
            name: {**_edge(result.side_edge(name)), "raw": _edge(result.raw_side_edge(name)), "sums": row}
            for name, row in sums.sides.items()
        },
    }
    if first_round is not None:
        data["first_round"] = {"house_edge": first_round, "difference": result.house_edge - first_round}
    if sums.openings:
        data["openings"] = {
            name: {"rounds": times, "mean": net / result.unit / times} for name, (times, net) in sums.openings.items()
        }
    if sums.paths:
        data["bankroll"] = {
            "units": plan.bankroll_units,
            "horizon_rounds": plan.horizon_rounds,
            "paths": sums.paths,
            "risk_of_ruin": result.risk_of_ruin,
            "quantiles": {str(share): result.quantile(share) for share in SHARES},
        }
    if result.mean > 0:
        data["n0"] = result.n_zero
        data["score"] = result.score
    return data


def _edge(found: tuple[float, float]) -> dict[str, float]:
    return {"house_edge": found[0], "standard_error": found[1]}


def result_facts(result: SimResult, first_round: float | None = None) -> dict[str, str]:
    """The figures of a result for people, by name; a text is empty where there is nothing to say."""
    low, high = result.interval_95
    totals, rounds = result.sums.totals, max(result.rounds, 1)
    boxes = "1 box" if result.boxes == 1 else f"{result.boxes} boxes"
    return {
        "game": f"{result.game}, {result.decks} decks, {boxes}, strategy {result.strategy}",
        "rounds": f"{result.rounds:,} in {result.seconds:.1f} s, {result.rounds_per_second / 1e6:.2f} million a second",
        "house edge": f"{_percent(result.house_edge)} of the original wager ± {_percent(result.standard_error)}",
        "as it fell": _raw(result),
        "95 % interval": f"{_percent(low)} to {_percent(high)}",
        "first round": _first_round(result, first_round),
        "variance": f"{result.variance:.4f} per round, skew {result.skew:.3f}",
        "per round": f"{totals['hands'] / rounds:.4f} hands, {totals['cards'] / rounds:.4f} cards",
        "naturals": _share(totals["naturals"], rounds),
        "doubles": _share(totals["doubles"], rounds),
        "splits": _share(totals["splits"], rounds),
        "insurance": _insurance(result),
        "risk of ruin": _ruin(result),
        "bankroll at the end": _bankroll(result),
        "worth of the bets": _worth(result),
        "seed": str(result.seed),
    }


def side_rows(result: SimResult) -> list[tuple[str, ...]]:
    """A row for each side wager: its name, house edge, standard error, and how often each outcome came."""
    return [(name, *map(_percent, result.side_edge(name)), _outcomes(row)) for name, row in result.sums.sides.items()]


def print_result(result: SimResult, first_round: float | None = None) -> None:
    """A result for people."""
    print_facts(list(result_facts(result, first_round).items()))
    head = ("wager", "house edge", "±", "how often")
    print_table("Side wagers, of the stake", head, side_rows(result), wide=head[3:], numbers=head[1:3])
    openings = [
        (_opening(name), f"{times:,}", f"{net / result.unit / times:+.4f}")
        for name, (times, net) in sorted(result.sums.openings.items(), key=lambda item: _values(item[0]))
    ]
    print_table(
        "Opening hands, and what they won on average", ("cards", "rounds", "mean"), openings, numbers=("rounds", "mean")
    )


def _raw(result: SimResult) -> str:
    if not result.is_corrected:
        return ""
    raw = result.raw
    ratio = f"variance {result.variance_ratio:,.0f} times that without the luck of the cards"
    return f"{_percent(raw.house_edge)} ± {_percent(raw.standard_error)}; {ratio}"


def _values(opening: str) -> list[int]:
    return [int(value) for value in opening.split("-")]


def _opening(opening: str) -> str:
    one, two, up = ("?A23456789T"[value] for value in _values(opening))
    return f"{one} {two} against {up}"


def _percent(value: float) -> str:
    return f"{100 * value:.4f} %"


def _share(times: int, rounds: int) -> str:
    return f"{100 * times / rounds:.3f} in 100 rounds" if times else ""


def _first_round(result: SimResult, first_round: float | None) -> str:
    if first_round is None:
        return ""
    difference = result.house_edge - first_round
    return f"{_percent(first_round)} exact, from a full shoe; here {100 * difference:+.4f} (cut card effect and luck)"


def _insurance(result: SimResult) -> str:
    taken = result.sums.totals["insured"]
    won = result.sums.totals["insurance_net"] / result.unit
    return f"taken in {taken:,} rounds, net {won:+,.0f} units" if taken else ""


def _ruin(result: SimResult) -> str:
    if result.risk_of_ruin is None:
        return ""
    return f"{100 * result.risk_of_ruin:.3f} % of {result.sums.paths:,} paths"


def _bankroll(result: SimResult) -> str:
    if not result.sums.paths:
        return ""
    return ", ".join(f"{100 * share:g} %: {result.quantile(share)}" for share in (0.05, 0.5, 0.95)) + " units"


def _worth(result: SimResult) -> str:
    return f"N0 {result.n_zero:,.0f} rounds, SCORE {result.score:.2f}" if result.mean > 0 else ""


def _outcomes(row: dict[str, int]) -> str:
    known = ("stakes", "net", "net_2")
    return ", ".join(f"{name} {times:,}" for name, times in row.items() if name not in known and times)
