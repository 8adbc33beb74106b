"""`pitboss.Table`: rounds dealt, played, settled, asked about and written down in a few lines."""

from __future__ import annotations

import subprocess
import sys

import pytest
from record_tools import GAMES, ROOT

import pitboss
from pitboss.errors import PitbossError
from pitboss.records import read, replay
from pitboss.records.live import ActionRefused
from pitboss.rulebooks import parse_user_book
from pitboss.table import Refusal
from pitboss.table.state import Phase


def play_out(table: pitboss.Table) -> None:
    """Let everybody stand, or draw where they must, until the round is settled."""
    while table.state.phase is not Phase.SETTLED:
        legal = table.legal()
        if not legal or all(word.startswith("proceed") for word in legal):
            table.proceed()
            continue
        table.do(next((word for word in legal if word.endswith(("stand", "proceed"))), legal[0]))


def test_a_round_is_dealt_played_settled_and_written_down() -> None:
    table = pitboss.Table("star/blackjack", decks=6, cards="Tc 8d 7s 6h Ts | 2c | Td", side_wagers=["any-pairs"])
    table.bet("1 ann* 100")
    table.bet("2 bob 50")
    table.bet("1 ann 5 any-pairs")
    assert any("Box 1 is dealt Tc 6h: 16" in line for line in table.deal())
    refusal = table.why_not("1 split")
    assert isinstance(refusal, Refusal)
    assert refusal.clauses
    assert "equal value" in refusal.reason
    assert table.why_not("1 hit") is None
    assert table.do("1 hit")[0].startswith("Box 1 draws 2c: 18. [")
    table.do("1 stand")
    table.do("2 stand")
    assert table.results() == {("1", "ann", "main"): 100, ("2", "bob", "main"): 50, ("1", "ann", "any-pairs"): -5}
    text = table.record("A short round")
    assert replay(read(text)).differences == ()
    assert replay(read(text)).settlements == tuple(table.settlement())
    assert 'title   = "A short round"' in text
    assert "In all: ann +95, bob +50; the house -145." in table.explain()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_from_a_seed(game: str) -> None:
    table = pitboss.Table(game, seed=7)
    for _ in range(3):
        table.bet("1 ann* 100")
        table.bet("2 bob 20")
        table.deal()
        play_out(table)
    record = read(table.record())
    assert len(record.rounds) == 3
    assert replay(record).differences == ()
    assert table.record() == pitboss_again(game)
    assert all(line.endswith("]") for line in table.explain().splitlines() if line.startswith("  "))


def pitboss_again(game: str) -> str:
    """The same seed once more: the same cards, the same round."""
    table = pitboss.Table(game, seed=7)
    for _ in range(3):
        table.bet("1 ann* 100")
        table.bet("2 bob 20")
        table.deal()
        play_out(table)
    return table.record()


def test_seeds_give_different_orders_of_all_cards() -> None:
    shoes = [pitboss.Table("melbourne/pontoon", decks=8, seed=seed).state.shoe.cards for seed in (1, 2)]
    assert shoes[0] != shoes[1]
    assert sorted(shoes[0]) == sorted(shoes[1])
    assert len(shoes[0]) == 8 * 48


def test_a_seeded_shoe_is_changed_when_half_of_it_is_dealt() -> None:
    table = pitboss.Table("star/blackjack", decks=4, seed=3)
    first = table.state.shoe.cards
    for _ in range(40):
        table.bet("1 ann* 10")
        table.deal()
        play_out(table)
    assert table.state.shoe.cards != first
    assert replay(read(table.record())).differences == ()


def test_a_refusal_raises_names_its_clause_and_changes_nothing() -> None:
    table = pitboss.Table("melbourne/blackjack", cards="Ah 6s 8d Tc")
    table.bet("1 ann* 10")
    table.deal()
    before = table.state
    with pytest.raises(ActionRefused, match=r"may not double.*7\.5\.5\(a\).*legal now: 1 hit") as caught:
        table.do("1 double")
    assert "7.5.5(a)" in caught.value.refusal.clauses
    assert table.state is before
    assert "'1 double' is refused" in table.explain()


