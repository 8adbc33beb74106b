"""A process that answers questions, so that whoever asks never waits: the odds take longer than a table may.

Questions and answers are pickled over its input and output; what it answers is said by the command that starts it.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Hashable, Sequence
from typing import IO, Any

from pitboss.errors import PitbossError


class QuestionWorker:
    """A process that answers questions one after another, and what it has answered.

    The process is a command that runs `serve_questions`. It gets a session of its own, so that an interrupt at the
    terminal is not for it, and ends with its input, so that it cannot outlive the table.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.known: dict[Hashable, Any] = {}
        self.warm = False
        self.gone = False
        self._asked: set[Hashable] = set()
        self._news = threading.Condition()
        self._questions: queue.SimpleQueue[tuple[Hashable, Any]] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, key: Hashable, question: Any, *, seconds: float | None) -> Any:
        """The answer to a question if it comes within that many seconds; none waits as long as it takes."""
        with self._news:
            if key not in self._asked and not self.gone:
                self._asked.add(key)
                self._start()
                self._questions.put((key, question))
            self._news.wait_for(lambda: key in self.known or self.gone, seconds)
            return self.known.get(key)

    def forget(self, key: Hashable) -> None:
        """An answer is not needed any more."""
        with self._news:
            self.known.pop(key, None)
            self._asked.discard(key)

    def _start(self) -> None:
        """Start the process, and somebody to speak to it: while it is busy it does not read, and nobody may wait."""
        if self._process is None:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            threading.Thread(target=self._speak, args=(self._process.stdin,), daemon=True).start()
            threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True).start()

    def _speak(self, stream: IO[bytes]) -> None:
        """Pass questions on as fast as they are taken."""
        try:
            while True:
                pickle.dump(self._questions.get(), stream)
                stream.flush()
        except (OSError, ValueError):
            return

    def _listen(self, stream: IO[bytes]) -> None:
        """Take in answers until the process is gone; then nothing more will be known."""
        try:
            while True:
                key, found = pickle.load(stream)
                with self._news:
                    self.known[key] = found
                    self.warm = True
                    self._news.notify_all()
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            with self._news:
                self.gone = True
                self._news.notify_all()

    def close(self) -> None:
        """End the process; whoever waits for an answer is told that there is none."""
        with self._news:
            self.gone = True
            self._news.notify_all()
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def serve_questions(answer: Callable[[Any], Any]) -> None:
    """The process: questions in, answers out, and whatever else is printed goes nowhere."""
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    while True:
        try:
            key, question = pickle.load(questions)
        except EOFError:
            return
        try:
            found = answer(question)
        except PitbossError:
            found = None
        pickle.dump((key, found), answers)
        answers.flush()
