"""Protocol presets against the flow of the published evaluation codes, on random predictions.

    check_published_protocols.py FATHOM          FATHOM is the command

check_protocols.py recomputes every preset by its stated rules. This one has no rules: each function below goes through a
published code's own steps in its own order (written anew, in the codes' 32 bits), and the table of `--protocol NAME` must print what that code
prints. Truth and predictions are random, so that nothing smooth hides a pixel that is taken too much or too little; predictions are complete, because
codes give a missing one a limit, and Fathom leaves it missing. Each protocol is asked twice: of a data set, and of folders laid out as the public ones
are: NYU's `sync_depth_*.png` in millimetres, KITTI's drives in 1/256 m, arrays in a folder of its own.
"""

import pathlib
import subprocess
import sys
import tempfile

import cv2
import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import run_tables  # noqa: E402

# The codes work in 32 bits; alignments lose a few digits more.
TOLERANCE, ALIGNED_TOLERANCE = 2e-6, 2e-5
NYU, KITTI, NETWORK, SMALL = (480, 640), (375, 1242), (128, 416), (64, 64)
FRAMES = 3
# Metres of a count of the truth as the public folders have it.
UNITS = {NYU: 0.001, KITTI: 1 / 256}


def errors(gt, pred):
    """cleinc/bts 094fe24, pytorch/bts_eval.py, compute_errors; monodepth's has the same terms but for silog and log10."""
    ratio = np.maximum(gt / pred, pred / gt)
    logs = np.log(pred) - np.log(gt)
    return {
        "abs_rel": np.mean(np.abs(gt - pred) / gt), "sq_rel_m": np.mean((gt - pred) ** 2 / gt),
        "rmse_m": np.sqrt(np.mean((gt - pred) ** 2)), "rmse_log": np.sqrt(np.mean(logs**2)),
        "silog": np.sqrt(np.mean(logs**2) - np.mean(logs) ** 2) * 100,
        "log10": np.mean(np.abs(np.log10(pred) - np.log10(gt))),
        **{f"delta_{k}": np.mean(ratio < 1.25**k) for k in (1, 2, 3)},
    }  # fmt: skip


def bts_nyu(gt, pred, _):
    """cleinc/bts 094fe24, pytorch/bts_eval.py, eval: --dataset nyu --eigen_crop --max_depth_eval 10."""
    pred = pred.copy()
    pred[pred < 1e-3] = 1e-3
    pred[pred > 10] = 10
    crop = np.zeros(gt.shape)
    crop[45:471, 41:601] = 1
    valid = np.logical_and(np.logical_and(gt > 1e-3, gt < 10), crop)
    return errors(gt[valid], pred[valid])


def monodepth(shares):
    """mrharicot/monodepth a7cdbef, utils/evaluate_kitti.py, split eigen: disparity is resized, depth is its inverse."""

    def score(gt, _, disparity):
        height, width = gt.shape
        with np.errstate(divide="ignore"):
            pred = 1 / cv2.resize(disparity, (width, height), interpolation=cv2.INTER_LINEAR)
        pred[np.isinf(pred)] = 0
        pred[pred < 1e-3] = 1e-3
        pred[pred > 80] = 80
        mask = np.logical_and(gt > 1e-3, gt < 80)
        top, bottom, left, right = (np.array(shares) * [height, height, width, width]).astype(np.int32)
        crop = np.zeros(gt.shape)
        crop[top:bottom, left:right] = 1
        mask = np.logical_and(mask, crop)
        found = errors(gt[mask], pred[mask])
        return {key: value for key, value in found.items() if key not in ("silog", "log10")}

    return score


def marigold(crops):
    """prs-eth/Marigold b1dffaa, script/depth/eval.py with --alignment least_square; 205ae36, src/util/metric.py; the crop is that of
    config/dataset_depth/data_nyu_test.yaml."""

    def score(gt, pred, _):
        valid = np.logical_and(gt > 1e-3, gt < 10)
        if crops:
            crop = np.zeros(gt.shape, bool)
            crop[45:471, 41:601] = True
            valid &= crop
        design = np.stack([pred[valid], np.ones_like(pred[valid])], -1)
        scale, shift = np.linalg.lstsq(design, gt[valid], rcond=None)[0]
        aligned = np.clip(np.clip(pred * scale + shift, 1e-3, 10), 1e-6, None)
        return errors(gt[valid], aligned[valid])

    return score


