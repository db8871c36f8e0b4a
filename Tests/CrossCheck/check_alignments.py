"""Every alignment on the truth against numpy, and against published codes, on random maps without a LiDAR.

    check_alignments.py FATHOM          FATHOM is the command

200 random images, each with a metric map, one of depth and one of disparity without a unit (both with numbers of 0 and less, and holes). Each word of
`--align`, for every unit: the line of each row and its errors must be numpy's to 1e-7; one fit for all images with `--align-over scene`, too. The
presets that fit run on the same maps; the functions `published_…` go through the steps of the codes that they name.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import linprog

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import run_tables  # noqa: E402

TOLERANCE = 1e-7
IMAGES, SIZE = 200, (24, 32)
LOW, HIGH = 0.1, 10.0  # of the protocol fathom
WORDS = ["none", "median", *(f"{space}:{form}" for space in ("depth", "disparity", "log") for form in ("scale", "scale-shift"))]
ABSOLUTE = [word for word in WORDS if ":" in word]
METRICS = ["coverage", "abs_rel", "mae_m", "rmse_m", "delta_1"]


def make_maps(rng):
    """Truth [N,h,w] in metres, 0 where it is unknown, and maps by kind; all of 32 bits."""
    truth = np.exp(rng.uniform(np.log(0.3), np.log(9), (IMAGES, *SIZE)))
    noise = lambda size: np.exp(size * rng.standard_normal(truth.shape))  # noqa: E731
    scale = rng.uniform(0.5, 2, (IMAGES, 1, 1))
    maps = {
        "metric": scale * truth * noise(0.1),
        "depth": scale * truth * noise(0.05) - rng.uniform(0.2, 0.6, (IMAGES, 1, 1)),
        "disparity": scale / truth * noise(0.05) - rng.uniform(0.1, 0.3, (IMAGES, 1, 1)),
    }
    truth[rng.random(truth.shape) < 0.1] = 0
    truth[rng.random(truth.shape) < 0.02] = 40
    for values in maps.values():
        values[rng.random(truth.shape) < 0.02] = np.nan
    maps["disparity"][rng.random(truth.shape) < 0.01] = 0
    return truth.astype("f4"), {kind: values.astype("f4") for kind, values in maps.items()}


# MARK: by definition


def regressor(space, kind, r):
    """What stands for a map's number in a fit; NaN where it has no meaning."""
    with np.errstate(invalid="ignore", divide="ignore"):
        depth = 1 / r if kind == "disparity" else r
        known = np.isfinite(r) & (r > 0)
        x = {"depth": depth, "disparity": r if kind == "disparity" else 1 / r, "log": np.log(depth)}[space]
    return np.where(known, x, np.nan)


def target(space, g):
    return {"depth": g, "disparity": 1 / g, "log": np.log(g)}[space]


def fitted(word, kind, images):
    """Line of pairs (r, g), and a function from r to metres (NaN where there is none)."""
    space, _, form = word.partition(":")
    if word == "median":
        space, form = "depth", "median"
    own = form == "scale-shift" and space == kind

    def of(r):
        return np.where(np.isfinite(r), r, np.nan) if own else regressor(space, kind, r)

    x = np.concatenate([of(r) for r, _ in images])
    y = np.concatenate([target(space, g) for _, g in images])
    x, y = x[~np.isnan(x)], y[~np.isnan(x)]
    if form == "median":
        line = np.median(y) / np.median(x), 0.0
    elif form == "scale":
        line = (1.0, np.mean(y - x)) if space == "log" else (np.sum(x * y) / np.sum(x * x), 0.0)
    else:
        centre = x.mean()
        slope, height = np.linalg.lstsq(np.column_stack([x - centre, np.ones(x.size)]), y, rcond=None)[0]
        line = slope, height - slope * centre

    def depth(r):
        value = line[0] * of(r) + line[1]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            if space == "disparity":
                value = np.where(np.isnan(value), np.nan, np.where(value > 0, 1 / value, np.inf))
            if space == "log":
                value = np.exp(value)
        # A line with a shift can leave what is a depth: then the map is limited to the range of the truth.
        return np.clip(value, LOW, HIGH) if form == "scale-shift" and space != "log" else value

    return line, depth


