#!/usr/bin/env python3
"""What stands under an output's name when the process or the machine stops at a bad moment, and what becomes of other tools' files.

usage: outputs.py FATHOM [--only kills,resumes,order,power,others,scratch,said] [--commands a,b] [--around 5] [--every N] [--python PYTHON]

kills: SIGKILL just before and just after each of the calls (write, rename, link, remove, make, sync) around every call that gives an output
its name (faults.c, preloaded). Then the old output stands there whole, or the new one, or nothing; nothing else is touched; the same
command again succeeds, leaves nothing unfinished behind, and gives the bytes of an undisturbed one.
resumes: kept progress that is damaged before the work is resumed.
order: of every file of every output: written, then synced, then renamed, its folders too, and the folder above synced afterwards.
power: outputs on a file system in an image; a copy of the image some seconds after the end is what a disk holds after a power cut.
others: files that users put beside or into outputs are neither replaced nor deleted; the command names them.
scratch: signals while an archive is read leave nothing in TMPDIR; what a killed process left there is removed by the next one, what
a living one uses is not.
said: "nothing was left behind" where a write fails is true.

Bad outcomes are printed, and end this with 1."""
import argparse, os, random, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Fuzz")]
import recordings as made
from fault_matrix import Bench
sys.path.insert(0, str(HERE.parent / "CrossCheck"))
from make_walls import make_walls

PLAIN = ["--no-diagnosis", "--no-figures", "--no-gallery", "--quiet"]
EVALUATE = ["evaluate", "s.h5", "--output", "{o}", "--methods", "lidar-bilinear,ols", *PLAIN]
SHARD = ["evaluate", "s.h5", "--output", "{o}", "--methods", "ols", "--no-diagnosis", "--quiet", "--shard", "1/1", "--resume"]
# Words, output, and which earlier output is there: none, or the name of a prepared one.
COMMANDS = {
    "evaluate": (EVALUATE, "run", None),
    "evaluate with figures": (["evaluate", "s.h5", "--output", "{o}", "--methods", "lidar-bilinear", "--no-diagnosis", "--quiet"], "drawn", None),
    "evaluate --overwrite": ([*EVALUATE, "--overwrite"], "run", "r2"),
    "evaluate --resume": ([*EVALUATE, "--resume"], "run", None),
    "shard": (SHARD, "shard", None),
    "merge": (["merge", "m1", "m2", "--output", "{o}", "--no-figures", "--no-gallery", "--quiet"], "merged", None),
    "import": (["import", "scan", "{o}", "--quiet"], "i.h5", None),
    "import --overwrite": (["import", "scan", "{o}", "--overwrite", "--quiet"], "i.h5", "s.h5"),
    "import in parts": (["import", "long", "{o}", "--no-diagnosis", "--quiet"], "l.h5", None),
    "attach": (["attach", "{o}", "--prediction", "net:metric=maps", "--quiet"], "a.h5", "attachable.h5"),
    "synthesize": (["synthesize", "{o}", "--preset", "sample", "--scenes", "1", "--frames", "1", "--quiet"], "n.h5", None),
    "tune": (["tune", "six.h5", "--output", "{o}", "--quiet"], "tuned", None),
    "calibrate": (["calibrate", "s.h5", "--output", "{o}", "--quiet"], "calibration", None),
    "certify": (["certify", "walls.h5", "--distances", "1m,2m,3m", "--output", "{o}", "--quiet"], "certificate", None),
    "compare": (["compare", "r", "r2", "--output", "{o}", "--quiet"], "compared", None),
    "report": (["report", "r", "--format", "json", "--output", "{o}", "--quiet"], "page.json", None),
    "export": (["export", "r", "--output", "{o}", "--no-execute", "--quiet"], "notebook", None),
    "export data": (["export", "s.h5", "--as", "npz", "--output", "{o}", "--quiet"], "files", None),
    "frames": (["frames", "r", "--output", "{o}", "--quiet"], "frames", None),
    "fuse": (["fuse", "s.h5", "--output", "{o}", "--quiet"], "fused.h5", None),
    "fuse to a folder": (["fuse", "s.h5", "--output", "{o}", "--quiet"], "fused", None),
    "diagnose --fix": (["diagnose", "broken.h5", "--fix", "{o}", "--quiet"], "fixed.h5", None),
    "reproduce": (["reproduce", str(HERE.parents[1] / "Datasets/Ledgers/documented.yaml"), "--output", "{o}", "--quiet"], "reproduced", None),
    "render": (["render", "s.h5", "--frame", "0", "--output", "{o}", "--quiet"], "p.png", None),
}
CHECKPOINTS = {"evaluation.json", "part.json", "search.json", "search-part.json", "measuring.json", "measuring-part.json"}
UNFINISHED = re.compile(r"\.(partial|replaced|parts)(/|$)|\.fathom-|/fathom-")
NOTES = "somebody's notes\n"

