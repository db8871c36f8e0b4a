"""Runs every command that a run, a search and a calibration print: on pages, in Markdown and on the terminal.

    check_commands.py PATH/TO/fathom

The data are made here, of every kind that changes what is printed: simulated rooms, a phone's recording with truth from its own
frames, networks without LiDAR, no truth at all; with options that a command must repeat; under names with blanks and quotes. A
command runs as a shell reads it, in the folder where the run was made, and must end with 0.

A word in capitals is a place for something of the reader's: OUT.h5, MORE.h5, NAME:metric=FOLDER, or FOLDER, that of the page. It is
filled in as a reader would.
The name of a command alone ("`fathom frames` makes …") is not a command.
"""

import argparse
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
ESCAPED = re.compile(r"\\([^\w\s])")


class Page(html.parser.HTMLParser):
    """Texts of a page that are code, or cells of tables."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag in ("code", "td"):
            self.open.append("")

    def handle_data(self, data):
        self.open = [text + data for text in self.open]

    def handle_endtag(self, tag):
        if tag in ("code", "td") and self.open:
            self.texts.append(self.open.pop().strip())


def of_markdown(text):
    for fence, code in re.findall(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text):
        yield code.strip() if fence else code
    for line in text.splitlines():
        if line.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", line):
                yield ESCAPED.sub(r"\1", cell.strip())


def of_frames(folder):
    text = (folder / "rows.js").read_text(encoding="utf-8")
    rows = json.loads(re.fullmatch(r"window\.fathomFrames = (.*);\n", text, re.S)[1].replace("<\\/", "</"))
    return [frame["command"] for frame in rows["frames"]]


def commands(texts):
    """Those of the texts that are commands, each once."""
    return list(dict.fromkeys(t for t in texts if re.match(r"fathom [a-z]+ ", t)))


class Shell:
    """A folder in which commands run."""

    def __init__(self, folder, fathom):
        self.folder, self.count = folder, 0
        (folder / "bin").mkdir()
        (folder / "bin/fathom").symlink_to(fathom)
        self.environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}

    def run(self, command):
        """What it makes in Reports goes again: the command of another run may make the same."""
        reports = self.folder / "Reports"
        before = set(reports.iterdir())
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        for path in set(reports.iterdir()) - before:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return done

    def made(self, *words):
        done = subprocess.run([self.folder / "bin/fathom", *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"fathom {' '.join(map(str, words))} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def filled(self, command):
        """With something in the place of words in capitals."""
        self.count += 1
        return (
            command.replace("OUT.h5", f"made-{self.count}.h5").replace("MORE.h5", "'other rooms.h5'")
            .replace("NAME:metric=FOLDER", "mynet:metric=maps")
        )  # fmt: skip


def edit(path, change):
    with h5py.File(path, "r+") as file:
        for scene in file["scenes"].values():
            change(scene)


def without_lidar(scene):
    """Two networks and no return."""
    truth = scene["truth/depth"][...]
    scene["lidar/depth"][...] = 0
    # As in a data set whose maker says nothing: it does not count as independent.
    scene["truth/depth"].attrs["independence"] = "unknown"
    predictions = scene.require_group("predictions")
    for name, factor in (("near", 0.9), ("far", 1.05)):
        group = predictions.create_group(name)
        data = group.create_dataset("depth", data=(factor * truth).astype("f4"))
        data.attrs["kind"] = "metric"


def make(shell):
    """The data sets."""
    def rooms(name, scenes, frames):
        shell.made("synthesize", name, "--preset", "sample", "--scenes", str(scenes), "--frames", str(frames), "--quiet")

    rooms("it's a \"room\".h5", 2, 1)
    with h5py.File(shell.folder / "it's a \"room\".h5", "r+") as file:
        for index, scene in enumerate(list(file["scenes"])):
            file.move(f"scenes/{scene}", f"scenes/-the *big* 'room' {index}")
    rooms("more rooms.h5", 1, 1)
    rooms("other rooms.h5", 1, 2)
    rooms("walk.h5", 1, 9)
    shell.made("export", "walk.h5", "--as", "stray", "--output", "my phone's scan", "--quiet")
    recording = next(p for p in [shell.folder / "my phone's scan", *(shell.folder / "my phone's scan").iterdir()] if (p / "odometry.csv").exists())
    rooms("networks.h5", 2, 2)
    edit(shell.folder / "networks.h5", without_lidar)
    rooms("no truth.h5", 1, 9)
    rooms("too few.h5", 1, 2)
    for name in ("no truth.h5", "too few.h5"):
        edit(shell.folder / name, lambda scene: scene.pop("truth"))
    with h5py.File(shell.folder / "walk.h5") as file:
        (shell.folder / "maps").mkdir()
        for index, depth in enumerate(file["scenes/room-01/truth/depth"][...]):
            np.save(shell.folder / f"maps/{index:06}.npy", depth)
    shell.made("import", recording, "phone.h5", "--quiet")
    return recording.relative_to(shell.folder)


def check(shell, name, *options):
    """Makes a run with its pages, and runs what they print."""
    run = shell.folder / "Reports" / f"{name} run"
    # Few methods: what is printed depends on the data, and on whether there is a method to ask about.
    said = shell.made(
        "evaluate", *options, "--methods", "ols,stored", "--output", f"Reports/{name} run", "--no-figures", "--no-gallery", "--no-diagnosis")
    shell.made("frames", f"Reports/{name} run", "--quiet")
    markdown = (run / "report.md").read_text(encoding="utf-8")
    page = commands(Page((run / "report.html").read_text(encoding="utf-8")).texts)
    faults = []
    if sorted(page) != sorted(commands(of_markdown(markdown))):
        faults.append(f"{name}: the page prints {page}, Markdown {commands(of_markdown(markdown))}")
    following = next(line for line in said.splitlines() if line.startswith("Next "))
    answer = markdown.partition("**Next.**")[2].partition("\n")[0]
    for command in commands(of_markdown(answer)):
        if command not in following:
            faults.append(f"{name}: {command} is not on the terminal: {following}")
    found = commands(page + of_frames(run.parent / f"{name} run-frames"))
    for command in found:
        done = shell.run(shell.filled(command))
        if done.returncode:
            faults.append(f"{name}: {command}\n  ends with {done.returncode}: {done.stderr.strip()}")
    print(f"{name}: {len(found)} commands", flush=True)
    return found, faults


def check_folder(shell, words, data, file):
    """Makes a search or a calibration, and runs what its page prints, and the terminal with the folder's own name.

    file: what commands take from the folder.
    """
    name, folder = words[0], f"Reports/the {words[0]}"
    said = shell.made(name, data, *words[1:], "--output", folder, "--no-figures")
    page = commands(Page((shell.folder / folder / "report.html").read_text(encoding="utf-8")).texts)
    found = [command.replace(f"FOLDER/{file}", f"'{folder}/{file}'") for command in page]
    faults = [f"{name}: {command} names no data" for command in page if "DATA" in command]
    if not any(command in said for command in found):
        faults.append(f"{name}: none of {found} is on the terminal: {said}")
    for command in found:
        done = shell.run(shell.filled(command))
        if done.returncode:
            faults.append(f"{name}: {command}\n  ends with {done.returncode}: {done.stderr.strip()}")
    print(f"{name}: {len(found)} commands", flush=True)
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fathom", type=pathlib.Path)
    fathom = parser.parse_args().fathom.resolve()
    with tempfile.TemporaryDirectory(prefix="fathom-") as name:
        folder = pathlib.Path(name).resolve() / "it's \"here\""
        folder.mkdir()
        shell = Shell(folder, fathom)
        recording = make(shell)
        room = "it's a \"room\".h5"
        multiview = ["--truth", "multiview"]
        runs = {
            "simulated": ([room], "render"),
            "several": ([room, "more rooms.h5", "--seed", "3"], "render"),
            "chosen": (["walk.h5", "--scenes", "room-0?", *multiview], "calibrate"),
            "options": ([room, "--max-depth", "2"], "evaluate"),
            "phone": ([str(recording), *multiview], "import"),
            "imported": (["phone.h5", *multiview], "attach"),
            "networks": (["networks.h5", "--contrast", "stored:near:stored:far"], "render"),
            "no truth": (["no truth.h5"], "evaluate"),
            "too few": (["too few.h5"], None),
        }
        faults = []
        for kind, (options, expected) in runs.items():
            found, wrong = check(shell, kind, *options)
            faults += wrong
            if expected and not any(c.startswith(f"fathom {expected} ") for c in found):
                faults.append(f"{kind}: nothing printed begins with fathom {expected}: {found}")
        faults += check_folder(shell, ["tune", "--min-confidence", "1,2", "--max-depth", "3,4"], room, "tuned.yaml")
        faults += check_folder(shell, ["calibrate"], room, "calibration.yaml")
        # What a reader of the new run's page goes on with.
        shell.made("compare", "Reports/simulated run", "Reports/simulated run", "--output", "Reports/compared")
        for command in commands(Page((folder / "Reports/compared/report.html").read_text(encoding="utf-8")).texts):
            done = shell.run(command + " --overwrite")
            if done.returncode:
                faults.append(f"compare: {command} ends with {done.returncode}: {done.stderr.strip()}")
    print(*faults, sep="\n", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
