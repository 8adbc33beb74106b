"""How long a user waits before anything happens: the front door and `pitboss --help`, best of ten."""

from __future__ import annotations

import subprocess
import sys
import time

QUESTIONS = {
    "import nothing": "pass",
    "import pitboss": "import pitboss",
    "pitboss.rules": "import pitboss; pitboss.rules('star/blackjack')",
    "pitboss.odds": "import pitboss; pitboss.odds",
    "pitboss --help": "from pitboss.cli import main; main(['--help'])",
}


def best_seconds(source: str, times: int = 10) -> float:
    waits = []
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", source], stdout=subprocess.DEVNULL, check=True)
        waits.append(time.perf_counter() - start)
    return min(waits)


for name, source in QUESTIONS.items():
    print(f"{name:16}{best_seconds(source):7.3f} s")