def is_checkpoint(name, finished):
    """Whether a file keeps the progress of work, and is not part of what is finished."""
    return name not in finished and (name.rsplit("/", 1)[-1] in CHECKPOINTS or name.endswith((".rows", ".found")))

class Place(Bench):
    """A folder with inputs, runs, and files of somebody else."""
    def __init__(self, fathom, place, library):
        self.library = library
        self.journal = Path(place).parent / "journal"
        made.write(made.stray(frames=520), Path(place) / "long")
        super().__init__(fathom, place)
        make_walls(self.place / "walls.h5")
        shutil.copy(self.place / "s.h5", self.place / "broken.h5")
        self.break_flips(self.place / "broken.h5")
        (self.place / "notes.txt").write_text(NOTES)
        (self.place / "run.bak").mkdir()
        (self.place / "run.bak/notes.txt").write_text(NOTES)
        self.still = self.state(self.place)
        self.finished = {}

    @staticmethod
    def break_flips(path):
        """Boxes counted from below are said to be counted from above: a convention that diagnose contradicts."""
        body = path.read_bytes()
        path.write_bytes(body.replace(b"bottom-left", b"top-left\0\0\0"))

    def begin(self, name):
        """The folder before the command, with its earlier output; the words of the command."""
        words, output, earlier = COMMANDS[name]
        for path in self.place.iterdir():
            if path.name not in {n.split("/")[0] for n in self.still} | {"count"}:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        if earlier:
            source = self.place / earlier
            (shutil.copytree if source.is_dir() else shutil.copy)(source, self.place / output)
        return [self.fathom, *(w.format(o=output) for w in words)]

    def faulty(self, words, kind, at):
        (self.place / "count").write_bytes(bytes(64))
        self.journal.write_text("")
        return self.run(words[1], words=words, LD_PRELOAD=self.library, FATHOM_FAULT=kind, FATHOM_FAULT_AT=str(at), FATHOM_FAULT_WHERE="program",
                        FATHOM_FAULT_COUNT=str(self.place / "count"), FATHOM_FAULT_LOG=str(self.journal))

    def events(self):
        """(call, path, other) of the journal, with whole paths."""
        found = []
        for line in self.journal.read_text(errors="replace").splitlines():
            call, path, other = (line + "\t\t").split("\t")[:3]
            whole = lambda p: os.path.normpath(os.path.join(self.place, p)) if p else ""
            found.append((call, whole(path), whole(other)))
        return found

    def undisturbed(self, name):
        """The state after the command, and its calls."""
        if name not in self.finished:
            words = self.begin(name)
            code, text = self.faulty(words, "kill-before", 0)
            if code:
                sys.exit(f"{name} fails without a fault: {code} {text}")
            self.finished[name] = (self.state(self.place), self.events())
        return self.finished[name]

def below(name, output):
    return name == output or name.startswith(output + "/")

def naming(events):
    """Which of the events give something its name: the output, or parts and kept progress on the way."""
    return [i for i, (call, path, other) in enumerate(events) if call in ("rename", "exchange", "link")]

