"""What scores of confidence are worth, and what thresholds on them keep, by numpy: golden/confidence.json.

    python make_confidence_golden.py [--check]

Five scenes of one frame: errors whose spread falls with a score, which is continuous ("score"), has three levels ("levels"), or is turned round
("wrong").
"""

import json
import sys
from pathlib import Path

import numpy as np
from confidence_reference import curve, order_scores, retained

PATH = Path(__file__).parent / "golden/confidence.json"
SCENES, PIXELS = 5, 300


def main():
    rng = np.random.default_rng(56)
    cases = {"score": [], "levels": [], "wrong": []}
    for scene in range(SCENES):
        spread = 0.02 * (1 + scene / 4) * rng.uniform(0.2, 3, PIXELS)
        e = spread * rng.normal(size=PIXELS)
        # As Depth Anything 3 states it: 1 and more.
        score = 1 + 0.02 / spread * rng.uniform(0.8, 1.2, PIXELS)
        levels = np.digitize(score, [1.3, 1.8]).astype(float)
        for name, confidence in (("score", score), ("levels", levels), ("wrong", -score)):
            cases[name].append((np.round(e, 6), np.round(confidence, 5)))
    golden = {}
    for name, frames in cases.items():
        rows = retained([curve(e, -c) for e, c in frames])
        golden[name] = {
            "errors": [e.tolist() for e, _ in frames],
            "confidences": [c.tolist() for _, c in frames],
            "ause": [order_scores(e, -c)["ause_deviation_m"] for e, c in frames],
            "aurg": [order_scores(e, -c)["aurg_deviation_m"] for e, c in frames],
            "wanted": [float(wanted) for wanted, _, _ in rows],
            "thresholds": [-limit for _, limit, _ in rows[1:]],
            "shares": [held[:, 0].mean() for _, _, held in rows],
            "means": [held[:, 1].sum() / held[:, 0].sum() for _, _, held in rows],
        }
    if "--check" not in sys.argv:
        PATH.write_text(json.dumps(golden) + "\n")
        return
    stored = json.loads(PATH.read_text())
    if stored.keys() != golden.keys() or not all(
        np.allclose(stored[case][key], golden[case][key], rtol=1e-10, atol=1e-15) for case in golden for key in golden[case]
    ):
        sys.exit(f"{PATH} is not what the installed packages say: run {Path(__file__).name}")
    print("confidence.json agrees with numpy")


main()
