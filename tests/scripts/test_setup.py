"""What `make setup` asks of a machine: a suitable Python, and Java 17 or newer."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
TOOLS = ("bash", "sed", "head", "env")


def machine(folder: Path, **commands: str) -> dict[str, str]:
    """The environment of a machine that has only the basic tools and ``commands`` (bash text by name)."""
    folder.mkdir(exist_ok=True)
    for tool in TOOLS:
        (folder / tool).symlink_to(shutil.which(tool))
    for name, text in commands.items():
        command = folder / name.replace("_", "-")
        command.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        command.chmod(0o755)
    return {"PATH": str(folder)}


def run(script: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shutil.which("bash"), SCRIPTS / script], env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("version", ["17.0.15", "21", "25.0.1"])
def test_java_17_or_newer_will_do(tmp_path, version):
    """A Java that says it is 17 or newer is taken as it is, without a word."""
    done = run("java", machine(tmp_path, java=f"echo 'openjdk version \"{version}\" 2025-04-15' >&2"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("commands", [{}, {"java": "echo 'java version \"1.8.0_402\"' >&2"}], ids=["none", "too old"])
def test_what_to_install_is_said_in_one_line(tmp_path, commands):
    """Without Java, and without leave to install it, the last line says what to install."""
    done = run(
        "java", machine(tmp_path, id="echo 1000", sudo="exit 1", apt_get="echo must not run; exit 0", **commands)
    )
    assert done.returncode == 1
    assert "openjdk-17-jre-headless" in done.stderr.splitlines()[-1]
    assert "must not run" not in done.stdout + done.stderr


def test_java_is_installed_where_that_is_allowed(tmp_path):
    """As root on Debian, the newest of the packages that the distribution has is installed."""
    apt_get = f"""
case "$*" in
    update*) ;;
    *openjdk-17-jre-headless) {shutil.which("ln")} -s packaged {tmp_path}/java ;;
    *) exit 100 ;;
esac"""
    packaged = "echo 'openjdk version \"17.0.1\"' >&2"
    done = run("java", machine(tmp_path, id="echo 0", apt_get=apt_get, packaged=packaged))
    assert done.returncode == 0, done.stderr


def test_the_first_suitable_python_is_taken(tmp_path):
    """An interpreter that is too new, or has no venv module, is passed over for the next."""
    suitable, unsuitable = "exit 0", "exit 1"
    env = machine(tmp_path, python3=unsuitable, **{"python3.13": unsuitable, "python3.12": suitable})
    done = run("python", env)
    assert done.stdout == f"{tmp_path}/python3.12\n"


def test_a_missing_python_is_said_in_one_line(tmp_path):
    """Without a suitable interpreter, one line says which are."""
    done = run("python", machine(tmp_path, python3="exit 1"))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "3.11, 3.12 or 3.13" in line


def test_python_can_be_named(tmp_path):
    """PYTHON names the interpreter to build with."""
    env = machine(tmp_path, python3="exit 0", mine="exit 0") | {"PYTHON": str(tmp_path / "mine")}
    assert run("python", env).stdout == f"{tmp_path}/mine\n"


def test_the_lock_file_names_no_machine():
    """The lock files hold versions and hashes, and neither an index nor a path."""
    for name in ("requirements.lock", "requirements-build.lock"):
        text = (SCRIPTS.parent / name).read_text()
        assert "--hash=sha256:" in text
        assert not [
            word for word in ("://", "--index", "--find-links", os.sep + "home", os.sep + "tmp") if word in text
        ]