def moge(gt, _, disparity):
    """microsoft/MoGe 637e23e, moge/test/metrics.py, disparity_affine_invariant of a metric map: its inverse."""
    mask = gt > 0
    design = np.stack([disparity[mask], np.ones_like(disparity[mask])], -1)
    scale, shift = np.linalg.lstsq(design, 1 / gt[mask], rcond=None)[0]
    pred = 1 / np.maximum(disparity * scale + shift, 1 / gt[mask].max())
    ratio = np.maximum(gt[mask] / pred[mask], pred[mask] / gt[mask])
    return {"abs_rel": np.mean(np.abs(pred[mask] - gt[mask]) / (gt[mask] + 1e-6)), "delta_1": np.mean(ratio < 1.25)}


def monodepth2(gt, _, disparity):
    """nianticlabs/monodepth2 77f1410, evaluate_depth.py, evaluate: --eval_mono --eval_split eigen."""
    height, width = gt.shape
    pred = 1 / cv2.resize(disparity, (width, height))
    mask = np.logical_and(gt > 1e-3, gt < 80)
    crop = np.array([0.40810811 * height, 0.99189189 * height, 0.03594771 * width, 0.96405229 * width]).astype(np.int32)
    inside = np.zeros(mask.shape)
    inside[crop[0] : crop[1], crop[2] : crop[3]] = 1
    mask = np.logical_and(mask, inside)
    pred, gt = pred[mask], gt[mask]
    pred = pred * (np.median(gt) / np.median(pred))
    pred[pred < 1e-3] = 1e-3
    pred[pred > 80] = 80
    found = errors(gt, pred)
    return {key: value for key, value in found.items() if key not in ("silog", "log10")}


def marigold_disparity(gt, _, disparity):
    """prs-eth/Marigold b1dffaa, script/depth/eval.py with --alignment least_square_disparity."""
    valid = np.logical_and(gt > 1e-3, gt < 10)
    used = valid & (gt > 0) & (disparity > 0)
    design = np.stack([disparity[used], np.ones_like(disparity[used])], -1)
    scale, shift = np.linalg.lstsq(design, 1 / gt[used], rcond=None)[0]
    pred = 1 / np.clip(disparity * scale + shift, 1e-3, None)
    pred = np.clip(np.clip(pred, 1e-3, 10), 1e-6, None)
    return errors(gt[valid], pred[valid])


def depthcrafter(gts, _, disparities):
    """Tencent/DepthCrafter cc2de22, benchmark/eval/eval.py, eval_single: domain depth, a whole sequence at once."""
    gt, disparity = np.stack(gts), np.clip(np.stack(disparities), 1e-3, None)
    valid = np.logical_and(gt > 1e-3, gt < 70)
    design = np.concatenate([disparity[valid].reshape(-1, 1), np.ones((valid.sum(), 1), "f4")], -1)
    scale, shift = np.linalg.lstsq(design, 1.0 / (gt[valid].astype(np.float64) + 1e-8), rcond=None)[0]
    pred = np.clip(1 / np.clip(scale * disparity + shift, 1e-3, None), 1e-3, 70)
    frames = [errors(g[v], p[v]) for g, p, v in zip(gt, pred, valid, strict=True) if v.any()]
    return {metric: np.mean([frame[metric] for frame in frames]) for metric in ("abs_rel", "rmse_m", "delta_1")}


def diode(gt, pred, _):
    """diode-dataset/diode-devkit 8b1765b, metrics.py, errors."""
    valid = gt > 0
    found = errors(gt[valid], pred[valid])
    return {"mae_m": np.mean(np.abs(pred[valid] - gt[valid])), **{key: found[key] for key in ("rmse_m", "abs_rel", "log10", "delta_1", "delta_2", "delta_3")}}


def weighted_median_ratio(x, y, w):
    """microsoft/MoGe 0744441, moge/utils/alignment.py, align without truncation: for each row the scale of least Σ w|ax − y|, and that sum."""
    sign = np.sign(x)
    x, y = x * sign, y * sign
    ratio = y / np.maximum(x, 1e-7)
    order = np.argsort(ratio, -1)
    weights = np.take_along_axis(x * w, order, -1)
    slopes = 2 * np.cumsum(weights, -1) - weights.sum(-1, keepdims=True)
    place = np.argmax(slopes >= 0, -1)[..., None]
    scale = np.take_along_axis(np.take_along_axis(ratio, order, -1), place, -1)
    return scale[..., 0], np.sum(w * np.abs(scale * x - y), -1)


