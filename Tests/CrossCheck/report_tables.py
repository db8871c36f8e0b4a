"""Every table of a report from the run's CSV files: which rows it has, and the number in every cell.

Words alone (definitions, examples, the slope in Double, which no CSV holds) are not made here: the formats are compared with each other.
"""

import re

import numpy as np
import pandas as pd
from report_run import PLACES, RAW, gain, is_oracle, missing, times
from scipy import stats

NONE = "–"
# Most scenes or bins that are columns of a table.
MOST_COLUMNS = 8
METHOD_COLUMNS = ["abs_rel", "mae_m", "rmse_m", "delta_1", "delta_0_5", "bias_m", "coverage"]
TAIL_COLUMNS = ["median_ae_m", "p95_ae_m", "boundary_f1", "temporal_abs_rel", "flicker_m"]
OBJECT_COLUMNS = ["placement_cm", "iou", "size_error_m", "yaw_error_deg", "label_error_m"]
VERDICTS = ["confirmed", "found", "contradicted", "no-reading-fits", "undecidable", "not-testable"]
# A cell of words, whatever they are.
WORDS = object()


class Number:
    """A cell with a number behind its text; `partial` where fewer frames have it, `best` where it leads its column."""

    def __init__(self, value, low=None, high=None, known=True, partial=False, best=False, scale=1):
        self.value, self.low, self.high = (times(v, scale) for v in (value, low, high))
        self.known, self.partial, self.best = known, partial and not missing(value), best

    def check(self, cell, check, what):
        if self.known:
            check.close(cell.get("value"), self.value if self.value is None or np.isfinite(self.value) else None, what)
        check.close(cell.get("low"), self.low, what + ", low end")
        check.close(cell.get("high"), self.high, what + ", high end")
        check.same(bool(cell.get("isPartial")), self.partial, what + ", on fewer frames")
        check.same(bool(cell.get("isBest")), self.best, what + ", leads its column")
        shown = [cell.get("value") if not self.known or self.value is None or np.isfinite(self.value) else self.value]
        shown += [cell[end] for end in ("low", "high") if end in cell]
        check.true(is_rounded(cell["text"], shown, self.partial), f"{what}: {cell['text']!r} is not {shown} rounded")


def is_rounded(text, values, partial=False):
    """Whether a text is these numbers, each rounded to the digits that it shows."""
    if all(map(missing, values)):
        return text == NONE
    if ("†" in text) != partial:
        return False
    scale = 100 if text.endswith(" %") else 1
    found = re.fullmatch(r"([^ \[]+)(?: \[(.+), (.+)\])?( %)?", text.replace("†", ""))
    shown = [part for part in found.groups()[:3] if part] if found else []
    return len(shown) == len(values) and all(rounds(part, value * scale) for part, value in zip(shown, values))


def rounds(text, value):
    text = text.replace("−", "-").replace("+", "").replace("∞", "inf")
    if not re.fullmatch(r"-?(\d+(\.\d+)?(E-?\d+)?|inf)", text):
        return False
    number, _, exponent = text.partition("E")
    place = 10.0 ** (int(exponent or 0) - len(number.partition(".")[2]))
    # Whole numbers may be rounded to three or four digits.
    if "." not in number and abs(value) >= 1000:
        place = max(place, 10.0 ** (np.floor(np.log10(abs(value))) - 2)) if number.endswith("0") else place
    return float(text) == value or abs(float(text) - value) <= 0.5 * place * (1 + 1e-9)


def scale_of(run, column):
    """What a column is multiplied by to be shown: lengths as the run says, angles and overlaps as they are, all else in per cent."""
    if re.search(r"_m(_measured|_filled)?$", column):
        return run.metre
    return run.metre / 100 if column.endswith("_cm") else 1 if column in ("iou", "yaw_error_deg") else 100


def sources(run, block, check):
    """Columns that the numbers of a table are from, and that they are in the unit that its head names."""
    found = []
    for column in block["table"]["columns"]:
        if source := column.get("source"):
            scale = scale_of(run, source["column"])
            check.same(source["scale"], scale, f"table {block['id']}, {column['title']}, unit")
            unit = re.search(r"\[(.*)\]", column["title"])
            units = {100: "%", 1: "°" if "deg" in source["column"] else "m"} if "_m" not in source["column"] else {}
            expected = units.get(scale, "m" if run.metre == 1 else "mm")
            check.true(not unit or unit[1] == expected, f"table {block['id']}: {column['title']} is in {expected}")
            found.append(source["column"])
    return found


def names(block, first=1):
    return [column["title"].removesuffix(" ↓") for column in block["table"]["columns"][first:]]