def absolute_loss(word, kind, line, r, g):
    """What the line of least absolute errors makes least, and the least that there is by linear programming."""
    space, _, form = word.partition(":")
    x = np.where(np.isfinite(r), r, np.nan) if form == "scale-shift" and space == kind else regressor(space, kind, r)
    x, y = x[~np.isnan(x)], target(space, g)[~np.isnan(x)]
    weights = 1 / y if space == "depth" else np.ones(y.size)
    if form == "scale-shift":
        design = np.column_stack([x, np.ones(x.size)])
    elif space == "log":
        design, y, line = np.ones((x.size, 1)), y - x, (line[1],)
    else:
        design, line = x[:, None], line[:1]
    n = y.size
    best = linprog(
        np.concatenate([np.zeros(design.shape[1]), weights, weights]), A_eq=np.hstack([design, np.eye(n), -np.eye(n)]), b_eq=y,
        bounds=[(None, None)] * design.shape[1] + [(0, None)] * (2 * n), method="highs")  # fmt: skip
    return np.sum(weights * np.abs(y - design @ np.array(line))), best.fun


def errors(d, g):
    """Of the pixels that have a prediction; coverage and δ₁ of all."""
    known = np.isfinite(d) & (d > 0)
    count, d, g = d.size, d[known], g[known]
    return {
        "coverage": d.size / count, "abs_rel": np.mean(np.abs(d - g) / g), "mae_m": np.mean(np.abs(d - g)),
        "rmse_m": np.sqrt(np.mean((d - g) ** 2)), "delta_1": np.sum(np.maximum(d / g, g / d) < 1.25) / count,
    }  # fmt: skip


# MARK: published codes, for one image or for all (lists of truth and prediction), in 64 bits


def least_squares(pred, gt):
    return np.linalg.lstsq(np.stack([pred, np.ones_like(pred)], -1), gt, rcond=None)[0]


def published_marigold(gts, preds):
    """prs-eth/Marigold 3f74cba, src/util/alignment.py, align_depth_least_square; b1dffaa, script/depth/eval.py: --alignment least_square."""
    for gt, pred in zip(gts, preds, strict=True):
        valid = (gt > 1e-3) & (gt < 10)
        scale, shift = least_squares(pred[valid], gt[valid])
        yield np.clip(np.clip(pred * scale + shift, 1e-3, 10), 1e-6, None)[valid], gt[valid]


def published_marigold_disparity(gts, preds):
    """prs-eth/Marigold b1dffaa, script/depth/eval.py: --alignment least_square_disparity."""
    for gt, pred in zip(gts, preds, strict=True):
        valid = (gt > 1e-3) & (gt < 10)
        used = valid & (pred > 0)
        scale, shift = least_squares(pred[used], 1 / gt[used])
        depth = 1 / np.clip(pred * scale + shift, 1e-3, None)
        yield np.clip(depth, 1e-3, 10)[valid], gt[valid]


def published_moge(gts, preds):
    """microsoft/MoGe 637e23e, moge/test/metrics.py, disparity_affine_invariant: align_affine_lstsq, at least 1/max(g)."""
    for gt, pred in zip(gts, preds, strict=True):
        mask = gt > 0
        scale, shift = least_squares(pred[mask], 1 / gt[mask])
        yield 1 / np.maximum(pred[mask] * scale + shift, 1 / gt[mask].max()), gt[mask]


def published_monodepth2(gts, preds):
    """nianticlabs/monodepth2 77f1410, evaluate_depth.py, evaluate: --eval_mono --eval_split eigen."""
    for gt, pred in zip(gts, preds, strict=True):
        height, width = gt.shape
        depth, mask = 1 / pred, (gt > 1e-3) & (gt < 80)
        top, bottom, left, right = (
            np.array([0.40810811 * height, 0.99189189 * height, 0.03594771 * width, 0.96405229 * width]).astype(np.int32))  # fmt: skip
        inside = np.zeros(mask.shape, bool)
        inside[top:bottom, left:right] = True
        depth, gt = depth[mask & inside], gt[mask & inside]
        yield np.clip(depth * (np.median(gt) / np.median(depth)), 1e-3, 80), gt


