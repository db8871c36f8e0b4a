"""What kept_reports.py keeps, and what it finds to differ."""

import contextlib
import csv
import json
import pathlib
import tempfile
import unittest

import kept_reports


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@contextlib.contextmanager
def reports():
    """A folder with small runs, kept as they are."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "Reports"
        for run, manifest in kept_reports.RUNS.items():
            (folder / run).mkdir(parents=True)
            tables = [heading for heading in kept_reports.HEADLINES if heading[0] == run]
            for _, name, names, chosen, columns in tables:
                header = [*dict.fromkeys([*names, *chosen, *columns])]
                row = [sorted(chosen[key])[0] if key in chosen else "0.123456789" if key in columns else key for key in header]
                with open(folder / run / name, "w", newline="", encoding="utf-8") as file:
                    csv.writer(file, lineterminator="\n").writerows([header, row])
            (folder / run / "tables.json").write_text(json.dumps({"tables": [{"file": "summary.csv", "row": "a method"}]}))
            (folder / run / "verdict.json").write_text(json.dumps({"best": "auto", "error": 0.0170}))
            (folder / run / "timing.csv").write_text("seconds\n1.5\n")
            (folder / run / manifest).write_text('{\n  "counts" : 1,\n  "digests" : {\n    "a.csv" : "00"\n  },\n  "tool" : "fathom"\n}\n')
        for source in kept_reports.PICTURES:
            (folder / source).parent.mkdir(exist_ok=True)
            (folder / source).write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
        kept_reports.write(folder)
        yield folder


def found(folder):
    with tempfile.TemporaryDirectory() as scratch:
        return kept_reports.faults(folder, pathlib.Path(scratch))


class KeptReports(unittest.TestCase):
    def test_what_was_kept_differs_in_nothing(self):
        with reports() as folder:
            self.assertEqual(found(folder), [])
            self.assertIn("demo,summary.csv,method abs_rel support,value,0.123457\n", (folder / "headline.csv").read_text())

    def test_times_and_the_record_of_files_are_not_kept(self):
        with reports() as folder:
            self.assertFalse((folder / "kept/demo/timing.csv").exists())
            self.assertEqual(json.loads((folder / "kept/demo/run.json").read_text()), {"counts": 1, "tool": "fathom"})

    def test_last_digits_make_nothing_differ(self):
        with reports() as folder:
            change(folder / "demo/summary.csv", "0.123456789", "0.123456788")
            change(folder / "demo/verdict.json", "0.017", "0.01700000001")
            self.assertEqual(found(folder), [])

    def test_a_changed_value_is_found(self):
        with reports() as folder:
            change(folder / "demo/summary.csv", "0.123456789", "0.12347")
            self.assertEqual(len(found(folder)), 1)
            self.assertTrue(found(folder)[0].startswith("headline.csv: "))

    def test_a_changed_verdict_or_definition_is_found(self):
        for name, old, new in (("verdict.json", "auto", "ols"), ("verdict.json", "0.017", "0.0171"), ("tables.json", "a method", "a scene")):
            with reports() as folder:
                change(folder / "demo" / name, old, new)
                self.assertEqual(len(found(folder)), 1, name)

    def test_a_new_column_row_or_table_is_found(self):
        with reports() as folder:
            change(folder / "demo-calibration/noise.csv", "confidence,", "level,confidence,")
            change(folder / "demo-calibration/noise.csv", "\nconfidence,", "\n0,confidence,")
            self.assertEqual([words.split(":")[0] for words in found(folder)], ["demo-calibration/noise.csv"])
        with reports() as folder:
            (folder / "demo/new.csv").write_text("a\n1\n")
            self.assertEqual(found(folder), ["demo: other tables ['new.csv']"])

    def test_a_headline_without_rows_is_an_error(self):
        with reports() as folder:
            change(folder / "demo/summary.csv", "mean", "median")
            self.assertRaises(ValueError, kept_reports.headline, folder)

    def test_a_picture_that_is_gone_or_broken_is_found(self):
        with reports() as folder:
            (folder / "demo-tuning.svg").unlink()
            (folder / next(iter(kept_reports.PICTURES))).write_text("<svg")
            self.assertEqual(len(found(folder)), 2)


if __name__ == "__main__":
    unittest.main()
