"""What a run's verdict.json concludes, from the frames and the tables: value against value, no sentence is read."""

import itertools

import numpy as np
import pandas as pd
from report_run import HEADLINE, HIGHER_IS_BETTER, OF_ALL_PIXELS, PLACES, RAW, gain, is_oracle, missing, times
from report_tables import OBJECT_COLUMNS
from scipy import stats


def check_verdict(run, check):
    for part in (ranking, contrast, next_step, leaders, references, specification, confidence, filled, ranks, steadiness, objects):
        part(run, run.verdict, check)
    if run.mode == "scene" and run.verdict["ranking"]["column"] == HEADLINE:
        scenes = run.frames[run.baseline][HEADLINE].dropna().index.get_level_values("scene").nunique()
        check.same(run.verdict["inference"]["scenes"], scenes, "verdict, scenes")


def comparison(found, expected, what, check):
    if expected is None:
        check.faults.append(f"{what}: no frame has both")
        return
    keys = {"value": "value", "referenceValue": "reference", "low": "low", "high": "high", "p": "p", "adjustedP": "adjusted"}
    for key, own in keys.items():
        # A comparison of several forms has an interval of its own, which no table holds; nor has a method with itself.
        if own in expected and found["method"] != found["reference"]:
            check.close(found.get(key), expected[own], f"{what}, {key}")
    share = gain(expected)
    check.close(found.get("gain"), share, f"{what}, gain")
    for key in ("frames", "scenes"):
        check.close(found[key], expected[key], f"{what}, {key}")
    if "low" in found:
        check.same(found["excludesZero"], bool(found["low"] > 0 or found["high"] < 0), f"{what}, zero in the interval")
    if found.get("evidence") in ("significant", "not-significant"):
        check.same(found["evidence"] == "significant", bool(found["adjustedP"] < 0.05), f"{what}, evidence")
    outcome = "same" if missing(share) or abs(share) < 0.0005 else "better" if share > 0 else "worse"
    check.same(found["outcome"], outcome, f"{what}, outcome")


def ranking(run, verdict, check):
    """The one rule for the best method, from the frames."""
    order, baseline = verdict["ranking"], verdict["baseline"]
    column, found = order["column"], {row["method"]: row for row in order["methods"]}
    names = [n for n in run.selections() if not is_oracle(n)] if (run.rows.status == "ok").any() else []
    check.same(sorted(found), sorted(names), "verdict, candidates")
    values = {name: run.compare(name, baseline, "fallback", column) for name in found}
    covered = {name: run.values(name, "coverage").mean() for name in {*found, baseline}}
    most, able = max((v["scenes"] for v in values.values() if v), default=0), {}
    for name, row in found.items():
        solved = int(run.values(name, column).notna().sum())
        check.close(row["framesSolved"], solved, f"verdict, {name}, frames solved")
        check.close(row.get("coverage"), covered[name], f"verdict, {name}, coverage")
        if values[name] and solved and values[name]["scenes"] == most and covered[name] >= covered[baseline] - 0.01:
            able[name] = values[name]["value"]
        if "withFallback" in row:
            comparison(row["withFallback"], values[name], f"verdict, {name}", check)
        if "bothSolved" in row:
            comparison(row["bothSolved"], run.compare(name, baseline, "solved", column), f"verdict, {name}, both solved", check)
        check.same("reason" in row, name not in able, f"verdict, {name} has no place")
    placed = sorted((row for row in found.values() if "place" in row), key=lambda row: row["place"])
    check.same([row["place"] for row in placed], list(range(1, len(placed) + 1)), "verdict, places")
    if verdict["data"]["dependences"] == ["multiview"] and verdict["data"]["dependent"] == verdict["data"]["scored"]:
        able.pop("smoothed", None)
    expected = sorted(able, key=able.get)
    # A lead over the baseline of less than 0.05 % is none.
    if expected and baseline in able and able[expected[0]] > able[baseline] * (1 - 0.0005):
        expected = [baseline] + [name for name in expected if name != baseline]
    check.same(len(placed), len(expected), "verdict, methods with a place")
    for row, name in zip(placed, expected):
        check.close(able.get(row["method"]), able[name], f"verdict, error at place {row['place']}", tolerance=1e-12)
    check.same(order.get("best"), placed[0]["method"] if placed else None, "verdict, best method")
    fitted = [row["method"] for row in placed if row["role"] in ("line", "local", "automatic", "stored")]
    check.same(order.get("bestFitted"), fitted[0] if fitted else None, "verdict, best fitted method")
    check.same(order["baselineIsBest"], expected[:1] == [baseline], "verdict, the baseline is best")


