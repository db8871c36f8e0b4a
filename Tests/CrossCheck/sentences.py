"""The forms of the sentences that answer a run, each with its numbers computed anew. A sentence of another form is a fault.

Numbers of methods and their differences are means of frames.csv, ends of intervals those of summary.csv. How an error is made is computed
from the tables of the same run with pooled pixels, and of single images from the maps themselves.
"""

import itertools
import re

import numpy as np
from report_run import HEADLINE, RAW, Run, is_oracle, missing
from report_tables import rounds
from scipy import stats

METRES = {"µm": 1e6, "mm": 1000, "cm": 100, "m": 1}
N, L, P = r"(−?\+?[\d.]+(?:E[-−]?\d+)?)", r"(−?\+?[\d.]+(?:E[-−]?\d+)? (?:mm|m|cm|µm))", r"(−?[\d.]+) %"
NAME = r"([^,:;()]+?)"
# A difference, with its interval or its range over scenes.
D = (r"([−+]?[\d.E−-]+ (?:mm|m|cm|µm)(?: \[[−+\d.E, -]+\])?"
     r"(?:; by (?:scene|image) from [−+]?[\d.E−-]+ (?:mm|m|cm|µm) to [−+]?[\d.E−-]+ (?:mm|m|cm|µm))?)")  # fmt: skip


class Answer:
    """A run's folder, the same data with pooled pixels, the pixels of a frame of each scene, and, of a run of networks, truth and maps:
    [images, rows, columns], metres."""

    def __init__(self, folder, pooled, pixels, truth=None, maps=None):
        self.run, self.pooled, self.pixels, self.truth, self.maps = Run(folder), Run(pooled), pixels, truth, maps
        self.has_lidar = RAW in self.run.frames
        self.column = HEADLINE if self.has_lidar and HEADLINE in self.run.rows else "mae_m"
        self.form = "fallback" if self.has_lidar else "solved"

    def method(self, name):
        name = {"the raw LiDAR": RAW, "the raw LiDAR (nearest pixel)": "lidar-nearest"}.get(name, name)
        return f"stored:{name}" if f"stored:{name}" in self.run.frames else name

    def error(self, name):
        return self.run.compare(name, name, self.form, self.column)["value"]

    def ids(self, run, name):
        return run.ids(self.method(name))

    def bins(self, table, name, *metrics):
        """Of a table of pooled pixels: the bins of a method, the pixels that it covers in each, and means over these of what is asked."""
        own = self.pooled.csv(table)
        own = own[own.method.isin(self.ids(self.pooled, name))]
        keys = [c for c in own.columns if c in ("from_m", "near_step", "confidence")]
        found = own.groupby(keys)["pixels"].first().to_frame()
        for metric in metrics:
            found[metric] = own.set_index(keys)[metric] if metric in own else np.nan
        found["pixels"] *= own.set_index(keys)["coverage"]
        return found[found.pixels > 0]


class Ranges:
    """A method's bias by half a metre of true depth."""

    def __init__(self, answer, name):
        own = answer.bins("ranges", name, "mae_m", "bias_m", "rmse_m")
        self.start, self.pixels = own.index.to_numpy(), own.pixels.to_numpy()
        self.bias, signed = own.bias_m.to_numpy(), (own.bias_m * own.pixels).to_numpy()
        absolute, squared = (own.mae_m * own.pixels).to_numpy(), (own.rmse_m**2 * own.pixels).to_numpy()
        self.error, self.mean = absolute.sum() / self.pixels.sum(), signed.sum() / self.pixels.sum()
        self.share = abs(signed).sum() / absolute.sum()
        self.part = abs(signed) / abs(signed).sum()
        middle = self.start + 0.25
        self.scale = (middle * signed).sum() / (self.pixels * middle**2).sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            even = np.nansum(absolute**3 / (self.pixels * squared))
        self.unevenness = np.sqrt(absolute.sum() / even)


