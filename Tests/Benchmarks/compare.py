"""Runs `fathom bench` and other people's libraries on the same frame, one after the other, and shows both.

    compare.py PATH/TO/fathom

One core each. Four tables: the app's fusion beside numpy, medians; every estimator's fit, every local method and the depth
overlays, each beside what people use for it, least times. A target holds for pairs, fit and map of one frame together.
"""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import warnings
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[variable] = "1"

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "CrossCheck"))
import overlay_peers  # noqa: E402
import peers  # noqa: E402
from check_local import exported_frame  # noqa: E402

PAIRS = [  # stage here, stage in numpy, what it is
    ("spec", "spec_total", "spec: pairs, fit, map (numpy's sums are pairwise)"),
    ("ols@disparity", "ols_total", "ols: pairs, least squares by LAPACK, map"),
]
WANTED_RATIO = 10


def fusion_table(medians: dict, numpy: dict) -> None:
    print(f"{'stage':52} {'Fathom':>9} {'numpy':>9} {'ratio':>6} {'target':>7}")
    for here, there, what in PAIRS:
        row = medians[here]
        print(
            f"{what:52} {row['median_ms']:7.3f}ms {numpy[there]:7.3f}ms "
            f"{numpy[there] / row['median_ms']:5.1f}x {row['target_ms']:5.1f}ms"
        )
    running = numpy["spec_pairs"] + numpy["spec_fit_running"] + numpy["spec_apply"]
    ours = medians["spec"]["median_ms"]
    what = "spec with running sums, as its definition asks"
    print(f"{what:52} {ours:7.3f}ms {running:7.3f}ms {running / ours:5.1f}x")
    named = {here for here, _, _ in PAIRS}
    suffixes = (" all pairs", " fit alone")
    for stage, row in medians.items():
        if stage not in named and not stage.endswith(suffixes) and stage not in peers.local.MAPS and not stage.startswith("overlay"):
            print(f"{stage:52} {row['median_ms']:7.3f}ms")


def peer_table(title: str, rows: list, medians: dict, stage_of) -> None:
    """One row a peer; reasons below the table."""
    print(f"\n{title}")
    print(f"{'method':<13}{'whole':>9}{'target':>8}{'within':>7}{'fit':>9}{'peer':>10}{'ratio':>8}  peer")
    reasons = []
    for peer in rows:
        whole, fit = stage_of(peer.method)
        target = whole["target_ms"]
        other = peers.milliseconds(peer)
        ratio = other / fit["min_ms"]
        mark = ""
        if ratio < WANTED_RATIO:
            reasons.append(f"{peer.method}, {peer.name}: {peer.reason or 'no reason is known'}.")
            mark = f" [{len(reasons)}]"
        print(
            f"{peer.method:<13}{whole['median_ms']:>7.2f}ms"
            f"{'' if target is None else f'{target:g}ms':>8}"
            f"{'' if target is None else ('yes' if whole['median_ms'] <= target else 'NO'):>7}"
            f"{fit['min_ms']:>7.2f}ms{other:>8.2f}ms{ratio:>7.1f}x  {peer.name}{mark}"
        )
    for number, reason in enumerate(reasons, 1):
        print(textwrap.fill(f"[{number}] {reason}", 118, subsequent_indent="    "))


def main() -> int:
    warnings.filterwarnings("ignore")
    fathom = Path(sys.argv[1]).resolve()
    script = Path(__file__).with_name("fusion_numpy.py")
    with tempfile.TemporaryDirectory() as folder:
        command = [fathom, "bench", "--json", "--export", folder]
        ours = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        files = [f"--{name}={folder}/{file}" for name, file in [
            ("lidar", "lidar.f32"), ("confidence", "confidence.u8"), ("relative", "relative.f32")]]
        numpy = json.loads(
            subprocess.run([sys.executable, script, *files], check=True, capture_output=True).stdout
        )
        frame = exported_frame(Path(folder))
    medians = {row["stage"]: row for row in ours}
    fusion_table(medians, numpy)
    x, y = peers.pairs_of(frame)
    title = (
        f"Estimators on {len(x)} pairs. whole: pairs, fit and map, median; fit: the fit alone, least; peer: the "
        "fit alone,\nleast; ratio: peer / fit. Where Fathom chooses anchors first, the peer gets them ready."
    )
    rows = sorted(peers.estimators(x, y), key=lambda peer: list(medians).index(f"{peer.method} all pairs"))
    peer_table(title, rows, medians, lambda m: (medians[f"{m} all pairs"], medians[f"{m} fit alone"]))
    title = "Local methods, 518×392 map from 49,152 returns. fit: anchors, fit and map, least; the peer does the same."
    peer_table(title, peers.local_methods(frame), medians, lambda m: (medians[m], medians[m]))
    title = "Depth over a picture of 1920×1440, from the 256×192 map to 8-bit pixels, without encoding; least times."
    peer_table(title, overlay_peers.overlays(frame.lidar), medians, lambda m: (medians[m], medians[m]))
    if peers.cv2 is None:
        print("skipped: OpenCV is absent; install Tests/Benchmarks/requirements.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