def kills(place, name, around, every, bad):
    """The number of moments that were tried."""
    finished, events = place.undisturbed(name)
    output = COMMANDS[name][1]
    steps = [i for i, event in enumerate(events) if event[0] not in ("sync", "sync all")]
    number = {event: k + 1 for k, event in enumerate(steps)}
    wanted = sorted({k for i in naming(events)[-8:] for k in range(number[i] - around, number[i] + around + 1) if 1 <= k <= len(steps)})
    moments = [(k, kind) for k in wanted for kind in ("kill-before", "kill-after")][::every]
    for k, kind in moments:
        what = f"{name}: {kind[5:]} call {k} of {len(steps)}, {' '.join(os.path.relpath(p, place.place) if p else '' for p in events[steps[k - 1]][1:]).strip()} ({events[steps[k - 1]][0]})"
        words = place.begin(name)
        before = place.state(place.place)
        code, text = place.faulty(words, kind, k)
        if code != -signal.SIGKILL:
            # Threads may make fewer calls than before.
            if code:
                bad(f"{what}: ends with {code}: {text[:200]}")
            continue
        now = place.state(place.place)
        final = {n: d for n, d in now.items() if below(n, output) and not UNFINISHED.search(n) and not is_checkpoint(n, finished)}
        old, new = ({n: d for n, d in s.items() if below(n, output)} for s in (before, finished))
        if final != old and final != new:
            wrong = sorted(n for n in set(final) | set(new) if final.get(n) != new.get(n))
            bad(f"{what}: neither the old nor the new output stands there: {wrong[:4]}")
        others = {n: d for n, d in now.items() if not below(n, output) and not UNFINISHED.search(n)}
        if others != {n: d for n, d in before.items() if not below(n, output)}:
            bad(f"{what}: other files changed: {sorted(set(others) ^ set(before))[:4]}")
        if final == new and f"{output}/run.json" in final and f"{output}/export.json" not in final:
            code, text = place.run("report", words=[place.fathom, "report", output, "--format", "json", "--output", "-", "--quiet"])
            if code:
                bad(f"{what}: report cannot read what stands there: {text[:200]}")
        # Attached to what it was attached to already, it is attached twice.
        if final == new and name == "attach":
            continue
        code, text = place.run(name, words=words)
        for option in ("--resume", "--overwrite"):
            if code == 73 and option in text and option not in words:
                code, text = place.run(name, words=[*words, option])
        if name == "attach" and code and final == new:
            code = 0  # it has the maps, and says so
        if code:
            bad(f"{what}: the next run ends with {code}: {text[:300].strip()}")
            continue
        now = place.state(place.place)
        left = sorted(n for n in now if n not in finished)
        hidden = sorted(str(p.relative_to(place.place)) for p in place.place.rglob("*") if UNFINISHED.search("/" + str(p.relative_to(place.place))))
        if now != finished or hidden:
            wrong = sorted(n for n in set(now) | set(finished) if now.get(n) != finished.get(n))
            bad(f"{what}: the next run leaves {(left or hidden or wrong)[:4]}")
    return len(moments)

def order(place, name, bad):
    """Whether all of an output is on the disk before it has its name, and its name before the command ends."""
    finished, events = place.undisturbed(name)
    target = str(place.place / COMMANDS[name][1])
    named = [i for i, (call, path, other) in enumerate(events) if call in ("rename", "exchange", "link") and other == target]
    if not named:
        return bad(f"{name}: nothing gives {target} its name")
    last = named[-1]
    source = events[last][1]
    files = [p for p in [Path(target), *Path(target).rglob("*")] if not p.is_symlink()]
    unsynced = []
    for file in files:
        path = source + str(file)[len(target):]
        # A kept scene was synced under the name that it had.
        names = {path, *(e[1] for e in events[:last] if e[0] in ("rename", "link") and e[2] == path)}
        writes = [i for i, e in enumerate(events[:last]) if e[0] == "write" and e[1] in names]
        syncs = [i for i, e in enumerate(events[:last]) if e[0] == "sync all" or e[0] == "sync" and e[1] in names]
        if file.is_dir():
            writes = [i for i, e in enumerate(events[:last]) if e[0] in ("make", "rename", "link") and os.path.dirname(e[2] or e[1]) == path]
        if not syncs or writes and writes[-1] > syncs[-1]:
            later = [e for e in events[last:] if e[0] == "sync" and e[1] == str(file)]
            if not later:
                unsynced.append(os.path.relpath(file, place.place))
    if unsynced:
        bad(f"{name}: not synced before the rename: {len(unsynced)} of {len(files)}: {', '.join(unsynced[:4])}")
    above = os.path.dirname(target)
    if not any(e[0] == "sync all" or e[0] == "sync" and e[1] == above for e in events[last:]):
        bad(f"{name}: the folder above is not synced after the rename")
    if events[last][0] == "exchange":
        after = events[last:]
        synced = next((i for i, e in enumerate(after) if e[0] in ("sync", "sync all") and (e[0] == "sync all" or e[1] == above)), len(after))
        removed = next((i for i, e in enumerate(after) if e[0] == "remove" and e[1].startswith(source)), len(after))
        if removed < synced:
            bad(f"{name}: the earlier output is removed before the new name is on the disk")