def contrast(run, verdict, check):
    """The run's one question: its comparison, sign flips of all scenes, and what so many scenes could show."""
    found = verdict.get("contrast")
    if not found:
        return
    own = found["comparison"]
    comparison(own, run.compare(own["method"], own["reference"], "fallback", own["column"]), "verdict, contrast", check)
    means, _ = run.by_scene(*(run.values(own[key], own["column"], "fallback") for key in ("method", "reference")))
    n = len(means)
    if run.mode != "scene" or not 1 < n <= 12:
        return
    differences = np.where((means[0] - means[1]).abs() <= 1e-6 * means.abs().max(axis=1), 0, means[0] - means[1])
    sums = np.abs(np.array(list(itertools.product((1, -1), repeat=n))) @ differences)
    check.close(found["p"], float(np.mean(sums >= abs(differences.sum()) * (1 - 1e-9))), "verdict, contrast, p")
    check.close(found["smallestP"], 2.0 ** (1 - n), "verdict, contrast, smallest p")
    is_shown = own.get("excludesZero") and found["p"] <= 0.05 and own["outcome"] != "same"
    # A lower error on fewer pixels shows nothing.
    is_unfair = own["outcome"] == "better" and run.leaves_out(own["method"], own["reference"])
    check.same(own.get("obstacle"), "coverage" if is_unfair else None, "verdict, contrast, obstacle")
    outcome = "too-few-scenes" if n < 6 else own["outcome"] if is_shown else "undecided"
    check.same(found["outcome"], "not-comparable" if is_unfair else outcome, "verdict, contrast, outcome")
    if "low" in own and n >= 6:

        def detectable(k):
            return (stats.t.ppf(0.975, k - 1) + stats.t.ppf(0.8, k - 1)) * np.std(differences, ddof=1) / np.sqrt(k)

        check.close(found["detectable"], detectable(n), "verdict, contrast, detectable difference", tolerance=1e-6)
        if half := found.get("scenesForHalf"):
            enough = detectable(half) <= detectable(n) / 2 < detectable(half - 1)
            check.true(enough or half == 6, f"verdict, contrast: {half} scenes for half of it")
        if needed := found.get("scenesForDifference"):
            shown = abs(float(np.mean(differences)))
            enough = detectable(needed) <= shown * (1 + 1e-9) and (needed == 6 or detectable(needed - 1) > shown * (1 - 1e-9))
            check.true(enough, f"verdict, contrast: {needed} scenes for the difference found")


def next_step(run, verdict, check):
    data, question, found = verdict["data"], verdict.get("contrast", {}), verdict["next"]
    is_open = question.get("outcome") in ("too-few-scenes", "undecided")
    has_predictions = any(row["role"] == "stored" for row in verdict["ranking"]["methods"])
    if not data["scored"]:
        kind = "needs-truth"
    elif len(data["withoutRelative"]) == data["scored"] and not has_predictions:
        kind = "needs-network"
    elif data["dependent"] == data["scored"] and verdict["ranking"]["column"] == "mae_m_measured":
        kind = "needs-independent-truth"
    else:
        kind = "needs-scenes" if is_open else "look"
    check.same(found["kind"], kind, "verdict, next")
    if kind == "needs-scenes":
        # Without a number, more than 100,000 scenes would be needed.
        is_small = question.get("outcome") == "undecided" and "detectable" in question and "scenesForDifference" not in question
        check.same(found.get("scenes"), None if is_small else max(6, question.get("scenesForDifference", 0)), "verdict, next, scenes")
    if kind == "look" and "frame" in found:
        errors = run.without_thin(run.values(found["method"], "abs_rel"))
        check.same((found["scene"], found["frame"]), errors.idxmax(), "verdict, next, the worst frame")


