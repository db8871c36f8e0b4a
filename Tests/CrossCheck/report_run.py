"""A run's folder as its checks need it: the tables of every method, and comparisons that are made from the frames anew."""

import json
import pathlib
import sys

import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import run_tables  # noqa: E402

RAW, HEADLINE = "lidar-bilinear", "mae_m_measured"
# What counts a missing prediction, or is of neighbouring frames; all else are means over what a method covers.
OF_ALL_PIXELS = {"delta_0_5", "delta_1", "delta_2", "delta_3", "coverage", "boundary_f1", "temporal_abs_rel", "flicker_m"}
HIGHER_IS_BETTER = {"delta_0_5", "delta_1", "delta_2", "delta_3", "coverage", "boundary_f1", "aurg"}
# Ways to place an effect and their columns; the first is that on the box.
PLACES = {
    "box": "placement_cm",
    "depth@centre": "placement_depth_centre_cm",
    "depth@bottom-centre": "placement_depth_bottom_centre_cm",
    "hit-test@centre": "placement_hit_test_centre_cm",
    "hit-test@bottom-centre": "placement_hit_test_bottom_centre_cm",
}
VISIBILITIES = [(0.5, "full (mask covers half of the outline or more)"), (0.2, "partly (from a fifth on)"), (-np.inf, "hardly (less)")]


def missing(value):
    return value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value))


def times(value, scale):
    return None if missing(value) else value * scale


def is_oracle(method):
    return method.split("@")[0] == "oracle"


class Check:
    """Counts comparisons and collects what is wrong."""

    def __init__(self):
        self.numbers, self.texts, self.tables, self.faults, self.notes = 0, 0, 0, [], []

    def close(self, value, expected, what, tolerance=1e-9, floor=1e-12):
        self.numbers += 1
        if missing(value) or missing(expected):
            agree = missing(value) == missing(expected)
        else:
            agree = value == expected or abs(value - expected) <= tolerance * abs(expected) + floor
        if not agree:
            self.faults.append(f"{what}: {value!r}, expected {expected!r}")

    def same(self, found, expected, what):
        self.texts += 1
        if found not in expected if isinstance(expected, set) else found != expected:
            self.faults.append(f"{what}: {found!r}, expected {expected!r}")

    def true(self, fact, what):
        self.texts += 1
        if not fact:
            self.faults.append(what)


class Run:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.manifest, self.document, self.verdict = (
            json.loads((self.folder / f"{name}.json").read_text()) for name in ("run", "report", "verdict"))
        self.tables, self.mode = {}, self.manifest["protocol"]["aggregation"]
        frames = self.csv("frames")
        self.rows = frames[frames.status != "unreadable"].reset_index(drop=True)
        self.frames = {m: g.set_index(["scene", "frame"]) for m, g in self.rows.groupby("method", sort=False)}
        self.summary = self.csv("summary").set_index("method")
        self.methods, self.baseline = list(self.summary.index), self.manifest["baseline"]
        self.metre = 1 if self.manifest.get("units") == "m" else 1000
        self.objects = Objects(self) if self.has("objects.csv") else None

    def csv(self, name, **types):
        key = (name, *types)
        if key not in self.tables:
            path = self.folder / f"{name}.csv"
            source = path if "/" in name else run_tables.text(path.parent, path.name)
            text = {"scene": str, "frame": str, "object": str, "class": str, "bin": str, **types}
            self.tables[key] = pd.read_csv(source, dtype=text, keep_default_na=False, na_values=[""])
        return self.tables[key]

    def has(self, name):
        return (self.folder / name).exists()

    def blocks(self):
        """(kind, block) of the report in order; headings are blocks, too."""

        def walk(section):
            yield "heading", section["title"]
            for block in section["blocks"]:
                yield next(iter(block.items()))
            for inner in section["subsections"]:
                yield from walk(inner)

        for section in self.document["sections"]:
            yield from walk(section)

    def by_scene(self, *columns):
        """Means per scene of the frames that have a value in every column, and these frames."""
        table = pd.concat(columns, axis=1, keys=range(len(columns))).dropna()
        return (table if self.mode == "images" else table.groupby(level="scene", sort=False).mean()), table

    def mean(self, method, column):
        if self.mode == "pooled":
            return self.summary.loc[method, column]
        means, table = self.by_scene(self.frames[method][column])
        return means[0].mean() if len(table) else None

    def estimate(self, method, column):
        """The mean, and the ends of its interval that summary.csv holds."""
        row = self.summary.loc[method]
        return self.mean(method, column), row.get(column + "_low", np.nan), row.get(column + "_high", np.nan)

    def without_thin(self, values):
        """Values by scene and frame without frames that have less than half of their scene's median number of truth pixels."""
        counts = self.rows.dropna(subset=["truth_pixels"]).groupby(["scene", "frame"], sort=False).truth_pixels.first()
        median = counts.groupby(level="scene").transform("median")
        return values[~values.index.isin(counts.index[counts < median / 2])]

    def complete(self, column):
        """Methods that no other one, oracles aside, has a value of in more frames."""
        frames = {m: int(self.frames[m][column].notna().sum()) for m in self.methods}
        most = max((n for m, n in frames.items() if not is_oracle(m)), default=0)
        return {m for m, n in frames.items() if n >= most}

    def ids(self, name):
        """The methods that a selection is in the scenes: `ols` may be ols@depth here, ols@disparity there."""
        return [name] if name in self.frames else [m for m in self.methods if m.split("@")[0] == name]

    def leaves_out(self, name, reference):
        """Whether a method covers more than one percentage point less of the truth: a lower error then shows nothing."""
        return min(self.summary.loc[m, "coverage"] for m in self.ids(name)) < self.summary.loc[reference, "coverage"] - 0.01

    def selections(self):
        """What was asked for, according to the rows: families whose form follows the scene are one."""
        names = []
        for method in self.methods:
            family, _, form = method.partition("@")
            scenes = [set(self.frames[m].index.get_level_values(0)) for m in self.methods if m.partition("@")[0] == family]
            names.append(family if form and sum(map(len, scenes)) == len(set().union(*scenes)) else method)
        return list(dict.fromkeys(names))

    def values(self, name, column, form="solved"):
        values = pd.concat([self.frames[m][column] for m in self.ids(name)])
        return values.fillna(self.frames[RAW][column].reindex(values.index)) if form == "fallback" else values

    def compare(self, name, reference, form, column=HEADLINE):
        """A paired comparison; None where no frame has both."""
        if self.mode == "pooled" and name == reference:
            own = self.values(name, column, form).dropna()
            value, scenes = self.mean(name, column), own.index.get_level_values("scene").nunique()
            return {"scenes": scenes, "frames": len(own), "value": value, "reference": value, "difference": 0.0}
        if self.mode == "pooled" and len(self.ids(name)) == 1:
            return self.stored_pair(self.ids(name)[0], reference, form, column)
        means, table = self.by_scene(*(self.values(n, column, form) for n in (name, reference)))
        if not len(table):
            return None
        # What only Float32 rounding tells apart is equal.
        close = (means[0] - means[1]).abs() <= 1e-6 * means.abs().max(axis=1)
        ends = means[0].mean(), means[1].where(~close, means[0]).mean()
        found = {"scenes": table.index.get_level_values("scene").nunique(), "frames": len(table)}
        found |= {"value": ends[0], "reference": ends[1], "difference": ends[0] - ends[1]}
        return found | self.inference(name, reference, form, column)

    def stored_pair(self, method, reference, form, column):
        """Of pooled pixels, which frames do not tell."""
        pairs = self.csv("pairwise")
        for sign, (a, b) in ((1, (method, reference)), (-1, (reference, method))):
            rows = pairs[(pairs.method_a == a) & (pairs.method_b == b) & (pairs.column == column) & (pairs.form == form)]
            if len(rows):
                row = rows.iloc[0]
                if not row.scenes:
                    return None
                ends = (row.value_a, row.value_b)[::sign]
                found = {"scenes": row.scenes, "frames": row.frames, "value": ends[0], "reference": ends[1]}
                return found | {"difference": sign * row.difference} | self.inference(method, reference, form, column)
        return None

    def inference(self, name, reference, form, column):
        """Interval, p and adjusted p as summary.csv has them; empty for what is not one method."""
        if len(ids := self.ids(name)) != 1:
            return {}
        stem = column + ("" if reference == self.baseline else "_spec") + ("" if form == "solved" else "_fallback")
        tails = {"low": "_difference_low", "high": "_difference_high", "p": "_p", "adjusted": "_p_adjusted"}
        return {key: self.summary.loc[ids[0]].get(stem + tail) for key, tail in tails.items()}


