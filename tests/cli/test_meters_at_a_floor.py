"""`pitboss meters` and odds at a served floor: opened, shown and exported over HTTP by those who may."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from floor_server import PASSWORD, open_floor, take_office
from floor_server import hire as hire_member

from pitboss import cli
from pitboss.cli.floors import meter_source, meter_systems_command

OPENING = (
    "--system", "sn1", "--wager", "supernova", "--price", "5", "--meter", "supernova-major=2500:0.02",
    "--meter", "supernova-minor=200:0.04", "--meter", "supernova-mystery=250:0.01", "--one-in", "mystery=500",
)  # fmt: skip


@pytest.mark.slow
def test_a_system_opens_at_a_served_floor_and_odds_read_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def give_password() -> str:
        return PASSWORD

    monkeypatch.setattr(meter_source, "ask_password", give_password)
    monkeypatch.setattr(meter_systems_command, "ask_password", give_password)

    async def story() -> None:
        async with open_floor(tmp_path) as served, await take_office(served) as root:
            for name, role in (("acm", "assistant-casino-manager"), ("dan", "dealer")):
                await (await hire_member(root, name, (role, "melbourne"))).close()

            async def run(*arguments: str) -> tuple[int, str, str]:
                code = await asyncio.to_thread(cli.main, list(arguments))
                return code, *capsys.readouterr()

            opening = ("meters", "open", served.address, *OPENING)
            assert (await run(*opening))[
                2
            ] == "pitboss: say who you are: --name NAME, of the role that opens meter systems\n"
            code, _, err = await run(*opening, "--name", "dan", "--role", "dealer")
            assert (code, "a dealer may not do this" in err) == (2, True)
            assert (await run(*opening, "--name", "acm"))[0] == 0
            code, out, _ = await run("meters", "show", served.address, "--json")
            (system,) = json.loads(out)
            assert (code, system["name"], system["one_in"]) == (0, "sn1", {"mystery": 500})
            asked = ("odds", "melbourne/blackjack", "--decks", "6", "--side", "supernova", "--json")
            code, out, err = await run(*asked, "--meters", served.address)
            by_hand = (
                "--meter", "supernova-major=2500.1", "--meter", "supernova-minor=200.2",
                "--meter", "supernova-mystery=250.05", "--stake", "5", "--pick", "mystery=1/500",
            )  # fmt: skip
            assert json.loads(out) == json.loads((await run(*asked, *by_hand))[1])
            assert "sn1 at" in err
            readings = str(tmp_path / "readings.csv")
            exported = ("meters", "export", served.address, "--to", readings, "--name", "acm")
            code, _, err = await run(*exported[:-1], "dan", "--role", "dealer")
            assert (code, err) == (
                2,
                "pitboss: a dealer may not read earlier values here: higher-duties-dealer or above\n",
            )
            assert (await run(*exported, "--role", "assistant-casino-manager"))[0] == 0
            assert Path(readings).read_text().startswith("number,at_ms,system")

    asyncio.run(asyncio.wait_for(story(), 60))
