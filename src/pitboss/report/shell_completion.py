"""Completion scripts for shells, written from the list of commands, their options and the words these take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class OptionWords(NamedTuple):
    """An option: its name, what it is for, and what may follow it."""

    name: str
    help: str
    takes_value: bool
    files: bool = False
    words: tuple[str, ...] = ()


class CommandWords(NamedTuple):
    """A command: its name, what it is for, its options, and the words or files that are its arguments."""

    name: str
    help: str
    options: tuple[OptionWords, ...] = ()
    words: tuple[str, ...] = ()
    files: bool = False


def write_bash(commands: Sequence[CommandWords]) -> str:
    """The script for bash."""
    lines = [
        "_pitboss() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" place',
        "    for ((place = 1; place < COMP_CWORD; place++)); do",
        '        if [[ ${COMP_WORDS[place]} != -* ]]; then command="${COMP_WORDS[place]}"; break; fi',
        "    done",
        "    COMPREPLY=()",
        '    case "$command $before" in',
    ]
    for command in commands:
        for option in command.options:
            if option.takes_value:
                reply = f'COMPREPLY=($(compgen -W "{" ".join(option.words)}" -- "$word"))' if option.words else ":"
                lines.append(f'        "{command.name} {option.name}") {reply}; return ;;')
    lines += ["    esac", '    case "$command" in', f'        "") {_reply([*_names(commands), "--version"])} ;;']
    lines.append(f"        help) {_reply(_names(commands))} ;;")
    for command in commands:
        options = [option.name for option in command.options]
        lines.append(
            f"        {command.name}) if [[ $word == -* ]]; then {_reply(options)}; "
            f"else {_reply(command.words) if command.words else ':'}; fi ;;"
        )
    return "\n".join([*lines, "    esac", "}", "complete -o default -F _pitboss pitboss"])


def _reply(words: Sequence[str]) -> str:
    return f'COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word"))'


def _names(commands: Sequence[CommandWords]) -> list[str]:
    return [*(command.name for command in commands), "help"]


def write_zsh(commands: Sequence[CommandWords]) -> str:
    """The script for zsh."""
    lines = [
        "#compdef pitboss",
        "_pitboss() {",
        '    local before=${words[CURRENT-1]} command="" word',
        "    for word in ${words[2,CURRENT-1]}; do",
        "        if [[ $word != -* ]]; then command=$word; break; fi",
        "    done",
        '    case "$command $before" in',
    ]
    for command in commands:
        for option in command.options:
            if option.takes_value:
                reply = f"compadd -- {' '.join(option.words)}" if option.words else "_files" if option.files else ":"
                lines.append(f'        "{command.name} {option.name}") {reply}; return ;;')
    lines += ["    esac", '    case "$command" in', f'        "") compadd -- {" ".join(_names(commands))} --version ;;']
    lines.append(f"        help) compadd -- {' '.join(_names(commands))} ;;")
    for command in commands:
        options = " ".join(option.name for option in command.options)
        arguments = f"compadd -- {' '.join(command.words)}" if command.words else "_files"
        lines.append(
            f"        {command.name}) if [[ $PREFIX == -* ]]; then compadd -- {options}; else {arguments}; fi ;;"
        )
    return "\n".join([*lines, "    esac", "}", "compdef _pitboss pitboss"])


def write_fish(commands: Sequence[CommandWords]) -> str:
    """The script for fish."""
    lines = ["complete -c pitboss -n __fish_use_subcommand -f -l version -d 'Print the version and exit.'"]
    for command in commands:
        start, seen = "-n __fish_use_subcommand -f", f"-n '__fish_seen_subcommand_from {command.name}'"
        lines.append(f"complete -c pitboss {start} -a {command.name} -d {_quote(command.help)}")
        if command.words:
            lines.append(f"complete -c pitboss {seen} -f -a {_quote(' '.join(command.words))}")
        for option in command.options:
            value = f"-x -a {_quote(' '.join(option.words))}" if option.words else "-r -F" if option.files else "-x"
            after = f" {value}" if option.takes_value else ""
            lines.append(
                f"complete -c pitboss {seen} -l {option.name.removeprefix('--')}{after} -d {_quote(option.help)}"
            )
    return "\n".join(lines)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS = {"bash": write_bash, "zsh": write_zsh, "fish": write_fish}
