"""Broken tables and another program are found, whole ones are not."""

import pathlib
import tempfile
import unittest

import check_docs
import pages

HEAD = "| a | b |\n| --- | :-: |\n"


class Tables(unittest.TestCase):
    def faults(self, text):
        with tempfile.TemporaryDirectory(dir=pages.ROOT) as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            return [fault.partition(":")[2] for fault in check_docs.check_tables([page])]

    def test_whole(self):
        self.assertEqual(self.faults("Text\n\n" + HEAD + "| `x \\| y` | 2 |\n\n" + HEAD + "| 1 |2\n\n```\n| no table |\n```\n"), [])

    def test_divided(self):
        self.assertEqual(self.faults(HEAD + "| 1 | 2 |\n\n| 3 | 4 |\n| 5 | 6 |\n"), ["5: a blank line divides these rows from their table"])

    def test_no_delimiter(self):
        self.assertEqual(
            self.faults("| a | b |\n| 1 | 2 |\n"), ["1: no delimiter row (| --- |) follows the head of the table"])

    def test_cells(self):
        self.assertEqual(self.faults(HEAD + "| 1 | 2 |\n| `x | y` | 3 |\n"), ["4: 3 cells, and the table's head has 2"])


class Blocks(unittest.TestCase):
    def test_blocks(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("a\n```swift\nlet a = 1\n\n```\n```swift\nb\n```\n~~~sh\nc\n~~~\n")
            self.assertEqual(list(pages.blocks(page)), [("swift", "let a = 1\n\n"), ("swift", "b\n"), ("sh", "c\n")])


if __name__ == "__main__":
    unittest.main()
