"""``windrow port``: rewrites a PyFlink program's imports, and lists what differs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--write", is_flag=True, help="Change the files; without it the changes are shown as a diff.")
def port(paths: tuple[Path, ...], write: bool) -> None:
    """Rewrite the imports of PyFlink programs, files or folders of them, to Windrow's.

    Then lists, with line numbers, what the programs use that is absent from Windrow or differs there. Exits with 1 if a
    file could not be read as Python.
    """
    # Imported here, so that the command line's help stays quick.
    from windrow.port.program import ported, python_files

    told: list[str] = []
    changed = failed = 0
    for file in dict.fromkeys(file for path in paths for file in python_files(path)):
        try:
            program = ported(file)
        except (SyntaxError, UnicodeDecodeError, OSError) as error:
            click.echo(f"{file}: left as it is: {error}", err=True)
            failed += 1
            continue
        changed += program.after != program.before
        if write:
            program.write()
        else:
            click.echo(program.diff(), nl=False)
        told += [f"{file}:{finding}" for finding in program.findings]
    for line in told:
        click.echo(line)
    files = f"{changed} file{'' if changed == 1 else 's'}"
    click.echo(f"{files} {'changed' if write else 'to change: --write does it'}; {len(told)} to look at")
    if failed:
        raise SystemExit(1)
