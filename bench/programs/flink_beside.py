"""Flink's jobs beside those of ``delay.py`` and ``idle.py``."""

from __future__ import annotations

import os

from bench.environments import flink_environment, java, java_classes
from bench.suite.engines import JAVA, OPENS


def flink_command(*arguments: object) -> list[str]:
    """The command that runs a job of ``BesideSpark.java``.

    Args:
        arguments: The job, its folder, and what else the job takes.

    Raises:
        SetupError: there is no Flink, or no Java compiler.
    """
    environment = flink_environment()
    classes = java_classes(environment, "beside-classes", sorted(JAVA.glob("beside/*.java")))
    class_path = os.pathsep.join([str(classes), environment.jars])
    return [java(), *OPENS, "-cp", class_path, "BesideSpark", *map(str, arguments)]
