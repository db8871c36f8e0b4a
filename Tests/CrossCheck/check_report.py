"""Recomputes every number of a report and compares its formats with each other.

    python check_report.py RUN [--data FILE.h5 …]     RUN is a folder that fathom evaluate wrote

- tables of report.json: every cell, from frames.csv (means over frames, then scenes; paired differences;
  medians of fits; ranks; counts), from objects.csv (medians over a scene's objects, then means over scenes),
  or, where neither holds it, from the table's own CSV; ends of intervals from summary.csv and its likes;
  texts are the numbers rounded; `isBest` marks what verdict.json says leads a column, and nothing else
- report.md, report.html and report.tex: the same headings, sentences, tables and pictures in the same order
- verdict.json: order of the methods and the best one, who leads a column, comparisons, what is significant, confidence, filled pixels,
  refusals of the specified fit, ranks, steadiness, objects: all that sentences, bold numbers and charts are made from
- the gallery's captions
- figures/*.csv: every point that is drawn
- with --data: checksums of the data and the sizes of their maps (needs h5py)

A table, a figure or a kind of block that the script does not know is a failure: whatever is new needs a
check. Pooled means cannot be made from frames; there values are only compared with summary.csv, scenes.csv
and pairwise.csv. Where a cell is words alone (definitions, the slope in Double, which no CSV holds) only the
formats are compared.
"""

import argparse
import base64
import decimal
import hashlib
import html.parser
import json
import pathlib
import re
import sys

import numpy as np
import pandas as pd
from scipy import stats

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import run_tables  # noqa: E402

RAW, HEADLINE, NONE, MINUS = "lidar-bilinear", "mae_m_measured", "–", "−"
# Head, column, and the unit in which it is shown: lengths as the run says, shares in per cent.
METHOD_COLUMNS = [
    ("AbsRel", "↓", "abs_rel", "%"),
    ("MAE", "↓", "mae_m", "mm"),
    ("RMSE", "↓", "rmse_m", "mm"),
    ("δ₁", "↑", "delta_1", "%"),
    ("δ½", "↑", "delta_0_5", "%"),
    ("bias", "→0", "bias_m", "mm"),
    ("coverage", "↑", "coverage", "%"),
]
# Most scenes or bins that are columns of a table.
MOST_COLUMNS = 8
# Head, column, what metres of a column are: lengths are shown as the run says.
OBJECT_COLUMNS = [
    ("placement", "↓", "placement_cm", 0.01),
    ("IoU", "↑", "iou", None),
    ("size", "↓", "size_error_m", 1),
    ("yaw [°]", "↓", "yaw_error_deg", None),
    ("distance label", "↓", "label_error_m", 1),
]
PLACES = [
    ("box", "placement_cm"),
    ("depth@centre", "placement_depth_centre_cm"),
    ("depth@bottom-centre", "placement_depth_bottom_centre_cm"),
    ("hit-test@centre", "placement_hit_test_centre_cm"),
    ("hit-test@bottom-centre", "placement_hit_test_bottom_centre_cm"),
]
VISIBILITIES = [
    (0.5, "full (mask covers half of the outline or more)"),
    (0.2, "partly (from a fifth on)"),
    (-np.inf, "hardly (less)"),
]


# Numbers as text


def missing(value):
    return value is None or (isinstance(value, float) and np.isnan(value)) or value is pd.NA


def rounded(value, digits=4):
    """Significant digits of the shortest decimal that is this number, ties to even: Rounded.number."""
    if missing(value):
        return NONE
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    context = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN)
    number = context.create_decimal(repr(float(value)))
    number = number.quantize(decimal.Decimal(1).scaleb(number.adjusted() - digits + 1), context=context)
    text = format(number, "f") if 1e-5 <= abs(value) < 1e7 else format(number, "E").replace("E+", "E")
    return text.replace("-", MINUS, 1) if value < 0 else text


def fixed(value, decimals):
    number = decimal.Decimal(repr(float(value))).quantize(
        decimal.Decimal(1).scaleb(-decimals), rounding=decimal.ROUND_HALF_EVEN
    )
    text = format(number, "f").removeprefix("-")
    return MINUS + text if number < 0 else text


def percent(share, decimals=1):
    return NONE if missing(share) else fixed(share * 100, decimals) + " %"


def bracketed(value, low, high, digits):
    text = rounded(value, digits)
    return text if missing(low) else f"{text} [{rounded(low, 3)}, {rounded(high, 3)}]"


def supported(value, low, high, _):
    """As many digits as the interval supports: two significant ones of half its width, four of the largest at most; three
    without one."""
    if missing(value):
        return NONE
    half = 0 if missing(low) else (high - low) / 2
    if not half > 0 or np.isinf(half):
        return rounded(value, 3) + ("" if missing(low) else f" [{rounded(low, 3)}, {rounded(high, 3)}]")
    size = max(abs(value), abs(low), abs(high), half)
    decimals = max(0, min(1 - int(np.floor(np.log10(half))), 3 - int(np.floor(np.log10(size)))))
    return f"{fixed(value, decimals)} [{fixed(low, decimals)}, {fixed(high, decimals)}]"


def gained(value, *_):
    text = percent(value)
    return "+" + text if not missing(value) and value > 0 and text != percent(0.0) else text


def whole(count):
    """A count, with the number behind it."""
    return Number(int(count), write=lambda value, *_: str(int(value)))


def signed(value, *_):
    text = rounded(value, 3)
    return "+" + text if not missing(value) and value > 0 else text


PARTIAL = "†"


class Number:
    """A cell with a number behind its text; `partial` where fewer frames have it, `best` where it leads its column."""

    def __init__(
        self, value, digits=4, low=None, high=None, write=bracketed, known=True, partial=False, best=False
    ):
        self.partial, self.best = partial, best
        self.value, self.low, self.high = (None if missing(v) else float(v) for v in (value, low, high))
        self.digits, self.write, self.known = digits, write, known

    def check(self, cell, check, what):
        number = cell.get("value")
        if self.known:
            check.close(number, self.value if self.value is None or np.isfinite(self.value) else None, what)
        check.close(cell.get("low"), self.low, what + ", low end")
        check.close(cell.get("high"), self.high, what + ", high end")
        shown = self.value if number is None and self.known else number
        expected = self.write(shown, cell.get("low"), cell.get("high"), self.digits)
        if self.partial and expected != NONE:
            number, bracket, interval = expected.partition(" [")
            expected = number + PARTIAL + bracket + interval
        check.same(bool(cell.get("isPartial")), self.partial and expected != NONE, what + ", on fewer frames")
        check.same(cell["text"], expected, what + ", text")
        check.same(bool(cell.get("isBest")), self.best, what + ", in bold")


class Check:
    """Counts comparisons and collects what is wrong."""

    def __init__(self):
        self.numbers, self.texts, self.tables, self.faults, self.notes = 0, 0, 0, [], []

    def close(self, value, expected, what, tolerance=1e-9, floor=1e-12):
        self.numbers += 1
        if missing(value) or missing(expected):
            if missing(value) != missing(expected):
                self.faults.append(f"{what}: {value}, expected {expected}")
        elif value != expected and not abs(value - expected) <= tolerance * abs(expected) + floor:
            self.faults.append(f"{what}: {value!r}, expected {expected!r}")

    def same(self, found, expected, what):
        self.texts += 1
        if found not in expected if isinstance(expected, set) else found != expected:
            shown = (
                " or ".join(repr(e) for e in sorted(expected))
                if isinstance(expected, set)
                else repr(expected)
            )
            self.faults.append(f"{what}: {found!r}, expected {shown}")

    def true(self, fact, what):
        self.texts += 1
        if not fact:
            self.faults.append(what)

    def sequence(self, found, expected, what):
        """Equal lists; of different ones, where they part."""
        for index, (a, b) in enumerate(zip(found, expected)):
            if a != b:
                if isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0] == "table":
                    self.sequence(a[1], b[1], f"{what}, item {index + 1}, the table {shortened(b[1][0], 60)}")
                    return
                if isinstance(a, list) and isinstance(b, list):
                    self.sequence(a, b, f"{what}, row {index + 1}")
                    return
                self.faults.append(f"{what}, item {index + 1}: {shortened(a)}, expected {shortened(b)}")
                return
        self.texts += len(expected)
        if len(found) != len(expected):
            longer, word = (found, "has more") if len(found) > len(expected) else (expected, "lacks")
            rest = longer[min(len(found), len(expected))]
            self.faults.append(f"{what}: {word}, first {shortened(rest)}")


def shortened(item, most=200):
    text = repr(item)
    return text if len(text) <= most else text[:most] + "…"


# The run


def read(path, **types):
    text = {"scene": str, "frame": str, "object": str, "class": str, "bin": str, **types}
    table = run_tables.text(path.parent, path.name) if path.parent.name != "figures" else path
    return pd.read_csv(table, dtype=text, keep_default_na=False, na_values=[""])


