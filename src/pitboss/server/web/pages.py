"""The pages by which people come in, plain and without scripts, in the looks of all others.

What comes from somebody else is escaped where it is put in.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from pitboss.server.site.site import find_site


def _write_page(content: str) -> str:
    styles = "".join(f"<link rel='stylesheet' href='{address}'>" for address in find_site().list_style_addresses())
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'><title>pitboss</title>"
        f"{styles}</head><body class='office'><main>{content}</main></body></html>"
    )


def _field(label: str, name: str, **attributes: str) -> str:
    shown = "".join(f" {key}='{escape(value, quote=True)}'" for key, value in attributes.items() if value)
    return f"<p><label>{escape(label)} <input name='{name}'{shown}></label></p>"


def _form(title: str, path: str, fields: str, button: str, wrong: str = "", before: str = "") -> str:
    """A page with one form; `wrong` is why it was not taken the last time."""
    told = f"<p><strong>{escape(wrong)}</strong></p>" if wrong else ""
    return _write_page(
        f"<h1>{escape(title)}</h1>{before}{told}<form method='post' action='{path}'>{fields}"
        f"<p><button class='main'>{escape(button)}</button></p></form><p><a href='/'>All tables</a></p>"
    )


def _new_password(least: int) -> str:
    return _field(
        f"Password, {least} characters or more", "password", type="password", required="required",
        minlength=str(least), autocomplete="new-password",
    )  # fmt: skip


def write_administrator_form(token: str, least: int, name: str = "", wrong: str = "") -> str:
    """The form behind the one-time link."""
    fields = (
        f"<input type='hidden' name='token' value='{escape(token, quote=True)}'>"
        + _field("Name", "name", required="required", autocomplete="username", value=name)
        + _new_password(least)
    )
    return _form("Become the administrator", "/administrator", fields, "Take office", wrong)


def write_sign_in_form(name: str = "", wrong: str = "") -> str:
    """The form for members."""
    fields = (
        _field("Name", "name", required="required", autocomplete="username", value=name)
        + _field("Password", "password", type="password", required="required", autocomplete="current-password")
        + _field("Code of your second factor, if you have got it", "code", autocomplete="one-time-code")
    )
    return _form("Sign in", "/sign-in", fields, "Sign in", wrong)


def write_password_form(name: str, least: int, wrong: str = "") -> str:
    """The form for another password."""
    fields = _field(
        "Password of before", "current", type="password", required="required", autocomplete="current-password"
    ) + _new_password(least)
    return _form(f"Choose a password, {name}", "/password", fields, "Change it", wrong)


def write_factor_start(name: str, ask_password: bool, wrong: str = "") -> str:
    """Before somebody gets the secret of a second factor."""
    before = (
        "<p>A second factor is a code that your telephone shows and that changes every half minute. You need an app for"
        " such codes (TOTP). From then you sign in with your password and a code.</p>"
    )
    fields = ""
    if ask_password:
        fields = _field(
            "Your password", "password", type="password", required="required", autocomplete="current-password"
        )
    return _form(f"Get a second factor, {name}", "/second-factor", fields, "Show me the secret", wrong, before)


def write_factor_code(secret: str, link: str, wrong: str = "") -> str:
    """The secret, told this once, and the form for the first code."""
    before = (
        "<p>Type this into the app of your telephone, or open the link there:</p>"
        f"<p><code>{escape(secret)}</code></p><p><a href='{escape(link, quote=True)}'>{escape(link)}</a></p>"
        if secret
        else "<p>Your telephone has the secret. A code is good for half a minute, and once.</p>"
    )
    code = _field(
        "The code that it shows", "code", required="required", inputmode="numeric", autocomplete="one-time-code"
    )
    return _form("Show the first code", "/second-factor/confirm", code, "Confirm", wrong, before)


def write_recovery(codes: Iterable[str]) -> str:
    """The recovery codes, told this once."""
    listed = "".join(f"<li><code>{escape(code)}</code></li>" for code in codes)
    return write_text(
        "You have a second factor",
        "<p>Keep these codes elsewhere. Each lets you in once without the telephone:</p>"
        f"<ul>{listed}</ul><p><a href='/'>All tables</a></p>",
    )


def write_office(name: str, factor_required: bool) -> str:
    """What the first administrator does next."""
    factor = "Your role counts when you have a second factor" if factor_required else "You may have a second factor"
    return write_text(
        f"You are the administrator of this floor, {name}",
        f"<ul><li>{factor}: <a href='/second-factor'>get it now</a>.</li>"
        "<li>Give people accounts (<code>POST /api/people</code>) and roles (<code>give-role</code>,"
        " <code>POST /api/floor/commands</code>).</li>"
        "<li>Open tables (<code>open-table</code>), fill floats (<code>fill-float</code>), seat robots"
        " (<code>seat-robot</code>).</li></ul>"
        "<p>You are signed in with this browser. <a href='/'>All tables</a>,"
        " <a href='/schema/openapi.json'>everything that can be asked</a>.</p>",
    )


def write_text(title: str, body: str) -> str:
    """A page with a title and paragraphs that are HTML already."""
    return _write_page(f"<h1>{escape(title)}</h1>{body}")


def write_line(text: str) -> str:
    """A page that says one thing."""
    return _write_page(f"<p>{escape(text)}</p><p><a href='/'>All tables</a></p>")