def moge_depth(has_shift):
    """microsoft/MoGe 0744441, moge/test/metrics.py, depth_scale_invariant and depth_affine_invariant of maps of 64×64, all of whose
    pixels enter the fit; align_depth_affine tries a line through every pixel."""

    def score(gt, pred, _):
        mask = gt > 0
        g, d = gt[mask].astype("f8"), pred[mask].astype("f8")
        if has_shift:
            found = [weighted_median_ratio((d - d[i])[None], (g - g[i])[None], (1 / g)[None]) for i in range(len(g))]
            anchor = np.argmin([loss[0] for _, loss in found])
            scale = found[anchor][0][0]
            aligned = scale * d + g[anchor] - scale * d[anchor]
        else:
            aligned = weighted_median_ratio(d[None], g[None], (1 / g)[None])[0] * d
        ratio = np.maximum(g / aligned, aligned / g)
        return {"abs_rel": np.mean(np.abs(aligned - g) / (g + 1e-6)), "delta_1": np.mean(ratio < 1.25)}

    return score


def depth_anything(gt, pred, _):
    """DepthAnything/Depth-Anything-V2 a561b84, metric_depth/train.py and util/metric.py, --max-depth 20; its silog has half of the second term."""
    valid = (gt >= 1e-3) & (gt <= 20)
    found = errors(gt[valid], pred[valid])
    return {key: value for key, value in found.items() if key != "silog"}


def zoedepth(low, high, crop):
    """isl-org/ZoeDepth d87f17b, zoedepth/utils/misc.py, compute_metrics, with the numbers of zoedepth/utils/config.py; predictions of the truth's size."""

    def score(gt, pred, _):
        pred = np.clip(pred, low, high)
        height, width = gt.shape
        inside = np.zeros(gt.shape, bool)
        if crop == "garg":
            inside[int(0.40810811 * height) : int(0.99189189 * height), int(0.03594771 * width) : int(0.96405229 * width)] = True
        else:
            inside[45:471, 41:601] = True
        valid = (gt > low) & (gt < high) & inside
        return errors(gt[valid], pred[valid])

    return score


def packnet(gt, pred, _):
    """TRI-ML/packnet-sfm de53b31, packnet_sfm/utils/depth.py, compute_depth_metrics without use_gt_scale, configs/eval_ddad.yaml."""
    valid = (gt > 0) & (gt < 200)
    found = errors(gt[valid], np.clip(pred[valid], 0, 200))
    return {key: value for key, value in found.items() if key not in ("silog", "log10")}


def marigold_on(low, high, least, most, crop=None):
    """prs-eth/Marigold b1dffaa, script/depth/eval.py with --alignment least_square, and the limits of a file in src/dataset; without
    --alignment_max_res."""

    def score(gt, pred, _):
        valid = (gt > low) & (gt < high)
        if crop:
            height, width = gt.shape
            inside = np.zeros(gt.shape, bool)
            inside[int(crop[0] * height) : int(crop[1] * height), int(crop[2] * width) : int(crop[3] * width)] = True
            valid &= inside
        design = np.stack([pred[valid], np.ones_like(pred[valid])], -1)
        scale, shift = np.linalg.lstsq(design, gt[valid], rcond=None)[0]
        aligned = np.clip(np.clip(pred * scale + shift, least, most), 1e-6, None)
        return errors(gt[valid], aligned[valid])

    return score