def gain(comparison):
    return -comparison["difference"] / comparison["reference"] if comparison["reference"] > 0 else None


class Objects:
    """objects.csv with the columns that tables are about."""

    def __init__(self, run):
        table = run.csv("objects").copy()
        table["size_error_m"] = table[["length_error_m", "height_error_m", "width_error_m"]].abs().mean(axis=1, skipna=False)
        table["placement_cm"], table["label_error_m"] = table.placement_box_cm, table.label_error_m.abs()
        table["range"] = [self.range_bin(r) for r in table.range_m]
        table["visibility_bin"] = [None if np.isnan(v) else next(n for least, n in VISIBILITIES if v >= least) for v in table.visibility]
        self.table, self.plan = table, run.manifest["objects"]["boxMethods"]
        self.depths = list(dict.fromkeys(table.depth.dropna()))
        self.summary = run.csv("object_summary").set_index(["by", "bin", "depth", "method"])
        self.boxed = [d for d in self.depths if (table[table.depth == d].status == "ok").any()]

    @staticmethod
    def range_bin(distance):
        if not np.isfinite(distance):
            return None
        return f"{int(distance)}–{int(distance) + 1} m" if distance < 5 else "5 m and more"

    def rows(self, depth, method, by="all", name="all"):
        own = self.table[(self.table.depth == depth) & ((self.table.method == method) | self.table.method.isna())]
        return own if by == "all" else own[own["visibility_bin" if by == "visibility" else by] == name]

    def estimate(self, column, key):
        """Over the objects of a scene, then over scenes; the interval of object_summary.csv."""
        present = self.rows(key[2], key[3], *key[:2]).dropna(subset=[column])
        if not len(present):
            return None, None, None
        groups = present.groupby("scene", sort=False)[column]
        row = self.summary.loc[key]
        value = (groups.mean() if column == "iou" else groups.median()).mean()
        return value, row.get(column + "_low", np.nan), row.get(column + "_high", np.nan)

    def bins(self, by):
        present = self.table[self.table.depth.notna()]
        if by == "class":
            return sorted(set(present["class"]), key=lambda name: name.encode())
        if by == "range":
            return sorted(set(present["range"].dropna()), key=lambda name: int(name[0]))
        return [name for _, name in VISIBILITIES if name in set(present.visibility_bin.dropna())]

    def reference_method(self):
        """The box method that tables are about: the one that classes were boxed by."""
        summary = self.summary.reset_index()
        divided = summary[summary["by"] != "all"].method.unique()
        return divided[0] if len(divided) == 1 else "auto" if "auto" in self.plan else self.plan[0]