class Reader:
    """Reads paragraphs from their start, one form after the other."""

    def __init__(self, answer, check):
        self.answer, self.check, self.subject, self.paragraph = answer, check, None, ""

    # Numbers

    def number(self, text, value, what):
        self.check.numbers += 1
        self.check.true(not missing(value) and rounds(text, value), f"{what}: it says {text}, and {value!r} was computed")

    def length(self, text, metres, what):
        number, unit = text.split(" ")
        self.number(number, None if missing(metres) else metres * METRES[unit], what)

    def share(self, text, value, what):
        self.number(text, None if missing(value) else 100 * value, what)

    def difference(self, text, found):
        head = re.match(r"([−+]?[\d.E−-]+) (\S+?)(?: \[(.+), (.+)\])?(?:; by \w+ from (\S+) (\S+) to (\S+) (\S+))?$", text)
        scale = METRES[head[2]]
        self.number(head[1], found["difference"] * scale, "difference")
        for text, key in ((head[3], "low"), (head[4], "high")):
            if text:
                self.number(text, found[key] * scale, f"difference, {key}")
        if head[5]:
            by = self.by_scene(self.pair, self.form)
            self.number(head[5], by.min() * METRES[head[6]], "smallest difference of a scene")
            self.number(head[7], by.max() * METRES[head[8]], "largest difference of a scene")

    def compare(self, name, other, form=None):
        answer = self.answer
        self.pair, self.form = (answer.method(name), answer.method(other)), form or answer.form
        return answer.run.compare(*self.pair, self.form, answer.column)

    def by_scene(self, pair, form=None):
        run, answer = self.answer.run, self.answer
        means, _ = run.by_scene(*(run.values(name, answer.column, form or answer.form) for name in pair))
        return means[0] - means[1]

    def change(self, amount, word, name, other, value=None):
        found = self.compare(name, other)
        gain = -found["difference"] / found["reference"]
        self.share(amount, abs(gain), f"gain of {name}")
        self.check.same(word, "less" if gain > 0 else "more", f"gain of {name}")
        if value:
            self.length(value, found["reference"], f"MAE of {other}")

    # What was measured

    def frames(self, frames, *scenes):
        rows = self.answer.run.rows
        scored = rows[rows.coverage.notna()]
        self.number(frames, len(scored[["scene", "frame"]].drop_duplicates()), "frames")
        self.number(next(filter(None, scenes)), scored.scene.nunique(), "scenes")

    def truth_share(self, mean, least):
        rows = self.answer.run.rows.dropna(subset=["truth_pixels"])
        counts = rows.groupby(["scene", "frame"], sort=False).truth_pixels.first()
        shares = counts / [self.answer.pixels[scene] for scene, _ in counts.index]
        self.share(mean, shares.groupby(level="scene").mean().mean(), "truth, share of the pixels")
        self.share(least or mean, shares.min(), "truth, least share of a frame")

    # The best

    def leads(self, names, count, error):
        name, *others = self.leaders = names.split(" and ")
        self.equal(name, *others)
        run, answer = self.answer.run, self.answer
        found = {n: run.compare(n, run.baseline, answer.form, answer.column) for n in run.selections() if not is_oracle(n)}
        most = max(v["scenes"] for v in found.values() if v)
        covered = {n: min(run.mean(i, "coverage") or 0 for i in run.ids(n)) for n in found}
        able = {n: v["value"] for n, v in found.items() if v and v["scenes"] == most and covered[n] >= covered.get(run.baseline, 0) - 0.01}
        best = min(able.values())
        self.check.true(able[answer.method(name)] <= best * 1.0005, f"{name} has not the lowest error")
        if count:
            self.number(count, len(able), "methods with a place")
        self.length(error, able[answer.method(name)], f"MAE of {name}")

    def shared_place(self, names, error):
        """Networks that share the first place."""
        names = re.split(", | and ", names)
        self.equal(*names)
        self.leads(names[0], None, error)
        self.leaders = names

    def copied(self):
        for pair in itertools.pairwise(self.leaders):
            self.check.true(not self.by_scene([self.answer.method(name) for name in pair]).any(), f"{pair} differ")

    def next_best(self, name, error, amount):
        found = self.compare(name, self.answer.run.baseline)
        self.length(error, found["value"], f"MAE of {name}")
        self.share(amount, found["difference"] / found["reference"], f"{name}, more")

    def next_after_none(self, name, error, more):
        """The best has no error, so that nothing is a share of it."""
        found = self.compare(name, self.leader)
        self.check.close(found["reference"], 0, f"error of {self.leader}")
        self.length(error, found["value"], f"MAE of {name}")
        self.length(more, found["difference"], f"{name}, more")

    def alone(self, name, error, abs_rel, delta):
        run, method = self.answer.run, self.answer.method(name)
        self.length(error, run.mean(method, "mae_m"), f"MAE of {name}")
        self.share(abs_rel, run.mean(method, "abs_rel"), f"AbsRel of {name}")
        self.share(delta, run.mean(method, "delta_1"), f"δ₁ of {name}")
        told = "t has a depth at" in self.paragraph
        self.check.true(told == (run.mean(method, "coverage") < 0.95), f"whether the coverage of {name} is told")
        self.sole = method

    def coverage_alone(self, share):
        self.share(share, self.answer.run.mean(self.sole, "coverage"), "coverage of the only method")

    def equal(self, *names):
        for a, b in itertools.pairwise(names):
            found = self.compare(a, b)
            self.check.true(abs(found["difference"]) <= 0.0005 * found["reference"], f"{a} and {b} are not equal")

    def question(self, text):
        run = self.answer.run
        contrast = run.verdict["contrast"]["comparison"]
        self.difference(text, self.compare(contrast["method"], contrast["reference"]))

    def p_of(self, pair):
        by = self.by_scene(pair).to_numpy()
        if len(by) <= 12:
            sums = np.abs(np.array(list(itertools.product((1, -1), repeat=len(by)))) @ by)
            return float(np.mean(sums >= abs(by.sum()) * (1 - 1e-9))), 0
        signs = np.random.default_rng(5).choice((-1, 1), (100_000, len(by)))
        p = float(np.mean(np.abs(signs @ by) >= abs(by.sum()) * (1 - 1e-9)))
        return p, 5 * np.sqrt(p * (1 - p) / 10_000) + 2e-4

    def dependence(self, correlation, images, p):
        by = self.by_scene(self.pair).to_numpy()
        rest = by - by.mean()
        own = (rest[1:] * rest[:-1]).sum() / (rest**2).sum()
        self.number(correlation, own, "correlation of neighbours")
        self.number(images, len(by), "images of the test")
        left = len(by) * (1 - own) / (1 + own)
        t = abs(by.mean()) / np.sqrt(by.var(ddof=1) / left) if left > 2 else 0
        self.check.true(own > 2 / np.sqrt(len(by)) and (left <= 2 or t < stats.t.ppf(0.975, left - 1)), "neighbours take the proof away")
        chance, slack = self.p_of(self.pair)
        stated = float(p.replace("−", "-"))
        self.check.true(rounds(p, chance) or abs(stated - chance) <= slack, f"p: it says {p}, and {chance} was computed")

    def significance(self, negated, p, scenes):
        own, slack = self.p_of(self.pair)
        self.number(scenes, len(self.by_scene(self.pair)), "scenes of the test")
        stated = float(p.replace("−", "-"))
        self.check.true(rounds(p, own) or abs(stated - own) <= slack, f"p: it says {p}, and {own} was computed")
        found = self.compare(*self.pair)
        is_shown = own <= 0.05 and (found["low"] > 0 or found["high"] < 0)
        self.check.true(is_shown != bool(negated), f"significance: p is {own}, the interval {found['low']} to {found['high']}")

    def untested(self, scenes):
        self.number(scenes, len(self.by_scene(self.pair)), "scenes")
        self.check.true(int(scenes) < 6, "a test was possible")

    def detectable(self, scenes, smallest, half):
        by = self.by_scene(self.pair).to_numpy()

        def needed(k):
            return (stats.t.ppf(0.975, k - 1) + stats.t.ppf(0.8, k - 1)) * np.std(by, ddof=1) / np.sqrt(k)

        self.number(scenes, len(by), "scenes")
        self.length(smallest, needed(len(by)), "smallest detectable difference")
        if half:
            k = int(half)
            self.check.true(k == 6 or needed(k) <= needed(len(by)) / 2 < needed(k - 1), f"{half} scenes for half of it")

    def coverage(self, *found):
        for name, share in zip(found[::2], found[1::2]):
            own = np.mean([self.answer.run.mean(i, "coverage") or 0 for i in self.answer.ids(self.answer.run, name)])
            self.share(share, own, f"coverage of {name}")

    def left_out(self, first, second, *shares):
        self.coverage(first, shares[0], second, shares[1])

    # Method by method

    def bullet(self, name, role):
        self.subject = name.strip("`")
        run, method = self.answer.run, self.answer.method(self.subject)
        self.check.true(method in run.selections() or method in run.frames, f"{self.subject} is not a method of the run")
        if role in (" (the raw LiDAR)", " (the baseline)"):
            self.check.same(method, run.baseline, "the baseline")

    def error_of_subject(self, error):
        self.length(error, self.answer.error(self.answer.method(self.subject)), f"MAE of {self.subject}")

    def standing(self, word, other, amount, error, reference, difference):
        form = "solved" if "in which both have depth" in self.paragraph else None
        found = self.compare(self.subject, other, form)
        gain = -found["difference"] / found["reference"]
        self.share(amount, abs(gain), f"{self.subject}, by")
        self.length(error, found["value"], f"MAE of {self.subject}")
        self.length(reference, found["reference"], f"MAE of {other}")
        self.difference(difference, found)
        self.check.same(word in ("better", "less error"), gain > 0, f"{self.subject} is {word}")
        if word in ("better", "worse"):
            self.check.true(found["low"] > 0 or found["high"] < 0, f"{self.subject} is {word}: the interval has 0")

    def worse_than_none(self, other, more, error, reference, difference):
        found = self.compare(self.subject, other)
        for text, key in ((more, "difference"), (error, "value"), (reference, "reference")):
            self.length(text, found[key], f"{self.subject} beside {other}")
        self.difference(difference, found)

    def same(self, other, error):
        self.equal(self.subject, other)
        self.error_of_subject(error)

    def alike(self, other, error, difference):
        found = self.compare(self.subject, other)
        self.length(error, found["value"], f"MAE of {self.subject}")
        self.length(error, found["reference"], f"MAE of {other}")
        self.difference(difference, found)

    def without_depth(self, missed, images):
        own = self.answer.run.frames[self.answer.method(self.subject)]
        self.number(missed, int(own.mae_m.isna().sum()), "images without depth")
        self.number(images, len(own), "images")

    def both(self, frames):
        self.number(frames, self.compare(self.subject, self.answer.run.baseline, "solved")["frames"], "frames with both")

    # How an error is made

    def pooled_error(self, error):
        self.length(error, Ranges(self.answer, self.subject).error, f"MAE of {self.subject} over all pixels")

    def bias(self, share):
        own = Ranges(self.answer, self.subject).share
        self.share(share, own, f"bias of {self.subject}")
        self.check.true(own < 0.25, "the rest is not noise and local errors")

    def few(self, ratio):
        own = Ranges(self.answer, self.subject)
        self.number(ratio, own.unevenness, f"RMSE over MAE of {self.subject}")
        self.check.true(own.share >= 0.25, "there is no bias at all")

    def scale(self, amount, way, share):
        own = Ranges(self.answer, self.subject)
        self.share(amount, abs(own.scale), f"scale of {self.subject}")
        self.way(way, own.scale)
        self.share(share, own.share, f"bias of {self.subject}")

    def shift(self, amount, way, share):
        own = Ranges(self.answer, self.subject)
        self.length(amount, abs(own.mean), f"shift of {self.subject}")
        self.way(way, own.mean)
        self.share(share, own.share, f"bias of {self.subject}")

    def either(self, share, scale, shift, way):
        self.scale(scale, way, share)
        self.shift(shift, way, share)

    def way(self, way, value):
        self.check.same(way, "too far" if value >= 0 else "too near", f"{self.subject}, direction")

    def varying(self, share, part, ends):
        own, found = Ranges(self.answer, self.subject), 0
        self.share(share, own.share, f"bias of {self.subject}")
        for amount, way, start, end in re.findall(rf"{L} (too far|too near) at {N} to {N} m", ends):
            at = int(np.argmin(abs(own.start - float(start))))
            self.check.close(float(end) - float(start), 0.5, f"{self.subject}, a bin")
            self.length(amount, abs(own.bias[at]), f"bias of {self.subject} at {start} m")
            self.way(way, own.bias[at])
            found += own.part[at]
        self.share(part, found, f"{self.subject}, share of the bins that are named")

    def copies(self, first, second, others):
        errors = {}
        for name, rows in self.answer.run.frames.items():
            for scene, own in rows.reset_index().groupby("scene"):
                errors.setdefault(scene, []).append((name, *own.mae_m, *own.rmse_m))
        self.check.same(errors[first], errors[second], f"errors of {first} and {second}")
        distinct = {str(found) for found in errors.values()}
        self.number(others or "0", len(errors) - len(distinct) - 1, "other copies")

    def of_images(self, share):
        errors = self.maps_errors()
        own = np.abs(np.nansum(errors, (1, 2))).sum() / np.nansum(np.abs(errors))
        self.share(share, own, f"bias by image of {self.subject}")

    def of_scenes(self, share, low, low_way, lowest, high, high_way, highest):
        own = self.answer.run.frames[self.answer.method(self.subject)].reset_index().dropna(subset=["bias_m"])
        pixels = own.coverage * own.truth_pixels
        signed, counts = (own.bias_m * pixels).groupby(own.scene).sum(), pixels.groupby(own.scene).sum()
        by = signed / counts
        self.share(share, signed.abs().sum() / (own.mae_m * pixels).sum(), f"bias by scene of {self.subject}")
        for amount, way, scene, found in ((low, low_way, lowest, by.idxmin()), (high, high_way, highest, by.idxmax())):
            self.check.same(scene, found, f"{self.subject}, scene at an end")
            self.length(amount, abs(by[found]), f"bias of {self.subject} in {found}")
            self.way(way, by[found])

    def one_image(self, name, share):
        sums = np.nansum(np.abs(self.maps_errors()), (1, 2))
        self.check.same(int(name[1:]), int(np.argmax(sums)), f"{self.subject}, the image that makes most")
        self.share(share, sums.max() / sums.sum(), f"{self.subject}, share of that image")

    def few_images(self, few, count, scene, scenes, share):
        own = self.answer.run.frames[self.answer.method(self.subject)].reset_index().dropna(subset=["mae_m"])
        sums = (own.mae_m * own.coverage * own.truth_pixels).sort_values(ascending=False, kind="stable")
        half = sums[: int((sums.cumsum() < sums.sum() / 2).sum()) + 1]
        self.number(few, len(half), f"images that make half of the error of {self.subject}")
        self.number(count, len(own), f"images of {self.subject}")
        self.share(share, half.sum() / sums.sum(), f"{self.subject}, share of these images")
        places = own.scene[half.index].unique()
        if scene:
            self.check.same([scene], list(places), f"{self.subject}, the scene of these images")
        if scenes:
            self.number(scenes, len(places), f"{self.subject}, scenes of these images")

    def maps_errors(self):
        own = self.answer.run.frames[self.answer.method(self.subject)]
        values = self.answer.maps[self.subject]
        if (own.space == "depth").any() and own.scale.notna().any():
            values = own.scale.to_numpy()[:, None, None] * values + own["shift"].to_numpy()[:, None, None]
        counts = (self.answer.truth > 0.1) & (self.answer.truth <= 10)
        return np.where(counts, values - self.answer.truth, np.nan)

    def part(self, pixels, words, error):
        table, key = ("steps", 1) if "steps" in words else ("confidence", int(words.split()[-1]))
        own = self.answer.bins(table, self.subject, "mae_m")
        sums = own.pixels * own.mae_m
        self.share(pixels, own.pixels[key] / own.pixels.sum(), f"{self.subject}, pixels that {words}")
        self.share(error, sums[key] / sums.sum(), f"{self.subject}, error of pixels that {words}")
        self.check.true(sums[key] / sums.sum() >= 1.5 * own.pixels[key] / own.pixels.sum(), f"pixels that {words} do not stand out")

    def filled(self, pixels, error):
        run = self.answer.run
        self.share(pixels, 1 - run.mean(RAW, "coverage"), "truth without LiDAR")
        self.length(error, run.mean(self.answer.ids(run, self.subject)[0], "mae_m_filled"), f"MAE of {self.subject} there")

    # Without an independent truth

    def differs(self, error):
        self.length(error, self.answer.error(RAW), "MAE of the raw LiDAR")

    def levels(self, found):
        own = self.answer.run.csv("confidence", confidence=str)
        own = own[own.method == RAW].set_index("confidence").median_rel
        for share, level in re.findall(r"([\d.]+) % at confidence (\d+)", found):
            self.share(share, own[level], f"median relative error at confidence {level}")
        self.check.same(len(re.findall("confidence", found)), int(own.notna().sum()), "levels of confidence")

    def closer(self, name, error):
        self.length(error, self.answer.error(self.answer.method(name)), f"MAE of {name}")

    def steadiest(self, name, count, value, share, raw):
        run = self.answer.run
        own = {m: run.mean(m, "flicker_m") for m in run.complete("flicker_m") if not is_oracle(m)}
        own = {m: v for m, v in own.items() if not missing(v)}
        self.check.same(self.answer.method(name), min(own, key=own.get), "the steadiest")
        self.number(count, len(own), "methods with a flicker")
        self.length(value, min(own.values()), f"flicker of {name}")
        self.length(raw, own[RAW], "flicker of the raw LiDAR")
        self.share(share, 1 - min(own.values()) / own[RAW], "steadiness gained")

    # A truth that is not exact

    def plus_minus(self, name, value, expanded, factor):
        run = self.answer.run
        own = run.csv("budget")
        own = own[own.method.isin(self.answer.ids(run, name)) & (own.measure == "rmse_m")].set_index("component")
        found = own.loc["result"]
        # The combined variance is that of the components, and U as many of its roots as Student's t says.
        parts = own.drop("result")
        self.parts = (parts.standard_uncertainty * parts.sensitivity) ** 2
        freedom = self.parts.sum() ** 2 / (self.parts**2 / parts.degrees_of_freedom.fillna(np.inf)).sum()
        k = stats.t.ppf(0.975, freedom)
        self.length(value, found.estimate, f"RMSE of {name}")
        self.length(expanded, k * np.sqrt(self.parts.sum()), f"± U of {name}")
        self.number(factor, k, "coverage factor")

    def before(self, error):
        self.length(error, self.answer.run.mean(self.answer.method(self.answer.run.verdict["contrast"]["comparison"]["method"]), "rmse_m"), "RMSE before")

    def part_of_variance(self, share, component):
        self.check.same(component, self.parts.idxmax(), "the largest component")
        self.share(share, self.parts.max() / self.parts.sum(), f"share of {component}")

    def unclaimed(self, amount, limit, factor):
        own = Ranges(self.answer, self.subject).scale
        self.share(amount, abs(own), f"scale of {self.subject}")
        scale = self.answer.run.manifest["truthDeviation"]["scale"]
        self.share(limit, stats.norm.ppf(0.975) * scale, "what the truth's scale may be off by")
        self.number(factor, stats.norm.ppf(0.975), "coverage factor")
        self.check.true(abs(own) <= stats.norm.ppf(0.975) * scale, "the difference is larger than that")

    # What next

    def largest(self, name):
        scene, frame = re.search(r"--scene (\S+) --frame (\S+)", self.paragraph).groups()
        errors = self.answer.run.without_thin(self.answer.run.values(self.answer.method(name), "abs_rel"))
        self.check.same((scene, frame), errors.idxmax(), f"frame in which {name} has its largest error")

    def largest_image(self, name, place):
        errors = self.answer.run.without_thin(self.answer.run.values(self.answer.method(name), "abs_rel"))
        self.check.true(errors.idxmax()[0] == place, f"image of the largest AbsRel of {name}: {place}, and it is {errors.idxmax()}")

    def largest_frame(self, name, frame, scene):
        errors = self.answer.run.without_thin(self.answer.run.values(self.answer.method(name), "abs_rel"))
        self.check.same((scene, frame), errors.idxmax(), f"frame of the largest AbsRel of {name}")

    def frames_with_depth(self, name):
        run = self.answer.run
        return sum(int(run.frames[i].coverage.notna().sum()) for i in self.answer.ids(run, name))

    def refused(self, frames):
        self.number(frames, self.frames_with_depth(RAW) - self.frames_with_depth(self.pair[0]), f"frames that {self.pair[0]} refused")

    def solved(self, frames):
        self.number(frames, self.frames_with_depth(self.subject), f"frames in which {self.subject} has depth")

    def wanted(self, scenes):
        by = self.by_scene(self.pair).to_numpy()

        def needed(k):
            return (stats.t.ppf(0.975, k - 1) + stats.t.ppf(0.8, k - 1)) * np.std(by, ddof=1) / np.sqrt(k)

        k, shown = int(scenes), abs(by.mean())
        fewest = needed(k) <= shown * (1 + 1e-9) and needed(k - 1) > shown * (1 - 1e-9)
        self.check.true(k in (6, len(by) + 1) or fewest, f"{scenes} scenes would not be the fewest")

    def known(self, *_):
        """A form without a number, or whose numbers stand elsewhere."""