class Run:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.manifest = json.loads((self.folder / "run.json").read_text())
        self.document = json.loads((self.folder / "report.json").read_text())
        self.verdict = json.loads((self.folder / "verdict.json").read_text())
        self.tables = {}
        self.mode = self.manifest["protocol"]["aggregation"]
        frames = self.csv("frames")
        self.rows = frames[frames.status != "unreadable"].reset_index(drop=True)
        self.scenes = list(dict.fromkeys(self.rows.scene))
        self.frames = {m: g.set_index(["scene", "frame"]) for m, g in self.rows.groupby("method", sort=False)}
        self.summary = self.csv("summary").set_index("method")
        self.methods = list(self.summary.index)
        self.baseline = self.manifest["baseline"]
        self.objects = Objects(self) if self.has("objects.csv") else None

    def csv(self, name, **types):
        key = (name, *types)
        if key not in self.tables:
            self.tables[key] = read(self.folder / f"{name}.csv", **types)
        return self.tables[key]

    def has(self, name):
        return (self.folder / name).exists()

    def scenes_of(self, method, column):
        """Scenes in which a method has a value."""
        return self.frames[method][column].dropna().index.get_level_values("scene").nunique()

    def by_scene(self, *columns):
        """Means per scene of the frames that have a value in every column, and how many frames there are."""
        table = pd.concat(columns, axis=1, keys=range(len(columns))).dropna()
        if self.mode == "images":
            return table, table, len(table)
        return table.groupby(level="scene", sort=False).mean(), table, len(table)

    def mean(self, method, column):
        if self.mode == "pooled":
            return self.summary.loc[method, column]
        means, _, count = self.by_scene(self.frames[method][column])
        return means[0].mean() if count else None

    def interval(self, method, column):
        row = self.summary.loc[method]
        return row.get(column + "_low", np.nan), row.get(column + "_high", np.nan)

    def ids(self, name):
        """The methods that a selection is in the scenes: `ols` may be ols@depth here, ols@disparity there."""
        return [name] if name in self.frames else [m for m in self.methods if m.split("@")[0] == name]

    def values(self, name, column, form):
        values = pd.concat([self.frames[m][column] for m in self.ids(name)])
        if form == "fallback":
            values = values.fillna(self.frames[RAW][column].reindex(values.index))
        return values

    def coverage(self, name):
        return pd.concat([self.frames[m].coverage for m in self.ids(name)]).mean()

    def compare(self, name, reference, form, column=HEADLINE):
        """A paired comparison; None where no frame has both."""
        if self.mode == "pooled" and name == reference:
            own = self.values(name, column, form).dropna()
            scenes, value = own.index.get_level_values("scene").nunique(), self.mean(name, column)
            return {"scenes": scenes, "frames": len(own), "value": value, "reference": value, "difference": 0.0}
        if self.mode == "pooled" and len(self.ids(name)) == 1:
            return self.stored_pair(self.ids(name)[0], reference, form, column)
        columns = [self.values(n, column, form) for n in (name, reference)]
        means, table, frames = self.by_scene(*columns)
        if not frames:
            return None
        # What only Float32 rounding tells apart is equal.
        close = (means[0] - means[1]).abs() <= 1e-6 * means.abs().max(axis=1)
        second = means[1].where(~close, means[0])
        result = {
            "scenes": table.index.get_level_values("scene").nunique(),
            "frames": frames,
            "value": means[0].mean(),
            "reference": second.mean(),
        }
        result["difference"] = result["value"] - result["reference"]
        return result | self.inference(name, reference, form, column)

    def stored_pair(self, method, reference, form, column):
        for sign, (a, b) in ((1, (method, reference)), (-1, (reference, method))):
            pairs = self.csv("pairwise")
            rows = pairs[
                (pairs.method_a == a)
                & (pairs.method_b == b)
                & (pairs.column == column)
                & (pairs.form == form)
            ]
            if len(rows):
                row = rows.iloc[0]
                if not row.scenes:
                    return None
                ends = (row.value_a, row.value_b)[::sign]
                result = {"scenes": row.scenes, "frames": row.frames, "value": ends[0], "reference": ends[1]}
                result["difference"] = sign * row.difference
                return result | self.inference(method, reference, form, column)
        return None

    def inference(self, name, reference, form, column):
        """Interval, p and adjusted p as summary.csv has them; empty for what is not one method."""
        ids = self.ids(name)
        if len(ids) != 1:
            return {}
        stem = (
            column
            + ("" if reference == self.baseline else "_spec")
            + ("" if form == "solved" else "_fallback")
        )
        row = self.summary.loc[ids[0]]
        return {
            key: row.get(stem + tail)
            for key, tail in (
                ("low", "_difference_low"),
                ("high", "_difference_high"),
                ("p", "_p"),
                ("adjusted", "_p_adjusted"),
            )
        }


def is_oracle(method):
    return method.split("@")[0] == "oracle"


def gain(comparison):
    return -comparison["difference"] / comparison["reference"] if comparison["reference"] > 0 else None


# Tables: each function gives the heads and the rows that a table must have


TAIL_COLUMNS = [
    ("median |error|", "↓", "median_ae_m", "mm"),
    ("P95 |error|", "↓", "p95_ae_m", "mm"),
    ("boundary F1", "↑", "boundary_f1", "%"),
    ("temporal AbsRel", "↓", "temporal_abs_rel", "%"),
    ("flicker", "↓", "flicker_m", "mm"),
]


def shown_unit(run, unit):
    """The unit of a head, and what values are multiplied by."""
    if unit == "%":
        return "%", 100
    return ("m", 1) if run.manifest.get("units") == "m" else ("mm", 1000)


def times(value, scale):
    return None if missing(value) else value * scale


def methods_table(run, block):
    columns = TAIL_COLUMNS if block["id"] == "tails" else METHOD_COLUMNS
    ids = pd.MultiIndex.from_frame(run.rows[["scene", "frame"]])
    without_truth = set(ids[run.rows.status == "no_truth"])
    complete = {column: complete_methods(run, column) for _, _, column, _ in columns}
    methods = [m for m in run.methods if any(not missing(run.mean(m, c)) for _, _, c, _ in columns if c != "coverage")]
    solved = {m: int((run.frames[m].status == "ok").sum()) for m in methods}
    scored = {m: len(run.frames[m]) - len(without_truth.intersection(run.frames[m].index)) for m in methods}
    heads, made = ["method"], [[f"{m} (oracle)" if is_oracle(m) else m] for m in methods]
    # Columns that say the same of every method are left out, as are those without a value.
    if any(solved.values()) and any(solved[m] != scored[m] for m in methods):
        heads.append("frames with depth")
        for row, method in zip(made, methods):
            row.append(f"{solved[method]}/{scored[method]}")
    for title, arrow, column, unit in columns:
        values = [run.mean(m, column) for m in methods]
        if all(map(missing, values)):
            continue
        if column == "coverage" and all(not missing(v) and v > 0.99995 for v in values):
            continue
        symbol, scale = shown_unit(run, unit)
        heads.append(f"{title} [{symbol}] {arrow}")
        for row, method, value in zip(made, methods, values):
            low, high = run.interval(method, column) if column != "coverage" else (None, None)
            row.append(
                Number(
                    times(value, scale),
                    low=times(low, scale),
                    high=times(high, scale),
                    write=supported,
                    partial=method not in complete[column],
                    best=method in run.verdict["leaders"].get(column, []),
                )
            )
    return heads, made


# Means over what a method covers: nothing is in bold where that differs.
OF_COVERED = {"abs_rel", "mae_m", "rmse_m", "bias_m", "median_ae_m", "p95_ae_m"}


def complete_methods(run, column):
    """Those that no other method, oracles aside, has a value of in more frames."""
    frames = {m: int(run.frames[m][column].notna().sum()) for m in run.methods}
    most = max((n for m, n in frames.items() if not is_oracle(m)), default=0)
    return {m for m, n in frames.items() if n >= most}


def best_methods(run, column, arrow):
    """Who leads a column: the best of the methods that an app could use, and that have as many frames as any, where
    its interval leaves out the next."""
    values = {m: run.summary.loc[m, column] for m in complete_methods(run, column) if not is_oracle(m)}
    values = {m: v for m, v in values.items() if not missing(v)}
    order = {"↓": lambda v: v, "↑": lambda v: -v, "→0": abs}[arrow]
    ordered = sorted(values.values(), key=order)
    later = [v for v in ordered if order(v) > order(ordered[0])]
    if not later:
        return set()
    leading = {m for m, v in values.items() if v == ordered[0]}
    for method in leading:
        low, high = run.interval(method, column)
        if missing(low) or low <= later[0] <= high or (arrow == "→0" and low <= -later[0] <= high):
            return set()
    return leading


def against_table(run, section):
    reference = section["id"].removeprefix("against-")
    rows = []
    for method in run.methods:
        if method == reference or not (run.frames[method].status == "ok").any():
            continue
        solved, fallback = (run.compare(method, reference, form) for form in ("solved", "fallback"))
        forms = [("both have depth", solved), ("all, raw LiDAR where refused", fallback)]
        if (solved or {}).get("frames") == (fallback or {}).get("frames"):
            forms = [("all", fallback)]
        rows += [against_row(run, method, form, found) for form, found in forms if found is not None]
    symbol, _ = shown_unit(run, "mm")
    heads = [
        "method",
        "which frames",
        f"MAE [{symbol}] ↓",
        f"{reference} [{symbol}]",
        "gain ↑",
        f"difference [{symbol}] ↓",
        "outcome",
        "scenes",
        "frames",
    ]
    return heads, rows


def against_row(run, method, form, found):
    _, scale = shown_unit(run, "mm")
    low, high = found["low"], found["high"]
    outcome = "" if missing(low) else "worse" if low > 0 else "better" if high < 0 else "unclear"
    return [
        method,
        form,
        Number(found["value"] * scale, write=supported),
        Number(found["reference"] * scale, write=supported),
        Number(gain(found), write=gained),
        Number(
            found["difference"] * scale, low=times(low, scale), high=times(high, scale), write=supported
        ),
        outcome,
        str(found["scenes"]),
        str(found["frames"]),
    ]


def ranks_table(run, _):
    stored = run.csv("ranks")
    columns = list(dict.fromkeys(stored.column))
    found = {column: ranks_of(run, column, stored[stored.column == column]) for column in columns}
    rows = []
    for method in stored[stored.column == columns[0]].method:
        cells = [found[column].get(method, (None, None)) for column in columns]
        rows.append([method] + [Number(v, d) for cell in cells for v, d in zip(cell, (3, 2))])
    titles = {"mae_m_measured": "MAE on measured pixels", "abs_rel_measured": "AbsRel on measured pixels"}
    heads = [head for column in columns for head in (f"{titles[column]}: mean rank ↓", "p against the best")]
    return ["method"] + heads, rows


def ranks_of(run, column, rows):
    """Mean rank over scenes and Nemenyi's p against the best, by method."""
    if run.mode == "pooled":
        return {row.method: (row.mean_rank, row.nemenyi_p_best) for row in rows.itertuples()}
    values = [
        run.values(m, column, "fallback").groupby(level="scene", sort=False).mean() for m in rows.method
    ]
    table = pd.concat(values, axis=1).dropna().to_numpy()
    table = np.vectorize(lambda v: float(f"{v:.5e}"))(table)
    ranks = stats.rankdata(table, axis=1).mean(axis=0)
    scenes, methods = table.shape
    scale = np.sqrt(methods * (methods + 1) / (12 * scenes))
    p = [float(stats.studentized_range.sf((r - ranks.min()) / scale, methods, np.inf)) for r in ranks]
    return {m: (rank, value) for m, rank, value in zip(rows.method, ranks, p)}


