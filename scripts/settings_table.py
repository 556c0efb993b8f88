"""Writes docs/settings.md: every setting of Flink and Windrow, and what becomes of it.

The rows are in src/windrow/common/settings. With --check nothing is written: it fails if the page is out of date.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from windrow.common.settings.setting import Effect, Setting
from windrow.common.settings.table import TABLE

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"

HEAD = """# Settings

A program is given settings by a `Configuration`, when it asks for its environment or later by `env.configure(...)`,
or by the setters of the environment, its `ExecutionConfig` and its `CheckpointConfig`. Names and values are Flink's.

```python
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment

config = Configuration.from_dict({"parallelism.default": "2", "pipeline.auto-watermark-interval": "1 s"})
env = StreamExecutionEnvironment.get_execution_environment(config)
print(env.get_parallelism(), env.get_config().get_auto_watermark_interval())
```

```text
2 1000
```

Each setting of Flink is one of three:

- **honoured**: it does what it says;
- **no effect**: it is kept, given back, and changes nothing. The program is told why in a warning, once for each
  setting, on the logger `windrow`. Nothing is said of a value that asks for what is done anyway, such as
  `EXACTLY_ONCE`;
- **refused**: it is an error, because a program that relies on it would do something else than its author means.

A value that cannot be is an error where it is set. So is a name that there is not: one that begins as Windrow's or
Flink's do (`windrow.`, `execution.`, `pipeline.`, `state.`, ...), or is a slip of the pen away from one of theirs.
The error names the nearest one:

```python
from windrow.errors import ConfigurationError

try:
    env.configure(Configuration.from_dict({"paralelism.default": "4"}))
except ConfigurationError as error:
    print(error)
```

```text
there is no setting 'paralelism.default'; did you mean 'parallelism.default'?
```

`spark.*` goes to Spark as it is, for a session that Windrow starts. All other names are the program's own, and are
kept.

Spans of time are written `200 ms`, `10 s`, `5 min`, `1 h`, `1 d`, or as a number of milliseconds; lists `[a, b]` or
`a;b`; maps `{a: 1, b: 2}` or `a:1,b:2`. A name in brackets is one that a setting had before: it works too.

A job whose checkpoints are enabled and that is named no directory (`env.enable_checkpointing(1000)` alone) is told so
in a warning: its state goes with the program. In the local runtime there are no checkpoints: a directory is warned
about, a savepoint to start from refused.
"""

TITLES = {
    Effect.HONOURED: "Honoured",
    Effect.WARNED: "No effect",
    Effect.REFUSED: "Refused",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for effect, title in TITLES.items():
        what = "what it does" if effect is Effect.HONOURED else "why"
        parts += [f"\n## {title}\n", f"| setting | for example | {what} |", "|---|---|---|"]
        parts += _rows(row for row in TABLE if row.effect is effect)
    return "\n".join(parts) + "\n"


def _rows(settings: Iterable[Setting]) -> list[str]:
    return [f"| {_name(row)} | {_code(row.example)} | {_sentence(row)} |" for row in settings]


def _name(row: Setting) -> str:
    return " ".join([f"`{row.key}`", *(f"(`{name}`)" for name in row.older)])


def _code(example: str) -> str:
    return f"`{example}`" if example else ""


def _sentence(row: Setting) -> str:
    same = " or ".join(f"`{value}`" for value in row.same if value)
    return row.words + (f". Nothing is said of {same}" if same and row.effect is not Effect.HONOURED else "")


def main(arguments: list[str]) -> int:
    """Write the page, or check it."""
    if "--check" in arguments:
        if PAGE.read_text() != page():
            print(f"{PAGE.name} is out of date: run scripts/python scripts/settings_table.py", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
