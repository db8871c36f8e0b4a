"""Times each estimator here and in the library that people use, one core, on the frame of `fathom bench`.

Fathom's time holds pairs, fit and the fused map; theirs the fit alone.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import depth_reference as reference  # noqa: E402
import independent  # noqa: E402
import numpy as np  # noqa: E402
import statsmodels.api as sm  # noqa: E402
from scipy import stats  # noqa: E402
from sklearn.linear_model import (  # noqa: E402
    HuberRegressor, LinearRegression, QuantileRegressor, RANSACRegressor, TheilSenRegressor,
)


def frame(folder: Path) -> reference.Frame:
    return reference.Frame(
        lidar=np.fromfile(folder / "lidar.f32", "f4").reshape(192, 256),
        confidence=np.fromfile(folder / "confidence.u8", "u1").reshape(192, 256),
        relative=np.fromfile(folder / "relative.f32", "f4").reshape(392, 518),
    )


def milliseconds(work, repetitions: int = 3) -> float:
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1e3 * sorted(times)[repetitions // 2]


def main(fathom: Path) -> int:
    with tempfile.TemporaryDirectory() as name:
        command = [fathom, "bench", "--json", "--export", name]
        ours = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        exported = frame(Path(name))
    r = reference.sample_at_centres(exported.relative, exported.lidar.shape).ravel()
    depth = exported.lidar.ravel().astype(float)
    keep = (depth > 0.1) & (depth < 1000) & (r > 0)
    medians = {row["stage"].removesuffix(" all pairs"): row for row in ours}
    x, y = reference.to_form("disparity", r[keep], depth[keep])
    column, design = x[:, None], np.column_stack([x, np.ones_like(x)])
    ax, ay = independent.anchors(x, y, 4096)
    tx, ty = independent.anchors(x, y, 1500)
    theirs = [
        ("ols", "numpy.linalg.lstsq", lambda: np.linalg.lstsq(design, y, rcond=None)),
        ("huber", "sklearn HuberRegressor", lambda: HuberRegressor(epsilon=1.345, alpha=0).fit(column, y)),
        ("huber", "statsmodels RLM HuberT", lambda: sm.RLM(y, design, M=sm.robust.norms.HuberT()).fit()),
        ("tukey", "statsmodels RLM bisquare", lambda: sm.RLM(y, design, M=sm.robust.norms.TukeyBiweight()).fit()),
        ("lad", "sklearn QuantileRegressor, same anchors",
         lambda: QuantileRegressor(quantile=0.5, alpha=0, solver="highs").fit(ax[:, None], ay)),
        ("lad", "statsmodels QuantReg, same anchors",
         lambda: sm.QuantReg(ay, np.column_stack([ax, np.ones_like(ax)])).fit(q=0.5)),
        ("theil-sen", "scipy theilslopes, same anchors", lambda: stats.theilslopes(ty, tx)),
        ("theil-sen", "sklearn TheilSenRegressor", lambda: TheilSenRegressor(random_state=0).fit(column, y)),
        ("ransac", "sklearn RANSACRegressor", lambda: RANSACRegressor(LinearRegression(), random_state=0).fit(column, y)),
        ("lo-ransac", "sklearn RANSACRegressor", lambda: RANSACRegressor(LinearRegression(), random_state=0).fit(column, y)),
        ("median-scale", "numpy.median", lambda: np.median(y / x)),
    ]
    print(f"{len(x)} pairs, milliseconds of one core; Fathom with pairs and map, the others the fit alone")
    print(f"{'estimator':<14}{'Fathom':>8}{'target':>8}{'other':>10}{'ratio':>8}  what")
    for estimator, what, work in theirs:
        row = medians[estimator]
        other = milliseconds(work)
        target = "" if row["target_ms"] is None else f"{row['target_ms']:g}"
        ratio = other / row["median_ms"]
        print(f"{estimator:<14}{row['median_ms']:>8.2f}{target:>8}{other:>10.2f}{ratio:>7.1f}x  {what}")
    return 0
