"""How often ± U holds the known MAE, AbsRel and δ of scenes against a truth with known noise.

    python simulate_noise_free.py [--replicates 400] [--seed 1] [--errors normal Laplace 'two kinds']

Scenes as in simulate_uncertainty.py; their errors are normal, Laplace, or of two kinds: nine in ten small, one in ten five times as large.
Fathom's rules (docs/statistics.md, "MAE, AbsRel and δ") are written here once more: at every pixel the expectation of a measure under λ
times the noise is added to the truth, for λ = 0, ½, 1, 1½, 2, and the polynomial of degree 4 through the means is continued to λ = −1;
its distance to the parabola is the half-width of a uniform component. Prints the table of the docs.
"""

import argparse

import numpy as np
from scipy import stats

FRAMES, PIXELS = 3, 1000
SPREAD, BIAS = (0.020, 0.004), (0.010, 0.004)
NEAR, FAR = 1.0, 3.0
STEPS = np.array([0, 0.5, 1, 1.5, 2])
NAMES = ["MAE", "AbsRel", "δ"]
# δ with a limit that such errors pass: 1.25 would count all of them as right.
LIMIT = 1.02


def extrapolation(degree):
    """Weights of the means at STEPS: the least-squares polynomial at λ = −1."""
    powers = np.vander(STEPS, degree + 1, increasing=True)
    return (-1.0) ** np.arange(degree + 1) @ np.linalg.pinv(powers)


def folded(mean, deviation):
    return mean * (1 - 2 * stats.norm.cdf(-mean / deviation)) + 2 * deviation * stats.norm.pdf(mean / deviation)


def measures(d, g, deviation):
    """By frame: MAE, AbsRel and δ at each of STEPS."""
    rows = []
    for step in STEPS:
        if step == 0:
            e = np.abs(d - g)
            rows.append([e, e / g, np.maximum(d / g, g / d) < LIMIT])
            continue
        s = np.sqrt(step) * deviation
        rows.append([folded(d - g, s), folded(d / g - 1 + d * s**2 / g**3, d * s / g**2),
                     stats.norm.cdf((LIMIT * d - g) / s) - stats.norm.cdf((d / LIMIT - g) / s)])  # fmt: skip
    return np.array([[v.mean(axis=-1) for v in row] for row in rows])


def errors(rng, kind, shape):
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "Laplace":
        return rng.laplace(size=shape) / np.sqrt(2)
    return np.where(rng.random(shape) < 0.9, 0.542, 2.71) * rng.normal(size=shape)


def simulate(rng, scenes, kind):
    shape = (scenes, FRAMES, PIXELS)
    truth = rng.uniform(NEAR, FAR, shape)
    spread, offset = np.abs(rng.normal(*SPREAD, scenes)), rng.normal(*BIAS, scenes)
    return truth, truth + offset[:, None, None] + spread[:, None, None] * errors(rng, kind, shape)


def known(rng, kind):
    truth, d = simulate(rng, 20_000, kind)
    e = np.abs(d - truth)
    return np.array([e.mean(), (e / truth).mean(), (np.maximum(d / truth, truth / d) < LIMIT).mean()])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--errors", nargs="+", default=["normal", "Laplace", "two kinds"])
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    fine, coarse = extrapolation(4), extrapolation(2)
    print("| errors | noise | scenes |" + "".join(f" {n} covered | corrected / known | uncorrected / known |" for n in NAMES))
    print("|---|---:|---:|" + "---:|" * 9)
    for kind in options.errors:
        truths = known(rng, kind)
        for noise in (0.005, 0.010):
            for scenes in (5, 8, 20):
                held, ratio, plain = np.zeros(3), np.zeros(3), np.zeros(3)
                for _ in range(options.replicates):
                    truth, d = simulate(rng, scenes, kind)
                    deviation = np.hypot(noise, 0.002 * truth)
                    values = measures(d, truth + deviation * rng.normal(size=d.shape), deviation).mean(axis=3)
                    own, other = (np.tensordot(w, values, 1) for w in (fine, coarse))
                    estimate, sampling = own.mean(axis=1), own.std(axis=1, ddof=1) / np.sqrt(scenes)
                    continued = np.abs(other.mean(axis=1) - estimate) / np.sqrt(3)
                    combined = np.hypot(sampling, continued)
                    freedom = combined**4 / (sampling**4 / (scenes - 1))
                    held += np.abs(estimate - truths) <= stats.t.ppf(0.975, freedom) * combined
                    ratio += estimate / truths
                    plain += values[0].mean(axis=1) / truths
                n = options.replicates
                cells = "".join(f" {h / n:.3f} | {r / n:.3f} | {p / n:.3f} |" for h, r, p in zip(held, ratio, plain))
                print(f"| {kind} | {noise * 1000:.0f} mm | {scenes} |{cells}", flush=True)


if __name__ == "__main__":
    main()
