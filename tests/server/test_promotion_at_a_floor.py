"""`pitboss promotion` against a served floor: lodged, listed, entered, shown and written out, each by who may."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest
from floor_server import PASSWORD, Served, hire, open_floor, take_office

from pitboss import cli
from pitboss.cli.floors import served_streams
from pitboss.server.client import AskRefused, Client

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "autumn.promotion.toml"


async def _know_password() -> str:
    return PASSWORD


@pytest.mark.slow
def test_a_promotion_is_lodged_and_seen_by_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_streams, "ask_password", _know_password)
    terms = tmp_path / "autumn.promotion.toml"
    terms.write_text(EXAMPLE.read_text("utf-8").replace("2026-03", "2096-03"))
    lines = tmp_path / "lines.csv"

    async def do(served: Served, *arguments: object) -> tuple[int, str, str]:
        code = await asyncio.to_thread(cli.main, ["promotion", *map(str, arguments), "--floor", served.address])
        said = capsys.readouterr()
        return code, said.out, said.err

    async def story() -> None:
        async with (
            open_floor(tmp_path, second_factor=False) as served,
            await take_office(served) as root,
            await hire(root, "olga", ("casino-operator", "star")),
        ):
            code, _, err = await do(served, "open", EXAMPLE, "--name", "olga")
            assert code == 2
            assert "terms are lodged at least 24 hours before the promotion starts" in err
            assert "(clause 21.9)" in err
            code, _, err = await do(served, "open", terms, "--name", "olga")
            assert (code, err) == (
                0,
                f"{served.address}: the terms of Autumn draw are lodged as promotion autumn\n",
            )
            code, _, err = await do(served, "open", terms, "--name", "root")
            assert code == 2
            assert "you do not hold the role casino-operator" in err
            assert (await do(served, "show"))[1].startswith("autumn ")
            shown = (await do(served, "show", "autumn"))[1]
            assert "Autumn draw: lodged\nentries  2096-03-05 10:00 to 2096-03-12 18:00, 0 so far\n" in shown
            async with await Client.enter(served.address, "ann") as ann:
                with pytest.raises(AskRefused, match="the promotion begins at 2096-03-05") as refused:
                    await ann.ask_stream("promotion", "autumn", {"type": "enter"})
                assert refused.value.clauses == ("21.7.7",)
                await ann.ask_stream("promotion", "autumn", {"type": "give-terms"})
            code, _, err = await do(served, "export", "autumn", "--name", "olga", "--to", lines)
            assert (code, err) == (0, f"wrote {lines}: 3 lines\n")
            rows = list(csv.DictReader(lines.read_text("utf-8").splitlines()[:4]))  # after them comes our mark
            assert [row["by"] for row in rows] == ["casino-operator", "casino-operator", "player"]
            assert "21.9" in rows[0]["clauses"].split()
            public = (await do(served, "export", "autumn", "--to", tmp_path / "public.json"))[2]
            assert public.endswith("2 lines\n")

    asyncio.run(asyncio.wait_for(story(), 120))