def leading(run, column):
    """Who leads a column: the best of the methods that an app could use, and that have as many frames as any, where its interval leaves out the next."""
    values = {m: run.summary.loc[m, column] for m in run.complete(column) if not is_oracle(m)}
    values = {m: v for m, v in values.items() if not missing(v)}
    size = abs if column == "bias_m" else (lambda v: -v) if column in HIGHER_IS_BETTER else (lambda v: v)
    ordered = sorted(values.values(), key=size)
    later = [v for v in ordered if size(v) > size(ordered[0])][:1]
    first = {m for m, v in values.items() if later and v == ordered[0]}
    for method in first:
        low, high = (run.summary.loc[method].get(f"{column}_{end}", np.nan) for end in ("low", "high"))
        if missing(low) or low <= later[0] <= high or (column == "bias_m" and low <= -later[0] <= high):
            return []
    return sorted(first)


def leaders(run, verdict, check):
    """No method leads in means over what it covers where that differs."""
    shares = [run.mean(m, "coverage") for m in run.complete("abs_rel") if not is_oracle(m)]
    shares = [s for s in shares if not missing(s)]
    equal = not shares or max(shares) - min(shares) <= 0.001
    check.same(verdict["coverageIsEqual"], equal, "verdict, methods cover the same share")
    for column in [c for c in run.rows.columns[14:] if not c.endswith(("_measured", "_filled"))] + list(verdict["leaders"]):
        expected = leading(run, column) if equal or column in OF_ALL_PIXELS else []
        check.same(sorted(verdict["leaders"].get(column, [])), expected, f"verdict, leaders in {column}")


def references(run, verdict, check):
    """Who is better, who is worse, who cannot be distinguished."""
    for reference in verdict["references"]:
        groups = {"better": [], "worse": [], "undecided": []}
        for method in [m for m in run.methods if m != reference["reference"]]:
            found = run.compare(method, reference["reference"], "fallback")
            if found and not missing(found.get("adjusted")) and not (
                found["difference"] < 0 and run.leaves_out(method, reference["reference"])
            ):
                groups["undecided" if found["adjusted"] >= 0.05 else "better" if found["difference"] < 0 else "worse"].append(method)
        for kind, methods in groups.items():
            check.same(reference[kind], methods, f"verdict, {kind} than {reference['reference']}")


def specification(run, verdict, check):
    """How often the specified fit has a negative slope, and the best fitted method against it."""
    found = verdict.get("specification")
    ran = "spec" in run.frames and bool((run.frames["spec"].status != "no_relative").any())
    check.same(found is not None, ran, "verdict, the specification ran")
    if found:
        own = run.frames["spec"]
        rejected = int(((own.status == "rejected_scale") & (own["scale"] < 0)).sum())
        check.close(sum(s["negative"] for s in found["slopes"]), rejected, "verdict, negative slopes")
        check.close(found["frames"], int((own.status != "no_relative").sum()), "verdict, frames of spec")
        check.close(found["solved"], int((own.status == "ok").sum()), "verdict, frames that spec solved")
        if best := found.get("bestFitted"):
            expected = run.compare(best["method"], "spec", "fallback", best["column"])
            comparison(best, expected, "verdict, the best fitted method against spec", check)


def confidence(run, verdict, check):
    own, found = run.csv("confidence"), verdict.get("confidence")
    own = own[(own.method == RAW) & own.median_rel.notna()].sort_values("confidence", ascending=False)
    if not found:
        return check.true(len(own) < 2, "verdict: nothing is said of the order of confidence levels")
    check.same([level["level"] for level in found["levels"]], own.confidence.tolist(), "verdict, confidence levels")
    for level, row in zip(found["levels"], own.itertuples()):
        check.close(level["medianRel"], row.median_rel, f"verdict, confidence {row.confidence}")
        check.close(level["scenes"], row.scenes, f"verdict, scenes with confidence {row.confidence}")
    ordered = all(1.1 * a < b for a, b in zip(own.median_rel, own.median_rel[1:]))
    check.same(found["isOrdered"], ordered, "verdict, order of confidence")


