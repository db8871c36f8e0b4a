#!/usr/bin/env python3
"""What becomes of each command when something fails: the table Tests/Faults/fault-matrix.csv.

usage: fault_matrix.py FATHOM [--sample N] [--allocations N] [--kills N] [--commands a,b] [--only counter,kill,machine]
                       [--table FILE.csv | --check FILE.csv]

Faults by counter: the k-th read, write, rename, spawn, allocation of a C library, or of Swift ("memory"), of the program or of its
reader, fails (faults.c, preloaded). With --sample at most N values of k, spread over all, 0 for every k; --allocations is the
same of both kinds of allocation. Kills: SIGKILL at random moments. Machine: a full disk, a read-only folder, an input that is
replaced, two runs into one folder, and so on.

A run is good if it ends with the same files as without the fault, or with one line of error, a documented code, nothing under a
final name and an earlier output as it was; after a kill, or where memory for Swift itself is short and the process ends by a
signal, the same but for the line, and the next run must succeed and clean up. Anything else is bad, is printed, and ends this with 1.
So does, with --check, a fault that is not in the table, or that ends worse than there (`degree`), or otherwise where nothing is left to
chance (`fixed`)."""
import argparse, csv, hashlib, os, random, re, resource, shutil, signal, subprocess, sys, tempfile, time
from collections import Counter
from pathlib import Path
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Fuzz"))
import recordings as made

CODES = {0, 65, 66, 70, 73, 74, 75}
# Name: words, with {o} for the output; what the output is called; files that may differ between equal runs.
COMMANDS = {
    "inspect": (["inspect", "s.h5"], None),
    "diagnose": (["diagnose", "s.h5"], None),
    "evaluate": (["evaluate", "s.h5", "--output", "{o}", "--methods", "lidar-bilinear,ols", "--no-diagnosis", "--quiet"], "run"),
    "evaluate-folder": (["evaluate", "scan", "--output", "{o}", "--methods", "lidar-bilinear", "--no-diagnosis", "--quiet"], "run"),
    "import": (["import", "scan", "{o}", "--quiet"], "i.h5"),
    "import-zip": (["import", "scan.zip", "{o}", "--quiet"], "z.h5"),
    "attach": (["attach", "{o}", "--prediction", "net:metric=maps", "--quiet"], "a.h5"),
    "synthesize": (["synthesize", "{o}", "--preset", "sample", "--scenes", "1", "--frames", "1", "--quiet"], "n.h5"),
    "calibrate": (["calibrate", "s.h5", "--output", "{o}", "--quiet"], "calibration"),
    "tune": (["tune", "six.h5", "--output", "{o}", "--quiet"], "tuned"),
    "compare": (["compare", "r", "r2", "--output", "{o}", "--quiet"], "compared"),
    "report": (["report", "r", "--format", "markdown", "--output", "{o}", "--quiet"], "page.md"),
    "export": (["export", "r", "--output", "{o}", "--no-execute", "--quiet"], "notebook"),
    "render": (["render", "s.h5", "--frame", "0", "--output", "{o}", "--quiet"], "p.png"),
    "replay": (["replay", "live.h5", "--stage", "detect=45ms", "--output", "{o}", "--quiet"], "replayed"),
    "merge": (["merge", "m1", "m2", "--output", "{o}", "--quiet"], "merged"),
}
VOLATILE = ("timing.csv",)
# How bad an outcome is, by its first words; a number is an exit code.
DEGREES = [("complete", 0), ("ended by a signal", 3), ("BAD", 4)]
# C libraries without whose memory the process ends, and a caller cannot prevent it: Fontconfig writes through the null
# pointer, HDF5 recurses without end where it sets itself up; without a digest of what is in memory the program ends as without memory. Of a few bytes no system but one with a limit refuses them.
HELPLESS = ("libfontconfig", "libhdf5", "libcrypto")
CHANGING = ("two at once", "input replaced", "SIGKILL")

def degree(outcome):
    if "NAME.partial" in outcome:
        return 2
    return next((d for words, d in DEGREES if outcome == words or outcome.startswith(words + " ")), 1)

def fixed(fault):
    return not fault.endswith(" fails") and fault not in CHANGING

