"""The table line by line: in the program, and through a pseudo-terminal as a script or a screen reader would use it."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from fcntl import ioctl
from io import StringIO
from pathlib import Path

import pytest
from tui_tools import GAMES, Knows, Memory, sit_down

from pitboss import cli
from pitboss.cli.playing.kept_sessions import FileKeeper, data_folder, find_left, newest_journal, read_journal
from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.records import read, replay
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Phase
from pitboss.tui.plain import LineTable
from pitboss.tui.session.live_session import LiveSession, resume_session
from pitboss.tui.session.robots import NoAdvisor

PATIENCE_SECONDS = 120
"""After this long without a line the program is taken to hang; nothing waits for it in a good run."""


def played(table: LiveSession, *lines: str) -> list[str]:
    """What is said when these lines are typed."""
    said: list[str] = []
    script: Iterator[str] = iter(lines)
    LineTable(table, lambda: next(script, None), said.append).play()
    return said


# ---------------------------------------------------------------------- in the program


def test_a_round_in_lines_names_everything_and_spells_cards_out() -> None:
    said = played(sit_down("star/blackjack", cards="Ts 7d 9h Tc"), "bet 25", "deal", "stand", "next", "quit")
    assert "Star" not in said[0]
    assert said[0] == "Blackjack (star/blackjack), 8 decks."
    assert any(line.startswith("Box 5 is dealt ten of spades, nine of hearts: 19.") for line in said)
    assert any(line.startswith("You may: hit, stand, dealer plays, advice") for line in said)
    assert any(line.startswith("The round is over: you win 25.") for line in said)
    assert "result +25: a bankroll of 1,000 is now 1,025" in said
    assert said[-2:] == [
        "the last round is saved in round 1",
        "to resume this session: pitboss play --resume --journal memory.jsonl",
    ]
    assert all("\n" not in line and "\x1b" not in line for line in said)


@pytest.mark.parametrize(
    ("game", "cards", "lines", "kind"),
    [
        ("melbourne/blackjack", "6s 7d 5h Tc", ["double 10"], cmd.Double),
        ("melbourne/blackjack", "8s 7d 8h Tc 9c", ["split", "s", "s"], cmd.Split),
        ("star/blackjack", "Ts Ad 9h 5c 5d", ["insure 4", "stand"], cmd.Insure),
        ("melbourne/blackjack", "As Ad Kh", ["even money"], cmd.TakeEvenMoney),
        ("rws/blackjack", "Ts 9d 6h", ["surrender"], cmd.Surrender),
        ("star/switch", "Ts 9s 7d 6h Th 9c 9c", ["switch", "stand", "stand"], cmd.Switch),
        ("melbourne/pontoon", "6s 7d 5h 2c", ["double", "take back"], cmd.Forfeit),
        ("melbourne/blackjack", "Ts 7d 2h 9c", ["dealer plays"], cmd.PlayAbsent),
    ],
)
def test_every_decision_has_its_word(game: str, cards: str, lines: list[str], kind: type[cmd.Command]) -> None:
    table = sit_down(game, cards=cards)
    played(table, "bet 20", "deal", *lines)
    commands = [step.command for step in table.session.round.steps]
    assert kind in [type(command) for command in commands]
    for command in commands:
        if isinstance(command, cmd.Double) and "10" in lines[0]:
            assert command.amounts == (("guest", 10),)


def test_what_is_not_understood_or_not_allowed_changes_nothing() -> None:
    table = sit_down("melbourne/blackjack", cards="Ts 7d 2h 8c")
    said = played(table, "fly", "bet many", "bet 5 2000", "deal", "bet 5", "deal", "double", "insure", "fly away")
    no = [line for line in said if line.startswith("No: ")]
    assert any("'fly' is not one of the answers" in line for line in no)
    assert any("'many' is not an amount" in line for line in no)
    assert any("you have 1000 left" in line for line in no)
    assert any("no wager on a box yet" in line for line in no)
    assert any("may not double" in line and "7.5.5(a)" in line for line in no)
    assert any("'fly away' is not one of the answers" in line for line in no)


def test_the_table_the_clauses_the_last_round_and_advice_can_be_asked_for() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 5h Tc", advisor=Knows({cmd.Hit: -0.1, cmd.Stand: -0.4}))
    said = played(table, "table", "bet 25", "deal", "table", "advice", "clauses", "stand", "last", "summary", "help")
    assert "No cards are dealt." in said
    assert "Box 5: ten of spades, five of hearts, 15; you 25." in said
    assert "hit: -0.10000 units, or -2.50" in said
    assert "A unit is your wager of 25." in said
    assert any(re.match(r"10\.1: ", line) for line in said)
    assert any("stands on 15" in line for line in said)
    assert any("cost 7.50" in line for line in said)


def test_insurance_of_one_of_several_boxes_is_chosen_by_its_number() -> None:
    table = sit_down("star/blackjack", cards="Ts 9s Ad 9h 8h 5c 5d")
    played(table, "bet 20", "bet 2 10", "deal", "insure box 5 10")
    boxes = {box.number: box for box in table.session.state.boxes}
    assert boxes["5"].bettors[0].insurance == 10
    assert boxes["2"].bettors[0].insurance is None


def test_the_end_of_the_input_leaves_the_table() -> None:
    keeper = Memory()
    table = sit_down("star/blackjack", cards="Ts 7d 5h Tc", keeper=keeper)
    said = played(table, "bet 25", "deal")
    assert "0 rounds played" in said


# ---------------------------------------------------------------------- through a pseudo-terminal


class Terminal:
    """A program in a pseudo-terminal of its own."""

    def __init__(self, *arguments: str, folder: Path, columns: int = 80, rows: int = 24, term: str = "xterm") -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "TERM": term, "NO_COLOR": "1"}
        for name in ("COLUMNS", "LINES"):
            environment.pop(name, None)
        command = [str(Path(sys.executable).parent / "pitboss"), "play", "--no-advice", *arguments]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True, start_new_session=True
        )
        os.close(slave)
        self.seen = ""

    def until(self, pattern: str) -> str:
        """Everything up to and including the first match, and no more; fails if the program ends before."""
        while (found := re.search(pattern, self.seen)) is None:
            more = self._read()
            assert more, f"the program ended before {pattern!r}: {self.seen}"
            self.seen += more
        said, self.seen = self.seen[: found.end()], self.seen[found.end() :]
        return said

    def rest(self) -> str:
        """Everything to the end of the program."""
        while more := self._read():
            self.seen += more
        self.process.wait()
        os.close(self.master)
        return self.seen

    def _read(self) -> str:
        ready, _, _ = select.select([self.master], [], [], PATIENCE_SECONDS)
        assert ready, f"nothing came for {PATIENCE_SECONDS} seconds after {self.seen!r}"
        try:
            return os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # the other end is closed
            return ""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.rest()


QUESTION = r"You may: [^\n]*\n"
SENSIBLE = (
    "cut", "deal", "stand", "continue", "let it stand", "keep the cards", "hit", "press the button", "leave it", "next",
)  # fmt: skip


def answer(question: str) -> str:
    """A sensible answer to a question of the table's."""
    offered = [word.strip() for word in question.rpartition("You may: ")[2].split(",")]
    for word in SENSIBLE:
        if any(name == word or name.startswith(f"{word} ") for name in offered):
            return word
    return "bet 10"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_played_through_a_pseudo_terminal(game: str, tmp_path: Path) -> None:
    robots = ("--robots", "2", "--robot-play", "random")
    kept = tmp_path / "kept"
    terminal = Terminal(game, "--plain", "--seed", "7", *robots, "--records", str(kept), folder=tmp_path)
    rounds = 0
    for _ in range(200):
        reply = answer(terminal.until(QUESTION))
        rounds += reply == "next"
        terminal.type(f"{reply}\n")
        if rounds == 2:
            break
    terminal.until(QUESTION)
    terminal.type("quit\n")
    assert "2 rounds played" in terminal.rest()
    assert terminal.process.returncode == 0
    records = sorted(kept.iterdir())
    assert len(records) == 2
    for path in records:
        assert replay(read(path.read_text("utf-8"), str(path))).differences == ()