def filled(run, verdict, check):
    """Where the LiDAR has gaps: who is best in them."""
    found, coverage = verdict.get("filled"), run.mean(RAW, "coverage")
    if not found:
        return check.true((coverage or 1) > 0.9999, "verdict: nothing is said of the pixels without LiDAR")
    check.close(found["lidarCoverage"], coverage, "verdict, coverage of the LiDAR")
    if best := found.get("best"):
        every = {m: run.mean(m, "mae_m_filled") for m in run.methods if not is_oracle(m)}
        every = {m: v for m, v in every.items() if not missing(v)}
        complete = run.complete("mae_m_filled")
        values = {m: v for m, v in every.items() if m in complete and (run.mean(m, "coverage") or 0) > 0.9999}
        check.close(best["error"], min(values.values()), "verdict, MAE on filled pixels")
        check.close(best["error"], values.get(best["method"]), "verdict, best on filled pixels")
        with_gaps = sorted(m for m, v in every.items() if v < best["error"] and m not in values)
        check.same(sorted(row["method"] for row in found["lowerWithGaps"]), with_gaps, "verdict, lower with gaps")
        pixels = run.frames[best["method"]].mae_m_filled.dropna()
        check.close(found["frames"], len(pixels), "verdict, frames with filled pixels")
        check.close(found["scenes"], pixels.index.get_level_values("scene").nunique(), "verdict, scenes with filled pixels")


def ranks(run, verdict, check):
    found = verdict.get("ranks", [])
    check.same(bool(found), run.has("ranks.csv"), "verdict, there are ranks")
    for rank in found:
        own = run.csv("ranks")
        own = own[own.column == rank["column"]]
        first = own.iloc[0]
        check.same([row["method"] for row in rank["methods"]], own.method.tolist(), "verdict, ranked methods")
        for row, expected in zip(rank["methods"], own.itertuples()):
            check.close(row["meanRank"], expected.mean_rank, f"verdict, mean rank of {row['method']}")
        for key, column in {"chiSquared": "friedman_chi2", "p": "friedman_p", "criticalDifference": "critical_difference"}.items():
            check.close(rank[key], first[column], f"verdict, {key} of {rank['column']}")
        near = own[own.mean_rank - own.mean_rank.min() <= first.critical_difference].method.tolist()[1:]
        check.same(sorted(rank["tiedWithBest"]), sorted(near), f"verdict, tied in {rank['column']}")


def steadiness(run, verdict, check):
    """Who is steadiest, from the frames' flicker."""
    found = verdict.get("steadiness")
    values = {m: run.mean(m, "flicker_m") for m in run.complete("flicker_m") if not is_oracle(m)}
    values = {m: v for m, v in values.items() if not missing(v)}
    check.same(found is not None, len(values) > 1 and run.baseline in values, "verdict, there is a steadiness")
    if found:
        check.same(sorted(row["method"] for row in found["methods"]), sorted(values), "verdict, steady methods")
        for row, expected in zip(found["methods"], sorted(values.values())):
            value, own = values.get(row["method"]), run.frames[row["method"]].flicker_m.dropna()
            check.close(row["value"], value, f"verdict, flicker of {row['method']}")
            check.close(value, expected, f"verdict, order of flicker at {row['method']}")
            check.close(row["frames"], len(own), f"verdict, frames with flicker of {row['method']}")
            if "gain" in row:
                check.close(row["gain"], 1 - value / values[run.baseline], f"verdict, steadiness gained by {row['method']}")
        better = any(row.get("gain", 0) >= 0.0005 for row in found["methods"])
        check.same(found["baselineIsBest"], not better, "verdict, the baseline is steadiest")


