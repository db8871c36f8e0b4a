"""Compares what charts draw with the tables beside them: figures/NAME.svg and figures/NAME.narrow.svg against figures/NAME.csv.

    check_drawn.py FOLDER [FOLDER ...]

FOLDER is a run, or a folder of `tune`, `calibrate` or `compare`. The ends of the axes are read from the drawing
(`data-low`, `data-high` and where the line ends), so that every place is a value again.

- charts: every value of the table within the axes is a mark, or a corner of a line, and every interval
  an end of a whisker or a corner of a band, to 0.02 pixels; every mark is a value of the table. Points of series that
  stand side by side in a category are compared with their height.
- heat maps: as many cells as values, row by row, each in the colour that the bar shows for its value

Exit 1 where anything differs.
"""

import csv
import math
import re
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
PIXELS = 0.02


def numbers(text):
    return [float(number) for number in re.findall(r"-?[0-9.]+", text)]


def corners(path):
    values = numbers(path.get("d"))
    return list(zip(values[::2], values[1::2]))


def has(element, word):
    return word in element.get("class", "").split()


def number(element, name):
    return float(element.get(name))


class Axis:
    """Values and pixels along an axis."""

    def __init__(self, low, high, start, end, is_logarithmic):
        self.low, self.high, self.is_logarithmic = low, high, is_logarithmic
        self.start, self.end = start, end

    def holds(self, value):
        return self.low <= value <= self.high

    def share(self, value):
        scale = math.log if self.is_logarithmic else float
        return (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))

    def pixel(self, value):
        return self.start + self.share(value) * (self.end - self.start)