@pytest.mark.slow
def test_a_program_killed_in_mid_round_has_lost_nothing_that_was_decided(tmp_path: Path) -> None:
    first = Terminal("melbourne/pontoon", "--plain", "--robots", "1", "--robot-play", "random", folder=tmp_path)
    for _ in range(3):
        first.type(f"{answer(first.until(QUESTION))}\n")
    first.until(QUESTION)
    first.type("table\n")
    before = re.findall(r"(?m)^(?:The dealer has|Box) .*", first.until(QUESTION).replace("\r", ""))
    assert before
    first.kill()

    second = Terminal("--resume", "--plain", folder=tmp_path)
    second.until(QUESTION)
    second.type("table\n")
    after = re.findall(r"(?m)^(?:The dealer has|Box) .*", second.until(QUESTION).replace("\r", ""))
    assert [line for line in after if line in before] == before
    second.type("quit\n")
    second.rest()
    assert second.process.returncode == 0


@pytest.mark.slow
def test_the_full_screen_runs_in_a_terminal_and_leaves_it_in_order(tmp_path: Path) -> None:
    pytest.importorskip("textual")
    terminal = Terminal("star/blackjack", "--seed", "7", "--robots", "0", "--pace", "0", folder=tmp_path)
    terminal.until("cut the cards")
    terminal.type("\r")
    terminal.until("main wager")
    terminal.type("q")
    terminal.until("leaves")
    terminal.type("\r")
    rest = terminal.rest()
    assert terminal.process.returncode == 0
    assert "\x1b[?1049l" in rest
    assert "0 rounds played" in rest.rpartition("\x1b[?1049l")[2]
    assert "Traceback" not in rest