def order_of_python(place, python, bad):
    """The same of the Python package's writer."""
    source = HERE.parent.parent / "Python/src/fathom"
    script = ("import os, sys; sys.path.insert(0, sys.argv[1]); calls = []\n"
              "for name in ('fsync', 'replace'):\n"
              "    def wrapped(*words, whole=getattr(os, name), name=name):\n"
              "        calls.append((name, os.path.realpath(f'/proc/self/fd/{words[0]}') if name == 'fsync' else words[1])); return whole(*words)\n"
              "    setattr(os, name, wrapped)\n"
              "from dataset import Recording\n"
              "with Recording('python.h5') as r: r.write_frame([[1.0, 2.0]])\n"
              "print(calls)")
    done = subprocess.run([python, "-c", script, str(source)], cwd=place.place, capture_output=True, text=True)
    if done.returncode:
        return bad(f"the Python writer: {done.stderr[-300:]}")
    calls = eval(done.stdout)
    here = os.path.realpath(place.place)
    if [c[0] for c in calls] != ["fsync", "replace", "fsync"] or calls[0][1] != f"{here}/python.h5.partial" or calls[2][1] != here:
        bad(f"the Python writer: its calls are {calls}")

# MARK: power

POWERED = ["evaluate", "evaluate --overwrite", "import", "import --overwrite", "merge", "export", "frames", "shard"]

def power(place, wait, bad):
    """False where there are no loop devices."""
    if os.geteuid() or not shutil.which("losetup"):
        return False
    kinds = [k for k in ("ext4", "xfs", "btrfs") if shutil.which("mkfs." + k)]
    for kind in kinds:
        with tempfile.TemporaryDirectory(dir=place.place.parent) as folder:
            image, copy, mount = (Path(folder) / n for n in ("disk", "copy", "mount"))
            mount.mkdir()
            subprocess.run(["truncate", "-s", "400M", image], check=True)
            made_it = subprocess.run(["mkfs." + kind, "-q", *(["-F"] if kind == "ext4" else ["-f"]), image], capture_output=True)
            if made_it.returncode or subprocess.run(["mount", "-o", "loop", image, mount], capture_output=True).returncode:
                return False
            expected = {}
            try:
                for name in place.still:
                    target = mount / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(place.place / name, target)
                for name in POWERED:
                    _, output, earlier = COMMANDS[name]
                    if earlier:
                        source = place.place / earlier
                        (shutil.copytree if source.is_dir() else shutil.copy)(source, mount / (name.replace(" ", "") + "-" + output))
                os.sync()
                for name in POWERED:
                    words, output, _ = COMMANDS[name]
                    output = name.replace(" ", "") + "-" + output
                    done = subprocess.run([place.fathom, *(w.format(o=output) for w in words)], cwd=mount, capture_output=True, text=True)
                    if done.returncode:
                        sys.exit(f"{name} on {kind}: {done.stderr}")
                    expected.update({n: d for n, d in place.state(mount).items() if below(n, output)})
                time.sleep(wait)
                subprocess.run(["cp", "--sparse=always", image, copy], check=True)
            finally:
                subprocess.run(["umount", mount], check=True)
            subprocess.run(["mount", "-o", "loop", copy, mount], check=True)
            try:
                found = place.state(mount)
                for name in POWERED:
                    output = name.replace(" ", "") + "-" + COMMANDS[name][1]
                    wrong = sorted(n for n in expected if below(n, output) and found.get(n) != expected[n])
                    empty = sum((mount / n).exists() and (mount / n).stat().st_size == 0 for n in wrong)
                    if wrong:
                        bad(f"{name}: {kind}, power off {wait} s after success: {len(wrong)} files are not whole, {empty} of them empty: {wrong[:3]}")
            finally:
                subprocess.run(["umount", mount], check=True)
        print(f"power off on {kind} after {wait} s: {len(POWERED)} commands, {len(expected)} files", flush=True)
    return bool(kinds)

# MARK: damaged progress