def methods_table(run, block, check):
    columns = TAIL_COLUMNS if block["id"] == "tails" else METHOD_COLUMNS
    found = sources(run, block, check)
    means = {c: {m: run.mean(m, c) for m in run.methods} for c in columns}
    methods = [m for m in run.methods if any(not missing(means[c][m]) for c in columns if c != "coverage")]
    # Columns that say the same of every method are omitted, as are those without a value.
    full = all(not missing(means[c][m]) and means[c][m] > 0.99995 for c in columns if c == "coverage" for m in methods)
    wanted = [c for c in columns if any(not missing(means[c][m]) for m in methods) and not (c == "coverage" and full)]
    check.same(found, wanted, f"table {block['id']}, columns")
    no_truth = set(pd.MultiIndex.from_frame(run.rows[run.rows.status == "no_truth"][["scene", "frame"]]))
    solved = {m: int((run.frames[m].status == "ok").sum()) for m in methods}
    scored = {m: len(run.frames[m]) - len(no_truth.intersection(run.frames[m].index)) for m in methods}
    is_divided = any(solved.values()) and solved != scored
    complete = {column: run.complete(column) for column in found}
    for method in methods:
        row = [f"{method} (oracle)" if is_oracle(method) else method] + [f"{solved[method]}/{scored[method]}"] * is_divided
        for c in found:
            value, low, high = run.estimate(method, c)
            ends = {} if c == "coverage" else {"low": low, "high": high}
            best = method in run.verdict["leaders"].get(c, [])
            row.append(Number(value, **ends, partial=method not in complete[c], best=best, scale=scale_of(run, c)))
        yield row


def against_table(run, block, check):
    reference = block["id"].removeprefix("against-")
    sources(run, block, check)
    for method in run.methods:
        if method == reference or not (run.frames[method].status == "ok").any():
            continue
        solved, fallback = (run.compare(method, reference, form) for form in ("solved", "fallback"))
        forms = [("both have depth", solved), ("all, raw LiDAR where refused", fallback)]
        if (solved or {}).get("frames") == (fallback or {}).get("frames"):
            forms = [("all", fallback)]
        for form, found in forms:
            if found:
                value, other, difference, low, high = (times(found[k], run.metre) for k in ("value", "reference", "difference", "low", "high"))
                outcome = "" if missing(low) else "worse" if low > 0 else "better" if high < 0 else "unclear"
                outcome = "not comparable" if difference < 0 and run.leaves_out(method, reference) else outcome
                numbers = [Number(value), Number(other), Number(gain(found)), Number(difference, low, high)]
                yield [method, form, *numbers, outcome, str(found["scenes"]), str(found["frames"])]


def ranks_table(run, block, check):
    stored = run.csv("ranks")
    columns = list(dict.fromkeys(stored.column))
    found = {column: ranks_of(run, column, stored[stored.column == column]) for column in columns}
    for method in stored[stored.column == columns[0]].method:
        yield [method] + [Number(v) for column in columns for v in found[column].get(method, (None, None))]


def ranks_of(run, column, rows):
    """Mean rank over scenes and Nemenyi's p against the best, by method."""
    if run.mode == "pooled":
        return {row.method: (row.mean_rank, row.nemenyi_p_best) for row in rows.itertuples()}
    values = [run.values(m, column, "fallback").groupby(level="scene", sort=False).mean() for m in rows.method]
    table = np.vectorize(lambda v: float(f"{v:.5e}"))(pd.concat(values, axis=1).dropna().to_numpy())
    ranks = stats.rankdata(table, axis=1).mean(axis=0)
    scale = np.sqrt(table.shape[1] * (table.shape[1] + 1) / (12 * table.shape[0]))
    p = [float(stats.studentized_range.sf((r - ranks.min()) / scale, table.shape[1], np.inf)) for r in ranks]
    return {m: (rank, value) for m, rank, value in zip(rows.method, ranks, p)}