def scenes_table(run, _):
    stored = run.csv("scenes").set_index(["scene", "method"])
    names = list(dict.fromkeys(stored.index.get_level_values(0)))

    def value(method, name):
        if run.mode == "pooled":
            return stored.abs_rel.get((name, method))
        own = run.frames[method].abs_rel
        return own[own.index.get_level_values(0) == name].mean()

    def solved(method, name):
        own = run.frames[method]
        return int((own[own.index.get_level_values(0) == name].status == "ok").sum())

    methods = [m for m in run.methods if any(not missing(value(m, n)) for n in names)]
    if len(names) <= MOST_COLUMNS:
        most = {n: max(solved(m, n) for m in run.methods) for n in names}
        rows = [
            [m]
            + [Number(times(value(m, n), 100), write=supported, partial=solved(m, n) < most[n]) for n in names]
            for m in methods
        ]
        return ["method"] + [f"{n} ↓" for n in names], rows
    rows = []
    for method in methods:
        found = [(value(method, n), n) for n in names if not missing(value(method, n))]
        values = [v for v, _ in found]
        spread = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
        worst = next(n for v, n in found if v == max(values))
        rows.append(
            [method, Number(len(values), write=lambda v, *_: str(int(v)))]
            + [Number(v * 100, write=supported) for v in spread]
            + [worst]
        )
    heads = [f"{h} ↓" for h in ("lowest", "lower quartile", "median", "upper quartile", "highest")]
    return ["method", "scenes"] + heads + ["highest in"], rows


def frame_errors_table(run, block):
    """Every frame of the page's strip: its errors; what leads to its pictures is words."""
    methods = [c["title"].rsplit(" [", 1)[0] for c in block["table"]["columns"][1:-1]]
    errors = {
        m: {f"{scene}/{frame}": value for i in run.ids(m) for (scene, frame), value in run.frames[i].abs_rel.items()}
        for m in methods
    }
    rows = []
    for row in block["table"]["rows"]:
        name = row[0]["text"]
        values = [Number(times(errors[m].get(name), 100), 3, write=lambda v, *_: rounded(v, 3)) for m in methods]
        rows.append([name] + values + [row[-1]["text"]])
    return ["frame"] + [f"{m} [%] ↓" for m in methods] + ["to see it"], rows


def bin_title(name, key):
    if name == "ranges":
        return "–".join(f"{float(k):g}" for k in key) + " m"
    return f"confidence {key[0]}" if name == "confidence" else ("at depth steps" if key[0] == "1" else "elsewhere")


BREAKDOWN_KEYS = {"ranges": ["from_m", "to_m"], "confidence": ["confidence"], "steps": ["near_step"]}


def breakdown_table(run, section):
    name = section["id"]
    keys = BREAKDOWN_KEYS[name]
    table = run.csv(name, **{key: str for key in keys})
    bins = {}
    for key in sorted(set(table[keys].itertuples(index=False, name=None)), key=lambda k: float(k[0])):
        own = table[(table[keys] == list(key)).all(axis=1)].set_index("method")
        bins[key] = own, int((own.loc[RAW] if RAW in own.index else own.iloc[0]).pixels)
    whole = max(1, sum(pixels for _, pixels in bins.values()))
    shown = sorted(bins, key=lambda k: (-bins[k][1], float(k[0])))[:MOST_COLUMNS]
    shown.sort(key=lambda k: float(k[0]))
    rows = [
        ["share of the truth pixels"]
        + [Number(bins[k][1] / whole, write=lambda v, *_: percent(v)) for k in shown]
    ]
    for method in [m for m in run.methods if m in set(table.method)]:
        row = [method]
        for key in shown:
            own, _ = bins[key]
            partial = method not in own.index or own.frames[method] < own.frames.max()
            row.append(Number(times(own.abs_rel.get(method), 100), write=supported, partial=partial))
        rows.append(row)
    return ["method"] + [f"{bin_title(name, k)} ↓" for k in shown], rows


def fits_table(run, _):
    rows = []
    for (scene, method), group in run.rows.groupby(["scene", "method"], sort=False):
        own = group[group.scale.notna()]
        if not len(own):
            continue
        # frames.csv does not hold the slope in Double, so only its text can be checked.
        medians = [Number(own["scale"].median()), Number(None, known=False)]
        medians += [Number(own[c].median()) for c in ("shift", "pairs", "inliers", "condition", "spread")]
        rows.append([scene, method, str(len(own))] + medians)
    heads = [
        "scene",
        "method",
        "frames",
        "scale",
        "scale in Double",
        "shift",
        "pairs",
        "inliers",
        "condition",
        "spread",
    ]
    return heads, rows


# How the page names what CSV files name by an id.
REASONS = {
    "no_relative": "no relative map",
    "too_few_pairs": "too few pairs",
    "degenerate": "no clear slope",
    "rejected_scale": "slope out of bounds",
    "no_truth": "no truth",
    "impossible": "impossible result",
    "low_score": "detection not sure enough",
    "no_map": "no depth map",
    "no_depth": "no depth in its image box",
    "bad_image_box": "image box not finite",
    "too_few_points": "too few points",
    "not_finite": "coordinate not finite",
    "numerical": "no numerical solution",
}


def refusals_table(run, _):
    """Methods that met the same in the same number of frames are one row."""
    found = {}
    for (method, status), group in run.rows[run.rows.status != "ok"].groupby(["method", "status"], sort=False):
        first = group.iloc[0]
        reason = "no reason given" if missing(first.reason) else first.reason
        key = (status, len(group), one_line(f"{first.scene}/{first.frame}: {reason}"))
        found.setdefault(key, []).append(method)
    rows = [[REASONS[status], whole(count), text, ", ".join(methods)] for (status, count, text), methods in found.items()]
    return ["reason", "frames", "for example", "methods"], rows


def one_line(text):
    return " ".join(part for part in re.split("[\n\r\x0b\x0c\x85\u2028\u2029]", text) if part)


DATA_COLUMNS = ["scene", "frames", "LiDAR", "confidence", "relative", "kind", "truth", "independence"]


def data_table(run, section):
    """Columns that no scene has something in are left out."""
    shown_heads = [column["title"] for column in section["table"]["columns"]]
    cells = {row[0]["text"]: dict(zip(shown_heads, (c["text"] for c in row))) for row in section["table"]["rows"]}
    sizes = re.compile(r"[1-9]\d*×[1-9]\d*$")
    rows = []
    for scene in run.manifest["scenes"]:
        shown = cells.get(scene["name"], {})
        made = {head: shown.get(head, NONE) for head in DATA_COLUMNS}
        made["scene"], made["frames"] = scene["name"], str(run.rows[run.rows.scene == scene["name"]].frame.nunique())
        made["confidence"] = {"yes", "no"}
        if made["kind"] != NONE:
            made["kind"] = {scene["relativeKind"], scene["relativeKind"] + " (by rank correlation)"}
        if made["independence"] != NONE:
            made["independence"] = scene["truthIndependence"]
        for head in ("LiDAR", "relative", "truth"):
            made[head] = {made[head]} if made[head] == NONE or sizes.match(made[head]) else "a size"
        rows.append([made[head] for head in shown_heads])
    left_out = [head for head in DATA_COLUMNS if head not in shown_heads]
    has_truth = bool((~run.rows.status.isin(["no_truth"]) & run.rows.coverage.notna()).any())
    if has_truth and "truth" in left_out:
        return DATA_COLUMNS, rows
    return [head for head in DATA_COLUMNS if head in shown_heads], rows


def diagnosis_table(run, section):
    table = run.csv("diagnosis")
    verdicts = ["confirmed", "found", "contradicted", "no-reading-fits", "undecidable", "not-testable"]
    titles = [row[0]["text"] for row in section["table"]["rows"]]
    rows = []
    for title, (test, own) in zip(titles + [None] * len(table), table.groupby("test", sort=False)):
        declared = ", ".join(dict.fromkeys(own.declared.dropna())) or NONE
        counts = [str((own.verdict == v).sum()) for v in verdicts]
        margin = own[own.verdict == "confirmed"].margin.min()
        rows.append([title or test, declared] + counts + [Number(min(margin, 999.0), 2)])
    return ["convention", "declared"] + verdicts + ["least margin [σ]"], rows


def method_definitions(run, section):
    wanted = {m.split("@")[0] for m in run.methods}
    return definitions(section, ["method", "what", "source"], wanted)


def metric_definitions(run, section):
    # Columns on a part of the pixels, and those that the table itself explains by another.
    wanted = {c for c in run.rows.columns[13:] if not c.endswith(("_measured", "_filled"))}
    return definitions(section, ["column", "name", "unit", "definition"], wanted)


def box_method_definitions(run, section):
    return definitions(section, ["box method", "what", "points", "source"], set(run.csv("object_summary").method))


def object_columns(run, section):
    names = run.csv("object_summary").columns[7:]
    wanted = {n for n in names if not n.endswith(("_low", "_high"))}
    return definitions(section, ["column", "over a scene's objects", "definition"], wanted)


def definitions(section, heads, wanted):
    """Words: what is used is defined, and nothing else."""
    found = [[c["text"] for c in row] for row in section["table"]["rows"]]
    names = [row[0] for row in found]
    # Shares and ratios have no unit.
    rows = [[c if c.strip() or h == "unit" else f"a {h}" for c, h in zip(row, heads)] for row in found]
    lacking = sorted(wanted.symmetric_difference(names))
    return heads, rows + [[f"a row for {n}, or none"] for n in lacking]


def protocols_table(run, _):
    table = run.csv("protocols")
    last = table[table.complete == "yes"]
    titles = list(dict.fromkeys(last.protocol))
    heads = ["method"]
    for title in titles:
        oracle = last[last.protocol == title].oracle.eq("yes").all()
        heads.append(f"{title} (uses the truth)" if oracle else title)
    rows = []
    for method in dict.fromkeys(last.method):
        row = [method]
        for title in titles:
            own = last[(last.method == method) & (last.protocol == title)]
            found = own.iloc[0] if len(own) else {}
            row.append(
                Number(found.get("abs_rel"), low=found.get("abs_rel_low"), high=found.get("abs_rel_high"))
            )
        if run.manifest["protocol"].get("name") == titles[0] and method in run.frames:
            row[1].value = run.mean(method, "abs_rel")
        rows.append(row)
    return heads, rows


