"""Statements that a person types: asked for, run, and asked for again."""

from __future__ import annotations

import traceback
from typing import Any

from rich.console import Console
from rich.text import Text

try:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.filters import completion_is_selected
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
except ImportError as error:
    _msg = "windrow sql asks for statements with the package prompt_toolkit: pip install 'windrow[sql]'"
    raise ImportError(_msg) from error

from windrow.errors import WindrowError
from windrow.sql.dialect import is_complete
from windrow.terminal.sql_client.client import OWN_STATEMENTS, SqlClient
from windrow.terminal.sql_client.completion import SqlCompleter
from windrow.terminal.sql_client.history import history_of

_PROMPT, _MORE = "Windrow SQL> ", "> "
_WELCOME = "Statements end with a semicolon; HELP lists what else there is, QUIT ends."


def converse(client: SqlClient, history: str | None, **terminal: Any) -> None:
    """Ask for statements and run them, until ``QUIT`` or Ctrl-D.

    What goes wrong is shown, and the next statement is asked for. Ctrl-C ends the query that runs, or forgets what was
    typed.

    Args:
        client: Runs them.
        history: The file in which they are kept, or ``off``; None: one in the user's folder for state.
        terminal: What prompt_toolkit reads from and writes to, where that is not the terminal.
    """
    session = _session(client, history, **terminal)
    errors = Console(stderr=True)
    client.console.print(_WELCOME, highlight=False)
    while True:
        try:
            text = session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if not _run(client, text, errors):
            return


def _run(client: SqlClient, text: str, errors: Console) -> bool:
    """Run a statement and print its errors; False: it ends the conversation."""
    try:
        return client.run(text)
    except KeyboardInterrupt:
        client.console.print("ended by Ctrl-C", highlight=False)
    except WindrowError as error:
        errors.print(Text(f"Error: {error}", style="red"), soft_wrap=True)
    except Exception:
        errors.print(Text(traceback.format_exc(), style="red"), soft_wrap=True)
    return True


def _session(client: SqlClient, history: str | None, **terminal: Any) -> PromptSession[str]:
    return PromptSession(
        _PROMPT,
        multiline=True,
        prompt_continuation=lambda width, *_: _MORE.rjust(width),
        key_bindings=_keys(),
        history=history_of(history),
        completer=SqlCompleter(client.tables),
        complete_while_typing=False,
        **terminal,
    )


def _keys() -> KeyBindings:
    """Enter runs what is complete, and begins a new line in what is not."""
    keys = KeyBindings()

    @keys.add("enter", filter=~completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        text = event.current_buffer.text
        if not text.strip() or text.strip().upper() in OWN_STATEMENTS or is_complete(text):
            event.current_buffer.validate_and_handle()
        else:
            event.current_buffer.insert_text("\n")

    @keys.add("enter", filter=completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    return keys