FORMS = [
    # Measured
    (r"(\d+) frames? of (?:(\d+) of \d+ scenes|(\d+) scenes?), protocol [\w-]+(?:, changed)?\.", "frames"),
    (r"(\d+) images?(?:, each a scene of its own)?, protocol [\w-]+(?:, changed)?\.", lambda reader, count: reader.frames(count, count)),
    (r"(\d+) scenes? without truth: errors cannot be given; the steadiness over time can\.", "known"),
    (r"The truth is rendered: these are simulated data, not measurements of a device\.", "known"),
    (rf"The (?:truth|reference) from [\d.]+ (?:to [\d.]+ m|m on)(?:, after the protocol’s crop,)? covers {P} of the pixels(?:, {P} in the (?:frame|image) that has least)?\.", "truth_share"),
    (r"The truth is independent of the LiDAR\.", "known"),
    (r"The truth is from the recording itself: it cannot show a gain over the LiDAR, only a loss\.", "known"),
    (r"The truth(?: of \d+ of \d+ scenes)? is not (?:declared to be independent of the LiDAR|independent of the LiDAR \([\w, -]+\)): it cannot show a gain over the LiDAR, only a loss\.", "known"),
    (r"The truth(?: of \d+ of \d+ scenes)? was selected: its makers excluded pixels that disagree with the LiDAR, so the raw LiDAR looks better than it is\.", "known"),
    (r"Maps of [\w, ]+ (?:are (?:disparity|depth): each was|were) fitted to the truth [^.]*\([^()]*\)?[^.]*?(?:scale is|scale and shift are) not judged\.", "known"),
    (r"Maps of [\w, ]+ are metric and were scored as they are\.", "known"),
    # Doubt
    (r"The input is probably wrong: the mean error is larger than the depth itself \(AbsRel above 100 %\)\. Look at the units of truth and predictions, and at numbers that stand for no depth\.", "known"),
    (r"The truth is probably the input itself: (\w+) has no error at all\. Look at which files are the truth\.", lambda reader, name: reader.check.close(reader.answer.error(reader.answer.method(name)), 0, f"error of {name}")),
    (r"The truth is probably the input itself: ([\w-]+) has an error below 0\.001 mm\. Look at which files are the truth\.", lambda reader, name: reader.check.true(0 < reader.answer.error(reader.answer.method(name)) < 1e-6, f"error of {name}")),
    (r"(?:Scene|Image)s are copies: (\S+) and (\S+) have the same errors to the last digit(?:, and so (?:has|have) (\d+) other (?:scene|image)s?)?\. They count several times: leave out all but one, with `?--scenes`?\.", "copies"),
    # Answer
    (rf"{NAME} ha(?:s|ve) the lowest error of (\d+) (?:methods|networks)((?: that were(?: not)? fitted to the truth)?): MAE {L}(?: where the LiDAR measures)?", lambda r, name, count, part, error: r.leads(name, None if part else count, error)),
    (rf"(.+? and .+?) have the same MAE(?:,| to within 0\.05 %:) {L}\.", "shared_place"),
    (r"The error is the same in every (?:image|scene): their maps are probably the same\.", "copied"),
    (rf", {P} (less|more) than the raw LiDAR’s {L}", lambda r, amount, word, value: r.change(amount, word, r.leader, "the raw LiDAR", value)),
    (rf", {P} (less|more) than (?!the raw){NAME}’s {L}", lambda r, amount, word, other, value: r.change(amount, word, r.leader, other, value)),
    (r" ?\(in (\d+) frames? that it refused, the raw LiDAR stands in\)", "refused"),
    (rf", equal to {NAME}’s {L} at the precision shown\.", lambda r, name, value: r.length(value, r.answer.error(r.answer.method(name)), f"MAE of {name}")),
    (rf"; the next, {NAME}, has {L}, {P} more\.", "next_best"),
    (rf"; the next, {NAME}, has {L}, {L} more\.", "next_after_none"),
    (rf"No method beats (the raw LiDAR): MAE {L}(?: where the LiDAR measures)?\.", lambda r, name, error: r.leads(RAW, None, error)),
    (rf"The next, {NAME}, has {P} (less|more) than the raw LiDAR’s {L}(?=\.| \(in)", lambda r, name, amount, word, value: r.change(amount, word, name, "the raw LiDAR", value)),
    (rf"([\w, @-]+?) equals? it\.", lambda reader, names: [reader.equal(name, RAW) for name in names.split(", ")]),
    (rf"{NAME} has an MAE of {L}, AbsRel {P}, δ₁ {P}\.", "alone"),
    (rf"(?:It|In the others it) has a depth at {P} of the pixels with truth: MAE and AbsRel are of these, and δ₁ counts the rest as wrong\.", "coverage_alone"),
    (rf"{NAME} has a depth at {P} of the pixels with truth and {NAME} at {P}: each error is of its own pixels\.", "coverage"),
    (rf"{NAME} and {NAME} have the same MAE\.", "equal"),
    (rf"{NAME} and {NAME} are not compared: only one of them was fitted to the truth\.", "known"),
    (rf"{NAME} and {NAME} are not compared: {NAME} leaves out pixels that {NAME} covers \(coverage {P} and {P}\)\.", lambda r, a, b, *found: r.left_out(*found)),
    (rf"{NAME}, the method under test, has {P} (less|more) than {NAME}’s {L}(?=\.| \(in)", lambda r, name, amount, word, other, value: r.change(amount, word, name, other, value)),
    (rf"The difference, {D},", "question"),
    (rf"is not shown: neighbouring images have similar differences \(correlation {N}\), as in a video, so (\d+) images count as fewer \(p = ([\d.E−-]+)(?:, the smallest possible)?, sign flips over \d+ images, the run’s single planned test, were they independent\)\. Name the videos with `?--scene-by`?\.", "dependence"),
    (r"is (not )?statistically significant \(p = ([\d.E−-]+)(?:, the smallest possible)?, sign flips over (\d+) (?:scene|image)s, the run’s single planned test(?:; the interval holds 0)?\)\.", "significance"),
    (r"cannot be tested with (\d+) (?:scene|image)s?: a test needs at least 6\.", "untested"),
    (rf"With (\d+) (?:scene|image)s, the smallest detectable difference is {L}(?:; detecting half of it needs about (\d+) (?:scene|image)s)?\.", "detectable"),
    (r"Beware: .*? fitted to the truth, .*? (?:was|were) not\.", "known"),
    (r"Not ranked, because of missing (?:scene|image)s or pixels: ", "known"),
    (rf"{NAME} \(\d+ (?:scene|image)s?, coverage {P}\)[,.]", "coverage"),
    (rf"(?:T|t)he raw LiDAR \(lidar-bilinear\) differs from the reference by an MAE of {L}(?: where the LiDAR measures)?\.", "differs"),
    (r"No method comes closer to it\.", "known"),
    (r"Not ranked: smoothed, which averages the frames that the reference is made of\.", "known"),
    (r"What it shows: the raw LiDAR’s median relative error, averaged over frames, is ((?:[\d.]+ % at confidence \d+(?:, )?)+)\.", "levels"),
    (rf"A gain cannot be shown here: {NAME} comes closer \({L}\), but the reference is (?:made of the same LiDAR frames|from the LiDAR itself|not known to be independent of the LiDAR)\.", "closer"),
    (r"Without ground truth, no method can be ranked\.", "known"),
    (rf"{NAME} is the steadiest of (\d+): a still surface moves by {L} between frames, {P} less than with the raw LiDAR \({L}\)\. Steady is not accurate: a depth map that lags behind is steady, too\.", "steadiest"),
    # Methods
    (r"(`[^` ]+`)( \([\w ]+\))?:", "bullet"),
    (r"(`[^` ]+`), in the (\d+) frames? in which it has depth:", lambda r, name, frames: (r.bullet(name, None), r.solved(frames))),
    (rf"MAE {L}\.", "error_of_subject"),
    (rf"MAE {L}, not compared with {NAME}: only one of them was fitted to the truth\.", lambda r, error, _: r.error_of_subject(error)),
    (rf"MAE {L}, not compared with {NAME}: {NAME} leaves out pixels that {NAME} covers \(coverage {P} and {P}\)\.", lambda r, error, _, *found: (r.error_of_subject(error), r.left_out(*found))),
    (rf"(better|worse|less error|more error) than {NAME}, by {P}: MAE {L} instead of {L} \({D}\)", "standing"),
    (rf"worse than {NAME}, by {L}: MAE {L} instead of {L} \({D}\)", "worse_than_none"),
    (r"; \d+ (?:scene|image)s? cannot say whether this holds elsewhere", "known"),
    (r", which could be chance", "known"),
    (rf"the same MAE as {NAME}, {L}\.", "same"),
    (rf"equal to {NAME} at the precision shown: MAE {L} \({D}\)\.", "alike"),
    (r"It gave no depth in (\d+) of (\d+) images\.", "without_depth"),
    (r"On the (\d+) (?:frame|image)s? in which both have depth\.", "both"),
    (rf"Over all pixels together, each counting once, its MAE is {L}\.", "pooled_error"),
    (r"Its error is made in the same way\.", "known"),
    (rf"Bias makes {P} of the error; the rest is noise and local errors\.", "bias"),
    (rf"Few pixels make most of the error: within half a metre of depth, the RMSE is {N} times the MAE, so no bias is claimed\.", "few"),
    (rf"It is {P} (too far|too near) at every depth, which makes {P} of the error(?:: a scale that is off)?\.", "scale"),
    (rf"It is {L} (too far|too near) at every depth, which makes {P} of the error(?:: a shift that is off)?\.", "shift"),
    (rf"Bias makes {P} of the error: it is {P} or {L} (too far|too near) at every depth\. These depths do not tell a scale from a shift\.", "either"),
    (r"Few pixels of each range of depth make its mean error, so no bias is claimed\.", "known"),
    (rf"Bias that changes with depth makes {P} of the error, {P} of it (.*? m)\.(?= |$)", "varying"),
    (rf"Bias that differs from image to image makes {P} of the error\.", "of_images"),
    (rf"Bias that differs from (?:scene to scene|image to image) makes {P} of the error, from {L} (too far|too near) in (\S+) to {L} (too far|too near) in (\S+)\.", "of_scenes"),
    (rf"Image (\w+) alone makes {P} of the error\.", "one_image"),
    (rf"(\d+) of (\d+) (?:image|frame)s(?:, all of (\S+),|, of (\d+) scenes?,)? makes? {P} of the error\.", "few_images"),
    (rf"{P} of the pixels (lie at depth steps|have confidence \d+) and make {P} of the error\.", "part"),
    (rf"Where the LiDAR has nothing \({P} of the truth\), the MAE is {L}\.", "filled"),
    # A truth that is not exact
    (rf"Error of {NAME}: RMSE {N} ± {L} \(k = {N}\)", lambda r, name, value, expanded, k: r.plus_minus(name, f"{value} {expanded.split()[1]}", expanded, k)),
    (rf"Error of {NAME}: RMSE {L} ± {L} \(k = {N}\)", "plus_minus"),
    (rf", with the noise of the truth taken out \(before: {L}\)\.", "before"),
    (rf"{P} of the variance is from ([\w ]+)\.", "part_of_variance"),
    (rf"A difference of {P} at every depth is within what the truth’s scale may be off by \(± {P}, k = {N}\), so no offset is claimed\.", "unclaimed"),
    # Next
    (rf"`fathom render [^`]+` draws the (?:frame|image) in which {NAME} has its largest error\.", "largest"),
    (r"`fathom frames FOLDER` makes a page of (?:the image|all images|all frames); FOLDER is the folder of this page\.", "known"),
    (rf"The largest AbsRel of {NAME} is in (\w+)\.", "largest_image"),
    (rf"The largest AbsRel of {NAME} is in frame (\S+) of ([\w-]+)\.", "largest_frame"),
    (r"`fathom evaluate [^`]+`: add recordings of other places, to (\d+) scenes at least\.", "wanted"),
    (r"Evaluate at least (\d+) images\.", "wanted"),
    (r"More than 100,000 (?:scene|image)s like these would be needed to show so small a difference\.", "known"),
    (r"`fathom evaluate [^`]+` makes a reference from neighbouring frames, where they have poses\.", "known"),
    (r"Add the ground truth to the data set, as `truth/depth`, or record more frames with poses: no scene has enough for `--truth multiview`\.", "known"),
    (r"`fathom attach [^`]+` adds what your network made of these frames; then evaluate again\.", "known"),
    (r"If the truth is from another sensor, declare it \(`independence` of `truth/depth`; in Python `truth_independence`\), and evaluate again\.", "known"),
    (r"Evaluate on truth from another sensor, such as a laser scan: the LiDAR's own depth cannot show a gain\.", "known"),
    (r"`fathom calibrate [^`]+` says how large the LiDAR's error is by (?:confidence and range|range)\. To show a gain, evaluate on truth from another sensor, such as a laser scan\.", "known"),
]  # fmt: skip
FORMS = [(re.compile(pattern), action) for pattern, action in FORMS]


