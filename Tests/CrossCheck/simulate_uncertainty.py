"""How often ± U holds the known RMSE and bias of scenes against a truth with known noise and scale.

    python simulate_uncertainty.py [--replicates 2000] [--seed 1]

A scene has a bias and a spread of errors of its own, both normal over scenes; a truth has noise in every pixel, and a scale error that
is one draw for the whole run. Fathom's rules (docs/statistics.md, "X ± U") are written here once more: noise is taken out frame by frame,
the change by the scale is the largest one within two standard deviations of it, k follows Welch and Satterthwaite. Prints the table of the
docs: shares of replicates in which ± U holds the known value, and the mean of the estimate over the known value.
"""

import argparse

import numpy as np
from scipy import stats

FRAMES, PIXELS = 3, 200
# Metres: mean and deviation over scenes of the errors' spread, and of the bias.
SPREAD, BIAS = (0.020, 0.004), 0.004
NOISE, RELATIVE = 0.010, 0.005
NEAR, FAR = 1.0, 3.0


def simulate(rng, scenes, bias, scale):
    """Moments of every frame: mean error, its square, range, squared range, and their product."""
    shape = (scenes, FRAMES, PIXELS)
    spread = np.abs(rng.normal(*SPREAD, scenes))[:, None, None]
    offset = rng.normal(bias, BIAS, scenes)[:, None, None]
    truth = rng.uniform(NEAR, FAR, shape)
    error = offset + spread * rng.normal(size=shape)
    stored = truth * (1 + rng.normal(0, scale)) + np.hypot(NOISE, RELATIVE * truth) * rng.normal(size=shape)
    e = truth + error - stored
    return [x.mean(axis=2) for x in (e, e**2, stored, stored**2, e * stored)] + [e.size]


def measure(moments, name, shift=0.0):
    """By scene."""
    e, square, g, gg, eg, _ = moments
    if name == "bias":
        return (e + shift * g).mean(axis=1)
    noise = NOISE**2 + RELATIVE**2 * gg
    return np.sqrt(np.maximum(0, square + 2 * shift * eg + shift**2 * gg - noise)).mean(axis=1)


def budget(moments, name, scale):
    """Estimate and expanded uncertainty."""
    values = measure(moments, name)
    estimate, scenes = values.mean(), len(values)
    sampling = values.std(ddof=1) / np.sqrt(scenes)
    noise = (NOISE**2 + RELATIVE**2 * moments[3]).mean()
    parts = [sampling, np.sqrt(noise / moments[5] * (1 + (noise / (2 * estimate**2) if name == "rmse" else 0)))]
    if scale:
        changes = [measure(moments, name, t * scale).mean() - estimate for t in (2, 1, -1, -2)]
        parts.append(np.max(np.abs(changes)) / 2)
    combined = np.sqrt(np.sum(np.square(parts)))
    freedom = combined**4 / (sampling**4 / (scenes - 1))
    return estimate, stats.t.ppf(0.975, freedom) * combined


def known(rng, bias):
    """Mean over all scenes of RMSE and bias."""
    spread = np.abs(rng.normal(*SPREAD, 1_000_000))
    return {"rmse": np.hypot(rng.normal(bias, BIAS, spread.size), spread).mean(), "bias": bias}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print("| bias | truth scale | scenes | RMSE covered | corrected / known | uncorrected / known | bias covered |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for bias, scale in ((0.0, 0.0), (0.02, 0.0), (0.02, 0.005), (0.05, 0.01), (0.0, 0.005), (0.0, 0.01)):
        values = known(rng, bias)
        for scenes in (5, 8, 20):
            held, ratio, plain = {"rmse": 0, "bias": 0}, 0.0, 0.0
            for _ in range(options.replicates):
                moments = simulate(rng, scenes, bias, scale)
                plain += np.sqrt(moments[1]).mean() / values["rmse"]
                for name in held:
                    estimate, expanded = budget(moments, name, scale)
                    held[name] += abs(estimate - values[name]) <= expanded
                    ratio += (estimate / values["rmse"]) if name == "rmse" else 0
            n = options.replicates
            print(f"| {bias * 1000:.0f} mm | {scale:.1%} | {scenes} | {held['rmse'] / n:.3f} | {ratio / n:.3f} | {plain / n:.3f} | {held['bias'] / n:.3f} |", flush=True)


if __name__ == "__main__":
    main()
