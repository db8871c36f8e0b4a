"""Writes `golden/fits.json`: small problems with answers from numpy and scipy.

    make_golden.py            write the file
    make_golden.py --check    compare the committed file with a fresh one

See golden/README.md for the fields. Inputs are seeded and rounded, so they are short and exact.
Only what the problem determines is stored and compared: projectors instead of eigenvectors, no line
where the best one is not unique. Last digits change with the LAPACK and the processor in use, so
--check allows for rounding: 1e-9 relative, and where a problem is ill-conditioned or an answer is
zero, as much as its condition makes of a rounding error (`ALLOWANCES`).
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy import optimize, sparse

import depth_reference as reference

OUTPUT = Path(__file__).resolve().parent / "golden" / "fits.json"

# Anscombe, "Graphs in Statistical Analysis", The American Statistician 27 (1973): x of sets I to
# III is shared.
ANSCOMBE_X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
ANSCOMBE_X4 = [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8]
ANSCOMBE_Y = [
    [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
    [9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74],
    [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73],
    [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89],
]

# NIST StRD "Norris": calibration of ozone monitors. Certified: slope 1.00211681802045,
# intercept -0.262323073774029.
NORRIS_X = [
    0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5,
    666.9, 338.0, 447.5, 11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2,
    999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5,
]  # fmt: skip
NORRIS_Y = [
    0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1,
    668.8, 339.3, 448.9, 10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0,
    998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2,
]  # fmt: skip
NORRIS_CERTIFIED = [1.00211681802045, -0.262323073774029]

# NIST StRD "Longley" (Longley, JASA 62, 1967): columns 1, GNP deflator, GNP, unemployed, armed
# forces, population, year; the response is employment. Columns are nearly collinear.
LONGLEY_Y = [
    60323, 61122, 60171, 61187, 63221, 63639, 64989, 63761, 66019, 67857, 68169, 66513, 68655,
    69564, 69331, 70551,
]  # fmt: skip
LONGLEY_COLUMNS = [
    [83.0, 88.5, 88.2, 89.5, 96.2, 98.1, 99.0, 100.0, 101.2, 104.6, 108.4, 110.8, 112.6, 114.2,
     115.7, 116.9],
    [234289, 259426, 258054, 284599, 328975, 346999, 365385, 363112, 397469, 419180, 442769,
     444546, 482704, 502601, 518173, 554894],
    [2356, 2325, 3682, 3351, 2099, 1932, 1870, 3578, 2904, 2822, 2936, 4681, 3813, 3931, 4806,
     4007],
    [1590, 1456, 1616, 1650, 3099, 3594, 3547, 3350, 3048, 2857, 2798, 2637, 2552, 2514, 2572,
     2827],
    [107608, 108632, 109773, 110929, 112075, 113270, 115094, 116219, 117388, 118734, 120445,
     121950, 123366, 125368, 127852, 130081],
    list(range(1947, 1963)),
]  # fmt: skip
LONGLEY_CERTIFIED = [
    -3482258.63459582, 15.0618722713733, -0.0358191792925910, -2.02022980381683,
    -1.03322686717359, -0.0511041056535807, 1829.15146461355,
]  # fmt: skip


# --- Lines --------------------------------------------------------------------------------------


def least_absolute_line(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float, bool]:
    """Slope, intercept, Σ|residual| and uniqueness of the least absolute deviations line.

    The exact linear programme, solved by HiGHS on centred, scaled data: minimise Σ(u + v) with
    slope x + intercept + u − v = y and u, v ≥ 0. The line is unique when both ends of the range
    of optimal slopes and intercepts coincide.
    """
    centre, width = float(np.mean(x)), float(np.ptp(x))
    n = len(x)
    line = np.column_stack([(x - centre) / width, np.ones(n)])
    equality = sparse.hstack([sparse.csr_matrix(line), sparse.eye(n), -sparse.eye(n)]).tocsr()
    cost = np.concatenate([np.zeros(2), np.ones(2 * n)])
    bounds = [(None, None)] * 2 + [(0, None)] * (2 * n)
    best = optimize.linprog(cost, A_eq=equality, b_eq=y, bounds=bounds, method="highs-ds")
    assert best.success
    limit = best.fun * (1 + 1e-9) + 1e-12
    ends = []
    for k in range(2):
        for sign in (1, -1):
            direction = np.zeros_like(cost)
            direction[k] = sign
            end = optimize.linprog(
                direction, A_ub=cost[None], b_ub=[limit], A_eq=equality, b_eq=y, bounds=bounds
            )
            ends.append(end.x[k])
    scale = max(1.0, float(np.abs(y).max()))
    unique = bool(max(abs(ends[0] - ends[1]), abs(ends[2] - ends[3])) < 1e-5 * scale)
    # The optimum passes through two data points; recompute it from them for full precision.
    residuals = np.abs(y - line @ best.x[:2])
    i, *rest = np.argsort(residuals, kind="stable")
    j = next(k for k in rest if x[k] != x[i])
    slope = float((y[j] - y[i]) / (x[j] - x[i]))
    intercept = float(y[i] - slope * x[i])
    objective = float(np.abs(y - ((x - x[i]) * slope + y[i])).sum())
    assert math.isclose(objective, best.fun, rel_tol=1e-7, abs_tol=1e-9), (objective, best.fun)
    return slope, intercept, objective, unique


def centred_line(x: np.ndarray, y: np.ndarray, weights: np.ndarray | None) -> reference.Line:
    """`fit_line` on centred x, so that a large offset costs no digits."""
    mean = float(np.average(x, weights=weights))
    line = reference.fit_line(x - mean, y, weights)
    line.intercept -= line.slope * mean
    return line


def centred_huber(x: np.ndarray, y: np.ndarray) -> reference.Line:
    mean = float(np.mean(x))
    line = reference.fit_huber(x - mean, y, tolerance=1e-13)
    line.intercept -= line.slope * mean
    return line


def line_case(name: str, x, y, weights=None) -> dict:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    w = None if weights is None else np.asarray(weights, dtype=float)
    design = np.column_stack([x, np.ones_like(x)])
    singular = np.linalg.svd(design, compute_uv=False)
    ols, huber = centred_line(x, y, None), centred_huber(x, y)
    wls = centred_line(x, y, w)
    residuals = (y - y.mean()) - ols.slope * (x - x.mean())
    lad = least_absolute_line(x, y)
    return {
        "name": name,
        "x": x.tolist(),
        "y": y.tolist(),
        "weights": (np.ones_like(x) if w is None else w).tolist(),
        "singular_values": singular.tolist(),
        "rank": int(np.linalg.matrix_rank(design)),
        "condition": float(np.linalg.cond(design)),
        "spread": float(np.std(x) / np.abs(x).max()),
        "ols_slope": ols.slope,
        "ols_intercept": ols.intercept,
        "wls_slope": wls.slope,
        "wls_intercept": wls.intercept,
        "huber_slope": huber.slope,
        "huber_intercept": huber.intercept,
        "huber_sigma": huber.sigma,
        # No line where several are best: which of them is found is not determined.
        "lad_slope": lad[0] if lad[3] else None,
        "lad_intercept": lad[1] if lad[3] else None,
        "lad_objective": lad[2],
        # Of the OLS residuals, about zero and about their median.
        "residual_mad_about_zero": float(np.median(np.abs(residuals))),
        "residual_mad_about_median": float(np.median(np.abs(residuals - np.median(residuals)))),
    }


def line_cases() -> list[dict]:
    random = np.random.default_rng(20240521)

    def clean(n: int, low: float, high: float, slope: float, shift: float, noise: float):
        x = random.uniform(low, high, n).round(6)
        return x, (slope * x + shift + random.normal(0, noise, n)).round(6)

    cases = []
    x, y = clean(50, 0.1, 1.0, 2.5, 0.3, 0.02)
    cases.append(line_case("gaussian noise", x, y))
    x, y = clean(120, 0.1, 1.0, 2.5, 0.3, 0.02)
    y[::5] = (y[::5] + random.uniform(1, 3, 24)).round(6)
    cases.append(line_case("20 % outliers on one side", x, y))
    x, y = clean(200, 0.2, 6.0, -0.4, 3.5, 0.05)
    w = random.choice([1.0, 0.05], 200, p=[0.7, 0.3])
    y[w < 1] = (y[w < 1] + random.normal(0, 0.8, int((w < 1).sum()))).round(6)
    cases.append(line_case("confidence weights 1 and 0.05, negative slope", x, y, w))
    x, y = clean(80, 0.0, 1.0, 3.0, 1.0, 0.01)
    w = random.choice([1.0, 0.05, 0.0], 80)
    y[w == 0] = (y[w == 0] + 10).round(6)
    cases.append(line_case("weights 1, 0.05 and 0", x, y, w))
    x, y = clean(101, 1000.0, 1000.1, -3.0, 3002.0, 0.001)
    cases.append(line_case("offset 1000 + [0, 0.1]", x, y))
    x = np.arange(60) / 64
    cases.append(line_case("exactly on a line", x, 2 * x + 0.25))
    for i, y in enumerate(ANSCOMBE_Y):
        x = ANSCOMBE_X4 if i == 3 else ANSCOMBE_X
        cases.append(line_case(f"Anscombe {'I II III IV'.split()[i]}", x, y))
    norris = line_case("NIST Norris", NORRIS_X, NORRIS_Y)
    assert np.allclose([norris["ols_slope"], norris["ols_intercept"]], NORRIS_CERTIFIED, rtol=1e-13)
    norris["ols_slope"], norris["ols_intercept"] = NORRIS_CERTIFIED
    norris["wls_slope"], norris["wls_intercept"] = NORRIS_CERTIFIED
    return cases + [norris]


# --- Metrics ------------------------------------------------------------------------------------


def metric_case(name: str, d, g, measured=None) -> dict:
    """All columns for predictions `d` at truth pixels `g`; pixels outside the range drop out."""
    d, g = np.asarray(d, dtype=float), np.asarray(g, dtype=float)
    measured = np.ones(len(d), dtype=bool) if measured is None else np.asarray(measured)
    keep = reference.in_truth_range(g.astype(np.float32))
    values = reference.all_metrics(d[keep], g[keep], measured[keep])
    return {
        "name": name,
        "predicted": encode(d),
        "truth": encode(g),
        "measured": [bool(m) for m in measured],
        "truth_pixels": int(keep.sum()),
        **values,
    }


def metric_cases() -> list[dict]:
    """Values are multiples of 1/1024 (but for the 0.1 bound): exact in Float32 and Double alike."""
    random = np.random.default_rng(11)

    def exact(values: np.ndarray) -> np.ndarray:
        return np.round(values * 1024) / 1024

    truth = exact(random.uniform(0.5, 6, 60))
    noisy = exact(truth * np.exp(random.normal(0.03, 0.15, 60)))
    holes = noisy.copy()
    holes[[3, 17]], holes[[5, 29]], holes[[8, 40]] = np.nan, [0, -1.5], [np.inf, -np.inf]
    unknown = truth.copy()
    unknown[[1, 2, 10, 11]] = [0, np.nan, 12.5, 0.0625]
    nan, inf = math.nan, math.inf
    return [
        metric_case("four pixels", [1.1875, 2, 2, nan], [1, 2, 4, 2], [True, True, False, False]),
        metric_case("exact", [0.5, 1, 2, 4], [0.5, 1, 2, 4]),
        metric_case("noise", noisy, truth),
        metric_case("missing predictions", holes, truth, np.arange(60) % 3 != 0),
        metric_case("unknown truth, out of range", holes, unknown, np.arange(60) % 4 != 1),
        metric_case("at the delta thresholds", [1.25, 1.5625, 4, 1.2421875], [1, 1, 5, 1]),
        metric_case("constant ratio: silog 0", [1.125, 2.25, 4.5], [1, 2, 4]),
        metric_case("one pixel", [2.5], [2]),
        metric_case("no valid prediction", [nan, -1, 0, inf], [1, 2, 3, 4]),
        metric_case("no truth in range", [1, 2], [nan, 20]),
        metric_case("truth at the bounds 0.1 and 10", [0.25, 9], [0.1, 10]),
    ]


# --- Linear algebra -----------------------------------------------------------------------------


def eigen_cases() -> list[dict]:
    random = np.random.default_rng(31)
    matrices = [("2x2 by hand: 1 and 3", np.array([[2.0, 1], [1, 2]]))]
    matrices.append(("3x3 diagonal", np.diag([3.0, -1, 2])))
    matrices.append(("3x3 repeated: 1, 1 and 4", np.ones((3, 3)) + np.eye(3)))
    matrices.append(("4x4 rank 1: 0, 0, 0 and 30", np.outer([1.0, 2, 3, 4], [1, 2, 3, 4])))
    for n in range(2, 6):
        half = random.normal(0, 1, (n, n)).round(3)
        matrices.append((f"{n}x{n} random", half + half.T))
    half = random.normal(0, 1, (3, 3)).round(3)
    scale = np.diag([1, 1e-3, 1e-6])
    matrices.append(("3x3 graded", scale @ (half @ half.T) @ scale))
    cases = []
    for name, m in matrices:
        m = (m + m.T) / 2
        values, vectors = np.linalg.eigh(m)
        cases.append(
            {
                "name": name,
                "n": len(m),
                "matrix": m.ravel().tolist(),
                "eigenvalues": values.tolist(),
                "eigenspaces": eigenspaces(values, vectors),
            }
        )
    return cases


def eigenspaces(values: np.ndarray, vectors: np.ndarray) -> list[dict]:
    """Projectors on the spaces of equal eigenvalues, which are determined; vectors are not.

    The sign of a vector is free, and so is the basis of a space of several dimensions. `gap` is the distance
    to the nearest other eigenvalue, relative to the largest: a rounding error turns the space by as much over it.
    """
    size = float(np.abs(values).max())
    borders = [0, *(i for i in range(1, len(values)) if values[i] - values[i - 1] > 1e-13 * size), len(values)]
    spaces = []
    for first, last in zip(borders, borders[1:], strict=False):
        basis = vectors[:, first:last]
        outside = [values[first] - values[first - 1]] if first > 0 else []
        outside += [values[last] - values[last - 1]] if last < len(values) else []
        spaces.append(
            {
                "first": first,
                "count": last - first,
                "gap": float(min(outside) / size) if outside else 1.0,
                "projector": (basis @ basis.T).ravel().tolist(),
            }
        )
    return spaces


def solve_cases() -> list[dict]:
    random = np.random.default_rng(41)
    problems = [("2x2 by hand", np.array([[2.0, 1], [1, 3]]), np.array([5.0, 10]))]
    problems.append(("3x3 needs pivoting", np.eye(3)[[2, 0, 1]], np.array([1.0, 2, 3])))
    for n in (3, 4, 6):
        a = random.normal(0, 1, (n, n)).round(3)
        problems.append((f"{n}x{n} random", a, random.normal(0, 1, n).round(3)))
    return [
        {
            "name": name,
            "n": len(a),
            "matrix": a.ravel().tolist(),
            "rhs": b.tolist(),
            "solution": np.linalg.solve(a, b).tolist(),
            "condition": float(np.linalg.cond(a)),
        }
        for name, a, b in problems
    ]


def least_squares_cases() -> list[dict]:
    random = np.random.default_rng(51)
    tall = random.normal(0, 1, (12, 3)).round(3)
    wide = random.normal(0, 1, (3, 5)).round(3)
    column = random.normal(0, 1, 10).round(3)
    problems = [
        ("full rank 12x3", tall, random.normal(0, 1, 12).round(3)),
        ("repeated column, rank 2 of 3", tall[:, [0, 1, 0]], random.normal(0, 1, 12).round(3)),
        ("constant x: [x 1] of rank 1", np.full((8, 2), 1.0), np.arange(8.0)),
        ("constant x = 3: [x 1] of rank 1", np.tile([3.0, 1], (8, 1)), np.arange(8.0)),
        ("sum of columns, rank 2 of 3", np.column_stack([column, column**2, column + column**2]),
         random.normal(0, 1, 10).round(3)),
        ("wide 3x5", wide, np.array([1.0, 2, 3])),
        ("zero matrix", np.zeros((4, 2)), np.ones(4)),
    ]  # fmt: skip
    cases = []
    for name, a, b in problems:
        solution, _, rank, singular = np.linalg.lstsq(a, b, rcond=1e-12)
        cases.append(least_squares_case(name, a, b, solution, int(rank), singular))
    a = np.column_stack([np.ones(16)] + LONGLEY_COLUMNS)
    scaled, _, rank, _ = np.linalg.lstsq(a / np.abs(a).max(axis=0), np.array(LONGLEY_Y), rcond=None)
    assert rank == 7
    assert np.allclose(scaled / np.abs(a).max(axis=0), LONGLEY_CERTIFIED, rtol=1e-8)
    singular = np.linalg.svd(a, compute_uv=False)
    certified = np.array(LONGLEY_CERTIFIED)
    cases.append(
        least_squares_case("NIST Longley (certified)", a, np.array(LONGLEY_Y), certified, 7, singular)
    )
    return cases


def least_squares_case(name, a, b, solution, rank, singular) -> dict:
    return {
        "name": name,
        "rows": a.shape[0],
        "columns": a.shape[1],
        "matrix": a.ravel().tolist(),
        "rhs": [float(v) for v in b],
        "solution": solution.tolist(),
        "rank": rank,
        "singular_values": singular.tolist(),
    }


# --- The file -----------------------------------------------------------------------------------


def encode(values: np.ndarray) -> list:
    """JSON has no NaN: "nan", "inf" and "-inf" stand for them."""
    return [float(v) if math.isfinite(v) else str(float(v)) for v in values]


def golden() -> dict:
    return {
        "lines": line_cases(),
        "metrics": metric_cases(),
        "symmetric_eigen": eigen_cases(),
        "solves": solve_cases(),
        "least_squares": least_squares_cases(),
    }


# Rounding errors of a backward stable solver, relative to the largest number of the problem; some ten times
# what any processor's kernels were seen to differ by.
ROUNDING = 1e-13


def largest(values: list) -> float:
    return max(abs(v) for v in values)


def solution_allowance(case: dict) -> float:
    """A least squares solution moves by the square of the condition of what is not zero."""
    nonzero = case["singular_values"][: case["rank"]] or [1.0]
    return ROUNDING * (nonzero[0] / nonzero[-1]) ** 2 * largest(case["solution"])


# By how much numbers may differ absolutely where 1e-9 of the number itself is not what the problem determines.
ALLOWANCES = {
    ("lines", "singular_values"): lambda case: ROUNDING * largest(case["singular_values"]),
    ("lines", "condition"): lambda case: ROUNDING * case["condition"] ** 2,
    ("symmetric_eigen", "eigenvalues"): lambda case: ROUNDING * largest(case["eigenvalues"]),
    ("solves", "solution"): lambda case: ROUNDING * case["condition"] * largest(case["solution"]),
    ("solves", "condition"): lambda case: ROUNDING * case["condition"] ** 2,
    ("least_squares", "solution"): solution_allowance,
    ("least_squares", "singular_values"): lambda case: ROUNDING * largest(case["singular_values"]),
}


def differences(stored: dict, fresh: dict) -> list[str]:
    """Where two documents differ by more than rounding."""
    if {k: [c["name"] for c in v] for k, v in stored.items()} != {k: [c["name"] for c in v] for k, v in fresh.items()}:
        return ["other cases"]
    found = []
    for section, cases in stored.items():
        for ours, theirs in zip(cases, fresh[section], strict=True):
            place = f"{section}, {ours['name']}"
            if ours.keys() != theirs.keys():
                found.append(f"{place}: other fields")
                continue
            for key in ours.keys() - {"eigenspaces"}:
                allowed = ALLOWANCES.get((section, key))
                found += unlike(ours[key], theirs[key], allowed and allowed(ours), f"{place}, {key}")
            if "eigenspaces" in ours:
                found += unlike_spaces(ours["eigenspaces"], theirs["eigenspaces"], place)
    return found


def unlike_spaces(ours: list[dict], theirs: list[dict], place: str) -> list[str]:
    if [(s["first"], s["count"]) for s in ours] != [(s["first"], s["count"]) for s in theirs]:
        return [f"{place}: other eigenspaces"]
    found = []
    for a, b in zip(ours, theirs, strict=True):
        found += unlike(a["gap"], b["gap"], ROUNDING, f"{place}, gap of {a['first']}")
        found += unlike(a["projector"], b["projector"], ROUNDING / a["gap"], f"{place}, projector of {a['first']}")
    return found


def unlike(a, b, allowed: float | None, place: str) -> list[str]:
    """Where two values differ: numbers by more than `allowed`, or 1e-9 of themselves (1e-12 at zero); others at all."""
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [d for i in range(len(a)) for d in unlike(a[i], b[i], allowed, f"{place}, {i}")]
    if isinstance(a, float) and isinstance(b, float):
        alike = math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) if allowed is None else abs(a - b) <= allowed
        return [] if alike else [f"{place}: {a!r} and {b!r}"]
    return [] if a == b else [f"{place}: {a!r} and {b!r}"]


def main() -> int:
    fresh = golden()
    if "--check" in sys.argv[1:]:
        stored = json.loads(OUTPUT.read_text(encoding="utf-8"))
        found = differences(stored, json.loads(json.dumps(fresh)))
        print("\n".join(found) or f"{OUTPUT.name} agrees with a fresh computation")
        return 1 if found else 0
    OUTPUT.parent.mkdir(exist_ok=True)
    # One case a line: small diffs without a line per number.
    sections = []
    for name, cases in fresh.items():
        lines = ",\n".join("  " + json.dumps(case, allow_nan=False) for case in cases)
        sections.append(f' "{name}": [\n{lines}\n ]')
    OUTPUT.write_text("{\n" + ",\n".join(sections) + "\n}\n", encoding="utf-8")
    print(f"{OUTPUT.name}: " + ", ".join(f"{len(v)} {k}" for k, v in fresh.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
