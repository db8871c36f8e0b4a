"""Recomputes what a calibration concludes, verdict.json, from its tables and its manifest.

Every key of the verdict is recomputed here, but for the intervals of AUSE and AURG, which no table holds; a key that is not known here is a fault.
"""

import csv
import json

import numpy as np
from scipy import stats

INDEPENDENT = {"independent", "render", "selected"}
FEWEST_SCENES = 4


def table(path):
    with open(path, newline="") as file:
        return [{k: number(v) for k, v in row.items()} for row in csv.DictReader(file)]


def number(text):
    try:
        return None if text == "" else float(text)
    except ValueError:
        return text


class Verdict:
    """What verdict.json must hold; `kept` lists the levels whose pixels are all kept for the noise model."""

    def __init__(self, folder, kept):
        self.folder, self.kept = folder, kept
        self.manifest = json.loads((folder / "calibration.json").read_text())
        for name in ["levels", "noise", "coverage", "monotonicity", "frames", "correction", "registration", "drift", "gain"]:
            setattr(self, name, table(folder / f"{name}.csv"))
        self.scenes = self.manifest["scenes"]
        self.is_over_scenes = len(self.scenes) > 1

    def made(self):
        """What can be said of a calibration, but for what is None."""
        names = ["dependentScenes", "multiviewShare", "confidenceMaps", "levels", "noiseIntervals", "correction", "registration", "confidence", "drift"]
        # One scene is divided into up to ten blocks of frames.
        units = len(self.scenes) if self.is_over_scenes else min(10, self.scenes[0]["frames"])
        found = {"version": 1, "isOverScenes": self.is_over_scenes, "scenes": len(self.scenes), "units": units}
        found |= {name: getattr(self, "of_" + name)() for name in names}
        found["orders"] = self.of_orders()
        found["order"] = next((o for o in found["orders"] if len(o["levels"]) == 3), next(iter(found["orders"]), None))
        found |= self.of_gains()
        if any("a" in level for level in found["levels"]):
            found["next"] = {"kind": "evaluate", "calibration": "calibration.yaml"}
        return {key: value for key, value in found.items() if value is not None}

    def ends(self, row, stem):
        """Low and high, over scenes or within one."""
        prefix = "" if self.is_over_scenes else "within_scene_"
        return {end: row[f"{prefix}{stem}_{end}"] for end in ("low", "high") if row.get(f"{prefix}{stem}_{end}") is not None}

    def of_dependentScenes(self):
        return {s["name"]: s["truthIndependence"] for s in self.scenes if s["truthIndependence"] not in INDEPENDENT}

    def of_multiviewShare(self):
        pixels = self.manifest["pixels"]
        known = pixels["withTruth"]
        return known / max(1, known + pixels["unknownTruth"] + pixels["outOfRange"]) if "multiview" in self.manifest else None

    def of_confidenceMaps(self):
        having = sum(s["hasConfidence"] for s in self.scenes)
        return "all" if having == len(self.scenes) else "some" if having else "none"

    # Levels

    def cells(self, level):
        return [row for row in self.levels if row["confidence"] == level and row["from_m"] is not None]

    def whole(self, level):
        return next((row for row in self.levels if row["confidence"] == level and row["from_m"] is None), None)

    def laws(self):
        """a and b of every level that has a model."""
        laws = {}
        for row in self.noise:
            if row["parameter"] in ("a_m", "b"):
                laws.setdefault(int(row["confidence"]), {})[row["parameter"]] = row["value"]
        return laws

    def weights(self):
        """Means of 1/σ² over the bins below 4 m; the best measured level's is 1."""
        laws = self.laws()
        if not laws:
            return {}
        centres = [row["from_m"] + 0.25 for row in self.cells("all") if row["returns"] > 0]
        depths = np.array([c for c in centres if c < 4] or centres)
        precision = {level: np.mean(1 / (law["a_m"] ** 2 + (law["b"] * depths) ** 2)) for level, law in laws.items()}
        best = max(laws)
        # A level that was not measured counts nothing, or, better than every measured one, as much as the best of these.
        return {level: precision[level] / precision[best] if level in laws else float(level > best) for level in range(3)}

    def of_levels(self):
        weights = self.weights()
        return [self.level(level, weights) for level in (2, 1, 0)]

    def level(self, level, weights):
        found = {"level": level} | ({"weight": weights[level]} if weights else {})
        row = self.whole(level)
        if row:
            found["error"] = self.error(row)
        rows = {r["parameter"]: r for r in self.noise if r["confidence"] == level}
        if "a_m" in rows:
            found |= {key: {"value": rows[name]["value"]} | self.ends(rows[name], "value") for key, name in (("a", "a_m"), ("b", "b"))}
            a, b = rows["a_m"]["value"], rows["b"]["value"]
            found |= {"parts": "constant" if b == 0 else "proportional" if a == 0 else "both"}
            found |= {"outlierShare": rows["outlier_share"]["value"], "hasConverged": rows["a_m"]["status"] == "ok"}
            if (agreement := self.agreement(level)) is not None:
                found["agreement"] = agreement
        else:
            status = rows[None]["status"]
            reasons = {"are needed": "too-few-pixels", "are equal": "equal-errors", "outliers": "mostly-outliers"}
            found["reason"] = next(reason for words, reason in reasons.items() if words in status)
        coverage = [r for r in self.coverage if r["confidence"] == level]
        if coverage:
            found["judgedOn"] = coverage[0]["judged_on"]
            found |= {"honesty": self.honesty(coverage, "coverage"), "noiseOnlyHonesty": self.honesty(coverage, "noise_only_coverage")}
        return found

    def error(self, row):
        best = next(r for level in (2, 1, 0) if (r := self.whole(level)))
        found = {"median": row["median_rel_pooled"], "p95": row["p95_ae_m"], "mae": row["mae_m"]}
        if best is not row and row["median_rel_pooled"] is not None and best["median_rel_pooled"]:
            found["ratio"] = row["median_rel_pooled"] / best["median_rel_pooled"]
        if row["bias_m"] is not None:
            found["bias"] = {"value": row["bias_m"]} | self.ends(row, "bias_m")
        ends = self.ends(row, "bias_m")
        holds_zero = bool(ends) and ends["low"] <= 0 <= ends["high"]
        found["isBiased"] = row["bias_m"] is not None and abs(row["bias_m"]) >= 0.25 * row["mae_m"] and not holds_zero
        return {key: value for key, value in found.items() if value is not None}

    def agreement(self, level):
        """Ranges with 200 kept pixels; how many are kept only the data tell where they are more than a scene may keep."""
        rows = [r for r in self.cells(level) if r["sigma_mad_m"] is not None]
        if self.kept[level]:
            rows = [r for r in rows if r["returns"] >= 200]
        scales = [r["sigma_mad_m"] / r["sigma_model_m"] for r in rows]
        offsets = [abs(r["bias_median_m"] - r["bias_model_m"]) / r["sigma_model_m"] for r in rows]
        if not self.kept[level]:
            return Choice(len(rows), scales, offsets)
        return {"ranges": len(rows), "leastScale": min(scales), "greatestScale": max(scales), "greatestOffset": max(offsets)} if len(rows) > 1 else None

    def honesty(self, rows, column):
        """A promise is broken where the share is off by more than the tolerance and its interval leaves out the promise."""
        sides = set()
        is_suspicious = False
        for row in rows:
            nominal = row["nominal"]
            if nominal not in (0.68, 0.9, 0.95, 0.99) or abs(row[column] - nominal) <= min(0.02, (1 - nominal) / 2):
                continue
            is_suspicious = True
            ends = self.ends(row, column)
            if row["folds"] >= FEWEST_SCENES and ends and not ends["low"] <= nominal <= ends["high"]:
                sides.add("too narrow" if row[column] < nominal else "too wide")
        if not is_suspicious:
            return "honest"
        return "undecided" if not sides else "wrong shape" if len(sides) > 1 else sides.pop()

    def of_noiseIntervals(self):
        rows = [r for r in self.noise if r["parameter"] == "a_m"]
        if not rows:
            return None
        if not self.is_over_scenes:
            return "within-scene" if all(self.ends(r, "value") for r in rows) else "point-values"
        fewest = min(r["scenes"] for r in rows)
        return "point-values" if fewest < 2 else "uncertain" if fewest < 5 else "over-scenes"

    # What is corrected

    def of_correction(self):
        if not self.correction:
            return None
        row = self.correction[0]
        if self.of_dependentScenes():
            reason = "shared-truth"
        elif not self.is_over_scenes or row["units"] < FEWEST_SCENES:
            reason = "too-few-scenes"
        else:
            reason = "recommended" if row["p"] is not None and row["p"] < 0.05 else "indistinguishable"
        found = {key: self.plain(row, stem) for key, stem in (("scale", "scale"), ("offset", "offset_m"))}
        return found | {"reason": reason, "isApplied": reason == "recommended"} | ({} if row["p"] is None else {"p": row["p"]})

    @staticmethod
    def plain(row, stem):
        found = {"value": row[stem], "low": row[stem + "_low"], "high": row[stem + "_high"]}
        return {key: value for key, value in found.items() if value is not None}

    def of_registration(self):
        rows = [r for r in self.registration if r["scene"] != "all scenes"]
        axes = {axis: self.axis([r[axis + "_px"] for r in rows if r[axis + "_px"] is not None]) for axis in ("x", "y")}
        found = {axis: value for axis, value in axes.items() if value}
        return found | {"scenes": len(rows), "isApplied": any(value["isApplied"] for value in found.values())}

    @staticmethod
    def axis(shifts):
        """Student's t over scenes."""
        if not shifts:
            return None
        n, mean = len(shifts), float(np.mean(shifts))
        found = {"value": mean, "scenes": n, "reason": "too-few-scenes"}
        if n > 1:
            reach = stats.t.ppf(0.975, n - 1) * np.std(shifts, ddof=1) / np.sqrt(n)
            found |= {"low": mean - reach, "high": mean + reach}
        if n >= FEWEST_SCENES:
            found["reason"] = "indistinguishable" if found["low"] <= 0 <= found["high"] else "too-small" if abs(mean) < 0.1 else "recommended"
        return found | {"isApplied": found["reason"] == "recommended"}

    # Confidence, the network's unit, gains

    def of_orders(self):
        found = []
        for row in self.monotonicity:
            share = row["frames_in_order"] / max(1, row["frames"])
            found.append({
                "order": row["order"], "levels": [int(level) for level in row["order"].split(" < ")],
                "answer": "yes" if share > 0.95 else "mostly" if share > 0.5 else "no",
                "scenes": row["scenes"], "scenesInOrder": row["scenes_in_order"],
                "frames": row["frames"], "framesInOrder": row["frames_in_order"]})
        return found

    def of_confidence(self):
        areas = {}
        for row in self.frames:
            if row["ause"] is not None and row["aurg"] is not None:
                areas.setdefault(row["scene"], []).append((row["ause"], row["aurg"]))
        if not areas:
            return None
        ause, aurg = np.mean([np.mean(frames, axis=0) for frames in areas.values()], axis=0)
        found = {"ause": Interval(ause), "aurg": Interval(aurg)}
        return found | ({"share": aurg / (ause + aurg)} if ause + aurg > 0 else {})

    def of_drift(self):
        rows = self.drift
        if not rows:
            return None
        flickers = [r["flicker"] for r in rows if r["flicker"] is not None]
        drifts = [r for r in rows if r["drift"] is not None]
        normalised = [r for r in rows if r["same_maximum"] == "yes"]
        varying = [r["correlation_maximum"] for r in rows if r["correlation_maximum"] is not None]
        low, high = "within_scene_drift_low", "within_scene_drift_high"
        found = {
            "scenes": len(rows), "scenesWithFlicker": len(flickers), "scenesWithDrift": len(drifts),
            "drifting": sum(r[low] is not None and not r[low] <= 0 <= r[high] for r in rows), "normalised": len(normalised),
            "followingNearest": sum((r["correlation_nearest"] or 0) <= -0.7 for r in normalised),
            "varying": len(varying), "followingMaximum": sum(r <= -0.7 for r in varying)}
        return found | ({"flicker": float(np.median(flickers))} if flickers else {})

    def of_gains(self):
        found = {"gains": [self.gain_of(row) for row in self.gain]}
        if not self.gain:
            found["gainObjection"] = "no-relative-map" if not self.drift else "one-scene" if len(self.drift) < 2 else "no-noise-model"
        return found

    @staticmethod
    def gain_of(row):
        column = row["metric"] + ("" if row["support"] == "all" else f"_{row['support']}")
        found = {"method": row["method"], "column": column, "scenes": row["scenes"], "outcome": "cannot be shown"}
        if row["without"] is None:
            return found
        found |= {"without": row["without"], "with": row["with"], "difference": Verdict.plain(row, "difference")}
        if row["difference_low"] is not None:
            if row["scenes"] < FEWEST_SCENES:
                found["outcome"] = "too few scenes"
            elif row["difference_low"] <= 0 <= row["difference_high"]:
                found["outcome"] = "no difference that can be told"
            else:
                found["outcome"] = "improves" if row["difference"] < 0 else "worsens"
        return found