def protocol_steps(run, section):
    name = section["id"].removeprefix("protocol-")
    table = run.csv("protocols")
    start = table.protocol.iloc[0]
    own = table[table.protocol == name]
    switches = list(dict.fromkeys(own.switch.dropna()))
    rows = []
    for method in dict.fromkeys(own.method):
        path = own[own.method == method].sort_values("step")
        values = path.abs_rel.to_numpy()
        changes = dict(zip(path.switch[1:], np.diff(values)))
        steps = [Number(changes.get(s), write=signed) for s in switches]
        rows.append([method, Number(values[0])] + steps + [Number(values[-1])])
    return ["method", start] + switches + [name], rows


# Objects


class Objects:
    """objects.csv with the columns that the tables are about."""

    def __init__(self, run):
        self.run = run
        table = run.csv("objects").copy()
        table["size_error_m"] = (
            table[["length_error_m", "height_error_m", "width_error_m"]].abs().mean(axis=1, skipna=False)
        )
        table["placement_cm"] = table.placement_box_cm
        table["label_error_m"] = table.label_error_m.abs()
        table["range"] = [range_bin(r) for r in table.range_m]
        table["visibility_bin"] = [visibility_bin(v) for v in table.visibility]
        self.table = table
        self.depths = list(dict.fromkeys(table.depth.dropna()))
        self.summary = run.csv("object_summary").set_index(["by", "bin", "depth", "method"])
        self.boxed = {d for d in self.depths if (table[table.depth == d].status == "ok").any()}

    def rows(self, depth, method, by="all", name="all"):
        own = self.table[
            (self.table.depth == depth) & ((self.table.method == method) | self.table.method.isna())
        ]
        column = {"class": "class", "range": "range", "visibility": "visibility_bin"}.get(by)
        return own if column is None else own[own[column] == name]

    def estimate(self, column, key):
        """Over the objects of a scene, then over scenes; the interval of object_summary.csv."""
        present = self.rows(key[2], key[3], *key[:2]).dropna(subset=[column])
        if not len(present):
            return None, None, None
        groups = present.groupby("scene", sort=False)[column]
        value = (groups.mean() if column == "iou" else groups.median()).mean()
        row = self.summary.loc[key]
        return value, row.get(column + "_low", np.nan), row.get(column + "_high", np.nan)

    def numbers(self, key):
        own = self.rows(key[2], key[3], *key[:2])
        counts = [whole(n) for n in (len(own), (own.status == "ok").sum(), own.scene.nunique())]
        cells = []
        for _, _, column, metres in OBJECT_COLUMNS:
            cells.append(self.cell(column, key, metres))
        return counts + cells

    def cell(self, column, key, metres):
        scale = 1 if metres is None else metres * shown_unit(self.run, "mm")[1]
        value, low, high = (times(v, scale) for v in self.estimate(column, key))
        return Number(value, low=low, high=high, write=supported)


def range_bin(distance):
    if not np.isfinite(distance):
        return None
    metre = min(int(distance), 5)
    return f"{metre}–{metre + 1} m" if metre < 5 else "5 m and more"


def visibility_bin(share):
    return None if np.isnan(share) else next(name for least, name in VISIBILITIES if share >= least)


def reference_method(run, objects):
    """The box method that the tables are about: the one that classes were boxed by."""
    summary = objects.summary.reset_index()
    divided = summary[summary["by"] != "all"].method.unique()
    if len(divided) == 1:
        return divided[0]
    plan = run.manifest["objects"]["boxMethods"]
    return "auto" if "auto" in plan else plan[0]


def object_tables(run, section):
    objects, by = run.objects, section["id"].removeprefix("objects-by-")
    method = reference_method(run, objects)
    if by == "depth":
        heads, names = ["depth map"], [([d], ("all", "all", d, method)) for d in objects.depths]
    elif by == "method":
        plan = run.manifest["objects"]["boxMethods"]
        heads = ["depth map", "box method"]
        names = [([d, m], ("all", "all", d, m)) for d in objects.depths if d in objects.boxed for m in plan]
    else:
        heads, names = [by, "depth map"], []
        for name in object_bins(objects.table, by):
            for depth in objects.depths:
                if len(objects.rows(depth, method, by, name)) and depth in objects.boxed:
                    names.append(([name, depth], (by, name, depth, method)))
    rows = [shown + objects.numbers(key) for shown, key in names]
    symbol, _ = shown_unit(run, "mm")
    metrics = [
        f"{title}{'' if metres is None else f' [{symbol}]'} {arrow}" for title, arrow, _, metres in OBJECT_COLUMNS
    ]
    return heads + ["objects", "boxed", "scenes"] + metrics, rows


def object_bins(table, by):
    present = table[table.depth.notna()]
    if by == "class":
        return sorted(set(present["class"]), key=lambda name: name.encode())
    if by == "range":
        return sorted(set(present["range"].dropna()), key=lambda name: int(name[0]))
    found = set(present.visibility_bin.dropna())
    return [name for _, name in VISIBILITIES if name in found]


def placements_table(run, _):
    objects = run.objects
    method = reference_method(run, objects)
    symbol, _ = shown_unit(run, "mm")
    rows = []
    for depth in objects.depths:
        own = objects.rows(depth, method)
        key = ("all", "all", depth, method)
        if all(missing(objects.estimate(column, key)[0]) for _, column in PLACES):
            continue
        known = own.true_x_m.notna().sum()
        for way, column in PLACES:
            placed = 0 if missing(objects.estimate(column, key)[0]) else own[column].notna().sum()
            rows.append([depth, way, objects.cell(column, key, 0.01), whole(placed), whole(known)])
    return ["depth map", "way", f"error [{symbol}] ↓", "placed", "of"], rows


def detections_table(run, _):
    """Every detection above the threshold is right or wrong; which of the two only detections.csv says."""
    objects = run.csv("objects")
    sure = objects[objects.status != "low_score"].drop_duplicates(["scene", "frame", "object"])
    sure = sure[sure.scene.isin(sure[sure.true_x_m.notna()].scene)]
    rows = []
    for row in run.csv("detections").rename(columns={"class": "label"}).itertuples():
        name = "all" if row.by == "all" else row.label
        own = sure if row.by == "all" else sure[sure["class"] == name]
        cells = [name] + [whole(n) for n in (row.matched, len(own) - row.matched, row.missed, row.scenes)]
        for other, low, high in (
            (row.spurious, getattr(row, "precision_low", np.nan), getattr(row, "precision_high", np.nan)),
            (row.missed, getattr(row, "recall_low", np.nan), getattr(row, "recall_high", np.nan)),
        ):
            value = row.matched / (row.matched + other) if row.matched + other else None
            cells.append(Number(times(value, 100), low=times(low, 100), high=times(high, 100), write=supported))
        rows.append(cells)
    return ["class", "right", "wrong", "missed", "scenes", "precision [%] ↑", "recall [%] ↑"], rows


def failures_table(run, _):
    table, plan = run.csv("objects"), run.manifest["objects"]["boxMethods"]
    failed = table[table.status != "ok"].fillna({"depth": NONE})
    rows = []
    for (depth, status), own in failed.groupby(["depth", "status"], sort=False):
        first = own.iloc[0]
        counts = own.groupby("method", dropna=False).size()
        least, most = counts.min(), counts.max()
        names = [m for m in plan if m in counts.index]
        methods = NONE if depth == NONE else "all" if len(names) in (0, len(plan)) else ", ".join(names)
        reason = "" if missing(first.reason) else first.reason
        example = one_line(f"{first.scene}/{first.frame}, {first['class']}: {reason}")
        rows.append([depth, REASONS[status], f"{least}" if least == most else f"{least}–{most}", methods, example])
    return ["depth map", "reason", "objects", "box methods", "for example"], rows


TABLES = {
    "methods": methods_table,
    "tails": methods_table,
    "ranks": ranks_table,
    "scenes": scenes_table,
    "ranges": breakdown_table,
    "confidence": breakdown_table,
    "steps": breakdown_table,
    "frame-errors": frame_errors_table,
    "fits": fits_table,
    "refusals": refusals_table,
    "data": data_table,
    "diagnosis": diagnosis_table,
    "method-definitions": method_definitions,
    "metric-definitions": metric_definitions,
    "box-method-definitions": box_method_definitions,
    "object-columns": object_columns,
    "protocols": protocols_table,
    "objects-by-depth": object_tables,
    "objects-by-method": object_tables,
    "objects-by-class": object_tables,
    "objects-by-range": object_tables,
    "objects-by-visibility": object_tables,
    "placements": placements_table,
    "detections": detections_table,
    "objects-without-box": failures_table,
}


def table_check(name):
    if name.startswith("against-"):
        return against_table
    return protocol_steps if name.startswith("protocol-") else TABLES.get(name)


def check_tables(run, check):
    present = {block["id"] for kind, block, _ in blocks(run.document) if kind == "table"}
    for kind, block, _ in blocks(run.document):
        if kind == "table":
            check.tables += 1
            check_table(run, block, check)
    needed = {"data", "method-definitions", "metric-definitions"}
    solved = {m for m in run.methods if (run.frames[m].status == "ok").any()}
    if solved:
        needed |= {"methods", "scenes", f"against-{run.baseline}"}
    needed |= {"against-spec"} & {f"against-{m}" for m in solved}
    needed |= {name for name in ("ranks", "diagnosis", "protocols", "detections") if run.has(f"{name}.csv")}
    for name in sorted(needed - present):
        check.faults.append(f"report.json lacks the table {name}")


def check_table(run, block, check):
    name, table = block["id"], block["table"]
    make = table_check(name)
    if make is None:
        check.faults.append(f"table {name}: not known to this script; it needs a check")
        return
    heads, rows = make(run, block)
    check.same([c["title"] for c in table["columns"]], heads, f"table {name}, heads")
    if len(rows) != len(table["rows"]):
        check.faults.append(f"table {name}: {len(table['rows'])} rows, expected {len(rows)}")
    for found, expected in zip(table["rows"], rows):
        where = f"table {name}, row {' / '.join(c['text'] for c in found[:2])}"
        if len(found) != len(expected):
            check.faults.append(f"{where}: {len(found)} cells, expected {len(expected)}")
            continue
        for cell, wanted, head in zip(found, expected, heads):
            if isinstance(wanted, Number):
                wanted.check(cell, check, f"{where}, {head}")
            else:
                check.same(cell["text"], wanted, f"{where}, {head}")
                check.true("value" not in cell, f"{where}, {head}: a number behind what is text here")
                check.true(not cell.get("isBest"), f"{where}, {head}: text in bold")


# The document in every format


