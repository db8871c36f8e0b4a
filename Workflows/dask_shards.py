"""An evaluation in shards on a Dask cluster; only calls the command.

    python3 Workflows/dask_shards.py --shards 7 --folder Shards --run Run INPUT… [-- OPTION OF EVALUATE…]

Without --scheduler ADDRESS a cluster of two workers runs here. Every task uses --jobs cores (default: 1). A task whose worker dies
is given to another one, which goes on where it was. Inputs and folders must be the same files on every worker.
"""

import argparse
import subprocess
import sys

from dask.distributed import Client, LocalCluster


def call(*words):
    """One command; what it says on standard error is what went wrong."""
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"{done.stderr.strip()} (exit code {done.returncode})")
    return words


if __name__ == "__main__":
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        arguments, options = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--folder", default="Shards")
    parser.add_argument("--run", default="Run")
    parser.add_argument("--fathom", default="fathom")
    parser.add_argument("--scheduler")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    folders = [f"{given.folder}/{number}" for number in range(1, given.shards + 1)]
    with Client(given.scheduler or LocalCluster(n_workers=2, threads_per_worker=given.jobs)) as client:
        tasks = [
            client.submit(call, given.fathom, "evaluate", *given.inputs, *options, "--shard", f"{number}/{given.shards}",
                          "--jobs", str(given.jobs), "--resume", "--output", folder, "--quiet", pure=False, retries=2)
            for number, folder in enumerate(folders, 1)
        ]
        client.gather(tasks)
    call(given.fathom, "merge", *folders, "--output", given.run, "--quiet")
