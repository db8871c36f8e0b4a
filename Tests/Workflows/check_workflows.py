"""The workflows on a small data set: a worker is killed in the middle, and the merged bytes are those of the undivided run.

    python3 Tests/Workflows/check_workflows.py FATHOM

FATHOM is a path of the command. Needs snakemake, dask and distributed, see requirements.txt.
"""

import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKFLOWS = ROOT / "Workflows"


def run(*words, folder, environment=None):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def digests(folder):
    """Of every file but the one that says when and where."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "timing.csv"
    }


def writers(folder):
    """Processes that hold an unfinished shard open in which a scene is finished."""
    partial = [str(path) for path in folder.glob("*.partial") if any(path.glob("*.rows"))]
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            held = {os.readlink(link) for link in (process / "fd").iterdir()}
        except OSError:
            continue
        if any(name.startswith(path + "/") for name in held for path in partial):
            yield int(process.name)


class Killer(threading.Thread):
    """Ends the first shard that has finished a scene with SIGKILL."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.killed, self.over = folder, None, False

    def run(self):
        while self.killed is None and not self.over:
            for process in writers(self.folder):
                os.kill(process, signal.SIGKILL)
                self.killed = process
                return
            time.sleep(0.005)


def check(name, whole, folder, shards, merged, *words, environment):
    killer = Killer(folder / shards)
    killer.start()
    run(*words, folder=folder, environment=environment)
    killer.over = True
    killer.join()
    if killer.killed is None:
        sys.exit(f"{name}: no worker could be killed in the middle: the data are too small")
    found = digests(folder / merged)
    wrong = sorted(file for file in whole.keys() | found.keys() if whole.get(file) != found.get(file))
    if wrong:
        sys.exit(f"{name}: other bytes than the undivided run: {', '.join(wrong)}")
    print(f"{name}: a worker was killed, and all {len(found)} files have the bytes of the undivided run")


def main(fathom):
    fathom = pathlib.Path(fathom).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        for seed in (1, 2):
            run(fathom, "synthesize", f"{seed}.h5", "--preset", "sample", "--scenes", 6, "--frames", 4, "--seed", seed,
                "--quiet", folder=folder)
        inputs = ["1.h5", "2.h5"]
        run(fathom, "evaluate", *inputs, "--output", "whole", "--quiet", folder=folder)
        whole = digests(folder / "whole")
        environment = dict(os.environ, PATH=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
        plan = run(fathom, "plan", *inputs, "--shards", 3, "--format", "snakemake", folder=folder)
        (folder / "plan.yaml").write_text(plan)
        check("Snakemake", whole, folder, "Shards", "Shards-run", sys.executable, "-m", "snakemake", "--snakefile",
              WORKFLOWS / "Snakefile", "--configfile", "plan.yaml", "--config", f"fathom={fathom}", "--cores", 2,
              environment=environment)
        run(fathom, "calibrate", *inputs, "--output", "calibration", "--quiet", folder=folder)
        plan = run(fathom, "plan", *inputs, "--shards", 2, "--for", "calibrate", "--format", "snakemake", "--output", "C",
                   folder=folder)
        (folder / "calibrate.yaml").write_text(plan)
        run(sys.executable, "-m", "snakemake", "--snakefile", WORKFLOWS / "Snakefile", "--configfile", "calibrate.yaml",
            "--config", f"fathom={fathom}", "--cores", 2, folder=folder, environment=environment)
        if digests(folder / "calibration") != digests(folder / "C-run"):
            sys.exit("Snakemake: other bytes than the undivided calibration")
        print("Snakemake: a calibration has the bytes of the undivided one")
        check("Dask", whole, folder, "D", "D-run", sys.executable, WORKFLOWS / "dask_shards.py", "--fathom", fathom,
              "--shards", 3, "--folder", "D", "--run", "D-run", *inputs, environment=environment)
        dry = subprocess.run([WORKFLOWS / "slurm.sh", "3", "S", "S-run", *inputs], env=dict(environment, DRY_RUN="1"),
                             capture_output=True, text=True, check=True).stderr
        assert "--array=1-3" in dry and "--dependency=afterok" in dry, dry
        print("SLURM: dry run only")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
