"""Self-test of the reference: hand-computed cases and known facts about real data.

Runs with `pytest` or as a script. Tests on real data need `$FATHOM_REAL_DATA` (or
`../shared/data` beside the checkout) and are skipped with a message without it.
"""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path

import numpy as np
from scipy import optimize

import depth_reference as reference
import extended_reference as extended
from depth_reference import F32, Frame


class Skipped(Exception):
    """A test that cannot run here, and why."""


def skip(reason: str) -> None:
    if "pytest" in sys.modules:
        sys.modules["pytest"].skip(reason)
    raise Skipped(reason)


def real_data(name: str) -> Path:
    beside = Path(__file__).resolve().parents[3] / "shared/data"
    path = Path(os.environ.get("FATHOM_REAL_DATA", beside)) / name
    if not path.exists():
        skip(f"{path} is absent")
    return path


def close(a: float, b: float, tolerance: float = 1e-12) -> bool:
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


# --- Float32 ------------------------------------------------------------------------------------


def test_cumsum_is_a_running_float32_sum():
    values = np.random.default_rng(1).uniform(0, 10, 50_000).astype(F32)
    total = F32(0)
    for value in values:
        total = total + value
    assert total.dtype == F32
    assert reference.sequential_sum(values) == total
    assert float(total) != math.fsum(values)  # and it does lose digits


def scalar_spec(frame: Frame) -> tuple[int, np.float32, np.float32]:
    """The app's loop, one scalar operation at a time."""
    lidar, relative = frame.lidar, frame.relative
    (h, w), (rh, rw) = lidar.shape, relative.shape
    one, pairs = F32(1), []
    for ly in range(h):
        for lx in range(w):
            d = lidar[ly, lx]
            if not (frame.confidence[ly, lx] >= 2 and F32(0.1) < d < F32(4) and np.isfinite(d)):
                continue
            x = F32(lx) / F32(w - 1) * F32(rw - 1)
            y = F32(ly) / F32(h - 1) * F32(rh - 1)
            x0, y0 = int(x), int(y)
            x1, y1 = min(x0 + 1, rw - 1), min(y0 + 1, rh - 1)
            fx, fy = x - F32(x0), y - F32(y0)
            v = relative
            r = (
                v[y0, x0] * (one - fx) * (one - fy)
                + v[y0, x1] * fx * (one - fy)
                + v[y1, x0] * (one - fx) * fy
                + v[y1, x1] * fx * fy
            )
            if np.isfinite(r) and r > 0:
                pairs.append((r, d))
    sum_x = sum_y = sum_xy = sum_x2 = F32(0)
    for r, d in pairs:
        sum_x, sum_y = sum_x + r, sum_y + d
        sum_xy, sum_x2 = sum_xy + r * d, sum_x2 + r * r
    n = F32(len(pairs))
    denominator = n * sum_x2 - sum_x * sum_x
    scale = (n * sum_xy - sum_x * sum_y) / denominator
    return len(pairs), scale, (sum_y * sum_x2 - sum_x * sum_xy) / denominator