def test_a_legal_action_is_legal_though_the_shoe_is_empty() -> None:
    table = pitboss.Table("star/blackjack", cards="2h 6s 8d")
    table.bet("1 ann* 10")
    table.deal()
    assert table.why_not("1 hit") is None
    with pytest.raises(ActionRefused, match="no card is left"):
        table.do("1 hit")


def test_words_that_are_no_action_are_explained() -> None:
    table = pitboss.Table("star/blackjack", seed=1)
    with pytest.raises(PitbossError, match="expected a bet"):
        table.bet("ann 10")
    with pytest.raises(PitbossError, match="expected one of hit"):
        table.do("1 fold")
    with pytest.raises(PitbossError, match="no round is settled"):
        table.record()
    with pytest.raises(PitbossError, match="'minimum' is not a limit"):
        pitboss.Table("star/blackjack", limits={"minimum": 5})


def test_a_bet_that_is_turned_away_raises() -> None:
    table = pitboss.Table("star/blackjack", seed=1, limits={"min": 5, "max": 100, "chip": "0.5"})
    with pytest.raises(ActionRefused, match="there is no box 12"):
        table.bet("12 ann 10")
    assert table.state.limits.chip is not None


def test_meters_and_the_jackpot_system() -> None:
    table = pitboss.Table(
        "melbourne/blackjack",
        decks=6,
        side_wagers=["supernova"],
        meters={"supernova-minor": {"seed": 500, "rate": "0.05", "value": "777.5"}},
        cards="Ah 6c Qh",
    )
    table.bet("1 ann* 20")
    table.bet("1 ann 5 supernova")
    table.deal()
    assert table.results()["1", "ann", "supernova"] == pytest.approx(777.75)
    assert replay(read(table.record())).differences == ()


def test_a_book_of_ones_own() -> None:
    book = parse_user_book((ROOT / "examples" / "las-vegas.toml").read_text("utf-8"), "las-vegas.toml")
    table = pitboss.Table(f"{book.namespace}/{next(iter(book.games))}", own_books=[book], seed=2)
    table.bet("1 ann* 10")
    table.deal()
    assert len(str(table).splitlines()[1].split()) == 2, "the hole card is not shown"
    play_out(table)
    assert replay(read(table.record(), own_books=[book]), [book]).differences == ()


def test_the_settlement_prints_and_shows_in_notebooks() -> None:
    table = pitboss.Table("star/switch", cards="Qs Kd 6h Qh Ks | 9c 9d", side_wagers=["super-match"])
    table.bet("1 pia* 10")
    table.bet("1 pia 5 super-match")
    table.deal()
    table.do("1a stand")
    table.do("1b stand")
    settlement = table.settlement()
    assert len(settlement) == 3
    assert settlement[0].wager == "super-match"
    head, *lines = str(settlement).splitlines()
    assert head.split() == ["box", "hand", "player", "wager", "stake", "net", "outcome", "clause"]
    assert [line.split()[0] for line in lines] == ["1", "1a", "1b"]
    html = settlement._repr_html_()
    assert html.count("<tr>") == 4
    assert "<td>super-match</td>" in html
    assert str(table).splitlines()[1:] == ["dealer  6h 9c 9d", "box 1a  Qs Qh: 20, stood", "box 1b  Kd Ks: 20, stood"]


def test_the_package_is_light_until_a_table_is_asked_for() -> None:
    source = (
        "import sys, pitboss; assert 'msgspec' not in sys.modules; pitboss.Table; assert 'msgspec' in sys.modules\n"
        "try:\n    pitboss.Chair\nexcept AttributeError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert done.stdout == "module 'pitboss' has no attribute 'Chair'\n", done.stderr
