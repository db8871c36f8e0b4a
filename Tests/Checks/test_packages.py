"""What packages.py reads, and what it calls different."""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Packaging"))
import packages  # noqa: E402


class Packages(unittest.TestCase):
    def test_the_manifest_names_packages_of_both_kinds(self):
        manifest = """
            .systemLibrary(name: "A", pkgConfig: "a", providers: [.apt(["liba-dev", "liba-tools"])]),
            .package(url: "https://example.org/Someone/Yams", from: "6.2.2"),
            .package(url: "https://example.org/swiftlang/swift-docc-plugin", from: "1.5.0"),
        """
        self.assertEqual(packages.named(manifest), ({"liba-dev", "liba-tools"}, {"yams"}))

    def test_versions_or_revisions_are_those_of_the_build(self):
        text = """{"pins": [
            {"identity": "yams", "state": {"revision": "aa", "version": "6.2.2"}},
            {"identity": "logs", "state": {"revision": "bb"}},
            {"identity": "swift-docc-plugin", "state": {"revision": "cc", "version": "1.5.0"}}]}"""
        self.assertEqual(packages.resolved(text), {"yams": "6.2.2", "logs": "bb"})

    def test_other_absent_and_new_packages_differ(self):
        table = [{"package": "a", "version": "1"}, {"package": "b", "version": "1"}, {"package": "c", "version": "1"}]
        self.assertEqual(packages.differences(table, {"a": "1", "b": "1", "c": "1"}), [])
        self.assertEqual(packages.differences(table, {"a": "1", "b": "2", "d": "1"}), ["d 1 is new", "b 2, not 1", "c is absent"])

    def test_the_lists_name_every_package_of_the_manifest_once(self):
        debian, swift = packages.named((packages.ROOT / "Package.swift").read_text(encoding="utf-8"))
        for path, used in ((packages.DEBIAN, debian), (packages.SWIFT, swift)):
            names = [row["package"] for row in packages.rows(path)]
            self.assertEqual(len(names), len(set(names)))
            self.assertLessEqual(used, set(names))
            self.assertTrue(all(row["version"] for row in packages.rows(path)))
        self.assertEqual({row["for"] for row in packages.rows(packages.DEBIAN)}, {"command", "tests", "release"})

    def test_every_place_has_the_version_of_the_command(self):
        version = re.search(r'current = "([^"]+)"', (packages.ROOT / "Sources/FathomTables/Version.swift").read_text(encoding="utf-8"))[1]
        places = {
            "Python/src/fathom/version.py": rf'__version__ = "{version}"', "CITATION.cff": rf"^version: {version}$",
            "CHANGELOG.md": rf"^## {version}$", "docs/library.md": rf'from: "{version}"',
            "README.md": rf"fathom_depth-{version}-py3", "docs/python.md": rf"fathom_depth-{version}-py3",
        }  # fmt: skip
        for name, pattern in places.items():
            text = (packages.ROOT / name).read_text(encoding="utf-8")
            self.assertRegex(text, re.compile(pattern, re.MULTILINE), name)
            self.assertEqual(set(re.findall(r"fathom_depth-(\d+\.\d+\.\d+)-", text)) - {version}, set(), name)

    def test_the_changelog_has_at_most_sixty_lines_a_version(self):
        text = (packages.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        for part in text.split("\n## ")[1:]:
            self.assertLessEqual(len(part.splitlines()), 60, part.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