def scenes_table(run, block, check):
    stored = run.csv("scenes").set_index(["scene", "method"])
    scenes = list(dict.fromkeys(stored.index.get_level_values(0)))

    def of(method, name, column):
        own = run.frames[method][column]
        return own[own.index.get_level_values(0) == name]

    def value(method, name):
        return stored.abs_rel.get((name, method)) if run.mode == "pooled" else of(method, name, "abs_rel").mean()

    values = {m: [value(m, n) for n in scenes] for m in run.methods}
    if len(scenes) <= MOST_COLUMNS:
        check.same(names(block), scenes, "table scenes, columns")
        solved = {(m, n): int((of(m, n, "status") == "ok").sum()) for m in run.methods for n in scenes}
        most = {n: max(solved[m, n] for m in run.methods) for n in scenes}
    for method in run.methods:
        found = [(v, n) for v, n in zip(values[method], scenes) if not missing(v)]
        if found and len(scenes) <= MOST_COLUMNS:
            yield [method] + [Number(v, partial=solved[method, n] < most[n], scale=100) for v, n in zip(values[method], scenes)]
        elif found:
            spread = np.quantile([v for v, _ in found], [0, 0.25, 0.5, 0.75, 1])
            worst = next(n for v, n in found if v == max(found)[0])
            yield [method, Number(len(found))] + [Number(v, scale=100) for v in spread] + [worst]


def frame_errors_table(run, block, check):
    """Every frame of the page's strip: its errors; what leads to its pictures is words."""
    methods = [name.rsplit(" [", 1)[0] for name in names(block)[:-1]]
    errors = {m: {"/".join(at): value for at, value in run.values(m, "abs_rel").items()} for m in methods}
    for row in block["table"]["rows"]:
        yield [row[0]["text"]] + [Number(errors[m].get(row[0]["text"]), scale=100) for m in methods] + [WORDS]


def breakdown_table(run, block, check):
    name = block["id"]
    keys = {"ranges": ["from_m", "to_m"], "confidence": ["confidence"], "steps": ["near_step"], "mask": ["id", "label"]}[name]
    table = run.csv(name, **{key: str for key in keys})
    bins = {}
    for key in sorted(set(table[keys].itertuples(index=False, name=None)), key=lambda k: float(k[0])):
        own = table[(table[keys] == list(key)).all(axis=1)].set_index("method")
        bins[key] = own, int((own.loc[RAW] if RAW in own.index else own.iloc[0]).pixels)
    whole = max(1, sum(pixels for _, pixels in bins.values()))
    shown = sorted(sorted(bins, key=lambda k: (-bins[k][1], float(k[0])))[:MOST_COLUMNS], key=lambda k: float(k[0]))
    titles = {"ranges": lambda k: "–".join(f"{float(end):g}" for end in k) + " m", "confidence": lambda k: f"confidence {k[0]}",
              "steps": lambda k: "at depth steps" if k[0] == "1" else "elsewhere", "mask": lambda k: k[1] or f"{run.manifest['maps']['idMask']['labels']['title']} {k[0]}"}
    check.same(names(block), [titles[name](k) for k in shown], f"table {name}, columns")
    yield ["share of the truth pixels"] + [Number(bins[k][1] / whole) for k in shown]
    for method in [m for m in run.methods if m in set(table.method)]:
        row = [method]
        for own, _ in (bins[key] for key in shown):
            partial = method not in own.index or own.frames[method] < own.frames.max()
            row.append(Number(own.abs_rel.get(method), partial=partial, scale=100))
        yield row


def fits_table(run, block, check):
    for (scene, method), group in run.rows.groupby(["scene", "method"], sort=False):
        own = group[group.scale.notna()]
        if len(own):
            medians = {c: Number(own[c].median()) for c in ("scale", "shift", "pairs", "inliers", "condition", "spread")}
            # frames.csv does not hold the slope in Double, so only its text can be checked. A column that stays empty is not there.
            medians["scale in Double"] = Number(None, known=False)
            yield [scene, method, str(len(own)), *(medians[name] for name in names(block, 3))]


def one_line(text):
    return " ".join(part for part in re.split("[\n\r\x0b\x0c\x85\u2028\u2029]", text) if part)


# How the page names what CSV files name by an id.
REASONS = {
    "no_relative": "no relative map", "too_few_pairs": "too few pairs", "degenerate": "no clear slope",
    "rejected_scale": "slope out of bounds", "no_truth": "no truth", "impossible": "impossible result",
    "low_score": "detection not sure enough", "no_map": "no depth map", "no_depth": "no depth in its image box",
    "bad_image_box": "image box not finite", "too_few_points": "too few points", "not_finite": "coordinate not finite",
    "numerical": "no numerical solution",
}  # fmt: skip


def refusals_table(run, block, check):
    """Methods that met the same in the same number of frames are one row."""
    found = {}
    for (method, status), group in run.rows[run.rows.status != "ok"].groupby(["method", "status"], sort=False):
        first = group.iloc[0]
        reason = "no reason given" if missing(first.reason) else first.reason
        found.setdefault((status, len(group), one_line(f"{first.scene}/{first.frame}: {reason}")), []).append(method)
    for (status, count, text), methods in found.items():
        yield [REASONS[status], Number(count), text, ", ".join(methods)]


