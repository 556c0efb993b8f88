"""Packages and archives that tests bring to functions."""

import zipfile


def zipped(path, files):
    """A zip archive of files by name; its path."""
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return path


def wheel(folder, name, text):
    """A package with one module of its name, as pip installs it; its path."""
    about = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": text,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": "",
    }
    return zipped(folder / f"{name}-1.0-py3-none-any.whl", files)