def paragraphs(folder):
    text = (folder / "report.md").read_text(encoding="utf-8").split("\n## Verdict\n")[1].split("\n## ")[0]
    return [" ".join(p.removeprefix("- ").replace("**", "").split()) for p in re.split(r"\n\n|\n(?=- )", text) if p.strip()]


def read(answer, check):
    """The answer's text; what is wrong with it is told to the check."""
    found = [p for p in paragraphs(answer.run.folder) if not p.startswith(("![", "|"))]
    badge(answer, found[0], check)
    reader = Reader(answer, check)
    for paragraph in found[1:]:
        reader.paragraph = paragraph
        rest = re.sub(r"^(Doubt|Measured|Answer|Uncertainty|Where|Next)\. ", "", paragraph)
        while rest := rest.strip():
            for pattern, action in FORMS:
                if match := pattern.match(rest):
                    break
            else:
                check.faults.append(f"a sentence of no known form: {rest}")
                break
            check.tables += 1
            groups = match.groups()
            if "lowest error of" in match[0]:
                reader.leader = groups[0].partition(" and ")[0]
            try:
                getattr(Reader, action)(reader, *groups) if isinstance(action, str) else action(reader, *groups)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                check.faults.append(f"“{match[0]}” could not be computed: {error!r}")
            rest = rest[match.end() :].removeprefix(".")
    return "\n".join(found)


def badge(answer, text, check):
    """Better and worse only where the one question is answered."""
    word = text.partition(":")[0]
    question = answer.run.verdict.get("contrast")
    if word in ("Better", "Worse"):
        reader = Reader(answer, check)
        found = reader.compare(question["comparison"]["method"], question["comparison"]["reference"])
        p, _ = reader.p_of(reader.pair)
        check.true(p <= 0.05, f"{word}, and p is {p}")
        check.same(word, "Better" if found["difference"] < 0 else "Worse", "the badge")
    if match := re.search(r": (\d+) (?:scene|image)s?, and a test needs (\d+)$", text):
        reader = Reader(answer, check)
        reader.pair = answer.method(question["comparison"]["method"]), question["comparison"]["reference"]
        check.same((int(match[1]), int(match[2])), (len(reader.by_scene(reader.pair)), 6), "the badge, scenes")
    check.tables += 1
