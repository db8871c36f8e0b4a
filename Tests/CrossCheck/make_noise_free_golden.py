"""MAE, AbsRel and δ₁ of pixels extrapolated to a truth without noise, by scipy: golden/noise_free.json.

    python make_noise_free_golden.py [--check]

The expectation of |d − G| and |d/G − 1| for a normal truth G is the mean of scipy's folded normal, that of δ₁ a difference of two
distribution functions; the polynomials in λ are fitted by numpy and evaluated at −1.
"""

import json
import sys
from pathlib import Path

import numpy as np
from scipy import stats

PATH = Path(__file__).parent / "golden/noise_free.json"
STEPS, LIMIT, PIXELS = [0, 0.5, 1, 1.5, 2], 1.25, 200


def folded(mean, deviation):
    return stats.foldnorm.mean(np.abs(mean) / deviation, scale=deviation)


def means(d, g, deviation, step):
    """MAE and AbsRel by pixel, and the share of right ones among all truth pixels."""
    s = np.sqrt(step) * deviation
    if step == 0:
        return np.abs(d - g), np.abs(d / g - 1), np.maximum(d / g, g / d) < LIMIT
    right = stats.norm.cdf(LIMIT * d, g, s) - stats.norm.cdf(d / LIMIT, g, s)
    return folded(d - g, s), folded(d / g - 1 + d * s**2 / g**3, d * s / g**2), right


def main():
    rng = np.random.default_rng(56)
    true = rng.uniform(0.5, 5, PIXELS)
    d, deviation = true * (1 + rng.laplace(0, 0.12, PIXELS)), 0.01 + 0.03 * true
    g = true + deviation * rng.normal(size=PIXELS)
    by_step = [means(d, g, deviation, step) for step in STEPS]
    found = {}
    for index, (name, count) in enumerate((("mae", PIXELS), ("absRel", PIXELS), ("delta1", PIXELS + 40))):
        values = [row[index].sum() / count for row in by_step]
        found[name] = [values[0], *(float(np.polyval(np.polyfit(STEPS, values, degree), -1)) for degree in (2, 4))]
    golden = {"d": d.tolist(), "g": g.tolist(), "deviation": deviation.tolist(), "truthCount": PIXELS + 40, **found}
    if "--check" not in sys.argv:
        PATH.write_text(json.dumps(golden, indent=1) + "\n")
        return
    stored = json.loads(PATH.read_text())
    if stored.keys() != golden.keys() or not all(np.allclose(stored[k], golden[k], rtol=1e-10, atol=0) for k in golden):
        sys.exit(f"{PATH} is not what the installed packages say: run {Path(__file__).name}")
    print("noise_free.json agrees with scipy and numpy")


main()
