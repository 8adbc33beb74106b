"""Numbers for those who watch the server: counters, and how long things take, in the text form of Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

BUCKETS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Timings:
    """How long something took, by buckets."""

    def __init__(self) -> None:
        self.buckets = [0] * (len(BUCKETS_MS) + 1)
        self.sum_ms = 0.0

    def note(self, ms: float) -> None:
        """Something took this long."""
        self.sum_ms += ms
        for index, limit in enumerate(BUCKETS_MS):
            if ms <= limit:
                self.buckets[index] += 1
                return
        self.buckets[-1] += 1

    def list_lines(self, name: str) -> Iterable[str]:
        """The lines of a histogram, in seconds."""
        yield f"# TYPE {name} histogram"
        total = 0
        for limit, count in zip(BUCKETS_MS, self.buckets, strict=False):
            total += count
            yield f'{name}_bucket{{le="{limit / 1000}"}} {total}'
        total += self.buckets[-1]
        yield f'{name}_bucket{{le="+Inf"}} {total}'
        yield f"{name}_sum {self.sum_ms / 1000}"
        yield f"{name}_count {total}"


def write_metrics(counters: Mapping[str, float], gauges: Mapping[str, float], timings: Mapping[str, Timings]) -> str:
    """Everything as text."""
    lines: list[str] = []
    for name, value in counters.items():
        lines += [f"# TYPE pitboss_{name} counter", f"pitboss_{name} {value}"]
    for name, value in gauges.items():
        kind = f"# TYPE pitboss_{name.partition('{')[0]} gauge"
        lines += [*([kind] if kind not in lines else ()), f"pitboss_{name} {value}"]
    for name, timing in timings.items():
        lines += timing.list_lines(f"pitboss_{name}")
    return "\n".join(lines) + "\n"