@pytest.mark.slow
def test_a_full_screen_killed_in_mid_round_is_taken_up_where_it_was(tmp_path: Path) -> None:
    pytest.importorskip("textual")
    begun = ("melbourne/premier", "--seed", "21", "--robots", "1", "--robot-play", "random", "--pace", "0")
    first = Terminal(*begun, folder=tmp_path)
    first.until("cut the cards")
    first.type("\r")
    first.until("Place your bets")
    first.type("\r")
    first.until("so far")
    first.type(" ")
    first.until("What will you do")
    first.kill()
    left = read_journal(newest_journal(tmp_path / "pitboss")).session
    assert left.state.phase is Phase.TURNS

    second = Terminal("--resume", "--pace", "0", folder=tmp_path)
    second.until("What will you do")
    second.type("s")
    second.until("The round is over")
    second.kill()
    after = read_journal(newest_journal(tmp_path / "pitboss")).session
    assert after.state.shoe.cards == left.state.shoe.cards
    assert after.state.round == left.state.round
    assert after.setup == left.setup
    assert after.round.steps[: len(left.round.steps)] == left.round.steps


@pytest.mark.slow
def test_a_table_whose_terminal_is_gone_ends_without_being_told(tmp_path: Path) -> None:
    pytest.importorskip("textual")
    left = Terminal("star/blackjack", "--seed", "7", "--robots", "0", "--pace", "0", folder=tmp_path)
    left.until("cut the cards")
    os.close(left.master)
    assert left.process.wait(PATIENCE_SECONDS) == 0
    assert newest_journal(tmp_path / "pitboss") is not None


@pytest.mark.slow
def test_the_lobby_resumes_what_was_left_at_sixty_by_twenty(tmp_path: Path) -> None:
    pytest.importorskip("textual")
    first = Terminal("star/blackjack", "--seed", "7", "--robots", "0", "--pace", "0", folder=tmp_path)
    first.until("cut the cards")
    first.type("\r")
    first.until("main wager")
    first.kill()
    second = Terminal("--no-advice", "--pace", "0", folder=tmp_path, columns=60, rows=20)
    second.until("Resume Blackjack")
    second.type("\r")
    second.until("Place your bets")
    second.type("Q")
    second.until("leaves")
    second.type("\r")
    rest = second.rest()
    assert second.process.returncode == 0
    journal = newest_journal(tmp_path / "pitboss")
    assert f"pitboss play --resume --journal {journal}" in rest.replace("\r\n", "")


@pytest.mark.slow
def test_a_terminal_too_small_is_told_so_in_one_line(tmp_path: Path) -> None:
    terminal = Terminal("star/blackjack", folder=tmp_path, columns=59, rows=20)
    said = terminal.rest().replace("\r", "").splitlines()
    assert terminal.process.returncode == 2
    needs = "the table needs 60 and 20: make it larger, or play with --plain"
    assert said == [f"pitboss: the terminal has 59 columns and 20 rows; {needs}"]


def test_the_whole_seal_is_told_and_a_shoe_can_be_put_away() -> None:
    keeper = Memory()
    table = sit_down("star/blackjack", keeper=keeper)
    script = ("cut", "shoe", "bet 10", "deal", *["stand"] * 2, "next", "retire", "cut", "shoe", "quit")
    said = played(table, *script)
    (shoe,) = table.shoes
    assert len(shoe.seal) == 64
    assert shoe.seal in said
    assert table.session.state.shoe.origin.commitment in said
    assert f"pitboss audit shoe 'shoe 1' --commitment {shoe.seal}" in said
    assert said[-2].startswith("shoe 1 can be checked: pitboss audit shoe")