def data_table(run, block, check):
    shown = names(block, first=0)
    size = {NONE} | {c["text"] for row in block["table"]["rows"] for c in row if re.fullmatch(r"[1-9]\d*×[1-9]\d*", c["text"])}
    for scene in run.manifest["scenes"]:
        frames = str(run.rows[run.rows.scene == scene["name"]].frame.nunique())
        kind = scene.get("relativeKind")
        made = {"scene": scene["name"], "frames": frames, "LiDAR": size, "relative": size, "truth": size, "confidence": {"yes", "no"}}
        made["kind"] = {NONE, kind, f"{kind} (by rank correlation)"}
        made["independence"] = {NONE, scene.get("truthIndependence")}
        yield [made[head] for head in shown]


def diagnosis_table(run, block, check):
    for _, own in run.csv("diagnosis").groupby("test", sort=False):
        declared = ", ".join(dict.fromkeys(own.declared.dropna())) or NONE
        margin = own[own.verdict == "confirmed"].margin.min()
        yield [WORDS, declared] + [str((own.verdict == v).sum()) for v in VERDICTS] + [Number(min(margin, 999.0))]


def definitions(run, block, check):
    """What is used is defined, and nothing else."""
    wanted = {
        "method-definitions": lambda: {m.split("@")[0] for m in run.methods},
        # Columns on a part of the pixels are explained by those on all.
        "metric-definitions": lambda: {c for c in run.rows.columns[14:] if not c.endswith(("_measured", "_filled"))},
        "box-method-definitions": lambda: set(run.csv("object_summary").method),
        "object-columns": lambda: {n for n in run.csv("object_summary").columns[7:] if not n.endswith(("_low", "_high"))},
    }[block["id"]]()
    rows = block["table"]["rows"]
    check.same(sorted(row[0]["text"] for row in rows), sorted(wanted), f"table {block['id']}, what is defined")
    lacking = [row[0]["text"] for row in rows if any(not c["text"].strip() for c, head in zip(row, names(block, 0)) if head != "unit")]
    check.same(lacking, [], f"table {block['id']}, rows that lack words")
    return [[WORDS] * len(row) for row in rows]


def protocols_table(run, block, check):
    table = run.csv("protocols")
    last = table[table.complete == "yes"]
    titles = list(dict.fromkeys(last.protocol))
    check.same([name.removesuffix(" (uses the truth)") for name in names(block)], titles, "table protocols, columns")
    for method in dict.fromkeys(last.method):
        own = {row.protocol: row for row in last[last.method == method].itertuples()}
        row = [Number(*(getattr(own.get(t), "abs_rel" + end, None) for end in ("", "_low", "_high"))) for t in titles]
        if run.manifest["protocol"].get("name") == titles[0] and method in run.frames:
            row[0].value = run.mean(method, "abs_rel")
        yield [method] + row


def protocol_steps(run, block, check):
    own = run.csv("protocols")
    own = own[own.protocol == block["id"].removeprefix("protocol-")]
    switches = list(dict.fromkeys(own.switch.dropna()))
    check.same(names(block, 2)[:-1], switches, f"table {block['id']}, steps")
    for method in dict.fromkeys(own.method):
        path = own[own.method == method].sort_values("step")
        values = path.abs_rel.to_numpy()
        changes = dict(zip(path.switch[1:], np.diff(values)))
        yield [method, Number(values[0])] + [Number(changes.get(s)) for s in switches] + [Number(values[-1])]


def objects_table(run, block, check):
    objects, by = run.objects, block["id"].removeprefix("objects-by-")
    method = objects.reference_method()
    check.same(sources(run, block, check), OBJECT_COLUMNS, f"table {block['id']}, columns")
    if by == "depth":
        rows = [([d], ("all", "all", d, method)) for d in objects.depths]
    elif by == "method":
        rows = [([d, m], ("all", "all", d, m)) for d in objects.boxed for m in objects.plan]
    else:
        rows = [([n, d], (by, n, d, method)) for n in objects.bins(by) for d in objects.boxed if len(objects.rows(d, method, by, n))]
    for shown, key in rows:
        own = objects.rows(key[2], key[3], *key[:2])
        counts = [Number(int(n)) for n in (len(own), (own.status == "ok").sum(), own.scene.nunique())]
        yield shown + counts + [Number(*objects.estimate(c, key), scale=scale_of(run, c)) for c in OBJECT_COLUMNS]


