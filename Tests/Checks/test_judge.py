"""What judge.py counts as the sources of a check, and which lines it writes."""

import contextlib
import io
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

import judge
from judge import Sources, Target, Wrong


def sources(**changed):
    """A command that stands on a reader and arithmetic, and a test; `changed` gives other contents."""
    targets = {
        "Core": Target("Sources/Core", ()),
        "Sums": Target("Sources/Sums", ("Core",)),
        "Reader": Target("Sources/Reader", ("Core", "Yams")),
        "Command": Target("Sources/Command", ("Reader", "Sums")),
        "CommandTests": Target("Tests/CommandTests", ("Command",)),
        # No part of the command, though its name begins like one.
        "SumsBeside": Target("Sources/SumsBeside", ()),
    }
    files = {
        path: path for path in (
            "Package.swift", judge.PACKAGES, "Sources/Core/Core.swift", "Sources/Core/Core.docc/Core.md", "Sources/Sums/Sum.swift",
            "Sources/SumsBeside/Beside.swift", "Sources/Reader/Reader.swift", "Sources/Reader/Presets/a.yaml", "Sources/Command/main.swift",
            "Tests/CommandTests/Tests.swift", "Tests/Faults/faults.py", "Tests/Faults/README.md",
        )
    }  # fmt: skip
    return Sources(targets, files | {name.replace("_", "/"): text for name, text in changed.items()}, {"arithmetic": ["Sums", "SumsBeside"]})


def row(words, check="one", run="true", **more):
    return {"check": check, "run": run, "full": "", "minutes": "", "sources": words, "why": "because", "digest": ""} | more


class WordsTests(unittest.TestCase):
    def paths(self, words):
        return sources().paths(words)

    def test_a_target_alone_is_its_own_files(self):
        self.assertEqual(self.paths("Sums"), ["Sources/Sums/Sum.swift"])

    def test_a_closure_holds_what_is_depended_on_and_the_manifest(self):
        self.assertEqual(self.paths("Sums+"), ["Package.swift", "Sources/Core/Core.swift", "Sources/Sums/Sum.swift"])

    def test_a_closure_with_a_package_of_others_holds_its_versions(self):
        self.assertEqual(
            self.paths("Reader+"),
            ["Package.swift", judge.PACKAGES, "Sources/Core/Core.swift", "Sources/Reader/Presets/a.yaml", "Sources/Reader/Reader.swift"])  # fmt: skip

    def test_what_is_left_out_goes_and_what_it_depends_on_stays(self):
        self.assertNotIn("Sources/Sums/Sum.swift", self.paths("Command+ -Sums"))
        self.assertNotIn("Sources/Sums/Sum.swift", self.paths("-@arithmetic Command+"))
        self.assertIn("Sources/Core/Core.swift", self.paths("Command+ -Sums"))

    def test_a_pattern_goes_into_folders_and_pages_do_not_count(self):
        self.assertEqual(self.paths("Tests/Faults/*"), ["Tests/Faults/faults.py"])

    def test_words_that_name_nothing_are_errors(self):
        for words in ("Absent", "Absent+", "-Absent Command+", "@absent", "Tests/Absent/*", "Core -Sums", "Reader+ -@arithmetic"):
            self.assertRaises(Wrong, self.paths, words)

    def test_a_new_module_counts_without_a_word(self):
        grown = sources()
        grown.targets["Core"] = Target("Sources/Core", ("New",))
        grown.targets["New"] = Target("Sources/New", ())
        grown.files["Sources/New/New.swift"] = "new"
        self.assertIn("Sources/New/New.swift", grown.paths("Command+ -@arithmetic"))


