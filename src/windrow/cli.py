"""The command line: ``windrow COMMAND``. A command's module is loaded when that command is asked for."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

#: Commands that live in modules of their own: ``module:attribute``.
_LAZY_COMMANDS = {
    "demo": "windrow.demo.command:demo",
    "doctor": "windrow.doctor.command:doctor",
    "explain": "windrow.terminal.explain:explain",
    "history": "windrow.terminal.history:history",
    "package": "windrow.package.command:package",
    "port": "windrow.port.command:port",
    "run": "windrow.terminal.run:run",
    "sql": "windrow.terminal.sql_client.command:sql",
    "state": "windrow.state_processor.command:state",
    "top": "windrow.terminal.top:top",
}


class LazyGroup(click.Group):
    """A group that imports the commands of other modules only when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_LAZY_COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LAZY_COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = _LAZY_COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


@click.group(cls=LazyGroup)
@click.version_option(package_name="windrow")
def main() -> None:
    """Apache Flink's DataStream model for Python, executed on Apache Spark."""


@main.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--runtime",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="Play the cases in this process, or window and join cases through Structured Streaming queries.",
)
def conformance(paths: tuple[Path, ...], runtime: str) -> None:
    """Replay cases from Flink's own operator tests, from files of cases or folders of such files.

    Prints one line for each failed case and last "N passed, M failed"; exits with 1 if any failed.
    """
    from windrow.errors import ConfigurationError
    from windrow.testing.conformance.loader import load_cases
    from windrow.testing.conformance.runner import run_local, run_on_spark

    try:
        cases = load_cases(paths)
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from error
    spark = runtime == "spark"
    report = run_on_spark(cases) if spark else run_local(cases)
    for line in report.lines(spark=spark):
        click.echo(line)
    if report.failures:
        raise SystemExit(1)