def placements_table(run, block, check):
    objects, method = run.objects, run.objects.reference_method()
    sources(run, block, check)
    for depth in objects.depths:
        own = objects.rows(depth, method)
        found = {way: objects.estimate(column, ("all", "all", depth, method)) for way, column in PLACES.items()}
        if not all(missing(value) for value, _, _ in found.values()):
            for way, estimate in found.items():
                placed = 0 if missing(estimate[0]) else int(own[PLACES[way]].notna().sum())
                known = int(own.true_x_m.notna().sum())
                yield [depth, way, Number(*estimate, scale=run.metre / 100), Number(placed), Number(known)]


def detections_table(run, block, check):
    """Every detection above the threshold is right or wrong; which of the two only detections.csv says."""
    objects = run.csv("objects")
    sure = objects[objects.status != "low_score"].drop_duplicates(["scene", "frame", "object"])
    sure = sure[sure.scene.isin(sure[sure.true_x_m.notna()].scene)]
    for row in run.csv("detections").rename(columns={"class": "label"}).itertuples():
        own = sure if row.by == "all" else sure[sure["class"] == row.label]
        shares = []
        for name, other in (("precision", row.spurious), ("recall", row.missed)):
            value = row.matched / (row.matched + other) if row.matched + other else None
            shares.append(Number(value, *(getattr(row, f"{name}_{end}", None) for end in ("low", "high")), scale=100))
        counts = [row.matched, len(own) - row.matched, row.missed, row.scenes]
        yield ["all" if row.by == "all" else row.label] + [Number(int(n)) for n in counts] + shares


def failures_table(run, block, check):
    table, plan = run.csv("objects"), run.objects.plan
    for (depth, status), own in table[table.status != "ok"].fillna({"depth": NONE}).groupby(["depth", "status"], sort=False):
        first, counts = own.iloc[0], own.groupby("method", dropna=False).size()
        least, most = counts.min(), counts.max()
        boxes = [m for m in plan if m in counts.index]
        methods = NONE if depth == NONE else "all" if len(boxes) in (0, len(plan)) else ", ".join(boxes)
        example = one_line(f"{first.scene}/{first.frame}, {first['class']}: {'' if missing(first.reason) else first.reason}")
        yield [depth, REASONS[status], f"{least}" if least == most else f"{least}–{most}", methods, example]


TABLES = {
    "methods": methods_table, "tails": methods_table, "against-": against_table, "ranks": ranks_table, "scenes": scenes_table,
    "ranges": breakdown_table, "confidence": breakdown_table, "steps": breakdown_table, "mask": breakdown_table, "frame-errors": frame_errors_table,
    "fits": fits_table, "refusals": refusals_table, "data": data_table, "diagnosis": diagnosis_table, "protocols": protocols_table,
    "protocol-": protocol_steps, "objects-by-": objects_table, "placements": placements_table, "detections": detections_table,
    "objects-without-box": failures_table, "method-definitions": definitions, "metric-definitions": definitions,
    "box-method-definitions": definitions, "object-columns": definitions,
}


def check_tables(run, check):
    found = {block["id"]: block for kind, block in run.blocks() if kind == "table"}
    for name, block in found.items():
        check.tables += 1
        make = TABLES.get(name) or next((TABLES[p] for p in TABLES if p.endswith("-") and name.startswith(p)), None)
        if make is None:
            check.faults.append(f"table {name}: not known to this script; it needs a check")
        else:
            check_rows(name, block["table"], list(make(run, block, check)), check)
    solved = {m for m in run.methods if (run.frames[m].status == "ok").any()}
    needed = {"data", "method-definitions", "metric-definitions"} | ({"methods", "scenes", f"against-{run.baseline}"} if solved else set())
    needed |= {"against-spec"} & {f"against-{m}" for m in solved}
    needed |= {name for name in ("ranks", "diagnosis", "protocols", "detections") if run.has(f"{name}.csv")}
    check.same(sorted(needed - set(found)), [], "tables that report.json lacks")


def check_rows(name, table, rows, check):
    check.same(len(table["rows"]), len(rows), f"table {name}, rows")
    for found, expected in zip(table["rows"], rows):
        where = f"table {name}, row {' / '.join(c['text'] for c in found[:2])}"
        check.same(len(found), len(expected), f"{where}, cells")
        for cell, wanted, column in zip(found, expected, table["columns"]):
            what = f"{where}, {column['title']}"
            if isinstance(wanted, Number):
                wanted.check(cell, check, what)
            else:
                check.true("value" not in cell and not cell.get("isBest"), f"{what}: a number where text is expected")
                if wanted is not WORDS:
                    check.same(cell["text"], wanted, what)
