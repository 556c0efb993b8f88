"""Hadoop's files on a disk of this machine, written without a process for each.

Without its native library Hadoop starts ``chmod`` for each file that it makes, and for the file of checksums beside it:
two processes for each entry of Spark's logs and each of its state files, a dozen in every batch. Java itself sets a
file's mode in some microseconds. The class that has it do so is four lines of Java, which the compiler reads that Spark
carries for its own generated code.
"""

from __future__ import annotations

import os
from typing import Any

_NAME = "WindrowLocalFiles"
#: Java knows no sticky bit; such modes are left to ``chmod``.
_SOURCE = f"""
public class {_NAME} extends org.apache.hadoop.fs.RawLocalFileSystem {{
  public void setPermission(org.apache.hadoop.fs.Path path, org.apache.hadoop.fs.permission.FsPermission mode)
      throws java.io.IOException {{
    if (mode.getStickyBit()) {{
      super.setPermission(path, mode);
    }} else {{
      java.nio.file.Files.setPosixFilePermissions(pathToFile(path).toPath(),
          java.nio.file.attribute.PosixFilePermissions.fromString(mode.toString()));
    }}
  }}
}}
"""


def start_no_chmod(spark: Any) -> bool:
    """Let the Java of a session set the modes of files itself, from now on; False: it goes on starting processes.

    Hadoop has one object for all files on this machine's disks, which has a second one for the files without their
    checksums. That one is exchanged.

    Args:
        spark: A session that Windrow has started: what it is for is not for us to say in another one.
    """
    from py4j.protocol import Py4JError

    if os.name != "posix":
        return False
    jvm, gateway = spark._jvm, spark.sparkContext._gateway
    configuration = spark._jsc.hadoopConfiguration()
    try:
        with_checksums = jvm.org.apache.hadoop.fs.FileSystem.getLocal(configuration)
        plain = with_checksums.getRawFileSystem()
        if plain.getClass().getName() != "org.apache.hadoop.fs.RawLocalFileSystem":
            return bool(plain.getClass().getName() == _NAME)  # or somebody has put another one there, who knows why
        compiler = jvm.org.codehaus.janino.SimpleCompiler()
        compiler.setParentClassLoader(plain.getClass().getClassLoader())
        compiler.cook(_SOURCE)
        nothing = gateway.new_array(jvm.java.lang.Object, 0)
        no_types = gateway.new_array(jvm.java.lang.Class, 0)
        ours = compiler.getClassLoader().loadClass(_NAME).getConstructor(no_types).newInstance(nothing)
        ours.initialize(with_checksums.getUri(), configuration)
        field = jvm.java.lang.Class.forName("org.apache.hadoop.fs.FilterFileSystem").getDeclaredField("fs")
        field.setAccessible(True)
        field.set(with_checksums, ours)
    except (Py4JError, TypeError):  # names that another Hadoop, or another Spark, does not have
        return False
    return True