def is_timed(path):
    """Whether a file is of a shard of evaluate: its rows say how long each fit took, and the rest holds their digests."""
    return (path.parent / "shard.json").exists() and path.name.startswith(("scene-", "shard.json"))

class Bench:
    def __init__(self, fathom, place):
        self.fathom, self.place = str(Path(fathom).resolve()), Path(place)
        def go(*words):
            done = subprocess.run([self.fathom, *words], cwd=place, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"the preparation fails: {' '.join(words)}: {done.stderr}")
        go("synthesize", "s.h5", "--preset", "sample", "--scenes", "2", "--frames", "2", "--quiet")
        go("synthesize", "six.h5", "--preset", "sample", "--scenes", "4", "--frames", "1", "--quiet")
        go("synthesize", "live.h5", "--preset", "live", "--frames", "12", "--quiet")
        for name, methods in (("r", "lidar-bilinear,ols"), ("r2", "lidar-bilinear,huber")):
            go("evaluate", "s.h5", "--output", name, "--methods", methods, "--no-diagnosis", "--quiet")
        for part in (1, 2):
            go("evaluate", "s.h5", "--output", f"m{part}", "--shard", f"{part}/2", "--methods", "ols", "--no-diagnosis", "--quiet")
        made.write(made.stray(), self.place / "scan")
        (self.place / "scan.zip").write_bytes(made.zipped(made.stray()))
        made.write(made.maps("npy"), self.place / "maps")
        go("import", "scan", "attachable.h5", "--quiet")
        (self.place / "count").write_bytes(bytes(64))
        self.still = self.state(self.place)
        self.expected, self.expected_words = {}, {}

    def state(self, place, leaving_out=()):
        found = {}
        for path in sorted(Path(place).rglob("*")):
            name = str(path.relative_to(place))
            if path.is_file() and path.name not in VOLATILE and name.split("/")[0] not in leaving_out and name != "count":
                found[name] = "there" if is_timed(path) else hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def words(self, command, output=None):
        words, own = COMMANDS[command]
        return [self.fathom, *(w.format(o=output or own) for w in words)]

    def prepare(self, command):
        """Removes what is left, and makes what the command changes."""
        for path in self.place.iterdir():
            if path.name not in {n.split("/")[0] for n in self.still} | {"count"}:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        if command == "attach":
            shutil.copy(self.place / "attachable.h5", self.place / "a.h5")

    def environment(self, scratch, **more):
        return {**os.environ, "TMPDIR": str(scratch), "SWIFT_BACKTRACE": "enable=no", **more}

    def run(self, command, limit=120, preexec=None, words=None, stdout=subprocess.PIPE, **variables):
        scratch = self.place.parent / "scratch"
        shutil.rmtree(scratch, ignore_errors=True), scratch.mkdir()
        self.scratch = scratch
        try:
            done = subprocess.run(words or self.words(command), cwd=self.place, stdin=subprocess.DEVNULL, stdout=stdout,
                                  stderr=subprocess.PIPE, timeout=limit, env=self.environment(scratch, **variables), preexec_fn=preexec)
            self.printed = done.stdout
            return done.returncode, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return "hang", ""

    def reference(self, command):
        if command not in self.expected:
            self.prepare(command)
            code, words = self.run(command)
            if code:
                sys.exit(f"{command} fails without a fault: {code} {words}")
            self.expected[command] = self.state(self.place)
            self.expected_words[command] = self.printed
        return self.expected[command]

    def verdict(self, command, code, words, may_die=False):
        """(outcome, problem or None)"""
        before = dict(self.still)
        if command == "attach":
            before["a.h5"] = before["attachable.h5"]
        now = self.state(self.place)
        lines = [line for line in words.splitlines() if line.startswith("fathom:")]
        if code == "hang":
            return "hang", "it never ends"
        if code == 0 and self.printed is not None and not COMMANDS[command][1] and self.printed != self.expected_words[command]:
            return "complete", f"0, but prints something else: {self.printed.decode(errors='replace')[-300:]!r}"
        if code == 0:
            return "complete", None if now == self.reference_state(command) else f"0, but its files differ: {self.difference(now, command)}"
        finals = {n: d for n, d in now.items() if not re.search(r"\.partial|\.fathom|fathom-", n.split("/")[0])}
        if code < 0:
            if not may_die:
                return f"signal {-code}", "it dies"
            return "ended by a signal", None if finals == before or now == self.reference_state(command) else f"left {sorted(set(finals) - set(before))}"
        # Where only the last step fails, hours of work are kept under the other name, and the message says so.
        if "which is complete" in words and len(lines) == 1 and finals == before:
            return f"{code}, complete as NAME.partial", None
        if now == self.reference_state(command) and COMMANDS[command][1]:
            return f"complete, {code}", None if len(lines) == 1 else f"lines: {words[:300]}"
        if code not in CODES:
            return str(code), f"code {code}: {words[:300]}"
        if len(lines) != 1:
            return str(code), f"{len(lines)} lines: {words[:300]}"
        if finals != before:
            return str(code), f"left or lost: {sorted(set(finals) ^ set(before))[:5]}"
        # What a search has found so far is kept for --resume.
        if command == "tune" and now != before and all(n in before or n.startswith("tuned.partial/") for n in now):
            return f"{code}, work kept as NAME.partial", None
        if now != before:
            return str(code), f"left {sorted(set(now) - set(before))[:5]}"
        if any(self.scratch.iterdir()):
            return str(code), f"left {[p.name for p in self.scratch.iterdir()]} in TMPDIR"
        return str(code), None

    def reference_state(self, command):
        return self.expected[command]

    def difference(self, now, command):
        expected = self.expected[command]
        return sorted(n for n in set(now) | set(expected) if now.get(n) != expected.get(n))[:5]

    def recovers(self, command):
        """After an end in between, the same command succeeds and leaves nothing."""
        if command == "attach" and not (self.place / "a.h5").exists():
            return "the data set is lost"
        words = self.words(command)
        now = self.state(self.place)
        if now == self.expected[command] and COMMANDS[command][1]:
            return None
        code, text = self.run(command, words=words)
        # What keeps its progress asks whether to go on with it.
        if code == 73 and "--resume" in text:
            code, text = self.run(command, words=[*words, "--resume"])
        if code:
            return f"the next run ends with {code}: {text[:200]}"
        return None if self.state(self.place) == self.expected[command] else f"the next run leaves others: {self.difference(self.state(self.place), command)}"