class Drawing:
    def __init__(self, folder, name, problems):
        self.name, self.problems, self.count = name, problems, 0
        self.root = ElementTree.parse(folder / f"{name}.svg").getroot()
        with (folder / f"{name.removesuffix('.narrow')}.csv").open(newline="") as file:
            self.rows = list(csv.DictReader(file))

    def problem(self, text):
        self.problems.append(f"{self.name}: {text}")

    def groups(self, word):
        return [group for group in self.root.iter(f"{SVG}g") if has(group, word)]

    def check(self):
        for element in self.root.iter():
            for key, value in element.attrib.items():
                if re.search(r"\b(nan|inf)\b", value) and not key.startswith(("data-", "aria-")):
                    self.problem(f"{key}={value}")
        if "row" in self.rows[0] if self.rows else self.groups("cells"):
            self.heat_map()
        else:
            self.chart()

    # --- charts ---

    def axis(self, name):
        group = next(g for g in self.groups("axis") if g.get("data-axis") == name)
        line = next(line for line in group.iter(f"{SVG}line") if has(line, "end-to-end"))
        ends = [number(line, f"{name}{end}") for end in (1, 2)]
        return Axis(number(group, "data-low"), number(group, "data-high"), *ends, group.get("data-scale") == "log")

    def drawn(self):
        """Of every series: places of marks, of all values, and of ends of intervals."""
        marks, values, ends = defaultdict(list), defaultdict(list), defaultdict(list)
        for group in self.groups("series"):
            name = group.get("data-series")
            for points in group.iter(f"{SVG}g"):
                if has(points, "points"):
                    # A mark that leads somewhere stands in a link.
                    shapes = [e for e in points.iter() if e.tag in (f"{SVG}circle", f"{SVG}path")]
                    for mark in shapes:
                        is_circle = mark.tag == f"{SVG}circle"
                        place = (number(mark, "cx"), number(mark, "cy")) if is_circle else corners(mark)[0]
                        marks[name].append(place)
            values[name] += marks[name]
            for element in group.iter():
                if has(element, "line"):
                    values[name] += corners(element)
                elif has(element, "band"):
                    ends[name] += corners(element)
                elif has(element, "whisker"):
                    ends[name] += [(number(element, "x1"), number(element, f"y{end}")) for end in (1, 2)]
        return marks, values, ends

    def chart(self):
        x, y = self.axis("x"), self.axis("y")
        marks, values, ends = self.drawn()
        # Points side by side stand beside their category.
        across = abs(x.pixel(1) - x.pixel(0)) / 2 if self.rows and "category" in self.rows[0] else PIXELS

        def is_among(place, places, dx=across):
            return any(abs(place[0] - p[0]) <= dx and abs(place[1] - p[1]) <= PIXELS for p in places)

        wanted = defaultdict(list)
        for row in self.rows:
            if row["kind"] == "mark" or not row["x"] or not x.holds(float(row["x"])):
                continue
            for key, places in (("y", values), ("low", ends), ("high", ends)):
                text = row.get(key)
                if not text or not y.holds(float(text)) or row["kind"] == "reference" and key != "y":
                    continue
                if key != "y" and not (row["low"] and row["high"]):
                    continue
                place = (x.pixel(float(row["x"])), y.pixel(float(text)))
                if key == "y":
                    wanted[row["series"]].append(place)
                self.count += 1
                if not is_among(place, places[row["series"]]):
                    self.problem(f"{row['series']} at x = {row['x']}: {key} = {text} is not drawn at {place}")
        for series, places in marks.items():
            for place in places:
                self.count += 1
                if not is_among(place, wanted[series]):
                    self.problem(f"{series}: a mark at {place} is not a value of the table")

    # --- heat maps ---

    def heat_map(self):
        cells = list(next(iter(self.groups("cells")), []))
        if len(cells) != len(self.rows):
            return self.problem(f"{len(cells)} cells for {len(self.rows)} values")
        bar = next(iter(self.groups("colour-bar")), None)
        if bar is None:
            return
        stops = [numbers(stop.get("offset")) + [stop.get("stop-color")] for stop in bar.iter(f"{SVG}stop")]
        axis = Axis(number(bar, "data-low"), number(bar, "data-high"), 0, 100, bar.get("data-scale") == "log")
        places = [(number(cell, "y"), number(cell, "x")) for cell in cells]
        if places != sorted(places):
            self.problem("cells are not row by row")
        for row, cell in zip(self.rows, cells):
            value = float(row["value"]) if row["value"] else None
            is_missing = value is None or not math.isfinite(value) or axis.is_logarithmic and value <= 0
            self.count += 1
            if is_missing != has(cell, "missing"):
                self.problem(f"{row['row']}, {row['column']}: {row['value']!r} is {cell.get('class')}")
            elif not is_missing:
                expected = self.colour(stops, min(max(axis.pixel(value), 0), 100))
                drawn = [int(cell.get("fill")[i : i + 2], 16) for i in (1, 3, 5)]
                if max(abs(a - b) for a, b in zip(expected, drawn)) > 4:
                    self.problem(f"{row['row']}, {row['column']}: {value} is {cell.get('fill')}")

    @staticmethod
    def colour(stops, percent):
        channels = [[int(stop[1][i : i + 2], 16) for i in (1, 3, 5)] for stop in stops]
        index = min(sum(stop[0] <= percent for stop in stops), len(stops) - 1)
        low, high = stops[index - 1][0], stops[index][0]
        share = (percent - low) / (high - low)
        return [a + share * (b - a) for a, b in zip(channels[index - 1], channels[index])]


def check_folder(folder):
    """How many values were compared with their drawing, and what differs."""
    problems, count = [], 0
    for path in sorted((folder / "figures").glob("*.svg")):
        drawing = Drawing(folder / "figures", path.stem, problems)
        drawing.check()
        count += drawing.count
    return count, problems


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 64
    total, differing = 0, 0
    for folder in map(Path, sys.argv[1:]):
        count, problems = check_folder(folder)
        for problem in problems[:20]:
            print(f"DIFFERS {problem}")
        total, differing = total + count, differing + len(problems)
    print(f"{total} drawn values compared, {differing} differ")
    return 1 if differing or not total else 0


if __name__ == "__main__":
    sys.exit(main())