def test_the_trainer_asks_once_and_the_review_tells_every_decision() -> None:
    knows = Knows({cmd.Hit: -0.2, cmd.Stand: -0.5})
    table = sit_down("melbourne/blackjack", advisor=knows, cards="2s Td 5h 3c Th 2d")
    said = played(table, "review", "trainer", "bet 10", "deal", "stand", "hit", "stand", "stand", "review", "quit")
    assert "No round is settled yet: there is nothing to review." in said
    assert "The trainer is on: it asks before a mistake." in said
    assert sum("hit is worth -0.2000 units, or -2.00: 3.00 more." in line for line in said) == 2
    assert "2 decisions, 1 of them a mistake: 3.00 given away." in said
    assert "two of spades, five of hearts against ten of diamonds: you chose to hit on box 5." in said
    assert table.session.state.phase is Phase.SETTLED


def test_an_interrupt_says_how_to_leave_and_a_second_one_leaves() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 9h Tc")
    said: list[str] = []

    def hear(heard: list[int] = []) -> str:  # noqa: B006 - it remembers how often it was asked
        heard.append(1)
        if len(heard) != 2:
            raise KeyboardInterrupt
        return "bet 5"

    with pytest.raises(KeyboardInterrupt):
        LineTable(table, hear, said.append).play()
    assert said.count("Type quit to leave: the session is saved.") == 2
    assert table.session.available == Money(995)