class Interval:
    """A value whose interval no table holds."""

    def __init__(self, value):
        self.value = value


class Choice:
    """Extremes of some of these ranges; no table says which have enough kept pixels."""

    def __init__(self, most, scales, offsets):
        self.most, self.scales, self.offsets = most, scales, offsets

    def faults(self, found):
        if found is None:
            return
        if not 2 <= found["ranges"] <= self.most:
            yield f"{found['ranges']} ranges of {self.most}"
        for key, values in (("leastScale", self.scales), ("greatestScale", self.scales), ("greatestOffset", self.offsets)):
            if not any(abs(found[key] - v) <= 1e-9 * v for v in values):
                yield f"{key} {found[key]} is that of no range"


def differences(found, made, where):
    """Faults, and a None for every value that agrees."""
    if isinstance(made, Choice):
        faults = list(made.faults(found))
        yield from [f"{where}: {fault}" for fault in faults] or [None]
    elif isinstance(made, Interval):
        yield from differences(found.get("value"), made.value, where)
        if ("low" in found) != ("high" in found) or "low" in found and not found["low"] <= made.value <= found["high"]:
            yield f"{where}: not a value in its interval: {found}"
    elif isinstance(made, dict) and isinstance(found, dict):
        for key in sorted(set(made) | set(found)):
            if isinstance(made.get(key), Choice):
                yield from differences(found.get(key), made[key], f"{where}, {key}")
            elif key not in made or key not in found:
                yield f"{where}: {key} is {'not expected' if key in found else 'missing'}"
            else:
                yield from differences(found[key], made[key], f"{where}, {key}")
    elif isinstance(made, list) and isinstance(found, list) and len(made) == len(found):
        for index, (a, b) in enumerate(zip(found, made)):
            yield from differences(a, b, f"{where} {index}")
    elif isinstance(made, (int, float)) and not isinstance(made, bool) and isinstance(found, (int, float)) and not isinstance(found, bool):
        yield None if abs(found - made) <= 1e-9 * abs(made) + 1e-12 else f"{where}: {found}, recomputed {made}"
    else:
        yield None if found == made else f"{where}: {found!r}, recomputed {made!r}"


def check_verdict(folder, kept):
    """Faults, and a None for every value that agrees."""
    found = json.loads((folder / "verdict.json").read_text())
    made = Verdict(folder, kept).made()
    yield from differences(found, made, f"{folder.name}, verdict")
    if ("next" in found) != (folder / "calibration.yaml").exists():
        yield f"{folder.name}: the verdict names a calibration that is not there, or none that is"