def blocks(document):
    """(kind, block, section), in order; headings are blocks of kind "heading"."""

    def walk(section, level):
        yield "heading", (level, section["title"]), section
        for block in section["blocks"]:
            kind, value = next(iter(block.items()))
            yield kind, value, section
        for inner in section["subsections"]:
            yield from walk(inner, level + 1)

    for section in document["sections"]:
        yield from walk(section, 2)


def cells_of(block):
    table = block["table"]
    return [[c["title"] for c in table["columns"]]] + [[c["text"] for c in row] for row in table["rows"]]


def alt_text(text):
    return text.replace("[", "(").replace("]", ")")


def expected_markdown(document):
    items = [("heading", 1, document["title"])]
    if document.get("caveat"):
        items.append(("text", f"**{document['caveat']}**"))
    for kind, block, _ in blocks(document):
        if kind == "heading":
            items.append(("heading", *block))
        elif kind == "paragraph":
            items.append(("text", block))
        elif kind == "list":
            items += [("item", sentence) for sentence in block]
        elif kind == "table":
            rows = [[collapsed(c) for c in row] for row in cells_of(block)]
            items.append(("table", rows[:1] + [["rule"]] + rows[1:]))
        elif kind == "answer":
            items += [("text", f"**{line['label']}.** {line['text']}") for line in block["lines"]]
        elif kind == "figure":
            items.append(("image", alt_text(block["alt"]), f"figures/{block['name']}.svg"))
            if block.get("caption"):
                items.append(("text", block["caption"]))
        else:
            for frame in block["frames"]:
                items.append(("text", f"**{frame['rank']}: {frame['title']}.** {frame['caption']}"))
                items += [("image", alt_text(p["alt"]), p["file"]) for p in frame["pictures"]]
            for scale in block["scales"]:
                items.append(("text", f"{', '.join(scale['roles'])}: {scale['title']}."))
                items.append(("image", alt_text(scale["title"]), scale["file"]))
    return items


def collapsed(text):
    return " ".join(text.split())