def test_a_drill_is_held_in_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("hit\nstand\nquit\n"))
    assert cli.main(["play", "star/blackjack", "--drill", "hands", "--plain", "--seed", "7"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Drill: hands, Blackjack. Type quit to leave."
    assert sum(line.startswith(("Right. Box 5", "Wrong. Box 5")) for line in said) == 2
    assert said[-1].endswith("of 2 right.")
    for wrong, says in (
        (["star/blackjack", "--drill", "cards"], "hands, payouts or counting"),
        (["--drill", "hands"], "needs a"),
    ):
        assert cli.main(["play", "--plain", *wrong]) == 2
        assert says in capsys.readouterr().err


def test_a_player_who_is_broke_is_offered_a_rebuy_in_lines() -> None:
    table = sit_down("star/blackjack", bankroll=10, cards="Ts 9d 8h Tc")
    said = played(table, "bet 10", "deal", "stand", "next", "bet 5", "rebuy", "rebuy", "bet 5", "quit")
    assert any(line.startswith("You may: rebuy 10,") for line in said)
    assert "No: 'rebuy' is not one of the answers; help lists them." in said
    assert table.session.bought_in == Money(20)


# ---------------------------------------------------------------------- mistakes on the command line


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["melbourne/pontoom"], "melbourne/pontoon"),
        (["melbourne/vegas", "--decks", "8"], "allowed: 4"),
        (["star/blackjack", "--side", "super-match"], "super-match"),
        (["star/blackjack", "--option", "nonsense=1"], "nonsense"),
        (["star/blackjack", "--option", "resplit"], "NAME=VALUE"),
        (["star/blackjack", "--robots", "20"], "no room for 20 robots"),
        (["rws/blackjack", "--robots", "2", "--sharers", "1"], "2.1.1(a)"),
        (["star/blackjack", "--robot-play", "wild"], "chart, optimum, random"),
        (["star/blackjack", "--bankroll", "nothing"], "--bankroll nothing: write a number"),
        (["star/blackjack", "--bankroll", "2"], "does not reach the minimum"),
        (["star/blackjack", "--min", "50", "--max", "10"], "above the maximum"),
        (["star/blackjack", "--box", "12"], "no box 12"),
        (["star/blackjack", "--decks", "inf"], "infinite"),
        (["--resume"], "no session to resume"),
        (["star/blackjack", "--resume"], "leave out star/blackjack"),
        (["--resume", "--journal", "absent.jsonl"], "absent.jsonl"),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["play", "--plain", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pitboss: ")
    assert err.count("\n") == 1
    assert says in err


# ---------------------------------------------------------------------- files


def test_the_data_folder_follows_the_platform(tmp_path: Path) -> None:
    assert data_folder({}, "linux", tmp_path) == tmp_path / ".local/share/pitboss"
    assert data_folder({"XDG_DATA_HOME": str(tmp_path / "x")}, "linux", tmp_path) == tmp_path / "x/pitboss"
    assert data_folder({"XDG_DATA_HOME": "relative"}, "linux", tmp_path) == tmp_path / ".local/share/pitboss"
    assert data_folder({}, "darwin", tmp_path) == tmp_path / "Library/Application Support/pitboss"
    assert data_folder({"LOCALAPPDATA": str(tmp_path / "l")}, "win32", tmp_path) == tmp_path / "l/pitboss"


def test_a_journal_is_kept_line_by_line_and_a_torn_line_is_mended(tmp_path: Path) -> None:
    journal = tmp_path / "sessions" / "one.jsonl"
    keeper = FileKeeper(journal, tmp_path / "records", fresh=True)
    table = sit_down("star/blackjack")
    keeper.close()
    journal.write_text(table.keeper.journal + '{"step": {"comm')  # type: ignore[attr-defined]
    restored = read_journal(journal)
    assert restored.session == table.session
    again = FileKeeper(journal, tmp_path / "records", fresh=False)
    back = resume_session(restored, NoAdvisor(), again)
    back.rebuy(Money(500))
    again.close()
    assert read_journal(journal).session == back.session
    assert back.session.bankroll == Money(1500)
    assert newest_journal(tmp_path) == journal
    older = tmp_path / "sittings" / "two.jsonl"
    older.parent.mkdir()
    older.write_bytes(journal.read_bytes())
    os.utime(journal, (1, 1))
    assert newest_journal(tmp_path) == older


def test_what_was_left_is_read_off_the_first_line_and_no_other_file_is_offered(tmp_path: Path) -> None:
    journal = tmp_path / "one.jsonl"
    keeper = FileKeeper(journal, tmp_path, fresh=True)
    sit_down("melbourne/pontoon", keeper=keeper)
    keeper.close()
    os.utime(journal, (86400, 86400))
    found = find_left(journal)
    assert found is not None
    assert found[0].game == "melbourne/pontoon"
    assert found[1].year == 1970
    journal.write_text("something else\n")
    assert find_left(journal) is None
    assert find_left(tmp_path / "absent.jsonl") is None


def test_a_session_cannot_be_played_in_two_windows(tmp_path: Path) -> None:
    keeper = FileKeeper(tmp_path / "one.jsonl", tmp_path, fresh=True)
    with pytest.raises(PitbossError, match="another window"):
        FileKeeper(tmp_path / "one.jsonl", tmp_path, fresh=False)
    keeper.close()
    FileKeeper(tmp_path / "one.jsonl", tmp_path, fresh=False).close()


def test_a_new_session_does_not_overwrite_an_old_one(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text("old\n")
    with pytest.raises(PitbossError, match="exists already"):
        FileKeeper(tmp_path / "one.jsonl", tmp_path, fresh=True)
    assert (tmp_path / "one.jsonl").read_text() == "old\n"


def test_rounds_of_another_session_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "one-00001.round.toml").write_text("old")
    with pytest.raises(PitbossError, match="rounds of another session called one"):
        FileKeeper(tmp_path / "one.jsonl", tmp_path, fresh=True)
    FileKeeper(tmp_path / "two.jsonl", tmp_path, fresh=True).close()


def test_the_list_of_games_offers_what_was_left_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for typed, first in (("star/blackjack", "1. perth/blackjack"), ("resume", "resume: star/blackjack, left ")):
        monkeypatch.setattr("sys.stdin", StringIO(f"{typed}\ncut\nquit\n"))
        assert cli.main(["play", "--plain", "--no-advice", "--robots", "0"]) == 0
        said = capsys.readouterr().out.splitlines()
        assert said[0].startswith(first)
        assert "Blackjack (star/blackjack), 8 decks." in said
    assert len(list((tmp_path / "pitboss" / "sessions").iterdir())) == 1


def test_a_journal_whose_end_was_cut_off_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    journal = tmp_path / "pitboss" / "sessions" / "one.jsonl"
    keeper = FileKeeper(journal, tmp_path / "pitboss" / "records", fresh=True)
    table = sit_down("star/blackjack", cards="Ts 9d 8h Tc", keeper=keeper)
    played(table, "bet 25", "deal", "stand", "quit")
    keeper.close()
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    assert cli.main(["play", "--plain", "--resume", "--no-advice"]) == 0
    capsys.readouterr()
    lines = journal.read_text().splitlines(keepends=True)
    stood = max(at for at, line in enumerate(lines) if '"stand"' in line)
    journal.write_text("".join(lines[:stood]))
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    assert cli.main(["play", "--plain", "--resume", "--no-advice"]) == 2
    err = capsys.readouterr().err
    assert "cut short after play: it ends before the round in one-00001.round.toml" in err
    assert err.count("\n") == 1
