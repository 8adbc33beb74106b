"""The few pages that the server has of its own: the welcome, and the form for the first administrator."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

HEAD = "<!doctype html><html lang='en'><meta charset='utf-8'><title>pitboss</title><body>"


def write_welcome(tables: Iterable[tuple[str, str]]) -> str:
    """The tables that are open, by name and game."""
    rows = "".join(f"<li>{escape(name)}: {escape(game)}</li>" for name, game in tables)
    hint = "Play in the terminal with <code>pitboss join</code> and this address."
    return f"{HEAD}<h1>The floor is open</h1><p>{hint}</p><ul>{rows}</ul></body></html>"


def write_administrator_form(token: str) -> str:
    """The form behind the one-time link."""
    return (
        f"{HEAD}<h1>Become the administrator</h1><form method='post' action='/administrator'>"
        f"<input type='hidden' name='token' value='{escape(token, quote=True)}'>"
        "<p><label>Name <input name='name' required autocomplete='username'></label></p>"
        "<p><label>Password <input name='password' type='password' required minlength='12'"
        " autocomplete='new-password'></label></p><button>Take office</button></form></body></html>"
    )


def write_line(text: str) -> str:
    """A page that says one thing."""
    return f"{HEAD}<p>{escape(text)}</p></body></html>"