def read_markdown(text):
    items, table = [], None
    for line in text.splitlines():
        if line.startswith("|"):
            if table is None:
                table = []
                items.append(("table", table))
            cells = [collapsed(c.replace("\\|", "|")) for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            is_rule = all(re.fullmatch(r":?-+:?", c) for c in cells)
            table.append(["rule"] if is_rule else cells)
            continue
        table = None
        if heading := re.fullmatch(r"(#+) (.*)", line):
            items.append(("heading", len(heading[1]), heading[2]))
        elif image := re.fullmatch(r"!\[(.*)\]\((.*)\)", line):
            items.append(("image", image[1], image[2]))
        elif line.startswith("- "):
            items.append(("item", line[2:]))
        elif line:
            items.append(("text", line))
    return items


def check_markdown(run, check):
    found = read_markdown((run.folder / "report.md").read_text())
    check.sequence(found, expected_markdown(run.document), "report.md")


def plain(sentence):
    """A sentence without its marks for bold and code."""
    pieces = sentence.split("`")
    kept, text = [], ""
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            text += piece
        elif index < len(pieces) - 1:
            text += f"\ue000{len(kept)}\ue001"
            kept.append(piece)
        else:
            text += "`" + piece
    text = re.sub(r"\*\*(?=\S)(.+?)(?<! )\*\*", r"\1", text)
    return collapsed(re.sub("\ue000(\\d+)\ue001", lambda m: kept[int(m[1])], text))


class Page(html.parser.HTMLParser):
    """What a reader sees and what a screen reader says, in order."""

    TEXT = {"h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "dt", "dd", "figcaption", "summary", "th", "td"}
    VOID = {"meta", "link", "img", "br", "line", "circle"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.stack, self.items, self.ids, self.scripts = [], [], [], []
        self.open = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "img":
            self.items.append(("image", attributes.get("alt"), attributes.get("src")))
        # An arrowhead is an svg of its own within a bar.
        if tag == "svg" and "bar" not in classes and all(name != "svg" for name, _, _ in self.stack):
            self.items.append(("svg", attributes.get("aria-label")))
        if tag == "table":
            self.items.append(("table", []))
        if tag == "tr":
            self.items[-1][1].append([])
        if tag in self.TEXT and not self.open:
            self.open = {
                "tag": tag,
                "classes": classes,
                "attributes": attributes,
                "seen": "",
                "said": "",
                "bold": False,
            }
        if self.open and tag == "strong":
            self.open["bold"] = True
        if tag not in self.VOID:
            unseen = (
                "hidden" in classes
                or "axis" in classes
                or "count" in classes
                or "what" in classes
                or tag in ("svg", "style", "script")
            )
            unsaid = attributes.get("aria-hidden") == "true" or tag == "svg" or "what" in classes
            self.stack.append((tag, unseen, unsaid))

    def handle_data(self, data):
        if self.open:
            if not any(unseen for _, unseen, _ in self.stack):
                self.open["seen"] += data
            if not any(unsaid for _, _, unsaid in self.stack):
                self.open["said"] += data

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        while self.stack and self.stack.pop()[0] != tag:
            pass
        if self.open and tag == self.open["tag"]:
            self.finish(self.open)
            self.open = None

    def finish(self, item):
        seen, said, tag = collapsed(item["seen"]), collapsed(item["said"]), item["tag"]
        within = [name for name, _, _ in self.stack]
        if tag in ("th", "td"):
            self.items[-1][1][-1].append((seen, said, item["bold"], item["attributes"].get("data-value")))
        elif "nav" in within or {"key", "show"} & set(item["classes"]):
            pass
        elif re.fullmatch(r"h\d", tag):
            self.items.append(("heading", int(tag[1]), seen))
        else:
            kind = {"p": "text", "li": "item", "dt": "label", "dd": "text"}.get(tag, "caption")
            self.items.append((kind, seen))


def data_uri(path):
    content = path.read_bytes() if path.exists() else b""
    kind = {b"\x89PNG": "png", b"GIF8": "gif"}.get(content[:4], "jpeg")
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def expected_html(run):
    document = run.document
    items = [("heading", 1, collapsed(document["title"]))]
    if document.get("caveat"):
        items.append(("text", plain(document["caveat"])))
    for kind, block, section in blocks(document):
        if kind == "heading":
            items.append(("heading", min(block[0], 6), plain(block[1])))
            level = min(block[0] + 1, 6)
        elif kind == "paragraph":
            items.append(("text", plain(block)))
        elif kind == "list":
            items += [("item", plain(sentence)) for sentence in block]
        elif kind == "answer":
            items += [item for line in block["lines"] for item in (("label", line["label"]), ("text", plain(line["text"])))]
        elif kind == "table":
            items += [("caption", plain(block["caption"])), ("table", html_rows(block["table"]))]
        elif kind == "figure":
            seen = plain(block.get("caption") or block["alt"])
            caption = f"{seen if seen.endswith('.') else seen + '.'} Numbers: figures/{block['name']}.csv."
            items += [("svg", block["title"])] * (2 if "narrowFile" in block else 1) + [("caption", caption)]
        else:
            items += html_gallery(run, block, level)
    return items


def html_gallery(run, block, level):
    items = []
    for scale in block["scales"]:
        items.append(("image", "", data_uri(run.folder / scale["file"])))
        items.append(("caption", f"{', '.join(scale['roles'])}: {scale['title']}"))
    for frame in block["frames"]:
        items.append(("heading", level, collapsed(f"{frame['rank']} {frame['title']}")))
        items.append(("text", plain(frame["caption"])))
        for picture in frame["pictures"]:
            items.append(("image", picture["alt"], data_uri(run.folder / picture["file"])))
            items.append(("caption", picture["role"]))
    return items


def html_rows(table):
    """(seen, said, bold, number) of every cell."""
    rows = [[(collapsed(c["title"]), head_said(c["title"]), False, None) for c in table["columns"]]]
    for row in table["rows"]:
        cells = []
        for cell in row:
            text, best = collapsed(cell["text"]), bool(cell.get("isBest"))
            number, interval = text, ""
            if best and "low" in cell and text.endswith("]"):
                number, interval = text.rsplit(" [", 1)
                interval = " [" + interval
            nothing = text in ("", NONE)
            said = "no value" if nothing else number + (" (best)" if best else "") + interval
            cells.append((NONE if nothing else text, said, best, cell.get("value")))
        rows.append(cells)
    return rows


def head_said(title):
    words = {" ↓": ", lower is better", " ↑": ", higher is better", " →0": ", closer to zero is better"}
    for arrow, meaning in words.items():
        if title.endswith(arrow):
            return collapsed(title[: -len(arrow)] + " " + meaning)
    return collapsed(title) or "row"


def check_html(run, check):
    page = Page((run.folder / "report.html").read_text())
    found = []
    for item in page.items:
        if item[0] == "table":
            rows = [[(*c[:3], None if c[3] is None else float(c[3])) for c in row] for row in item[1]]
            item = ("table", rows)
        found.append(item)
    expected = expected_html(run)
    check.sequence([i for i in found if i[0] != "caption" or i[1]], expected, "report.html")
    doubled = sorted({i for i in page.ids if page.ids.count(i) > 1})
    check.true(not doubled, f"report.html: ids that occur twice: {doubled[:5]}")
    pictures = [i for i in found if i[0] == "image"]
    check.true(
        all(src.startswith("data:") for _, _, src in pictures), "report.html: a picture is not embedded"
    )


# LaTeX

TEX = [
    (r"\allowbreak{}", ""),
    (r"\textbackslash{}", "\\"),
    (r"\textasciicircum{}", "^"),
    (r"\textasciitilde{}", "~"),
    (r"\textquotedbl{}", '"'),
    (r"\ldots{}", "…"),
    (r"\downarrow", "↓"),
    (r"\uparrow", "↑"),
    (r"\rightarrow", "→"),
    (r"\leq", "≤"),
    (r"\geq", "≥"),
    (r"\approx", "≈"),
    (r"\pm", "±"),
    (r"\times", "×"),
    (r"\cdot", "·"),
    (r"\surd", "√"),
    (r"\infty", "∞"),
    (r"^\dagger", "†"),
    (r"\frac12", "½"),
    (r"^\circ", "°"),
    (r"\alpha", "α"),
    (r"\beta", "β"),
    (r"\delta", "δ"),
    (r"\Delta", "Δ"),
    (r"\varepsilon", "ε"),
    (r"\sigma", "σ"),
    (r"\rho", "ρ"),
    (r"\chi", "χ"),
    (r"\theta", "θ"),
    (r"\lambda", "λ"),
    (r"\mu", "μ"),
    (r"\tau", "τ"),
    ("---", "—"),
    ("--", "–"),
    ("^2", "²"),
    ("^3", "³"),
    ("_0", "₀"),
    ("_1", "₁"),
    ("_2", "₂"),
    ("_3", "₃"),
]


def tex_plain(text):
    """A cell as its reader sees it, and whether it is bold."""
    bold = "\\textbf{" in text
    text = re.sub(r"\\textbf\{((?:[^{}]|\\[{}]|\{\})*)\}", r"\1", text)
    text = re.sub(r"\\shortstack\[r\]\{(.*)\\\\\{\\scriptsize (\[.*\])\}\}", r"\1 \2", text)
    # What is escaped is kept apart from what has a meaning.
    kept = {"\\" + sign: chr(0xE010 + index) for index, sign in enumerate("&%#_{}")} | {"\\${}": "\ue020"}
    for sign, place in kept.items():
        text = text.replace(sign, place)
    text = text.replace("$-$", "−")
    for macro, sign in TEX:
        text = text.replace(macro, sign)
    text = text.replace("$", "")
    for sign, place in kept.items():
        text = text.replace(place, sign[1])
    return collapsed(text), bold


def read_tex(text):
    """Rows of every tabular and longtable, by label."""
    tables = {}
    for match in re.finditer(r"\\begin\{(table|longtable)\}(.*?)\\end\{\1\}", text, re.S):
        body = match[2]
        label = re.search(r"\\label\{tab:(.*?)\}", body)[1]
        # A table that is wider than a page stands in parts, each of which begins with the column of names.
        rows = []
        for part in re.split(r"\\begin\{tabular\}", body)[1 if match[1] == "table" else 0 :]:
            own = [
                line.removesuffix("\\\\")
                for line in part.splitlines()
                if line.endswith("\\\\") and "\\caption" not in line
            ]
            own = [[tex_plain(c) for c in re.split(r"(?<!\\)&", row)] for row in own]
            if match[1] == "longtable" and own[:1] == own[1:2]:
                own = own[1:]
            rows = [a + b[1:] for a, b in zip(rows, own)] if rows else own
        first = re.sub(r"-\d+$", "", label)
        if match[1] == "longtable" and f"Part {label.removeprefix(first + '-')} of" in body and first in tables:
            tables[first] = [a + b[1:] for a, b in zip(tables[first], rows)]
        else:
            tables[label] = rows
    return tables


def check_tex(run, check):
    if not run.has("report.tex"):
        return
    found = read_tex((run.folder / "report.tex").read_text())
    wanted = [
        b for k, b, _ in blocks(run.document) if k == "table" and b["role"] == "result" and b["table"]["rows"]
    ]
    check.same(len(found), len(wanted), "report.tex, tables")
    for block, (label, rows) in zip(wanted, found.items()):
        name = "report.tex, table " + block["id"]
        check.true(label.endswith("-" + re.sub(r"[^A-Za-z0-9-]", "-", block["id"])), f"{name}: label {label}")
        table = block["table"]
        expected = [[(collapsed(c["title"]), False) for c in table["columns"]]]
        expected += [
            [(collapsed(c["text"]).replace("µ", "μ"), bool(c.get("isBest"))) for c in r]
            for r in table["rows"]
        ]
        check.sequence(rows, expected, name)


def selections(run):
    """What was asked for, as far as the rows tell: families whose form follows the scene are one."""
    names = []
    for method in run.methods:
        family, _, form = method.partition("@")
        twins = [m for m in run.methods if m.partition("@")[0] == family]
        scenes = [set(run.frames[m].index.get_level_values(0)) for m in twins]
        apart = sum(len(s) for s in scenes) == len(set().union(*scenes))
        names.append(family if form and apart else method)
    return list(dict.fromkeys(names))


# The verdict: values against values


def check_verdict(run, check):
    verdict = run.verdict
    parts = [check_ranking, check_leaders, check_references, check_specification, check_confidence, check_filled, check_ranks]
    for part in parts + [check_steadiness, check_objects]:
        part(run, verdict, check)
    check.same(verdict["inference"]["scenes"], run.scenes_of(run.baseline, HEADLINE), "verdict, scenes") if (
        run.mode == "scene" and verdict["ranking"]["column"] == HEADLINE
    ) else None


def check_comparison(found, expected, what, check):
    """Every value of a comparison."""
    if expected is None:
        check.faults.append(f"{what}: no frame has both")
        return
    for key, own in [("value", "value"), ("referenceValue", "reference"), ("low", "low"), ("high", "high"), ("p", "p"), ("adjustedP", "adjusted")]:
        # A comparison of several forms has an interval of its own, which no table holds; nor has a method with itself.
        if own in expected and found["method"] != found["reference"]:
            check.close(found.get(key), expected[own], f"{what}, {key}")
    check.close(found.get("gain"), gain(expected), f"{what}, gain")
    check.close(found["frames"], expected["frames"], f"{what}, frames")
    check.close(found["scenes"], expected["scenes"], f"{what}, scenes")
    if "low" in found:
        check.same(found["excludesZero"], bool(found["low"] > 0 or found["high"] < 0), f"{what}, zero in the interval")
    if found.get("evidence") in ("significant", "not-significant"):
        check.same(found["evidence"] == "significant", bool(found["adjustedP"] < 0.05), f"{what}, evidence")
    share = gain(expected)
    outcome = "same" if missing(share) or abs(share) < 0.0005 else "better" if share > 0 else "worse"
    check.same(found["outcome"], outcome, f"{what}, outcome")


def check_ranking(run, verdict, check):
    """The one rule for the best method, from the frames."""
    ranking = verdict.get("ranking")
    if not ranking:
        check.notes.append("no ranking")
        return
    column, baseline = ranking["column"], verdict["baseline"]
    found = {row["method"]: row for row in ranking["methods"]}
    names = [name for name in selections(run) if not is_oracle(name)]
    if (run.rows.status != "ok").all():
        names = []
    check.same(sorted(found), sorted(names), "verdict, candidates")
    able = {}
    values = {name: run.compare(name, baseline, "fallback", column) for name in found}
    most = max((v["scenes"] for v in values.values() if v), default=0)
    for name, row in found.items():
        solved = int(run.values(name, column, "solved").notna().sum())
        check.close(row["framesSolved"], solved, f"verdict, {name}, frames solved")
        coverage = run.coverage(name)
        if values[name] and solved and values[name]["scenes"] == most and coverage >= run.coverage(baseline) - 0.01:
            able[name] = values[name]["value"]
        if "withFallback" in row:
            check_comparison(row["withFallback"], values[name], f"verdict, {name}", check)
        if "bothSolved" in row:
            own = run.compare(name, baseline, "solved", column)
            check_comparison(row["bothSolved"], own, f"verdict, {name}, both solved", check)
        check.same("reason" in row, name not in able, f"verdict, {name} has no place")
    order = sorted(able, key=able.get)
    # A lead over the baseline of less than 0.05 % is none.
    if order and baseline in able and able[order[0]] > able[baseline] * (1 - 0.0005):
        order = [baseline] + [name for name in order if name != baseline]
    placed = sorted((row for row in found.values() if "place" in row), key=lambda row: row["place"])
    check.same([row["place"] for row in placed], list(range(1, len(placed) + 1)), "verdict, places")
    errors = [able.get(row["method"], np.nan) for row in placed]
    for name, error, expected in zip(placed, errors, [able[name] for name in order]):
        check.close(error, expected, f"verdict, error at place {name['place']}", tolerance=1e-12)
    check.same(ranking.get("best"), placed[0]["method"] if placed else None, "verdict, best method")
    check.same(ranking["baselineIsBest"], bool(order) and order[0] == baseline, "verdict, the baseline is best")


def check_leaders(run, verdict, check):
    """Who is in bold: nobody for means over what a method covers where that differs."""
    ranked = [m for m in complete_methods(run, "abs_rel") if not is_oracle(m)]
    shares = [s for s in (run.mean(m, "coverage") for m in ranked) if not missing(s)]
    equal = not shares or max(shares) - min(shares) <= 0.001
    check.same(verdict["coverageIsEqual"], equal, "verdict, methods cover the same share")
    for _, arrow, column, _ in METHOD_COLUMNS + TAIL_COLUMNS:
        expected = best_methods(run, column, arrow) if equal or column not in OF_COVERED else set()
        check.same(sorted(verdict["leaders"].get(column, [])), sorted(expected), f"verdict, leaders in {column}")


def check_references(run, verdict, check):
    """Who is better, who is worse, who cannot be told apart."""
    for reference in verdict["references"]:
        groups = {"better": [], "worse": [], "undecided": []}
        for method in run.methods:
            found = run.compare(method, reference["reference"], "fallback") if method != reference["reference"] else None
            if found and not missing(found.get("adjusted")):
                kind = "undecided" if found["adjusted"] >= 0.05 else "better" if found["difference"] < 0 else "worse"
                groups[kind].append(method)
        for kind, methods in groups.items():
            check.same(reference[kind], methods, f"verdict, {kind} than {reference['reference']}")


def check_specification(run, verdict, check):
    """How often the specified fit has a negative slope, and the best fitted method against it."""
    specification = verdict.get("specification")
    ran = "spec" in run.frames and bool((run.frames["spec"].status != "no_relative").any())
    check.same(specification is not None, ran, "verdict, the specification ran")
    if not specification:
        return
    own = run.frames["spec"]
    rejected = (own.status == "rejected_scale") & (own["scale"] < 0)
    check.close(sum(s["negative"] for s in specification["slopes"]), int(rejected.sum()), "verdict, negative slopes")
    check.close(specification["frames"], int((own.status != "no_relative").sum()), "verdict, frames of spec")
    check.close(specification["solved"], int((own.status == "ok").sum()), "verdict, frames that spec solved")
    if best := specification.get("bestFitted"):
        expected = run.compare(best["method"], "spec", "fallback", best["column"])
        check_comparison(best, expected, "verdict, the best fitted method against spec", check)


def check_confidence(run, verdict, check):
    own = run.csv("confidence")
    if not len(own):
        return check.true("confidence" not in verdict, "verdict: an order of confidence levels without any")
    own = own[(own.method == RAW) & own.median_rel.notna()].sort_values("confidence", ascending=False)
    confidence = verdict.get("confidence")
    if not confidence:
        check.true(len(own) < 2, "verdict: nothing is said of the order of confidence levels")
        return
    levels = confidence["levels"]
    check.same([level["level"] for level in levels], own.confidence.tolist(), "verdict, confidence levels")
    for level, row in zip(levels, own.itertuples()):
        check.close(level["medianRel"], row.median_rel, f"verdict, confidence {row.confidence}")
        check.close(level["scenes"], row.scenes, f"verdict, scenes with confidence {row.confidence}")
    ordered = all(a < b for a, b in zip(own.median_rel, own.median_rel[1:]))
    check.same(confidence["isOrdered"], ordered, "verdict, order of confidence")


def check_filled(run, verdict, check):
    """Where the LiDAR has gaps: who is best in them."""
    filled = verdict.get("filled")
    if not filled:
        check.true((run.mean(RAW, "coverage") or 1) > 0.9999, "verdict: nothing is said of the pixels without LiDAR")
        return
    check.close(filled["lidarCoverage"], run.mean(RAW, "coverage"), "verdict, coverage of the LiDAR")
    best = filled.get("best")
    if not best:
        return
    complete = complete_methods(run, "mae_m_filled")
    every = {m: run.mean(m, "mae_m_filled") for m in run.methods if not is_oracle(m)}
    every = {m: v for m, v in every.items() if not missing(v)}
    values = {m: v for m, v in every.items() if m in complete and (run.mean(m, "coverage") or 0) > 0.9999}
    check.close(best["error"], min(values.values()), "verdict, MAE on filled pixels")
    check.close(best["error"], values.get(best["method"]), "verdict, best on filled pixels")
    with_gaps = sorted(m for m, v in every.items() if v < best["error"] and m not in values)
    check.same(sorted(row["method"] for row in filled["lowerWithGaps"]), with_gaps, "verdict, lower with gaps")
    pixels = run.frames[best["method"]].mae_m_filled.dropna()
    check.close(filled["frames"], len(pixels), "verdict, frames with filled pixels")
    check.close(filled["scenes"], pixels.index.get_level_values("scene").nunique(), "verdict, scenes with filled pixels")


def check_ranks(run, verdict, check):
    ranks = verdict.get("ranks", [])
    stored = run.csv("ranks") if run.has("ranks.csv") else None
    check.same(bool(ranks), stored is not None, "verdict, there are ranks")
    for rank in ranks:
        own = stored[stored.column == rank["column"]]
        check.same([row["method"] for row in rank["methods"]], own.method.tolist(), "verdict, ranked methods")
        for row, expected in zip(rank["methods"], own.itertuples()):
            check.close(row["meanRank"], expected.mean_rank, f"verdict, mean rank of {row['method']}")
        first = own.iloc[0]
        for key, column in [("chiSquared", "friedman_chi2"), ("p", "friedman_p"), ("criticalDifference", "critical_difference")]:
            check.close(rank[key], first[column], f"verdict, {key} of {rank['column']}")
        near = own[own.mean_rank - own.mean_rank.min() <= first.critical_difference].method.tolist()[1:]
        check.same(sorted(rank["tiedWithBest"]), sorted(near), f"verdict, tied in {rank['column']}")


def check_steadiness(run, verdict, check):
    """Who is steadiest, from the frames' flicker."""
    found = verdict.get("steadiness")
    complete = complete_methods(run, "flicker_m")
    values = {m: run.mean(m, "flicker_m") for m in run.methods if m in complete and not is_oracle(m)}
    values = {m: v for m, v in values.items() if not missing(v)}
    check.same(found is not None, len(values) > 1 and run.baseline in values, "verdict, there is a steadiness")
    if found is None:
        return
    check.same(sorted(row["method"] for row in found["methods"]), sorted(values), "verdict, steady methods")
    shown = [values.get(row["method"], np.nan) for row in found["methods"]]
    for row, value, expected in zip(found["methods"], shown, sorted(values.values())):
        check.close(row["value"], value, f"verdict, flicker of {row['method']}")
        check.close(value, expected, f"verdict, order of flicker at {row['method']}")
        own = run.frames[row["method"]].flicker_m.dropna()
        check.close(row["frames"], len(own), f"verdict, frames with flicker of {row['method']}")
        if "gain" in row:
            check.close(row["gain"], 1 - value / values[run.baseline], f"verdict, steadiness gained by {row['method']}")
    better = any(row.get("gain", 0) >= 0.0005 for row in found["methods"])
    check.same(found["baselineIsBest"], not better, "verdict, the baseline is steadiest")


def check_objects(run, verdict, check):
    """What is concluded about objects, from objects.csv; intervals of single sides from object_summary.csv."""
    found = verdict.get("objects")
    check.same(found is not None, run.objects is not None, "verdict, there are objects")
    if found is None:
        return
    objects, table = run.objects, run.csv("objects")
    once = table.drop_duplicates(["scene", "frame", "object"])
    sure = table[table.status != "low_score"].drop_duplicates(["scene", "frame", "object"])
    check.close(found["detections"], len(once), "verdict, detections")
    check.close(found["confident"], len(sure), "verdict, detections above the threshold")
    check.close(found["known"], int(sure.true_x_m.notna().sum()), "verdict, objects with a true box")
    check.close(found["belowThreshold"], len(once) - len(sure), "verdict, detections below the threshold")
    method = found["boxMethod"]

    def estimate(row, column, key, metres, what):
        value, low, high = (times(v, metres) for v in objects.estimate(column, key))
        check.close(row["value"], value, f"verdict, {what}")
        check.close(row.get("low"), low, f"verdict, {what}, low end")
        check.close(row.get("high"), high, f"verdict, {what}, high end")
        own = objects.rows(key[2], key[3]).dropna(subset=[column])
        check.close(row["objects"], len(own), f"verdict, {what}, objects")
        check.close(row["scenes"], own.scene.nunique(), f"verdict, {what}, scenes")

    for key, row in objects.summary.iterrows():
        for column in {column for _, _, column, _ in OBJECT_COLUMNS} | {column for _, column in PLACES}:
            value = objects.estimate(column, key)[0]
            check.close(row.get(column), value, f"object_summary.csv, {' '.join(key)}, {column}")
    for key, column, metres in [("placements", "placement_cm", 0.01), ("labels", "label_error_m", 1)]:
        for row in found[key]:
            estimate(row, column, ("all", "all", row["name"], method), metres, f"{key} with {row['name']}")
    for row in found["depthCosts"]:
        pair(objects, row, "placement_cm", 0.01, (row["name"], method), (row["reference"], method), check)
    if boxes := found.get("boxes"):
        rows = boxes["ranking"] + boxes["leftOut"]
        for row in rows:
            estimate(row, "iou", ("all", "all", boxes["depth"], row["name"]), 1, f"IoU of {row['name']}")
        values = [row["value"] for row in boxes["ranking"]]
        check.same(values, sorted(values, reverse=True), "verdict, order of box methods")
        most = max(row["objects"] for row in rows)
        check.true(all(row["objects"] >= 0.9 * most for row in boxes["ranking"]), "verdict: a box method with a place boxes too few")
        check.true(all(row["objects"] < 0.9 * most for row in boxes["leftOut"]), "verdict: a box method lacks its place")
        for key in ("next", "specified"):
            if row := boxes.get(key):
                pair(objects, row, "iou", 1, (boxes["depth"], row["name"]), (boxes["depth"], row["reference"]), check)
    if ways := found.get("ways"):
        names = dict(PLACES)
        for row in ways["ranking"]:
            estimate(row, names[row["name"]], ("all", "all", ways["depth"], method), 0.01, f"way {row['name']}")
        values = [row["value"] for row in ways["ranking"]]
        check.same(values, sorted(values), "verdict, order of ways to place")
    if row := found.get("detection"):
        stored = run.csv("detections")
        stored = stored[stored["by"] == "all"].iloc[0]
        for key in ("matched", "spurious", "missed"):
            check.close(row[key], stored[key], f"verdict, detections {key}")
        for key, other in (("precision", row["spurious"]), ("recall", row["missed"])):
            count = row["matched"] + other
            check.close(row.get(key), row["matched"] / count if count else None, f"verdict, {key}")
    for row in found["unboxed"]:
        own = objects.rows(row["depth"], method)
        check.close(row["objects"], len(own), f"verdict, objects in {row['depth']}")
        check.close(row["unboxed"], int((own.status != "ok").sum()), f"verdict, objects without a box in {row['depth']}")


def pair(objects, row, column, metres, first, second, check):
    """Two sides on the objects that have both: medians (IoU: means) of scenes, then their mean."""
    keys = ["scene", "frame", "object"]
    sides = [objects.rows(*side).dropna(subset=[column]).set_index(keys)[column] for side in (first, second)]
    both = pd.concat(sides, axis=1, keys=[0, 1]).dropna()
    groups = both.groupby(level="scene", sort=False)
    means = (groups.mean() if column == "iou" else groups.median()).mean() * metres
    what = f"verdict, {row['name']} against {row['reference']} in {column}"
    check.close(row["value"], means[0], what)
    check.close(row["referenceValue"], means[1], what + ", the other")
    check.close(row["objects"], len(both), what + ", objects")
    check.close(row["scenes"], both.index.get_level_values("scene").nunique(), what + ", scenes")
    if "low" in row:
        check.same(row["excludesZero"], bool(row["low"] > 0 or row["high"] < 0), what + ", zero in the interval")


def check_gallery(run, check):
    for kind, block, _ in blocks(run.document):
        if kind != "gallery":
            continue
        errors = []
        for frame in block["frames"]:
            name, _, numbers = frame["caption"].partition(": ")
            scene, _, label = frame["title"].rpartition("/")
            columns = ["abs_rel", "mae_m", "rmse_m", "bias_m", "coverage"]
            values = pd.concat([run.frames[m] for m in run.ids(name)]).loc[(scene, label), columns]
            errors.append(values.abs_rel)
            symbol, scale = shown_unit(run, "mm")
            a, c = (rounded(100 * v, 3) for v in (values.abs_rel, values.coverage))
            m, r, b = (rounded(v * scale, 3) for v in (values.mae_m, values.rmse_m, values.bias_m))
            expected = f"AbsRel {a} %, MAE {m} {symbol}, RMSE {r} {symbol}, bias {b} {symbol}, coverage {c} %"
            check.same(numbers, expected, f"gallery, {frame['title']}")
            check.numbers += 5
        everything = pd.concat([run.frames[m].abs_rel for m in run.ids(name)])
        # Frames without a relative map show no fusion, and stand back where there are others.
        bare = pd.MultiIndex.from_frame(run.rows[run.rows.status == "no_relative"][["scene", "frame"]])
        fused = everything[~everything.index.isin(bare)].dropna()
        everything = fused if len(fused) else everything
        check.true(
            errors == sorted(errors, reverse=True), "gallery: frames are not ordered from worst to best"
        )
        check.close(errors[0], everything.max(), "gallery, error of the worst frame")
        if len(errors) > 1:
            check.close(errors[-1], everything.min(), "gallery, error of the best frame")
        for item in [p for f in block["frames"] for p in f["pictures"]] + block["scales"]:
            check.true(run.has(item["file"]), f"gallery: {item['file']} is missing")


# Figures: each function gives what a row of the figure's CSV must hold as y, low and high


def shown_method(series):
    return re.sub(r" \((baseline|oracle)\)$", "", series)


def method_points(column, scale):
    def expected(run, row):
        method = shown_method(row.series) if row.kind == "reference" else row.category
        low, high = (None, None) if row.kind == "reference" else run.interval(method, column)
        return [None if missing(v) else v * scale for v in (run.mean(method, column), low, high)]

    return expected


def gain_point(run, row):
    found = run.compare(row.category, run.baseline, "fallback")
    return [
        None if missing(found[k]) else 100 * found[k] / found["reference"]
        for k in ("difference", "low", "high")
    ]


def cumulative_point(run, row):
    table = run.csv("cumulative")
    own = table[
        (table.method == shown_method(row.series)) & np.isclose(table.error_m * 1000, row.x, rtol=1e-9)
    ].iloc[0]
    return [None if missing(v) else 100 * v for v in (own.share, own.low, own.high)]


def coverage_point(run, row):
    """x is the coverage with refused frames as zero."""
    name = shown_method(row.series)
    if missing(row.y):
        return [run.mean(name, "mae_m"), None, None]
    names = (
        [m for m in run.methods if not missing(run.mean(m, "mae_m"))]
        if name.endswith(" other methods")
        else [name]
    )
    scored = run.rows[run.rows.coverage.notna()].set_index(["scene", "frame"]).index.unique()
    for method in names:
        own = run.frames[method].coverage
        own = own[own.index.isin(scored)].fillna(0)
        share = own.groupby(level="scene").mean().mean() if run.mode == "scene" else own.mean()
        if run.mode == "pooled" or abs(100 * share - row.x) <= 1e-9 * row.x + 1e-12:
            value = 1000 * run.mean(method, "mae_m")
            if len(names) == 1 or abs(value - row.y) <= 1e-9 * value:
                return [value, None, None]
    return [None, None, None]


def range_point(run, row):
    own = run.csv("ranges")
    own = own[(own.method == shown_method(row.series)) & np.isclose((own.from_m + own.to_m) / 2, row.x)]
    return bin_point(own)


def confidence_point(run, row):
    own = run.csv("confidence", confidence=str)
    return bin_point(own[(own.method == shown_method(row.series)) & (own.confidence == row.category)])


def bin_point(own):
    if not len(own):
        return [None, None, None]
    row = own.iloc[0]
    return [None if missing(v) else 1000 * v for v in (row.mae_m, row.get("mae_m_low"), row.get("mae_m_high"))]


def sparsification_point(run, row):
    name, _, way = row.series.rpartition(", ")
    column = {"by confidence": "by_confidence", "by error (ideal)": "by_error", "at random": "random"}[way]
    table = run.csv("sparsification")
    own = table[(table.method == name) & np.isclose(100 * table.removed_share, row.x)]
    return [100 * own.iloc[0][column], None, None]


def object_point(column, metres=None):
    def expected(run, row):
        scale = 1 if metres is None else metres * shown_unit(run, "mm")[1]
        found = run.objects.estimate(column, ("all", "all", row.category, row.series))
        return tuple(times(value, scale) for value in found)

    return expected


def scene_cell(run, row):
    own = run.frames[shown_method(row.column)].abs_rel_measured
    if run.mode == "pooled":
        table = run.csv("scenes").set_index(["scene", "method"])
        own = table.abs_rel_measured.get((row.row, shown_method(row.column)))
        return None if missing(own) else 100 * own
    value = own[own.index.get_level_values(0) == row.row].mean()
    return None if missing(value) else 100 * value


def strip_frames(run, series):
    """AbsRel of a method in the order of frames.csv, whatever the form of its fit, in per cent."""
    name = shown_method(series)
    forms = [m for m in run.methods if m == name or m.partition("@")[0] == name]
    table = run.csv("frames", scene=str, frame=str)
    return [100 * value for value in table[table.method.isin(forms)].abs_rel if not missing(value)]


def strip_point(run, row):
    if missing(row.y):
        return [None, None, None]
    return [min(strip_frames(run, row.series), key=lambda value: abs(value - row.y)), None, None]


FIGURES = {
    "error-over-time": strip_point,
    "mae-by-method": method_points(HEADLINE, 1000),
    "abs-rel-by-method": method_points("abs_rel", 100),
    "gain-by-method": gain_point,
    "cumulative-error": cumulative_point,
    "coverage-error": coverage_point,
    "error-by-range": range_point,
    "error-by-confidence": confidence_point,
    "sparsification": sparsification_point,
    "objects-placement": object_point("placement_cm", 0.01),
    "objects-iou": object_point("iou"),
    "error-by-scene": scene_cell,
}


def check_figures(run, check):
    named = [block["name"] for kind, block, _ in blocks(run.document) if kind == "figure"]
    folder = run.folder / "figures"
    lying = sorted(p.stem for p in folder.glob("*.csv")) if folder.exists() else []
    check.same(lying, sorted(named), "figures: tables beside the report")
    check.same(
        sorted(p.stem for p in folder.glob("*.svg")) if folder.exists() else [],
        sorted(drawing for name in named for drawing in (name, f"{name}.narrow")),
        "figures: charts",
    )
    for name in lying:
        if name not in FIGURES:
            check.faults.append(f"figure {name}: not known to this script; it needs a check")
            continue
        table = read(folder / f"{name}.csv", category=str, row=str, column=str, series=str, mark=str)
        check.true(len(table) > 0, f"figure {name}: nothing is drawn")
        for row in table.itertuples():
            if "column" in table.columns:
                what = f"figure {name}, {row.row}, {row.column}"
                check.close(row.value, FIGURES[name](run, row), what)
                continue
            what = f"figure {name}, {row.series}, x = {row.x}"
            for key, value in zip(("y", "low", "high"), FIGURES[name](run, row)):
                check.close(
                    getattr(row, key, None), value if key in table.columns else None, f"{what}, {key}"
                )
        if name == "error-by-scene":
            check_marks(table, check)
        if name == "error-over-time":
            for series, own in table[table.kind == "data"].groupby("series", sort=False):
                drawn, all_of_them = list(own.y.dropna()), strip_frames(run, series)
                # Of very many, the worst of every stretch.
                if len(drawn) == len(all_of_them):
                    for place, (a, b) in enumerate(zip(drawn, all_of_them)):
                        check.close(a, b, f"figure {name}, {series}, frame {place}")
        if name in ("cumulative-error", "error-by-range", "error-by-confidence"):
            ranked = complete_methods(run, "mae_m") | {run.baseline, "spec", "shipped"} | {m for m in run.methods if m.startswith("stored:")}
            shown = set(map(shown_method, table.series))
            check.same(sorted(shown - ranked), [], f"figure {name}, methods that are not to be ranked")


def check_marks(table, check):
    """The lowest of a scene, oracles aside, and all that differ from it by rounding only."""
    candidates = table[~table.column.str.endswith("(oracle)") & table.value.notna()]
    for scene, own in candidates.groupby("row", sort=False):
        marked = list(own[own.mark.notna()].column)
        equal = list(own[own.value <= own.value.min() * (1 + 1e-6)].column)
        check.same(marked, equal if len(own) > 1 else [], f"figure error-by-scene, mark of {scene}")


# The data


def check_data(run, files, check):
    """Checksums, which the report states, and the sizes of the maps."""
    stated = (run.folder / "report.json").read_text()
    sums = {entry["sha256"]: entry["file"] for entry in run.manifest["inputs"]}
    for digest, file in sums.items():
        check.true(digest in stated, f"data: the checksum of {file} is not stated")
    for file in files:
        digest = hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()
        check.true(digest in sums, f"data: the checksum of {file} is another")
        check_sizes(run, file, len(files) > 1, check)


def check_sizes(run, file, is_prefixed, check):
    import h5py

    table = next(b for k, b, _ in blocks(run.document) if k == "table" and b["id"] == "data")["table"]
    rows = {row[0]["text"]: [c["text"] for c in row] for row in table["rows"]}
    with h5py.File(file) as data:
        for scene, group in data["scenes"].items():
            prefixed = f"{pathlib.Path(file).stem}/{scene}"
            row = rows.get(prefixed if is_prefixed and prefixed in rows else scene)
            if row is None:
                check.notes.append(f"{scene} of {file} is not in the run")
                continue
            for path, place in (("lidar/depth", 2), ("relative/values", 4), ("truth/depth", 6)):
                found = group.get(path)
                shape = NONE if found is None else f"{found.shape[-1]}×{found.shape[-2]}"
                check.same(row[place], shape, f"data, {scene}, {path}")
            check.same(row[3], "yes" if "lidar/confidence" in group else "no", f"data, {scene}, confidence")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("--data", nargs="*", default=[], metavar="FILE")
    options = parser.parse_args()
    run, check = Run(options.run), Check()
    check.same(sorted(run.frames), sorted(run.methods), "methods of frames.csv and summary.csv")
    parts = [
        check_tables,
        check_markdown,
        check_html,
        check_tex,
        check_verdict,
        check_gallery,
        check_figures,
    ]
    for part in parts:
        part(run, check)
    check_data(run, options.data, check)
    for note in check.notes:
        print(f"note: {note}")
    for fault in check.faults[:40]:
        print(fault)
    if check.faults:
        sys.exit(f"{len(check.faults)} of {check.numbers} numbers and {check.texts} texts differ")
    print(f"{check.numbers} numbers of {check.tables} tables agree, and {check.texts} texts in every format")


if __name__ == "__main__":
    main()
