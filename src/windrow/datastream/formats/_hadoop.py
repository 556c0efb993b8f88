"""Settings of Hadoop's writers and readers, as far as formats honour them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from windrow.common.configuration import Configuration
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: An argument of Arrow's writer for a setting, and what makes it of the setting's text.
Known = Mapping[str, tuple[str, Callable[[str], Any]]]


def truth(text: str) -> bool:
    """A setting that is ``true`` or ``false``."""
    if text not in ("true", "false"):
        msg = f"is true or false; got {text!r}"
        raise ValueError(msg)
    return text == "true"


def writer_options(config: Any, known: Known, parameter: str) -> dict[str, Any]:
    """Arguments for Arrow's writer that say what the settings say.

    Raises:
        ConfigurationTypeError: ``config`` is no ``Configuration``.
        ConfigurationError: it has a setting that is not honoured, or a value that cannot be.

    Example:
        >>> page = {"parquet.page.size": ("data_page_size", int)}
        >>> config = Configuration().set_integer("parquet.page.size", 65536)
        >>> writer_options(config, page, "hadoop_config of for_row_type")
        {'data_page_size': 65536}
    """
    if config is None:
        return {}
    if not isinstance(config, Configuration):
        msg = f"{parameter} takes a Configuration; got {config!r} ({type(config).__name__})"
        raise ConfigurationTypeError(msg)
    options = {}
    for key, text in config.to_dict().items():
        if key not in known:
            honoured = ", ".join(known) or "none"
            msg = f"{parameter} has {key!r}, which does nothing here: honoured are {honoured}"
            raise ConfigurationError(msg)
        name, convert = known[key]
        try:
            options[name] = convert(text)
        except ValueError as error:
            msg = f"{key!r} of {parameter}: {error}"
            raise ConfigurationError(msg) from None
    return options