def published_depthcrafter(gts, preds):
    """Tencent/DepthCrafter cc2de22, benchmark/eval/eval.py, eval_single: domain depth. Without its 1e-8 m beside the truth."""
    gt, pred = np.stack(gts), np.clip(np.stack(preds), 1e-3, None)
    valid = (gt > 1e-3) & (gt < 70)
    scale, shift = least_squares(pred[valid], 1 / gt[valid])
    depth = np.clip(1 / np.clip(scale * pred + shift, 1e-3, None), 1e-3, 70)
    for frame, truth, mask in zip(depth, gt, valid, strict=True):
        yield frame[mask], truth[mask]


# Preset: its code, the kind of map that it was written for, whether all images are one scene.
PUBLISHED = {
    "marigold": (published_marigold, "depth", False), "marigold-disparity": (published_marigold_disparity, "disparity", False),
    "moge-disparity": (published_moge, "disparity", False), "monodepth2": (published_monodepth2, "positive", False),
    "depthcrafter": (published_depthcrafter, "disparity", True),
}  # fmt: skip


class Check:
    def __init__(self, fathom, folder):
        self.fathom, self.folder, self.faults, self.numbers, self.worst = fathom, folder, [], 0, 0.0

    def rows(self, kinds, *options):
        """By name of the prediction, in the order of the images."""
        predictions = [f"--prediction={name}:{kind}={self.folder}/{name}" for name, kind in kinds.items()]
        subprocess.run(
            [self.fathom, "evaluate", *predictions, "--truth", f"{self.folder}/truth", "--output", f"{self.folder}/run", "--overwrite",
             "--no-gallery", "--no-figures", "--quiet", *options], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        table = run_tables.rows(f"{self.folder}/run", "frames.csv")
        return {name: [row for row in table if row["method"] == f"stored:{name}"] for name in kinds}

    def masks(self, rng, truth, found):
        """`--by-mask`: each id by itself, means over the images that have such pixels."""
        names = {0: "wall", 7: "floor"}
        ids = rng.choice([0, 3, 7, 60_000], (IMAGES, *SIZE)).astype("u2")
        ids[1::2][ids[1::2] == 3] = 7
        pathlib.Path(self.folder, "ids").mkdir()
        for index, image in enumerate(ids):
            np.save(f"{self.folder}/ids/{index:04}.npy", image)
        pathlib.Path(self.folder, "ids", "names.csv").write_text("".join(f"{number},{name}\n" for number, name in names.items()))
        self.rows({"metric": "metric"}, "--align", "none", "--by-mask", f"class={self.folder}/ids")
        table = run_tables.rows(f"{self.folder}/run", "mask.csv")
        if [(row["id"], row["label"]) for row in table] != [(str(n), names.get(n, "")) for n in (0, 3, 7, 60_000)]:
            self.faults.append(f"mask.csv has the ids {[(row['id'], row['label']) for row in table]}")
        counts = (truth > np.float32(LOW)) & (truth <= np.float32(HIGH))
        for row in table:
            own = counts & (ids == int(row["id"]))
            images = [errors(found[i][own[i]].astype(float), truth[i][own[i]].astype(float)) for i in range(IMAGES) if own[i].any()]
            self.compare(row["pixels"], own.sum(), f"mask {row['id']} pixels")
            self.compare(row["frames"], len(images), f"mask {row['id']} frames")
            for metric in METRICS:
                self.compare(row[metric], np.mean([image[metric] for image in images]), f"mask {row['id']} {metric}")

    def compare(self, found, wanted, what):
        self.numbers += 1
        deviation = abs(float(found or "nan") - wanted) / max(abs(wanted), 1e-3)
        self.worst = max(self.worst, deviation)
        if not deviation <= TOLERANCE:
            self.faults.append(f"{what}: {found}, expected {wanted!r}")


def main(fathom):
    rng = np.random.default_rng(46)
    truth, maps = make_maps(rng)
    # Codes that divide by a map take none that has a 0; those that fit know no holes.
    maps["positive"] = (1 / np.where(truth > 0, truth, 3) * np.exp(0.3 * rng.standard_normal(truth.shape))).astype("f4")
    complete = {"depth": np.nan_to_num(maps["depth"], nan=1.0), "disparity": np.nan_to_num(maps["disparity"], nan=0.5), "positive": maps["positive"]}
    with tempfile.TemporaryDirectory() as folder:
        for name, values in {"truth": truth, **maps, **{f"whole-{kind}": v for kind, v in complete.items()}}.items():
            pathlib.Path(folder, name).mkdir()
            for index, image in enumerate(values):
                np.save(f"{folder}/{name}/{index:04}.npy", image)
        check = Check(fathom, folder)
        kinds = {"metric": "metric", "depth": "depth", "disparity": "disparity"}
        counts = (truth > np.float32(LOW)) & (truth <= np.float32(HIGH))

        def pairs(kind, index):
            return maps[kind][index][counts[index]].astype(float), truth[index][counts[index]].astype(float)

        def compare(row, line, found, what):
            for key, value in zip(("scale", "shift"), line or (), strict=False):
                if value != 0:
                    check.compare(row[key], value, f"{what} {key}")
            for metric in METRICS:
                check.compare(row[metric], found[metric], f"{what} {metric}")

        for word in [*WORDS, "by-kind"]:
            asked = {"metric": "metric"} if word == "none" else kinds
            options = [] if word == "by-kind" else ["--align", word]
            for over in ("image", "scene"):
                if over == "scene" and word == "none":
                    continue
                table = check.rows(asked, *options, *(["--align-over", "scene", "--scene-by", "folder"] if over == "scene" else []))
                for name, kind in asked.items():
                    chosen = {"by-kind": f"{kind}:scale-shift"}.get(word, word)
                    images = [pairs(kind, index) for index in range(IMAGES)]
                    if len(table[name]) != IMAGES:
                        check.faults.append(f"{word} {name}: {len(table[name])} rows")
                        continue
                    asis = word == "none" or (word, kind) == ("by-kind", "metric")
                    whole = None if asis else fitted(chosen, kind, images)
                    for index, (row, (r, g)) in enumerate(zip(table[name], images, strict=True)):
                        if asis:
                            compare(row, None, errors(r, g), f"{word} {name} {index}")
                            continue
                        line, depth = whole if over == "scene" else fitted(chosen, kind, [(r, g)])
                        compare(row, line, errors(depth(r), g), f"{word} over {over} {name} {index}")
        check.masks(rng, truth, maps["metric"])
        for word in ABSOLUTE:
            for name, rows in check.rows(kinds, "--align", f"{word},absolute").items():
                for index in range(0, IMAGES, 20):
                    line = float(rows[index]["scale"]), float(rows[index]["shift"])
                    loss, best = absolute_loss(word, kinds[name], line, *pairs(name, index))
                    check.numbers += 1
                    # The programme itself stops at 1e-7.
                    if not loss <= best * (1 + 1e-7):
                        check.faults.append(f"{word},absolute {name} {index}: Σ|e| {loss}, the least is {best}")
        for preset, (code, kind, isScene) in PUBLISHED.items():
            rows = check.rows(
                {f"whole-{kind}": "depth" if kind == "depth" else "disparity"}, "--protocol", preset, *(["--scene-by", "folder"] if isScene else []))
            for index, (row, (d, g)) in enumerate(
                zip(rows[f"whole-{kind}"], code(list(truth.astype(float)), list(complete[kind].astype(float))), strict=True)):  # fmt: skip
                for metric, value in errors(d, g).items():
                    check.compare(row[metric], value, f"{preset} {index} {metric}")
    print(f"alignments: {check.numbers} numbers of {IMAGES} images, worst relative deviation {check.worst:.1e}, {len(check.faults)} faults")
    for fault in check.faults[:20]:
        print("  " + fault)
    return 1 if check.faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
