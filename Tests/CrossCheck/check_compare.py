"""Recomputes a comparison of two runs from their frames.csv and compares every cell.

    python check_compare.py FATHOM DATA.h5        makes two runs of a data set and compares them
    python check_compare.py FATHOM --runs A B     compares two runs of the same data that are there

- means, differences, standard errors: pandas, both forms, every metric
- intervals: on the same resamples to 1e-9 relative, and against scipy.stats.bootstrap on its own
- Wilcoxon and Holm: scipy and statsmodels, as check_statistics.py does
- the gate: Student's intervals by scipy, the share of swapped scenes by enumeration in numpy, the verdict, the exit code
"""

import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

from check_statistics import Check
from statistics_reference import interval, wilcoxon

RAW = "lidar-bilinear"
RULES = ["mae_m_measured", "rmse_m:1%", "delta_1:0.002", "coverage", "frames_solved:0.01"]
LOWER = {"coverage": -1, "frames_solved": -1}


def sign(metric):
    return -1 if metric in LOWER or metric.startswith(("delta", "boundary")) else 1


class Run:
    def __init__(self, folder):
        self.manifest = json.loads((pathlib.Path(folder) / "run.json").read_text())
        table = pd.read_csv(pathlib.Path(folder) / "frames.csv", dtype={"frame": str, "scene": str})
        table = table[table.status != "unreadable"]
        self.scenes = list(dict.fromkeys(table.scene))
        self.methods = list(dict.fromkeys(table.method))
        self.frames = {m: g.set_index(["scene", "frame"]) for m, g in table.groupby("method")}

    def column(self, method, metric, form):
        table = self.frames[method]
        if metric == "frames_solved":
            return ((table.status == "ok") & (table.coverage != 0)).astype(float)
        values = table[metric]
        if form == "all":
            return values.where(table.status.isin(["ok", "no_truth"]), 0.0)
        if form == "fallback":
            return values.fillna(self.frames[RAW][metric].reindex(values.index))
        return values


def scene_means(reference, candidate, row):
    pair = [
        reference.column(row.method, row.metric, row.form),
        candidate.column(row.candidate_method, row.metric, row.form),
    ]
    table = pd.concat(pair, axis=1, keys=range(2), join="inner").dropna()
    means = table.groupby(level="scene", sort=False).mean()
    means = means.reindex([s for s in reference.scenes if s in means.index])
    # What Float32 rounding alone makes is not a difference.
    a, b = means[0].to_numpy(), means[1].to_numpy().copy()
    close = np.abs(a - b) <= 1e-6 * np.maximum(np.abs(a), np.abs(b))
    means[0] = np.where(close, b, a)
    return means, len(table)


def check_differences(reference, candidate, rows, check):
    bootstrapped = 0
    for row in rows.itertuples():
        what = f"{row.method} {row.metric} {row.form}"
        means, frames = scene_means(reference, candidate, row)
        check.close(row.scenes, len(means), what + " scenes")
        check.close(row.frames, frames, what + " frames")
        if not len(means):
            continue
        d = (means[1] - means[0]).to_numpy()
        check.close(row.reference_value, means[0].mean(), what + " reference", tolerance=2e-6)
        check.close(row.value, means[1].mean(), what + " value")
        check.close(row.difference, d.mean(), what + " difference", floor=1e-11)
        if len(means) < 2:
            check.close(row.low, None, what + " low")
            continue
        check.close(row.standard_error, stats.sem(d), what + " standard error", floor=1e-11)
        check.close(row.p, wilcoxon(d), what + " p")
        expected = interval(d, list(means.index), reference.manifest["seed"])
        for name, value in zip(["low", "high", "bca_low", "bca_high"], expected):
            check.close(getattr(row, name), value, f"{what} {name}", floor=1e-11)
        if len(d) >= 6 and np.ptp(d) > 1e-9 and row.metric == "mae_m_measured":
            own = stats.bootstrap((d,), np.mean, n_resamples=50_000, method="BCa", rng=1)
            width = own.confidence_interval.high - own.confidence_interval.low
            for name in ["low", "high"]:
                bootstrapped += 1
                apart = abs(getattr(row, "bca_" + name) - getattr(own.confidence_interval, name)) / width
                if apart > 0.06:
                    check.faults.append(f"{what} {name}: {apart:.3f} of scipy's width away")
    for (metric, form), group in rows.groupby(["metric", "form"]):
        known = group.p.notna()
        if not known.any():
            continue
        adjusted = multipletests(group.p[known], method="holm")[1]
        for value, expected in zip(group.p_adjusted[known], adjusted):
            check.close(value, expected, f"{metric} {form} adjusted p")
    print(f"  {bootstrapped} ends of intervals beside scipy's own bootstrap")


