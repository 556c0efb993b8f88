"""Programs that use an object store: `python on_s3.py NAME FOLDER SETTING=VALUE ...`."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def contract(spark, place, folder):
    from tests.storage.folder_contract import check_all
    from windrow.runtime.spark.hadoop_folder import HadoopFolder

    check_all(HadoopFolder(spark, place))


def readers(spark, place, folder):
    from tests.runtime.spark import programs

    programs.readers(f"{place}/checkpoint", f"{folder}/out")


def files(spark, place, folder):
    from tests.runtime.spark import programs

    programs.files(f"{place}/checkpoint", f"{place}/out", f"{place}/in")


def command_on_s3(store, program, folder):
    """What runs a program in a process of its own, with its checkpoint on the object store."""
    settings = [f"{key}={value}" for key, value in store.settings.items()]
    return [sys.executable, __file__, program, str(folder), *settings]


def main(name, folder, *settings):
    sys.path.insert(0, str(ROOT))
    from tests.hadoop.object_store import BUCKET
    from windrow.runtime.spark.session import session

    spark = session({"spark.master": "local[2]", **dict(setting.split("=", 1) for setting in settings)})
    try:
        {"contract": contract, "files": files, "readers": readers}[name](
            spark, f"s3a://{BUCKET}/{Path(folder).name}", folder
        )
    finally:
        spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