def small_frame(slope: float = 2.0, seed: int = 3) -> Frame:
    """24 × 18 LiDAR and 37 × 29 relative map with depth = slope * r + 0.5 and a few faults."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[0:29, 0:37]
    relative = (0.2 + 0.4 * (x + 0.5) / 37 + 0.3 * (y + 0.5) / 29).astype(F32)
    lidar = reference.sample_at_centres(relative, (18, 24)) * slope + 0.5
    lidar = (lidar + random.normal(0, 0.01, lidar.shape)).astype(F32)
    lidar[3, 4], lidar[5, 6], lidar[7, 8] = np.nan, 0, np.inf
    confidence = random.choice(np.array([0, 1, 2], dtype=np.uint8), lidar.shape, p=[0.1, 0.2, 0.7])
    return Frame(lidar, confidence, relative, truth=None)


def test_spec_equals_the_scalar_loop_bit_by_bit():
    frame = small_frame()
    frame.relative[10, 11] = np.nan
    fusion = reference.spec(frame)
    pairs, scale, shift = scalar_spec(frame)
    assert (fusion.status, fusion.pairs) == ("ok", pairs)
    assert (F32(fusion.scale), F32(fusion.shift)) == (scale, shift)
    assert fusion.depth_map.dtype == F32
    assert fusion.depth_map[10, 11] == F32(0.01)  # a non-finite relative value


def test_spec_guards():
    assert reference.spec(Frame(np.ones((4, 4), F32))).status == "no_relative"
    few = Frame(np.ones((4, 4), F32), relative=np.ones((4, 4), F32))
    assert (reference.spec(few).status, reference.spec(few).pairs) == ("too_few_pairs", 16)
    flat = Frame(np.full((8, 8), 2, F32), relative=np.full((8, 8), 0.5, F32))
    fusion = reference.spec(flat)  # denominator 64 * 16 - 32 * 32 = 0: scale 1, shift 0
    assert (fusion.status, fusion.scale, fusion.shift) == ("ok", 1.0, 0.0)
    assert np.all(fusion.depth_map == F32(0.5))
    negative = small_frame()
    negative.lidar = F32(4) - negative.lidar
    assert reference.spec(negative).status == "rejected_scale"
    assert reference.shipped(negative).status == "ok"
    assert reference.shipped(flat).status == "too_few_pairs"  # no confidence map: nothing passes
    flat.confidence = np.full((8, 8), 2, np.uint8)
    assert reference.shipped(flat).status == "degenerate"


def test_range_bounds_are_exclusive_in_spec_and_inclusive_in_shipped():
    relative = np.linspace(0.1, 1, 64, dtype=F32).reshape(8, 8)
    lidar = np.linspace(1, 3, 64, dtype=F32).reshape(8, 8)
    lidar[0, :3] = [F32(0.1), F32(4), F32(2)]
    frame = Frame(lidar, np.full((8, 8), 2, np.uint8), relative)
    assert reference.spec(frame).pairs == 62
    assert reference.shipped(frame).pairs == 64
    assert reference.fuse(frame, "ols@depth").pairs == 62


# --- Sampling -----------------------------------------------------------------------------------


def test_sampling_at_pixel_centres():
    row = np.array([[1.0, 3.0]])
    # Four pixels over two: centres at 0.25 … 1.75 of the source minus ½, edges clamped.
    assert np.allclose(reference.sample_at_centres(row, (1, 4)), [[1, 1.5, 2.5, 3]], atol=0)
    assert np.array_equal(reference.sample_at_centres(np.arange(6.0)[None], (1, 2)), [[1, 4]])


def test_missing_neighbours_count_only_with_weight():
    row = np.array([[1.0, np.nan, 3.0]])
    same = reference.sample_at_centres(row, (1, 3))
    assert same[0, 0] == 1 and np.isnan(same[0, 1]) and same[0, 2] == 3
    # Nine pixels over three: every middle one falls on a source centre exactly.
    nine = reference.sample_at_centres(row, (1, 9))
    assert np.isfinite(nine[0]).tolist() == [True] * 2 + [False] * 5 + [True] * 2


def test_nearest():
    row = np.array([[5.0, 6.0, 7.0]])
    assert reference.sample_nearest(row, (1, 6))[0].tolist() == [5, 5, 6, 6, 7, 7]
    assert reference.sample_nearest(row, (1, 2))[0].tolist() == [5, 7]


# --- Fits ---------------------------------------------------------------------------------------


def test_line_by_hand():
    line = reference.fit_line(np.array([0.0, 1, 2]), np.array([1.0, 2, 6]))
    assert close(line.slope, 2.5) and close(line.intercept, 0.5) and line.rank == 2
    weighted = reference.fit_line(
        np.array([0.0, 1, 2]), np.array([1.0, 3, 99]), np.array([1.0, 0.05, 0])
    )
    assert close(weighted.slope, 2) and close(weighted.intercept, 1)


def test_huber_minimises_hubers_loss_at_its_own_scale():
    random = np.random.default_rng(5)
    x = random.uniform(0, 1, 200)
    y = 3 * x + 1 + random.normal(0, 0.02, 200)
    y[::10] += 5
    line = reference.fit_huber(x, y)
    threshold = reference.HUBER_TUNING * line.sigma

    def residuals(p: np.ndarray) -> np.ndarray:
        return p[0] * x + p[1] - y

    best = optimize.least_squares(
        residuals, [3, 1], loss="huber", f_scale=threshold, xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    assert np.allclose(best.x, [line.slope, line.intercept], rtol=1e-6)
    size = np.abs(residuals(np.array([line.slope, line.intercept])))
    assert close(line.sigma, 1.4826 * np.median(size), 1e-8)


def test_forms_recover_their_own_law():
    truth = {"depth": (2.0, 0.4), "disparity": (0.7, 0.1), "log": (-0.8, 0.3)}
    frame = small_frame()
    frame.confidence[:] = 2
    r = reference.sample_at_centres(frame.relative, frame.lidar.shape)
    for form, (scale, shift) in truth.items():
        law = {
            "depth": scale * r + shift,
            "disparity": 1 / (scale * r + shift),
            "log": np.exp(scale * np.log(r) + shift),
        }
        frame.lidar = law[form].astype(F32)
        for method in ("ols", "wls", "huber"):
            fusion = reference.fuse(frame, f"{method}@{form}")
            assert close(fusion.scale, scale, 1e-5) and close(fusion.shift, shift, 1e-5)


def test_applying_a_form():
    r = np.array([[0.0, 1, -1, np.nan, np.inf, 1e9]], F32)
    depth = reference.apply_form("disparity", r, 0.5, 0.25)[0]
    assert depth[0] == 4 and depth[1] == F32(1 / 0.75) and depth[2] == 100
    assert np.isnan(depth[3]) and np.isnan(depth[4]) and depth[5] == F32(0.01)
    log = reference.apply_form("log", r, 1, 0)[0]
    assert np.isnan(log[0]) and log[1] == 1 and np.isnan(log[2]) and log[5] == 100
    assert reference.apply_form("depth", r, 1, 0)[0].tolist()[:3] == [F32(0.01), 1, F32(0.01)]


def test_degenerate():
    flat = Frame(np.full((8, 8), 2, F32), relative=np.full((8, 8), 0.5, F32))
    for form in reference.FORMS:
        assert reference.fuse(flat, f"ols@{form}").status == "degenerate"
    flat.relative[:] = 1  # ln 1 = 0: no largest |x| to divide by
    assert reference.fuse(flat, "ols@log").status == "degenerate"


# --- Metrics ------------------------------------------------------------------------------------


def test_metrics_by_hand():
    g = np.array([1.0, 2, 4, 2])
    d = np.array([1.2, 2, 2, np.nan])
    m = reference.pixel_metrics(d, g)
    logs = np.array([math.log(1.2), 0, math.log(0.5)])
    expected = {
        "coverage": 0.75,
        "abs_rel": (0.2 + 0 + 0.5) / 3,
        "sq_rel_m": (0.04 + 0 + 1) / 3,
        "rmse_m": math.sqrt((0.04 + 4) / 3),
        "mae_m": 2.2 / 3,
        "bias_m": -1.8 / 3,
        "median_ae_m": 0.2,
        "p90_ae_m": 0.2 + 0.8 * 1.8,  # position 0.9 * 2 = 1.8 between the order statistics
        "p95_ae_m": 0.2 + 0.9 * 1.8,
        "rmse_log": math.sqrt((logs**2).sum() / 3),
        "log10": np.abs(logs).sum() / math.log(10) / 3,
        "silog": 100 * math.sqrt((logs**2).mean() - logs.mean() ** 2),
        "delta_0_5": 0.25,
        "delta_1": 0.5,
        "delta_2": 0.5,
        "delta_3": 0.5,
        "irmse_per_m": math.sqrt(((1 / 1.2 - 1) ** 2 + 0.25**2) / 3),
    }
    assert m.keys() == expected.keys()
    for name, value in expected.items():
        assert close(m[name], value), (name, m[name], value)


def test_delta_is_strict_and_missing_counts_as_a_miss():
    m = reference.pixel_metrics(np.array([1.25, 1.0, -1.0, np.inf]), np.ones(4))
    assert (m["delta_1"], m["delta_2"], m["coverage"]) == (0.25, 0.5, 0.5)


def test_no_value_is_never_zero():
    nothing = reference.pixel_metrics(np.array([np.nan]), np.array([1.0]))
    assert nothing.pop("coverage") == 0 and all(v is None for v in nothing.values())
    assert all(v is None for v in reference.pixel_metrics(np.empty(0), np.empty(0)).values())


def test_supports():
    g, d = np.array([1.0, 2.0]), np.array([1.1, np.nan])
    row = reference.all_metrics(d, g, np.array([True, False]))
    assert close(row["abs_rel_measured"], 0.1) and row["delta_1_measured"] == 1
    assert row["abs_rel_filled"] is None and row["delta_1_filled"] is None


def test_truth_range_and_statuses():
    truth = np.array([[0, 0.05, 0.1, 0.5, 10, 10.5, np.nan, np.inf, -1]], F32)
    assert reference.in_truth_range(truth)[0].tolist() == [False] * 3 + [True] * 2 + [False] * 4
    frame = small_frame()
    rows = reference.evaluate(frame, ["lidar-bilinear", "spec", "ols@depth"])
    assert [row["status"] for row in rows.values()] == ["no_truth"] * 3
    assert rows["ols@depth"]["scale"] is not None and rows["lidar-bilinear"]["pairs"] is None
    frame.truth = np.zeros((5, 5), F32)
    assert reference.evaluate(frame, ["spec"])["spec"]["status"] == "no_truth"


# --- Real data ----------------------------------------------------------------------------------


def test_office_desk_is_affine_in_disparity():
    frame = reference.read_frame(real_data("real-indoor.h5"), "office-desk", 0)
    row = reference.evaluate(frame, ["ols@disparity"])["ols@disparity"]
    assert abs(row["scale"] - 0.0474) < 1e-4
    assert abs(row["shift"] - 0.279) < 5e-4
    assert abs(row["abs_rel"] - 0.024) < 5e-4


def test_spec_rejects_every_real_frame():
    path = real_data("real-indoor.h5")
    frames = [f for scene in reference.scene_names(path) for f in reference.read_frames(path, scene)]
    assert len(frames) == 26
    for frame in frames:
        fusion = reference.spec(frame)
        assert fusion.status == "rejected_scale" and fusion.scale < 0, (frame.scene, frame.label)


def test_iphone_frames_have_no_relative_map():
    path = real_data("iphone-stray.h5")
    rows = reference.evaluate(reference.read_frame(path, "room-reference", 0))
    assert rows["spec"]["status"] == "no_relative" and rows["lidar-bilinear"]["status"] == "ok"


def test_extended_by_hand():
    """Four truth pixels, one without a prediction: ratios 1.02, 1.04 and 2."""
    truth = np.array([[1.0, 2.0, 4.0, 3.0]])
    predicted = np.array([[1.02, 2.08, 2.0, 0.0]])
    camera, baseline = (10.0, 10.0, 2.0, 0.5), 0.4
    found = extended.metrics(predicted, truth, truth > 0, camera, baseline)
    assert found["delta_103"] == 0.25 and found["delta_105"] == 0.5
    inverse = (1 - 1 / 1.02) + (0.5 - 1 / 2.08) + 0.25
    assert close(found["imae_per_km"], 1000 * inverse / 3)
    # Medians 2 and 2.
    assert found["scale_error"] == 0
    # f·B = 4: true disparities 4, 2, 1 and found 3.92, 1.92, 2.
    assert close(found["epe_px"], 4 * inverse / 3)
    assert found["bad_1"] == 0.25 and found["d1_all"] == 0.25
    assert found["normal_mean_deg"] is None


def test_extended_normals_of_planes():
    """Central differences are exact on planes, so that the angle is that of their normals."""
    camera = (20.0, 21.0, 8.0, 6.5)
    u, v = (np.arange(16)[None, :] + 0.5 - 8) / 20, (np.arange(13)[:, None] + 0.5 - 6.5) / 21
    a, b = np.array([0.2, -0.1, 0.9]), np.array([-0.1, 0.3, 1.0])
    depths = [2 / (n[0] * u + n[1] * v + n[2]) for n in (a, b)]
    found = extended.metrics(depths[0], depths[1], depths[1] > 0, camera)
    angle = math.degrees(math.acos(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))
    assert close(found["normal_mean_deg"], angle, 1e-9) and close(found["normal_median_deg"], angle, 1e-9)
    assert found["normal_30"] == (1.0 if angle < 30 else 0.0)
    assert found["epe_px"] is None


def main() -> int:
    failures = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            print(f"passed   {name}")
        except Skipped as reason:
            print(f"skipped  {name}: {reason}")
        except AssertionError as error:
            failures += 1
            print(f"FAILED   {name}: {error!r} (line {error.__traceback__.tb_next.tb_lineno})")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