def spread(total, most):
    if most == 0 or total <= most:
        return list(range(1, total + 1))
    return sorted({1 + round(i * (total - 1) / (most - 1)) for i in range(most)} if most > 1 else {total // 2})

def counter_faults(bench, command, most, most_allocations, library, note):
    for kind in ("read", "write", "rename", "spawn", "allocation", "memory"):
        for where in ("program", "reader"):
            def variables(k):
                (bench.place / "count").write_bytes(bytes(64))
                return dict(LD_PRELOAD=library, FATHOM_FAULT=kind, FATHOM_FAULT_AT=str(k), FATHOM_FAULT_WHERE=where,
                            FATHOM_FAULT_COUNT=str(bench.place / "count"))
            bench.reference(command)
            bench.prepare(command)
            bench.run(command, **variables(0))
            total = int.from_bytes((bench.place / "count").read_bytes()[:8], "little")
            for k in spread(total, most_allocations if kind in ("allocation", "memory") else most):
                bench.prepare(command)
                code, words = bench.run(command, **variables(k))
                refused = (bench.place / "count").read_bytes()[8:].rstrip(b"\0").decode()
                may_die = kind == "memory" or refused in HELPLESS
                # HDF5 calls exit(-1) where it cannot copy its own lists, without a word.
                if refused == "libhdf5" and code == 255 and not words:
                    code = -signal.SIGABRT
                # Fontconfig waits for a lock that it has not given back.
                if refused == "libfontconfig" and code == "hang":
                    code = -signal.SIGKILL
                outcome, problem = bench.verdict(command, code, words, may_die)
                if problem is None and isinstance(code, int) and code < 0:
                    problem = bench.recovers(command)
                    outcome += f" in {refused}" if kind == "allocation" else ""
                owner = f", in {refused}" if kind == "allocation" else ""
                note(f"{kind} of the {where} fails", command, outcome, problem, f"k = {k} of {total}{owner}", total)

def kills(bench, command, number, note):
    bench.reference(command)
    bench.prepare(command)
    started = time.monotonic()
    bench.run(command)
    whole = time.monotonic() - started
    rng = random.Random(command)
    for _ in range(number):
        bench.prepare(command)
        child = subprocess.Popen(bench.words(command), cwd=bench.place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        moment = rng.random() * whole
        time.sleep(moment)
        child.kill()
        code = child.wait()
        bench.printed = None
        outcome, problem = bench.verdict(command, code, "", may_die=True)
        if problem is None and code < 0:
            problem = bench.recovers(command)
        note("SIGKILL", command, outcome if code < 0 else "complete", problem, f"after {moment:.3f} s of {whole:.3f}", number)

def machine_faults(bench, command, note):
    bench.reference(command)
    own = COMMANDS[command][1]

    def once(name, words=None, may_differ=False, **options):
        bench.prepare(command)
        code, text = bench.run(command, words=words, **options)
        outcome, problem = bench.verdict(command, code, text)
        note(name, command, outcome, problem, "", 1)

    for name, variables in {
        "locale tr_TR": dict(LC_ALL="tr_TR.UTF-8", LANG="tr_TR.UTF-8"), "time zone": dict(TZ="Asia/Kathmandu"), "HOME absent": dict(HOME="/nowhere"),
        "terminal unknown": dict(TERM="none"), "PATH empty": dict(PATH=""),
    }.items():
        once(name, **variables)
    once("umask 077", preexec=lambda: os.umask(0o077))
    once("16 descriptors", preexec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16)))
    once("files of at most 4 kB", preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    def closed():
        os.close(1)
    once("standard output closed", preexec=closed, stdout=None)
    full = open("/dev/full", "w")
    once("standard output full", stdout=full)
    if not own:
        return
    # Two at once: one writes, the other waits its turn or is told.
    bench.prepare(command)
    pair = [subprocess.Popen(bench.words(command), cwd=bench.place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE) for _ in range(2)]
    ends = [(p.communicate()[1].decode(errors="replace"), p.returncode) for p in pair]
    codes = sorted(code for _, code in ends)
    state = bench.state(bench.place)
    good = state == bench.reference_state(command) and codes[0] == 0 and codes[1] in (0, 65, 73, 74)
    note("two at once", command, f"{codes[0]} and {codes[1]}", None if good else f"{ends} {bench.difference(state, command)}", "", 1)
    if os.geteuid() == 0 and shutil.which("unshare"):
        # A file system of its own that is full.
        for size in ("16k", "200k"):
            bench.prepare(command)
            script = f"mount -t tmpfs -o size={size} none \"$1\" && cd \"$2\" && shift 2 && exec \"$@\""
            target = bench.place / "small"
            target.mkdir()
            if command == "attach":
                continue
            words = ["unshare", "-m", "sh", "-c", script, "sh", str(target), str(bench.place), *bench.words(command, "small/" + own)]
            code, text = bench.run(command, words=words)
            target.rmdir()
            lines = [line for line in text.splitlines() if line.startswith("fathom:")]
            bad = code not in (0, 73, 74, 75) or code and len(lines) != 1
            note(f"disk of {size}", command, str(code), f"{code}: {text[:300]}" if bad else None, "", 1)
        bench.prepare(command)
        target = bench.place / "small"
        target.mkdir()
        script = "mount -t tmpfs -o size=1m none \"$1\" && mount -o remount,ro \"$1\" && cd \"$2\" && shift 2 && exec \"$@\""
        if command != "attach":
            words = ["unshare", "-m", "sh", "-c", script, "sh", str(target), str(bench.place), *bench.words(command, "small/" + own)]
            code, text = bench.run(command, words=words)
            lines = [line for line in text.splitlines() if line.startswith("fathom:")]
            bad = code not in (73, 74) or len(lines) != 1
            note("read-only folder", command, str(code), f"{code}: {text[:300]}" if bad else None, "", 1)
        target.rmdir()

def replaced(bench, command, note):
    """The input is replaced by another while it is read."""
    words = COMMANDS[command][0]
    source = next((w for w in words[1:] if w in ("s.h5", "six.h5", "live.h5", "scan.zip")), None)
    if not source:
        return
    bench.reference(command)
    whole = (bench.place / source).read_bytes()
    for share in (0.1, 0.3, 0.5, 0.7):
        bench.prepare(command)
        started = time.monotonic()
        bench.run(command)
        seconds = time.monotonic() - started
        bench.prepare(command)
        child = subprocess.Popen(bench.words(command), cwd=bench.place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        time.sleep(share * seconds)
        other = bench.place / "other"
        other.write_bytes(whole[:len(whole) // 2])
        os.replace(other, bench.place / source)
        bench.printed, text = child.communicate()
        text = text.decode(errors="replace")
        (bench.place / source).write_bytes(whole)
        outcome, problem = bench.verdict(command, child.returncode, text)
        note("input replaced", command, outcome, problem, f"after {share:.0%}", 1)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom"), parser.add_argument("--sample", type=int, default=3), parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--commands", default=",".join(COMMANDS)), parser.add_argument("--only", default="counter,kill,machine")
    parser.add_argument("--allocations", type=int, default=3), parser.add_argument("--table"), parser.add_argument("--check")
    options = parser.parse_args()
    only = options.only.split(",")
    table, bad = {}, []
    with tempfile.TemporaryDirectory() as place:
        library = str(Path(place) / "faults.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, str(HERE / "faults.c"), "-ldl"], check=True)
        (Path(place) / "work").mkdir()
        bench = Bench(options.fathom, Path(place) / "work")
        def note(fault, command, outcome, problem, detail, total):
            found = table.setdefault((fault, command), [Counter(), 0, total])
            found[0][outcome if problem is None else "BAD " + outcome] += 1
            found[1] += 1
            if problem:
                bad.append(f"{command}: {fault}: {detail}: {problem}")
                print("  bad:", bad[-1], flush=True)
        for command in options.commands.split(","):
            started = time.monotonic()
            if "counter" in only:
                counter_faults(bench, command, options.sample, options.allocations, library, note)
            if "kill" in only:
                kills(bench, command, options.kills, note)
            if "machine" in only:
                machine_faults(bench, command, note)
                replaced(bench, command, note)
            print(f"{command}: {time.monotonic() - started:.0f} s", flush=True)
    runs = sum(row[1] for row in table.values())
    print(f"{runs} runs, {len(bad)} bad")
    rows = {key: (total, tried, sorted(outcomes)) for key, (outcomes, tried, total) in sorted(table.items())}
    if options.table:
        lines = {}
        # What was not tried now keeps its lines.
        if os.path.exists(options.table):
            with open(options.table, newline="") as file:
                lines = {(row["fault"], row["command"]): (row["calls"], row["tried"], row["outcomes"]) for row in csv.DictReader(file)}
        lines.update({key: (total, tried, "; ".join(outcomes)) for key, (total, tried, outcomes) in rows.items()})
        with open(options.table, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["fault", "command", "calls", "tried", "outcomes"])
            writer.writerows([*key, *lines[key]] for key in sorted(lines))
    differing = disagreements(rows, options.check) if options.check else []
    for line in differing:
        print("  not as in the table:", line)
    # Which calls a sample reaches differs from machine to machine: what is bad decides.
    sys.exit(1 if bad else 0)

def disagreements(rows, path):
    """What of a run the committed table does not say."""
    with open(path, newline="") as file:
        known = {(row["fault"], row["command"]): row["outcomes"].split("; ") for row in csv.DictReader(file)}
    found = []
    for key, (_, _, outcomes) in rows.items():
        expected = known.get(key)
        if expected is None:
            found.append(f"{key[1]}: {key[0]}: it has no line there")
        # Of thousands of calls the table has tried a few: that another one ends with an error as it should is not news.
        elif fixed(key[0]) and outcomes != expected or max(map(degree, outcomes)) > max(1, *map(degree, expected)):
            found.append(f"{key[1]}: {key[0]}: {outcomes}, and there {expected}")
    return found

if __name__ == "__main__":
    main()
