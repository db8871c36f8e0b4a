"""Reads every sentence of the answers of some 30 runs and computes its numbers anew.

    check_sentences.py FATHOM [--real FOLDER] [--keep FOLDER] [--only WORDS]

The runs are of networks of known error against a truth, of simulated LiDAR recordings, and of real recordings where FOLDER has them. Each
sentence of the answer must have a known form (sentences.py); its numbers are computed from frames.csv and summary.csv, and what it says of how
an error is made from the maps themselves or from the tables of pooled pixels. Besides:

- every network's error is known, so that each run has words that must stand in its answer and words that would be false;
- every answer answers five questions with a value or says why there is none: how wrong, better or worse, how sure, where, what next;
- the commands that it names are of this program.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from report_run import Check
from sentences import Answer, read

MAPS, RECORDINGS = {}, {}


def rooms(number, images, steps=True):
    """True depth of boxes before a wall and a floor, metres: [images, 96, 128]."""
    random = np.random.default_rng(number)
    y, x = np.mgrid[:96, :128]
    found = []
    for _ in range(images):
        depth = random.uniform(3.5, 5) + random.uniform(-0.006, 0.006) * x
        depth = np.minimum(depth, 1.2 + 0.05 * (96 - y))
        for _ in range(6 if steps else 0):
            top, left, height, width = random.integers(0, [76, 100, 1, 1]) + [0, 0, *random.integers(12, 45, 2)]
            part = depth[top : top + height, left : left + width]
            depth[top : top + height, left : left + width] = np.minimum(part, random.uniform(0.7, 4))
        found.append(depth)
    return np.array(found)


def noisy(depth, share, seed=1):
    return depth * (1 + share * np.random.default_rng(seed).standard_normal(depth.shape))


def blurred(depth, radius=3):
    padded = np.pad(depth, ((0, 0), (radius, radius), (radius, radius)), "edge")
    size = 2 * radius + 1
    parts = [padded[:, i : i + depth.shape[1], j : j + depth.shape[2]] for i in range(size) for j in range(size)]
    return np.mean(parts, 0)


def maps(name, wanted=(), false=(), images=12, arguments=(), steps=True):
    """Registers a run of networks: a function that gives {NAME:KIND: maps} of a truth, in metres or in no unit."""

    def register(make):
        MAPS[name] = (make, wanted, false, images, ["--scene-by", "image", *arguments], steps)
        return make

    return register


AT_EVERY_DEPTH, CLAIMS = "at every depth", ("too far", "too near")


@maps("a scale", wanted=["4.0 % too far at every depth", "a scale that is off"], false=["a shift", "no bias"])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.003) * 1.04, "other:metric": noisy(truth, 0.05, 2)}


@maps("a shift", wanted=["50 mm too near at every depth|50.0 mm too near at every depth", "a shift that is off"], false=["a scale"])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.002) - 0.05, "other:metric": noisy(truth, 0.06, 2)}


@maps("noise", wanted=["the rest is noise and local errors"], false=[AT_EVERY_DEPTH, *CLAIMS])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.03), "other:metric": noisy(truth, 0.05, 2)}


@maps("far parts", wanted=["Bias that changes with depth", "too far at 3 to 3.5 m|too far at 3.5 to 4 m|too far at 4 to 4.5 m"], false=[AT_EVERY_DEPTH, "too near"])
def _(truth):
    return {"mynet:metric": noisy(np.where(truth > 3, truth * 1.1, truth), 0.004), "other:metric": noisy(truth, 0.08, 2)}


@maps("edges", false=[AT_EVERY_DEPTH], wanted=["of the pixels lie at depth steps"])
def _(truth):
    return {"mynet:metric": noisy(blurred(truth), 0.002), "other:metric": noisy(truth, 0.03, 2)}


@maps("by image", wanted=["Bias that differs from image to image"], false=[AT_EVERY_DEPTH])
def _(truth):
    factors = 1 + 0.04 * np.where(np.arange(len(truth)) % 2, 1, -1)
    return {"mynet:metric": noisy(truth, 0.003) * factors[:, None, None], "other:metric": noisy(truth, 0.06, 2)}


@maps("some images", wanted=["Bias that differs from image to image makes", "too far in"], false=[AT_EVERY_DEPTH])
def _(truth):
    factors = np.where(np.arange(len(truth)) % 3, 1.3, 1)
    return {"mynet:metric": noisy(truth, 0.003) * factors[:, None, None], "other:metric": noisy(truth, 0.06, 2)}


@maps("few images", wanted=["of 18 images make"], false=[AT_EVERY_DEPTH, "alone makes"], images=18)
def _(truth):
    found = noisy(truth, 0.03)
    found[[2, 9, 13]] *= 1.5
    return {"mynet:metric": found, "other:metric": noisy(truth, 0.2, 2)}


@maps("one image", wanted=["Image i03 alone makes"], false=[AT_EVERY_DEPTH])
def _(truth):
    found = noisy(truth, 0.004)
    found[3] *= 1.6
    return {"mynet:metric": found, "other:metric": noisy(truth, 0.2, 2)}


@maps("fewer pixels", wanted=["Not comparable", "leaves out pixels"], false=["statistically significant", "Better"])
def _(truth):
    other = noisy(truth, 0.03, 2)
    return {"other:metric": other, "mynet:metric": np.where(abs(other / truth - 1) < 0.03, other, np.nan)}


@maps("equals", wanted=["Equal", "have the same MAE, ", "probably the same", "makes a page"], false=["significant", "Better", "Worse", "lowest"])
def _(truth):
    found = noisy(truth, 0.03)
    return {"mynet:metric": found, "other:metric": found}


@maps("nearly equals", wanted=["have the same MAE to within 0.05 %", "makes a page"], false=["significant", "Evaluate at least"])
def _(truth):
    found = noisy(truth, 0.03)
    return {"mynet:metric": found, "other:metric": truth + 1.0002 * (found - truth)}


@maps("equals before a third", wanted=["mynet and other have the lowest error of 3 networks"], false=["has the lowest"])
def _(truth):
    found = noisy(truth, 0.03)
    return {"mynet:metric": found, "other:metric": found, "third:metric": noisy(truth, 0.05, 2)}


@maps("two fitted beside metric", wanted=["of 2 networks that were fitted to the truth", "Beware"], false=["of 3 networks"])
def _(truth):
    return {"one:depth": 0.3 * noisy(truth, 0.01) + 2, "two:depth": 3 * noisy(truth, 0.02, 2), "met:metric": noisy(truth, 0.03, 3)}


@maps("the truth as a second network", wanted=["Doubt", "copy has no error at all"], false=["mynet has no error"])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.02), "copy:metric": truth}


@maps("a difference by chance", wanted=["Cannot tell", "not statistically significant"], false=["Better", "Worse"], images=8)
def _(truth):
    found = noisy(truth, 0.03)
    sign = np.where(np.arange(len(truth)) % 2, 0.02, -0.019)[:, None, None]
    return {"other:metric": found, "mynet:metric": truth + (found - truth) * (1 + sign)}


@maps("three images", wanted=["cannot be tested with 3 images"], false=["statistically significant"], images=3)
def _(truth):
    return {"other:metric": noisy(truth, 0.03), "mynet:metric": noisy(truth, 0.02, 2)}


@maps("one network", wanted=["Measured"], false=["significant", "lowest error of"])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.02)}


@maps("depth without a unit", wanted=["fitted to the truth"], false=["a scale that is off", "a shift that is off"])
def _(truth):
    return {"mynet:depth": 0.3 * noisy(truth, 0.01) + 2, "other:depth": 7 * noisy(truth, 0.03, 2)}


@maps("disparity", wanted=["fitted to the truth", "1/g = α·r + β"], false=["a scale that is off", "a shift that is off"])
def _(truth):
    return {"mynet:disparity": 40 / noisy(truth, 0.01) + 3, "other:disparity": 1 / noisy(truth, 0.04, 2)}


@maps("fitted beside metric", wanted=["fitted to the truth"], false=["Better", "Worse", "statistically significant"])
def _(truth):
    return {"mynet:depth": 0.3 * noisy(truth, 0.01) + 2, "other:metric": noisy(truth, 0.03, 2)}


@maps("medians", wanted=["fitted to the truth"], false=["a scale that is off"], arguments=["--align", "median"])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.02) * 1.3, "other:metric": noisy(truth, 0.04, 2)}


@maps("the truth itself", wanted=["Doubt", "no error at all"], false=["Better", "has the same", "the same as"])
def _(truth):
    return {"copy:metric": truth, "mynet:metric": noisy(truth, 0.02)}


@maps("other units", wanted=["Doubt", "the mean error is larger than the depth itself"], false=["a scale that is off: no"])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.02) * 3.2, "other:metric": noisy(truth, 0.04, 2) * 3.3}


@maps("a video whose images count one each", wanted=["neighbouring images have similar differences", "Cannot tell"], false=["Better", "is statistically significant"], images=36)
def _(truth):
    share = 0.03 * np.sin(2 * np.pi * np.arange(36) / 36)[:, None, None] + 0.012
    return {"mynet:metric": noisy(truth, 0.01) * (1.05 + share), "other:metric": noisy(truth, 0.01, 2) * 1.05}


@maps("an image twice", wanted=["Images are copies: ", "have the same errors to the last digit. They count several times"], false=["Better"])
def _(truth):
    found = noisy(truth, 0.02)
    truth[5], found[5] = truth[4], found[4]
    return {"mynet:metric": found}


@maps("a missing image", wanted=["gave no depth in 1 of 12 images"], false=[])
def _(truth):
    found = noisy(truth, 0.04, 2)
    found[5] = np.nan
    return {"mynet:metric": noisy(truth, 0.02), "other:metric": found}


@maps("half of the truth", wanted=["The truth from 0.1 to 10 m covers 50.0 % of the pixels, 10.4 % in the image that has least|The truth from 0.1 to 10 m covers"], false=["a scale that is off"])
def _(truth):
    truth[:, :, 64:] = np.nan
    truth[2, :76] = np.nan  # Its few pixels are the worst, and it is not called so.
    found = noisy(truth, 0.02)
    found[2] *= 1.5
    return {"mynet:metric": found, "other:metric": noisy(truth, 0.04, 2)}


@maps("plain walls", false=["depth steps and make"], wanted=["Bias"], steps=False)
def _(truth):
    return {"mynet:metric": noisy(truth, 0.02) + 0.01, "other:metric": noisy(truth, 0.03, 2)}


@maps("a printed board", wanted=["so no offset is claimed", "±"], false=["a scale that is off", "a shift that is off"], arguments=["--truth-deviation", "0.001m,scale=1%"])
def _(truth):
    return {"mynet:metric": noisy(truth, 0.002) * 1.006, "other:metric": noisy(truth, 0.03, 2)}


@maps("a crop", wanted=["The truth from 0.001 to 80 m, after the protocol’s crop, covers 54.2 % of the pixels.", "protocol kitti-garg"], false=["in the image that has least"], arguments=["--protocol", "kitti-garg"])
def _(truth):
    return {"mynet:disparity": 40 / noisy(truth, 0.01) + 3, "other:disparity": 1 / noisy(truth, 0.04, 2)}


@maps("a single image", wanted=["1 image, protocol fathom", "an MAE of", "makes a page of the image"], false=["The largest AbsRel"], images=1)
def _(truth):
    return {"mynet:metric": noisy(truth, 0.02)}


SIMULATED = {  # How they are made, methods, what must stand, what would be false.
    "sample": (["--preset", "sample", "--scenes", "6"], [], ["Better", "simulated data"], ["Worse"]),
    "one scene": (["--preset", "sample", "--scenes", "1", "--frames", "4"], [], ["cannot be tested with 1 scene"], ["statistically significant"]),
    "a wall": (["--preset", "flat-wall"], [], ["simulated data"], ["Worse"]),
    "outliers": (["--preset", "outliers", "--scenes", "6", "--frames", "1"], [], ["simulated data"], ["Worse"]),
    "independent noise": (["--preset", "noise-law", "--scenes", "8", "--frames", "1"], [], ["simulated data"], ["Worse"]),
    "nothing better": (["--preset", "sample", "--scenes", "6"], ["--methods", "lidar-bilinear,shipped"], ["No method beats the raw LiDAR"], ["Better"]),
    "a changed option": (["--preset", "sample", "--scenes", "6", "--frames", "2"], ["--min-pairs", "50"], ["The largest AbsRel of", "makes a page of all frames"], ["Worse"]),
    "refused frames": (["--preset", "sample", "--scenes", "6", "--frames", "2"], ["--methods", "spec,smoothed"], ["(in 6 frames that it refused, the raw LiDAR stands in)", "`spec`, in the 6 frames in which it has depth:"], ["Better"]),
    "too few frames": (["--preset", "sample", "--scenes", "2", "--frames", "3"], ["--truth", "multiview"], ["no scene has enough for `--truth multiview`"], ["instead"]),
    "a phone": (["--preset", "phone", "--scenes", "2", "--frames", "2"], [], ["cannot be tested with 2 scenes"], ["statistically significant"]),
}
REAL = {
    "real-indoor.h5": ([], ["Answer"], ["simulated"]),
    "iphone-stray.h5": (["--scenes", "room-consecutive", "--truth", "multiview"], ["cannot show a gain", "Not ranked: smoothed", "at confidence 2"], ["Better", "simulated", "smoothed comes closer"]),
    "iphone-stray.h5 with a scene of few frames": (["--truth", "multiview"], ["30 frames of 1 of 2 scenes"], ["Better"]),
    "iphone-stray.h5 without truth": (["--scenes", "room-consecutive"], ["No ground truth", "errors cannot be given"], ["MAE", "Better"]),
}


def run(fathom, arguments, folder):
    found = subprocess.run([fathom, "evaluate", *map(str, arguments), "--output", str(folder), "--overwrite", "--quiet", "--no-gallery"],
                           capture_output=True, text=True)  # fmt: skip
    if found.returncode:
        sys.exit(f"{folder.name}: exit {found.returncode}: {found.stderr.strip()}")
    return folder


def write(folder, stack):
    folder.mkdir(parents=True)
    for number, image in enumerate(stack):
        np.save(folder / f"i{number:02d}.npy", image.astype(np.float32))


def map_run(fathom, name, place):
    make, wanted, false, images, arguments, steps = MAPS[name]
    truth = rooms(len(name), images, steps)
    networks = make(truth)
    write(place / "truth", truth)
    words = []
    for key, stack in networks.items():
        network = key.partition(":")[0]
        write(place / network, stack)
        words += ["--prediction", f"{key}={place / network}"]
    words += ["--truth", place / "truth", *arguments]
    folder, pooled = run(fathom, words, place / "run"), run(fathom, [*words, "--aggregation", "pooled"], place / "pooled")
    pixels = {key.partition(":")[0]: stack.astype(np.float32).astype(float) for key, stack in networks.items()}
    return Answer(folder, pooled, {f"i{n:02d}": truth[0].size for n in range(images)}, truth=truth.astype(np.float32).astype(float), maps=pixels), wanted, false


def recording_run(fathom, data, arguments, place):
    folder = run(fathom, [data, *arguments], place / "run")
    # The same pixels, each counting once.
    pooled = run(fathom, [data, *arguments, "--aggregation", "pooled", "--no-objects"], place / "pooled")
    with h5py.File(data) as file:
        shapes = {name: (scene.get("truth/depth") or scene["lidar/depth"]).shape for name, scene in file["scenes"].items()}
        if "multiview" in arguments:
            shapes = {name: scene["lidar/depth"].shape for name, scene in file["scenes"].items()}
    return Answer(folder, pooled, {name: shape[-1] * shape[-2] for name, shape in shapes.items()})


def judge(name, answer, wanted, false, check):
    before = len(check.faults)
    text = read(answer, check)
    for words in wanted:
        check.true(any(part in text for part in words.split("|")), f"it does not say “{words}”")
    for words in false:
        check.true(words not in text, f"it says “{words}”, which is false")
    for question, pattern in QUESTIONS.items():
        check.true(re.search(pattern, text) is not None, f"it does not answer “{question}”")
    check.faults[before:] = [f"{name}: {fault}" for fault in check.faults[before:]]
    if len(check.faults) > before:
        check.notes.append(f"{name}:\n{text}")


QUESTIONS = {
    "how wrong": r"MAE (of )?[\d.]+(E-?\d+)? (mm|m|cm|µm)\b|errors cannot be given|MAE of [\d.]+|an MAE of 0 mm",
    "better or worse": r"^(Better|Worse|Equal|Cannot tell|Not comparable|Measured|Doubtful input|No ground truth): ",
    "how sure": r"p = [\d.E−-]+|cannot be tested with|no other method|AbsRel [\d.]+ %|have the same MAE|is the same in every image|has the same|not compared|moves by|not shown|errors cannot be given|cannot show a gain",
    "where": r"Bias|depth steps|confidence \d|alone makes|too (far|near)|no bias is claimed|errors cannot be given|no error at all",
    "what next": r"`fathom |Evaluate at least|More than 100,000|Add the ground truth|Evaluate on truth",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--real", type=pathlib.Path, help="without it, no real recordings")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    check, runs = Check(), 0
    with tempfile.TemporaryDirectory() as temporary:
        root = options.keep or pathlib.Path(temporary)
        for name in [n for n in MAPS if options.only in n]:
            runs += 1
            judge(name, *map_run(options.fathom, name, root / name), check)
        for name, (how, arguments, wanted, false) in SIMULATED.items():
            if options.only in name:
                runs += 1
                place = root / name
                place.mkdir(parents=True)
                subprocess.run([options.fathom, "synthesize", place / "data.h5", *how, "--quiet"], check=True)
                judge(name, recording_run(options.fathom, place / "data.h5", arguments, place), wanted, false, check)
        for name, (arguments, wanted, false) in REAL.items() if options.real else []:
            data = options.real / name.partition(" ")[0]
            if options.only in name and data.exists():
                runs += 1
                place = root / name
                place.mkdir(parents=True)
                judge(name, recording_run(options.fathom, data, arguments, place), wanted, false, check)
            elif options.only in name:
                check.notes.append(f"skipped: {data} is absent")
    for line in check.notes + check.faults:
        print(line)
    if check.faults:
        sys.exit(f"{len(check.faults)} faults in {runs} runs")
    print(f"{runs} runs, {check.tables} sentences: {check.numbers} numbers agree, no false words, five questions answered by each")


if __name__ == "__main__":
    main()