def objects(run, verdict, check):
    """What is concluded of objects, from objects.csv; intervals of single sides from object_summary.csv."""
    found = verdict.get("objects")
    check.same(found is not None, run.objects is not None, "verdict, there are objects")
    if not found:
        return
    own, method = run.objects, found["boxMethod"]
    once = own.table.drop_duplicates(["scene", "frame", "object"])
    sure = once[once.status != "low_score"]
    counts = {"detections": len(once), "confident": len(sure), "known": int(sure.true_x_m.notna().sum()), "belowThreshold": len(once) - len(sure)}
    for key, count in counts.items():
        check.close(found[key], count, f"verdict, objects, {key}")
    check.same(found["hasTruth"], bool(once.true_x_m.notna().any()), "verdict, objects with truth")

    def estimate(row, column, depth, box, metres, what):
        for key, value in zip(("value", "low", "high"), own.estimate(column, ("all", "all", depth, box))):
            check.close(row.get(key), times(value, metres), f"verdict, {what}, {key}")
        rows = own.rows(depth, box).dropna(subset=[column])
        check.close(row["objects"], len(rows), f"verdict, {what}, objects")
        check.close(row["scenes"], rows.scene.nunique(), f"verdict, {what}, scenes")

    for key, row in own.summary.iterrows():
        for column in {*OBJECT_COLUMNS, *PLACES.values()}:
            check.close(row.get(column), own.estimate(column, key)[0], f"object_summary.csv, {' '.join(key)}, {column}")
    for row in found["placements"]:
        estimate(row, "placement_cm", row["name"], method, 0.01, f"placement with {row['name']}")
    for row in found["labels"]:
        estimate(row, "label_error_m", row["name"], method, 1, f"label with {row['name']}")
    for row in found["depthCosts"]:
        pair(own, row, "placement_cm", 0.01, (row["name"], method), (row["reference"], method), check)
    if boxes := found.get("boxes"):
        rows = boxes["ranking"] + boxes["leftOut"]
        for row in rows:
            estimate(row, "iou", boxes["depth"], row["name"], 1, f"IoU of {row['name']}")
        values = [row["value"] for row in boxes["ranking"]]
        check.same(values, sorted(values, reverse=True), "verdict, order of box methods")
        fewest = 0.9 * max(row["objects"] for row in rows)
        check.same([r["name"] for r in boxes["ranking"] if r["objects"] < fewest], [], "verdict, box methods with a place that box too few")
        check.same([r["name"] for r in boxes["leftOut"] if r["objects"] >= fewest], [], "verdict, box methods that lack their place")
        for row in [boxes[key] for key in ("next", "specified") if key in boxes]:
            pair(own, row, "iou", 1, (boxes["depth"], row["name"]), (boxes["depth"], row["reference"]), check)
    if ways := found.get("ways"):
        for row in ways["ranking"]:
            estimate(row, PLACES[row["name"]], ways["depth"], method, 0.01, f"way {row['name']}")
        values = [row["value"] for row in ways["ranking"]]
        check.same(values, sorted(values), "verdict, order of ways to place")
    if row := found.get("detection"):
        stored = run.csv("detections")
        stored = stored[stored["by"] == "all"].iloc[0]
        for key in ("matched", "spurious", "missed"):
            check.close(row[key], stored[key], f"verdict, detections {key}")
        for key, other in (("precision", row["spurious"]), ("recall", row["missed"])):
            check.close(row.get(key), row["matched"] / (row["matched"] + other) if row["matched"] + other else None, f"verdict, {key}")
    for row in found["unboxed"]:
        rows = own.rows(row["depth"], method)
        check.close(row["objects"], len(rows), f"verdict, objects in {row['depth']}")
        check.close(row["unboxed"], int((rows.status != "ok").sum()), f"verdict, objects without a box in {row['depth']}")


def pair(own, row, column, metres, first, second, check):
    """Two sides on the objects that have both: medians (IoU: means) of scenes, then their mean."""
    sides = [own.rows(*side).dropna(subset=[column]).set_index(["scene", "frame", "object"])[column] for side in (first, second)]
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