class DigestTests(unittest.TestCase):
    def test_contents_names_and_the_command_count_and_nothing_else(self):
        before = sources().digest(row("Sums+"))
        self.assertEqual(before, sources(**{"Sources_Reader_Reader.swift": "new"}).digest(row("Sums+", check="other", why="another")))
        self.assertNotEqual(before, sources(**{"Sources_Core_Core.swift": "new"}).digest(row("Sums+")))
        self.assertNotEqual(before, sources(**{"Sources_Sums_New.swift": "new"}).digest(row("Sums+")))
        self.assertNotEqual(before, sources().digest(row("Sums+", run="false")))

    def test_contents_have_gits_names(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
            (folder / "kept.txt").write_text("kept\n")
            (folder / ".gitignore").write_text("ignored.txt\n")
            (folder / "ignored.txt").write_text("ignored\n")
            (folder / "new.txt").write_text("new\n")
            subprocess.run(["git", "add", "kept.txt", ".gitignore"], cwd=folder, check=True)
            found = judge.files_of(folder)
            self.assertEqual(sorted(found), [".gitignore", "kept.txt", "new.txt"])
            said = subprocess.run(["git", "hash-object", "new.txt"], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
            self.assertEqual(found["new.txt"], said)
            # As it is, not as it was added.
            (folder / "kept.txt").write_text("changed\n")
            self.assertNotEqual(judge.files_of(folder)["kept.txt"], found["kept.txt"])


class LinesTests(unittest.TestCase):
    def judged(self, rows, codes, names=None, full=False, known=sources):
        saved, commands = [], []

        def run(command):
            commands.append(command)
            return codes.get(command, 0)

        names = names or {row["check"] for row in rows}
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            clock = iter(range(0, 10**6, 130)).__next__
            failed = judge.judge(rows, names, full, known, lambda rows: saved.append(judge.written(rows)), run, clock)
        return failed, commands, saved

    def test_a_check_that_passes_is_no_longer_stale(self):
        rows = [row("Sums+"), row("Reader+", check="two", run="echo")]
        self.assertEqual(judge.stale(rows, sources()), ["one", "two"])
        failed, commands, saved = self.judged(rows, {}, names={"one"})
        self.assertEqual((failed, commands, len(saved)), ([], ["true"], 1))
        self.assertEqual(judge.stale(judge.read(saved[-1]), sources()), ["two"])
        self.assertEqual(rows[0]["minutes"], "2")
        # And is so again when what it stands on changes.
        self.assertEqual(judge.stale(rows, sources(**{"Sources_Core_Core.swift": "new"})), ["one", "two"])

    def test_a_check_that_fails_loses_its_digest_and_the_others_are_run(self):
        rows = [row("Sums+", run="false", digest=sources().digest(row("Sums+", run="false"))), row("Reader+", check="two")]
        self.assertEqual(judge.stale(rows, sources()), ["two"])
        failed, commands, _ = self.judged(rows, {"false": 1})
        self.assertEqual((failed, commands), (["one"], ["false", "true"]))
        self.assertEqual(judge.stale(rows, sources()), ["one"])

    def test_sources_that_change_meanwhile_are_not_judged(self):
        versions = iter([sources(), sources(**{"Sources_Core_Core.swift": "new"})])
        rows = [row("Sums+")]
        failed, _, _ = self.judged(rows, {}, known=lambda: next(versions))
        self.assertEqual((failed, rows[0]["digest"]), (["one"], ""))

    def test_a_full_run_judges_the_same_digest(self):
        rows = [row("Sums+", full="all", minutes="1"), row("Sums+", check="two", run="echo")]
        _, commands, _ = self.judged(rows, {}, full=True)
        self.assertEqual(commands, ["all", "echo"])
        self.assertEqual(judge.stale(rows, sources()), [])
        self.assertEqual(rows[0]["minutes"], "1")

    def test_a_dry_run_of_make_around_it_passes_nothing(self):
        with unittest.mock.patch.dict(os.environ, {"MAKEFLAGS": "n", "LEFT": "yes"}):
            self.assertEqual(judge.exit_code('[ -z "${MAKEFLAGS:-}" ] && [ "$LEFT" = yes ]'), 0)
            self.assertEqual(judge.exit_code("exit 3"), 3)

    def test_a_broken_table_is_refused(self):
        whole = judge.written([row("Sums+")])
        self.assertEqual(judge.written(judge.read(whole)), whole)
        for text in (whole + whole.splitlines()[1] + "\n", whole.replace("because", ""), whole.replace("why", "reason"), "check\n"):
            self.assertRaises(Wrong, judge.read, text)


class TableTests(unittest.TestCase):
    def test_every_line_of_the_table_names_what_is_there(self):
        rows, now = judge.read(judge.TABLE.read_text(encoding="utf-8")), judge.sources()
        for line in rows:
            with self.subTest(line["check"]):
                self.assertGreater(len(now.of(line)), 2)

    def test_a_check_of_a_program_counts_all_that_the_program_depends_on(self):
        rows, now = {line["check"]: line for line in judge.read(judge.TABLE.read_text(encoding="utf-8"))}, judge.sources()
        for check, target in (("convention-matrix", "fathom-convention-matrix"), ("outputs", "fathom"), ("recordings", "fathom")):
            self.assertLessEqual(set(now.paths(target + "+")), set(now.of(rows[check])), check)


if __name__ == "__main__":
    unittest.main()
