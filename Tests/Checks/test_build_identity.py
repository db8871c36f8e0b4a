"""What build_identity.sh says of a checkout, of changed sources, and outside of a checkout."""

import re
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "Packaging/build_identity.sh"


class BuildIdentity(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "it's here"
        (self.root / "Sources").mkdir(parents=True)
        self.source = self.root / "Sources/a.swift"
        self.source.write_text("1\n")
        (self.root / "page.md").write_text("1\n")
        self.made = self.root / ".build/of plug-ins/identity.swift"

    def git(self, *words):
        names = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", "-C", self.root, *names, *words], check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.git("init", "--quiet")
        self.git("add", "Sources", "page.md")
        self.git("commit", "--quiet", "--message", "a")
        return self.git("rev-parse", "HEAD")

    def build(self):
        subprocess.run(["sh", SCRIPT, self.root, self.made], check=True)
        text = self.made.read_text()
        found = re.search('let text: StaticString = "([^"]*)"', text)
        self.assertIsNotNone(found, text)
        return found[1]

    def test_sources_of_a_commit_are_called_by_it_whatever_else_changed(self):
        commit = self.commit()
        self.assertEqual(self.build(), commit)
        (self.root / "page.md").write_text("2\n")
        self.assertEqual(self.build(), commit)

    def test_changed_removed_and_new_sources_are_modified(self):
        commit = self.commit()
        self.source.write_text("2\n")
        self.assertEqual(self.build(), f"{commit}, modified")
        self.source.unlink()
        self.assertEqual(self.build(), f"{commit}, modified")
        self.git("checkout", "--quiet", "Sources")
        self.assertEqual(self.build(), commit)
        (self.root / "Sources/b.swift").write_text("1\n")
        self.assertEqual(self.build(), f"{commit}, modified")

    def test_an_archive_is_unknown_also_within_a_repository_of_others(self):
        self.assertEqual(self.build(), "unknown")
        self.commit()
        self.root = self.root / "unpacked"
        (self.root / "Sources").mkdir(parents=True)
        self.assertEqual(self.build(), "unknown")

    def test_nothing_is_written_where_nothing_changed(self):
        self.commit()
        self.build()
        before = self.made.stat().st_mtime_ns
        self.build()
        self.assertEqual(self.made.stat().st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