def check_gate(document, reference, candidate, check):
    gates = document["gates"]
    known = [g for g in gates if g["scenes"] >= 5]
    k = len(known)
    samples = []
    for gate in known:
        row = pd.Series(
            dict(method=gate["method"], candidate_method=gate["candidateMethod"], metric=gate["metric"], form=gate["form"])
        )
        means, _ = scene_means(reference, candidate, row)
        text = gate["rule"].partition(":")[2]
        allowed = float(text[:-1]) / 100 * abs(means[0].mean()) if text.endswith("%") else float(text or 0)
        worse = sign(gate["metric"]) * (means[1] - means[0])
        what = f"gate {gate['rule']} {gate['method']} {gate['form']}"
        check.close(gate["tolerance"], allowed, what + " tolerance", tolerance=2e-6)
        check.close(gate["worsening"], worse.mean(), what + " worsening", floor=1e-11)
        ends = interval((means[1] - means[0]).to_numpy(), list(means.index), reference.manifest["seed"])
        low, high = sorted(sign(gate["metric"]) * end for end in ends[:2])
        check.close(gate["low"], low, what + " low", floor=1e-11)
        check.close(gate["high"], high, what + " high", floor=1e-11)
        excess = worse - min(gate["tolerance"], worse.mean())
        samples.append(excess.where(np.abs(excess) > 1e-12 * means.abs().max(axis=1), 0.0))
    if not known:
        return
    scenes = sorted(set().union(*(s.index for s in samples)))
    if len(scenes) > 12:
        sys.exit("check_compare.py: flips are enumerated up to 12 scenes")

    def t(values):
        mean, n = values.mean(), len(values)
        squares = ((values - mean) ** 2).sum()
        if squares <= 1e-24 * n * mean**2:
            return 0.0 if mean == 0 else np.sign(mean) * np.inf
        return mean / np.sqrt(squares / (n - 1) / n)

    observed = [t(s.to_numpy()) for s in samples]
    exceeding = np.zeros(k)
    for flips in itertools.product([1.0, -1.0], repeat=len(scenes)):
        flips = pd.Series(flips, index=scenes)
        largest = max(t((s * flips[s.index]).to_numpy()) for s in samples)
        exceeding += [largest >= o * (1 - 1e-9) - 1e-12 for o in observed]
    for gate, share in zip(known, exceeding / 2 ** len(scenes)):
        check.close(gate["chance"], share, f"gate {gate['rule']} {gate['method']} chance")
        beyond = gate["low"] > gate["tolerance"] and share <= 0.05
        outcome = "worse" if beyond else "within" if gate["high"] <= gate["tolerance"] else "not_shown"
        if gate["outcome"] != outcome:
            check.faults.append(f"gate {gate['rule']} {gate['method']}: {gate['outcome']}, expected {outcome}")
    for gate in gates:
        if gate["scenes"] < 5 and gate["outcome"] != "unknown":
            check.faults.append(f"gate {gate['rule']} {gate['method']}: {gate['outcome']} with {gate['scenes']} scenes")


def compare(fathom, a, b, folder):
    output = pathlib.Path(folder) / "comparison"
    rules = [word for rule in RULES for word in ("--fail-if-worse", rule)]
    done = subprocess.run(
        [fathom, "compare", a, b, *rules, "--output", output, "--overwrite", "--no-figures", "--quiet"],
        capture_output=True, text=True,
    )
    document = json.loads((output / "compare.json").read_text())
    is_worse = any(g["outcome"] == "worse" for g in document["gates"])
    check = Check()
    if done.returncode != int(is_worse) or (document["verdict"] == "worse") != is_worse:
        check.faults.append(f"exit code {done.returncode}, verdict {document['verdict']}: {done.stderr}")
    reference, candidate = Run(a), Run(b)
    if reference.manifest["protocol"]["aggregation"] != "scene":
        sys.exit("check_compare.py: only means over scenes are recomputed")
    rows = pd.read_csv(output / "differences.csv")
    methods = [m for m in reference.methods if m in candidate.methods]
    if list(dict.fromkeys(rows.method)) != methods:
        check.faults.append("not every common method is compared")
    check_differences(reference, candidate, rows, check)
    check_gate(document, reference, candidate, check)
    for fault in check.faults[:20]:
        print("  " + fault)
    worse = sum(g["outcome"] == "worse" for g in document["gates"])
    print(
        f"{pathlib.Path(b).name} against {pathlib.Path(a).name}: {check.count} values, worst relative deviation "
        f"{check.worst:.1e}, {len(document['gates'])} gates, {worse} worse, {len(check.faults)} faults"
    )
    return not check.faults


def main():
    fathom, data = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        if data == "--runs":
            return compare(fathom, *sys.argv[3:5], folder)
        runs = {"base": [], "near": ["--max-depth", "2"], "guarded": ["--min-scale-ratio", "0.9"]}
        for name, options in runs.items():
            subprocess.run(
                [fathom, "evaluate", data, "--methods", "ols@depth,ols@log,ransac@log,residual,oracle@log", "--no-objects", *options,
                 "--output", f"{folder}/{name}", "--quiet"],
                check=True,
            )  # fmt: skip
        names = list(runs)
        # A run against itself, and both against the base.
        return all([compare(fathom, f"{folder}/base", f"{folder}/{name}", folder) for name in names])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