def resumes(place, bad):
    """Work that was killed in the middle, whose kept progress is then damaged: it is resumed to the same bytes, or refused. The
    number of cases."""
    count = 0
    def cut(body): return body[:len(body) // 2]
    def flip(body): return body[:len(body) // 2] + bytes([body[len(body) // 2] ^ 4]) + body[len(body) // 2 + 1:]
    for name in ("evaluate --resume", "shard", "tune", "calibrate"):
        words, output, earlier = COMMANDS[name]
        if "--resume" not in words:
            name += " --resume"
            COMMANDS[name] = ([*words, "--resume"], output, earlier)
        finished, events = place.undisturbed(name)
        words = place.begin(name)
        keeps = [i for i, e in enumerate(events) if e[0] in ("rename", "link", "exchange") and e[2].endswith((".rows", ".found"))]
        steps = [i for i, event in enumerate(events) if event[0] not in ("sync", "sync all")]
        for what, which, damage in (("a cut scene", (".rows", ".found"), cut), ("a flipped bit in a scene", (".rows", ".found"), flip),
                                    ("an empty scene", (".rows", ".found"), lambda body: b""), ("a cut task", ".json", cut),
                                    ("a flipped bit in the task", ".json", flip), ("no task", ".json", None)):
            place.begin(name)
            if not keeps:
                bad(f"{name}: it keeps no progress")
                break
            place.faulty(words, "kill-after", steps.index(keeps[0]) + 1)
            kept = [p for p in (place.place / (output + ".partial")).glob("*") if p.name.endswith(which)]
            if not kept:
                bad(f"{name}: {what}: nothing was kept after the kill")
                continue
            damage is None and kept[0].unlink() or damage and kept[0].write_bytes(damage(kept[0].read_bytes()))
            count += 1
            code, text = place.run(name, words=words)
            if code in (65, 73):
                # As the message says: begun again.
                code, text = place.run(name, words=[w for w in words if w != "--resume"] + ["--overwrite"])
                if not code and not (place.place / (output + ".partial")).exists():
                    shutil.rmtree(place.place / output)
                    code, text = place.run(name, words=words)
            if code or place.state(place.place) != finished:
                now = place.state(place.place)
                bad(f"{name}: {what}: {code}, {text[:200].strip()}; {sorted(n for n in set(now) | set(finished) if now.get(n) != finished.get(n))[:4]}")
    return count

# MARK: other tools' files

def others(place, bad):
    """The number of cases."""
    count = 0
    def refuses(what, name, path, prepare, options=(), named=None):
        """The command ends with one line that names the file, and all is as it was."""
        nonlocal count
        count += 1
        words = [*place.begin(name), *options]
        prepare()
        before = place.state(place.place)
        links = {str(p): os.readlink(p) for p in place.place.rglob("*") if p.is_symlink()}
        code, text = place.run(name, words=words)
        lines = [l for l in text.splitlines() if l.startswith("fathom:") and not l.startswith("fathom: warning:")]
        now = place.state(place.place)
        if now != before or links != {str(p): os.readlink(p) for p in place.place.rglob("*") if p.is_symlink()}:
            lost = sorted(n for n in before if before[n] != now.get(n))
            bad(f"{what}: {name}: ends with {code}; lost {lost[:3]}, new {sorted(set(now) - set(before))[:3]}")
        elif code != 73 or len(lines) != 1 or os.path.basename(named or path) not in text:
            bad(f"{what}: {name}: {code}, {text[:300].strip()!r}: it does not name {named or path}")
    for name in ("import", "import --overwrite", "synthesize", "report", "render", "diagnose --fix"):
        partial = COMMANDS[name][1] + ".partial"
        refuses("a user's .partial", name, partial, lambda: (place.place / partial).write_text(NOTES))
    refuses("a user's .partial", "attach", "a.h5.partial", lambda: (place.place / "a.h5.partial").write_text(NOTES))
    def put(name, path, text=NOTES):
        def do():
            target = place.place / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return do
    run = "evaluate --overwrite"
    refuses("a file in the run", run, "notes.txt", put("run", "notes.txt"))
    refuses("a file in a folder of the run", run, "mine.txt", put("run", "figures/mine.txt"))
    refuses("a subfolder", run, "mine", put("run", "mine/notes.txt"))
    refuses("an empty subfolder", run, "mine", lambda: (place.place / "run/mine").mkdir())
    refuses("a changed table", run, "methods.csv", lambda: (place.place / "run/methods.csv").write_text("mine\n"))
    refuses("a link", run, "link", lambda: os.symlink("../s.h5", place.place / "run/link"))
    refuses("a link in place of a table", run, "methods.csv", lambda: (
        (place.place / "run/methods.csv").unlink(), os.symlink("../notes.txt", place.place / "run/methods.csv")))
    refuses("a user's folder .partial", "evaluate", "run.partial", put("run.partial", "notes.txt"))
    refuses("a user's folder .partial", run, "run.partial", put("run.partial", "notes.txt"))
    for name, folder in (("tune", "tuned"), ("calibrate", "calibration"), ("compare", "compared"), ("export", "notebook"), ("frames", "frames"),
                         ("merge", "merged"), ("shard", "shard")):
        words = place.begin(name)
        code, text = place.run(name, words=words)
        stored = place.place.parent / "stored"
        shutil.rmtree(stored, ignore_errors=True)
        shutil.copytree(place.place / folder, stored)
        def prepare():
            shutil.copytree(stored, place.place / folder, dirs_exist_ok=True)
            put(folder, "notes.txt")()
        if name == "shard":
            COMMANDS["shard again"] = ([w for w in SHARD if w != "--resume"], "shard", None)
            name = "shard again"
        refuses("a file in the folder", name, "notes.txt", prepare, ["--overwrite"])
    # What the command wrote itself may be replaced, with the renderings of its report, and without what repositories leave out.
    for what, change in {"whole": lambda: None, "reported again": lambda: place.run("report", words=[place.fathom, "report", "run", "--format", "latex", "--quiet"]),
                         "without objects.csv": lambda: (place.place / "run/objects.csv").unlink(missing_ok=True)}.items():
        count += 1
        words = place.begin(run)
        change()
        code, text = place.run(run, words=words)
        if code or place.state(place.place) != place.undisturbed(run)[0]:
            bad(f"a run of ours, {what}, is not replaced: {code}, {text[:300].strip()}")
    return count

# MARK: signals and temporary folders

def stopped_threads(process):
    """Whether all threads of a process stand still."""
    try:
        states = [(path / "stat").read_text().rpartition(")")[2].split()[0] for path in Path(f"/proc/{process}/task").iterdir()]
    except OSError:
        return False
    return all(state in "TZ" for state in states)

def scratch(place, moments, bad):
    """The number of signals sent."""
    temporary = place.place.parent / "temporary"
    words = [place.fathom, "evaluate", "large.zip", "--output", "z", "--methods", "lidar-bilinear", "--no-diagnosis", "--no-figures", "--quiet"]
    # Some hundred files, so that unpacking and reading take a while.
    (place.place / "large.zip").write_bytes(made.zipped(made.stray(frames=300)))
    environment = {**os.environ, "TMPDIR": str(temporary), "SWIFT_BACKTRACE": "enable=no"}
    def start():
        shutil.rmtree(place.place / "z", ignore_errors=True)
        return subprocess.Popen(words, cwd=place.place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    def unpacked(child):
        """Waits until the process has a folder of its own."""
        while child.poll() is None and not any(temporary.iterdir()):
            time.sleep(0.002)
    def clear():
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
    rng, count = random.Random(7), 0
    clear()
    started = time.monotonic()
    start().communicate()
    whole = time.monotonic() - started
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        for k in range(moments):
            clear()
            child = start()
            if k % 2 == 0:
                unpacked(child)
            time.sleep(rng.random() * whole * (0.5 if k % 2 == 0 else 1))
            child.send_signal(number)
            text = child.communicate()[1].decode(errors="replace")
            count += 1
            left = [p.name for p in temporary.iterdir()] + [p.name for p in place.place.iterdir() if p.name.startswith("z.")]
            if left:
                bad(f"{number.name}: left {left}")
            # A signal that comes before the command handles it ends it as it ends any program.
            if child.returncode == -number and not text:
                continue
            if child.returncode not in (0, 130) or child.returncode and len([l for l in text.splitlines() if l.startswith("fathom:")]) != 1:
                bad(f"{number.name}: ends with {child.returncode}: {text[:200]}")
    # A killed process leaves its folder; the next one takes it away, and no living one's.
    clear()
    dead = start()
    unpacked(dead)
    dead.kill()
    dead.communicate()
    orphans = {p.name for p in temporary.iterdir()}
    for _ in range(5):
        living = start()
        deadline = time.monotonic() + 20
        while living.poll() is None and not {p.name for p in temporary.iterdir()} - orphans and time.monotonic() < deadline:
            time.sleep(0.002)
        living.send_signal(signal.SIGSTOP)
        # All of its threads stand still some time after the signal; on a busy machine it may be through by then.
        while living.poll() is None and not stopped_threads(living.pid):
            time.sleep(0.002)
        alive = {p.name for p in temporary.iterdir()} - orphans
        if living.poll() is None and alive:
            break
        living.send_signal(signal.SIGCONT)
        living.communicate()
    else:
        bad("no process stood still while it had a folder")
        return count
    users = temporary / "fathom-notes"
    users.mkdir()
    (users / "notes.txt").write_text(NOTES)
    third = subprocess.run([place.fathom, "inspect", "scan.zip"], cwd=place.place, capture_output=True, env=environment)
    now = {p.name for p in temporary.iterdir()}
    living.send_signal(signal.SIGCONT)
    text = living.communicate()[1].decode(errors="replace")
    count += 2
    if not orphans:
        bad("a killed process left no folder: the moment was missed")
    if orphans & now:
        bad(f"the folder of a killed process stays: {sorted(orphans & now)}")
    if not alive <= now or living.returncode or third.returncode:
        bad(f"the folder of a living process is gone: {sorted(alive - now)}; it ends with {living.returncode}: {text[:200]}; the other with {third.returncode}")
    if not (users / "notes.txt").exists():
        bad("a user's folder with a like name is gone")
    (place.place / "large.zip").unlink()
    shutil.rmtree(place.place / "z", ignore_errors=True)
    return count

# MARK: what is said

def said(place, bad):
    """"Nothing was left behind" is said only where that is so. The number of runs."""
    count = 0
    for name in ("evaluate", "evaluate --resume", "tune", "calibrate", "shard", "import", "import in parts", "export", "frames"):
        _, events = place.undisturbed(name)
        place.begin(name)
        total = sum(e[0] == "write" for e in events)
        for share in (0.2, 0.5, 0.8, 0.97):
            words = place.begin(name)
            before = {str(p) for p in place.place.rglob("*")}
            code, text = place.faulty(words, "write", max(1, int(total * share)))
            left = sorted(os.path.relpath(p, place.place) for p in {str(p) for p in place.place.rglob("*")} - before)
            count += 1
            if code and "nothing was left behind" in text and left:
                bad(f"{name}: says that nothing was left behind, and left {left[:3]}")
    return count

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom"), parser.add_argument("--only", default="kills,resumes,order,power,others,scratch,said")
    parser.add_argument("--commands", type=lambda words: words.split(","), default=list(COMMANDS))
    parser.add_argument("--around", type=int, default=5), parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--wait", type=float, default=6), parser.add_argument("--signals", type=int, default=6)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    # Mounts are undone however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    found = []
    def bad(words):
        found.append(words)
        print("  bad:", words, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        library = str(Path(folder) / "faults.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, str(HERE / "faults.c"), "-ldl"], check=True)
        (Path(folder) / "work").mkdir()
        place = Place(options.fathom, Path(folder) / "work", library)
        for part in options.only.split(","):
            started, before, count = time.monotonic(), len(found), 0
            if part == "kills":
                for name in options.commands:
                    count += kills(place, name, options.around, options.every, bad)
            elif part == "resumes":
                count = resumes(place, bad)
            elif part == "order":
                for name in options.commands:
                    order(place, name, bad)
                order_of_python(place, options.python, bad)
                count = len(options.commands) + 1
            elif part == "power":
                if not power(place, options.wait, bad):
                    print("power: skipped: no loop devices, or not root")
            elif part == "others":
                count = others(place, bad)
            elif part == "scratch":
                count = scratch(place, options.signals, bad)
            elif part == "said":
                count = said(place, bad)
            else:
                parser.error(f"no such part: {part}")
            print(f"{part}: {count} tried, {len(found) - before} bad, {time.monotonic() - started:.0f} s", flush=True)
    sys.exit(1 if found else 0)

if __name__ == "__main__":
    main()
