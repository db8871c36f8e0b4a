"""Runs `fathom bench` and the numpy benchmark on the same frame, one after the other, and shows both.

    compare.py PATH/TO/fathom

One core each; medians in milliseconds.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = [  # stage here, stage in numpy, what it is
    ("spec", "spec_total", "spec: pairs, fit, map (numpy's sums are pairwise)"),
    ("ols@disparity", "ols_total", "ols: pairs, least squares by LAPACK, map"),
]


def main() -> int:
    fathom = Path(sys.argv[1]).resolve()
    script = Path(__file__).with_name("fusion_numpy.py")
    with tempfile.TemporaryDirectory() as folder:
        ours = json.loads(
            subprocess.run(
                [fathom, "bench", "--json", "--export", folder], check=True, capture_output=True
            ).stdout
        )
        files = [f"--{name}={folder}/{file}" for name, file in [
            ("lidar", "lidar.f32"), ("confidence", "confidence.u8"), ("relative", "relative.f32")]]
        numpy = json.loads(
            subprocess.run([sys.executable, script, *files], check=True, capture_output=True).stdout
        )
    medians = {row["stage"]: row for row in ours}
    print(f"{'stage':52} {'Fathom':>9} {'numpy':>9} {'ratio':>6} {'target':>7}")
    for here, there, what in PAIRS:
        row = medians[here]
        print(
            f"{what:52} {row['median_ms']:7.3f}ms {numpy[there]:7.3f}ms "
            f"{numpy[there] / row['median_ms']:5.1f}x {row['target_ms']:5.1f}ms"
        )
    print(f"{'spec with running sums, as its definition asks':52} {medians['spec']['median_ms']:7.3f}ms "
          f"{numpy['spec_pairs'] + numpy['spec_fit_running'] + numpy['spec_apply']:7.3f}ms")
    for row in ours:
        if row["stage"] not in {here for here, _, _ in PAIRS}:
            print(f"{row['stage']:52} {row['median_ms']:7.3f}ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