def ultralytics(align):
    """yang-yang-o-o/ultralytics dcd6564, ultralytics/utils/metrics.py, DepthMetrics.update_stats; no prediction is below 1 mm, and counts are
    odd, so that torch.median has one middle."""

    def score(gt, pred, _):
        valid = (gt > 1e-3) & (gt < 100)
        g, d = gt[valid], pred[valid]
        if align == "median":
            d = d * (np.sort(g)[(g.size - 1) // 2] / np.sort(d)[(d.size - 1) // 2])
        else:
            logs = np.log(d)
            slope, shift = np.linalg.lstsq(np.stack([logs, np.ones_like(logs)], 1), np.log(g), rcond=None)[0]
            d = np.exp(slope * logs + shift)
        found = errors(g, np.clip(d, 1e-3, 100))
        return {key: found[key] for key in ("delta_1", "delta_2", "delta_3", "abs_rel", "rmse_m", "silog")}

    return score


def arkitscenes(gt, pred, _):
    """apple/ARKitScenes 42a27f7, depth_upsampling/logs/eval.py, compute_errors, of maps of the truth's size."""
    valid = gt > 0.01
    size = np.abs((gt - pred) * valid)
    count = np.count_nonzero(valid)
    return {"mae_m": size.sum() / count, "rmse_m": np.sqrt((size**2).sum() / count)}


def fathom_itself(gt, pred, _):
    """The default, docs/protocols.md: no code was published, its truth is 0.1 < g <= 10."""
    valid = (gt > 0.1) & (gt <= 10)
    return errors(gt[valid], pred[valid])


# Preset: published flow, data set, tolerance.
PUBLISHED = {
    "fathom": (fathom_itself, "nyu", TOLERANCE),
    "nyu-eigen": (bts_nyu, "nyu", TOLERANCE),
    "marigold": (marigold(False), "nyu", ALIGNED_TOLERANCE),
    "marigold-nyu": (marigold(True), "nyu", ALIGNED_TOLERANCE),
    "moge-disparity": (moge, "nyu", ALIGNED_TOLERANCE),
    "marigold-disparity": (marigold_disparity, "nyu", ALIGNED_TOLERANCE),
    "depthcrafter": (depthcrafter, "nyu", ALIGNED_TOLERANCE),
    "monodepth2": (monodepth2, "kitti", ALIGNED_TOLERANCE),
    "arkitscenes": (arkitscenes, "nyu", TOLERANCE),
    "kitti-eigen": (monodepth((0.3324324, 0.91351351, 0.0359477, 0.96405229)), "kitti", TOLERANCE),
    "kitti-garg": (monodepth((0.40810811, 0.99189189, 0.03594771, 0.96405229)), "kitti", TOLERANCE),
    "diode": (diode, "nyu", TOLERANCE),
    "moge-scale": (moge_depth(False), "small", ALIGNED_TOLERANCE),
    "moge-affine": (moge_depth(True), "small", ALIGNED_TOLERANCE),
    "depth-anything-v2": (depth_anything, "nyu", TOLERANCE),
    "zoedepth-outdoor": (zoedepth(1e-3, 80, "garg"), "nyu", TOLERANCE),
    "ibims-1": (zoedepth(0, 10, "nyu"), "nyu", TOLERANCE),
    "ddad": (packnet, "nyu", TOLERANCE),
    "marigold-kitti": (marigold_on(1e-5, 80, 1e-5, 80, (0.3324324, 0.91351351, 0.0359477, 0.96405229)), "nyu", ALIGNED_TOLERANCE),
    "marigold-eth3d": (marigold_on(1e-5, np.inf, 1e-5, np.inf), "nyu", ALIGNED_TOLERANCE),
    "marigold-diode": (marigold_on(0, np.inf, 0.6, 350), "nyu", ALIGNED_TOLERANCE),
    "ultralytics": (ultralytics("median"), "small", ALIGNED_TOLERANCE),
    "ultralytics-log": (ultralytics("log"), "small", ALIGNED_TOLERANCE),
}


def make_data(path, rng, truth_size, size, far):
    """One scene; the maps by frame. Metric predictions leave every range, truth has holes and depths at and beyond the limits."""
    truth = np.exp(rng.uniform(np.log(0.3), np.log(far), (FRAMES, *truth_size))).astype("f4")
    truth[:, ::7, ::5] = far / 1.5
    truth[rng.random(truth.shape) < 0.2] = np.nan
    unit = UNITS.get(truth_size)
    if unit:
        counts = np.round(truth.astype("f8") / unit)
        # A limit of 10 m is 1.25², 1.25³ times these millimetres, but for the last bit of 32.
        truth = ((counts + np.isin(counts, (5120, 6400))) * unit).astype("f4")
    for frame in truth if truth_size == SMALL else ():
        if np.count_nonzero(frame > 0) % 2 == 0:  # an odd count has one middle
            frame.flat[np.flatnonzero(frame > 0)[0]] = np.nan
    metric = np.exp(rng.uniform(np.log(0.2), np.log(1.5 * far), (FRAMES, *size)))
    if size == truth_size:
        # Correlated with the truth, so that an alignment has a slope.
        metric = np.sqrt(metric * np.nan_to_num(truth, nan=1))
    metric = metric.astype("f4")
    metric[:, 100:104] = 5e-4
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        group = file.create_group("scenes/random")
        lidar = rng.uniform(1, 3, (FRAMES, 24, 32))
        # Its raster is that of the metric maps, because that is where `arkitscenes` compares.
        relative = (1 / metric).astype("f4")
        for name, values, attributes in (
            ("lidar/depth", lidar, {"units": "m"}), ("relative/values", relative, {"kind": "disparity"}),
            ("truth/depth", truth, {"units": "m", "independence": "independent"}),
            ("predictions/metric/depth", metric, {"kind": "metric"}),
        ):  # fmt: skip
            dataset = group.create_dataset(name, data=values.astype("f4"), compression="gzip")
            for key, value in attributes.items():
                dataset.attrs[key] = value
    maps = [(np.nan_to_num(t), m, d) for t, m, d in zip(truth, metric, relative, strict=True)]
    write_folders(path.with_suffix(""), maps, unit)
    return maps


# Where a public folder has the truth of a scene, by its unit, and how names begin.
PLACES = {
    UNITS[NYU]: ("kitchen", "sync_depth_"),
    UNITS[KITTI]: ("2011_09_26_drive_0002_sync/proj_depth/groundtruth/image_02", "00000"),
    None: ("scene", ""),
}


def write_folders(folder, maps, unit):
    """The same maps, as a public data set's folder of truth and a network's folder of predictions: one scene, a file a frame."""
    below, beginning = PLACES[unit]
    for part in ("truth", "net"):
        (folder / part / below).mkdir(parents=True)
    for number, (truth, metric, _) in enumerate(maps):
        place = folder / "truth" / below / f"{beginning}{number:05}"
        if unit:
            cv2.imwrite(f"{place}.png", np.round(truth.astype("f8") / unit).astype("u2"))
        else:
            np.save(f"{place}.npy", truth)
        np.save(folder / "net" / below / f"{beginning.replace('sync_depth_', '')}{number:05}.npy", metric)


def main(fathom):
    rng, faults, numbers, worst = np.random.default_rng(23), [], 0, 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = {
            "nyu": make_data(folder / "nyu.h5", rng, NYU, NYU, 15), "kitti": make_data(folder / "kitti.h5", rng, KITTI, NETWORK, 120),
            "small": make_data(folder / "small.h5", rng, SMALL, SMALL, 15),
        }  # fmt: skip
        units = {"nyu": UNITS[NYU], "kitti": UNITS[KITTI]}

        def evaluate(name, *options):
            subprocess.run(
                [fathom, "evaluate", *options, "--protocol", name, "--output", folder / "run", "--overwrite", "--no-gallery", "--quiet"],
                check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            return run_tables.rows(folder / "run", "summary.csv")

        def compare(what, row, wanted, tolerance):
            nonlocal numbers, worst
            for metric, value in wanted.items():
                numbers += 1
                deviation = abs(float(row[metric] or "nan") - value) / abs(value)
                worst = max(worst, deviation)
                if not deviation <= tolerance:
                    faults.append(f"{what} {metric}: {row[metric]}, the published code gives {value}")

        for name, (flow, source, tolerance) in PUBLISHED.items():
            frames = [flow(*zip(*data[source], strict=True))] if flow is depthcrafter else [flow(*maps) for maps in data[source]]
            wanted = {metric: float(np.mean([frame[metric] for frame in frames])) for metric in frames[0]}
            rows = evaluate(name, folder / f"{source}.h5", "--methods", "lidar-bilinear,stored:metric", "--no-objects")
            compare(f"{name} of a data set", next(r for r in rows if r["method"] == "stored:metric"), wanted, tolerance)
            scale = ["--truth-scale", str(units[source])] if source in units else []
            network = f"net:metric={folder / source / 'net'}"
            rows = evaluate(name, "--prediction", network, "--truth", folder / source / "truth", "--scene-by", "folder", *scale)
            compare(f"{name} of folders", next(r for r in rows if r["method"] == "stored:net"), wanted, tolerance)
        evaluate("fathom", folder / "small.h5", "--methods", "lidar-bilinear", "--no-objects", "--protocol-diff")
        untried = {row["protocol"] for row in run_tables.rows(folder / "run", "protocols.csv")} - set(PUBLISHED)
        faults += [f"{name} is not tried" for name in sorted(untried)]
    print(f"published codes: {numbers} numbers of {len(PUBLISHED)} presets, worst relative deviation {worst:.1e}, {len(faults)} faults")
    for fault in faults:
        print("  " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
