# The analysis that `fathom export` writes as a notebook, in the percent format (Jupytext).
#
# A cell is there only where the export has the tables, and the metrics in them, that its head names: needs="table:metric".
# It selects, arranges and draws; no metric is computed here. Arithmetic is on places and counts only.

# %% [markdown] id="title"
# # Accuracy of depth fusion
#
# The tables of one run of `fathom evaluate`, drawn. Every number was computed by that run: this notebook selects, arranges
# and draws what `tables/` holds. [DATA-DICTIONARY.md](DATA-DICTIONARY.md) says what every column means, and `tables.json`
# says the same to programs. It needs pandas and matplotlib.

# %% id="setup"
import json

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.colors import LogNorm
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

plt.style.use("default")
plt.rcParams.update({
    "figure.dpi": 72, "figure.figsize": (8.4, 4.6), "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 11, "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#e6e6e6", "legend.frameon": False, "lines.linewidth": 1.8,
})
pd.set_option("display.float_format", "{:.4g}".format, "display.max_columns", 60, "display.max_rows", 200,
              "display.max_colwidth", None)

# Colours that the colour-blind tell apart (Okabe and Ito 2008), and marks, so that colour alone never carries the meaning.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000"]
MARKS = ["o", "s", "^", "D", "v", "P", "X"]
GREY = "#737373"
ARROWS = {"lower": "↓", "higher": "↑", "zero": "→0"}


def read(path):
    """A table; only an empty cell is a missing value, and names stay texts."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""], float_precision="round_trip",
                       dtype={name: str for name in ("scene", "frame", "method", "class", "depth", "bin")})


def table(name):
    return read(f"tables/{name}.csv")


with open("tables.json", encoding="utf-8") as file:
    METRICS = pd.DataFrame(json.load(file)["metrics"]).set_index("id")
with open("run.json", encoding="utf-8") as file:
    run = json.load(file)
# Tables hold metres and, of objects, centimetres; lengths are shown in the unit of the run's report.
LENGTH = run.get("units", "mm")
FACTORS = {"mm": {"m": 1000, "cm": 10}, "m": {"m": 1, "cm": 0.01}}[LENGTH]


def factor_of(metric):
    """What a table's numbers of a metric are multiplied by to be shown."""
    return FACTORS.get(METRICS["unit"].get(metric), 1)


def in_unit(rows, metric, columns=("value", "low", "high")):
    """The same rows, these columns in the unit in which the metric is shown."""
    factor = factor_of(metric)
    return rows.assign(**{column: rows[column] * factor for column in columns})


def label(metric, support="all", arrow=True):
    """A metric as axes and heads of tables name it: "MAE (measured) [mm] ↓"."""
    if metric not in METRICS.index:
        return metric
    entry = METRICS.loc[metric]
    pixels = "" if support == "all" else f" ({support})"
    name = LENGTH if entry["unit"] in FACTORS else entry["unit"]
    unit = "" if name in ("", "share") else f" [{name}]"
    return f"{entry['title']}{pixels}{unit}" + (f" {ARROWS.get(entry['direction'], '')}" if arrow else "")


def logarithmic(axis):
    """A logarithmic axis with few ticks and plain numbers."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
    axis.set_minor_formatter(NullFormatter())


# %% [markdown] id="about-run"
# ## What this run is

# %% id="run"
pd.Series({
    "made by": f"{run['tool']} {run['version']}",
    "data": ", ".join(f"{entry['file']} (SHA-256 {entry['sha256'][:12]}…)" for entry in run["inputs"]),
    "scenes, frames": f"{run['counts']['scenes']}, {run['counts']['frames']}",
    "protocol": run["protocolStatement"],
    "compared with": run["baseline"],
    "seed": run["seed"],
}, name="").to_frame()

# %% [markdown] id="about-truth"
# Truth that comes from the sensor itself (`truthIndependence` same-sensor, multiview or unknown) cannot show a gain over the raw LiDAR.

# %% id="scenes"
facts = ["frames", "relativeKind", "kindCorrelation", "truthIndependence"]
pd.DataFrame(run["scenes"]).set_index("name").reindex(columns=facts).dropna(axis="columns", how="all")

# %% [markdown] id="about-diagnosis" needs="diagnosis"
# What the data say about their own conventions: an error of a run whose data contradict what they declare may be theirs.

# %% id="diagnosis" needs="diagnosis"
diagnosis = table("diagnosis")
contradicted = diagnosis[diagnosis["verdict"] == "contradicted"].set_index(["scene", "test"])
if len(contradicted):
    display(contradicted[["declared", "supported", "summary", "fix"]])
else:
    print("Nothing that the data declare is contradicted by them.")
diagnosis.value_counts(["test", "verdict"], sort=False).unstack(fill_value=0)

# %% [markdown] id="about-methods"
# ## Methods
#
# Value and, in brackets, its 95 % interval over scenes (BCa). `solved` counts the frames on which a method delivered a map that
# could be scored: a frame without truth does not count, whatever was delivered. Errors are those of the pixels that it covers. An oracle
# looks at the truth: a bound, not a candidate.

# %% id="methods"
methods = table("methods").set_index("method")
summary = table("summary")
means = summary[summary["statistic"] == "mean"]
baseline = run["baseline"]


def values(metric, support="all"):
    """A metric of all methods, the best first."""
    rows = means[(means["metric"] == metric) & (means["support"] == support)]
    rows = rows.sort_values("value", ascending=METRICS["direction"].get(metric) != "higher", kind="stable")
    return in_unit(rows, metric)


def bracketed(row):
    """Value and interval, held together by no-break spaces."""
    return f"{row.value:.4g}" + ("" if pd.isna(row.low) else f"\u00a0[{row.low:.3g},\u00a0{row.high:.3g}]")


overview = methods[["role"]].copy()
overview["solved"] = [f"{row.frames_solved}/{row.frames}" for row in methods.itertuples()]
for metric in ("abs_rel", "mae_m", "rmse_m", "delta_1"):
    overview[label(metric)] = pd.Series({row.method: bracketed(row) for row in values(metric).itertuples()}, dtype=str)
for metric in ("bias_m", "coverage", "flicker_m"):
    overview[label(metric)] = pd.Series({row.method: f"{row.value:.3g}" for row in values(metric).itertuples()}, dtype=str)
overview = overview.dropna(axis="columns", how="all")
overview.fillna("–")

# %% id="refusals" needs="frames"
frames = table("frames")
endings = frames[frames["status"] != "ok"].value_counts(["method", "status"], sort=False)
endings.to_frame("frames") if len(endings) else print("Every method delivered a map on every frame.")

# %% [markdown] id="about-error" needs="summary:mae_m_measured"
# ## Error per method
#
# On the truth pixels that the LiDAR measures, where the raw LiDAR (dashed) is the one to beat, and over all truth pixels. Hollow: the oracle.

# %% id="error" needs="summary:mae_m_measured summary:abs_rel"
def draw_methods(axis, metric, support):
    rows = values(metric, support)
    for place, row in enumerate(rows.itertuples()):
        oracle = methods.loc[row.method, "role"] == "oracle"
        colour = GREY if oracle else COLOURS[6] if row.method == baseline else COLOURS[0]
        axis.hlines(place, row.low, row.high, color=colour, linewidth=2)
        axis.plot(row.value, place, "o", color=colour, markerfacecolor="white" if oracle else colour)
    axis.axvline(rows.set_index("method")["value"].get(baseline, float("nan")), color=GREY, linestyle="--", linewidth=1)
    axis.set_yticks(range(len(rows)), rows["method"])
    axis.invert_yaxis()
    logarithmic(axis.xaxis)
    axis.margins(y=0.02)
    axis.set_xlabel(label(metric, support))


figure, axes = plt.subplots(1, 2, figsize=(9.6, 1.4 + 0.26 * len(methods)))
for axis, (metric, support) in zip(axes, [("mae_m", "measured"), ("abs_rel", "all")]):
    draw_methods(axis, metric, support)
axes[0].set_title(f"95 % intervals over scenes; dashed: {baseline}")
plt.show()

# %% [markdown] id="about-shown" needs="summary:mae_m_measured"
# The curves below show the baseline, the app's own fusion where it solved anything, and the three other methods of least MAE on the measured
# pixels among those that are complete: scored on as many frames as the method, oracles aside, that is scored on most.

# %% id="shown" needs="summary:mae_m_measured"
candidates = methods[methods["role"] != "oracle"]
complete = candidates[candidates["frames_solved"] == candidates["frames_solved"].max()]
named = [method for method in dict.fromkeys([baseline, "spec", "shipped"])
         if method in candidates.index and candidates.loc[method, "frames_solved"] > 0]
best = [method for method in values("mae_m", "measured")["method"] if method in complete.index and method not in named][:3]
shown = [*named, *best]
STYLE = {method: dict(color=colour, marker=mark, label=method) for method, colour, mark in zip(shown, COLOURS, MARKS)}
STYLE[baseline] = dict(color=GREY, marker="o", linestyle="--", label=baseline)
for place, method in enumerate(reversed(best)):
    STYLE[method]["zorder"] = 3 + place  # The best lies on top.
print("baseline:", baseline)
print("best:", ", ".join(best) if best else "no other method solved as many frames as the most")

# %% id="bins" needs="summary:coverage summary:mae_m_measured"
scenes = table("scenes")
scenes_with_truth = scenes.loc[scenes["coverage"].notna(), "scene"].drop_duplicates()


def seen_by_several(rows):
    """Rows of the bins that are drawn: a bin that only one scene of several has is that scene's accident."""
    fewest = 2 if len(scenes_with_truth) > 1 else 1
    filled = rows[(rows["metric"] == "mae_m") & rows["method"].isin(shown) & (rows["scenes"] >= fewest)]
    return rows[rows["bin"].isin(filled["bin"])]


# %% [markdown] id="about-ranges" needs="ranges:mae_m summary:coverage summary:mae_m_measured"
# ## Error against range
#
# Bins in which at least two scenes have a value, where the run has several.

# %% id="ranges" needs="ranges:mae_m summary:coverage summary:mae_m_measured"
ranges = table("ranges")
ranges["bin"] = [f"{row.from_m:g}–{row.to_m:g}" for row in ranges.itertuples()]
ranges = seen_by_several(ranges)
bins = ranges.sort_values("from_m")["bin"].drop_duplicates().tolist()


def over_bins(rows, bins, method, metric):
    rows = rows[(rows["method"] == method) & (rows["metric"] == metric)]
    return in_unit(rows, metric).set_index("bin").reindex(bins)


def draw_bins(axis, rows, bins, metric):
    for method in shown:
        line = over_bins(rows, bins, method, metric)
        axis.plot(bins, line["value"], **STYLE[method])
        axis.fill_between(bins, line["low"], line["high"], color=STYLE[method]["color"], alpha=0.15, linewidth=0)
    logarithmic(axis.yaxis)
    axis.set_ylabel(label(metric))


figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(8.4, 5.6), height_ratios=[4, 1])
draw_bins(above, ranges, bins, "mae_m")
above.set_title("Mean absolute error by true depth" + (
    "" if ranges["low"].isna().all() else "; bands: 95 % over scenes"))
figure.legend(*above.get_legend_handles_labels(), loc="outside lower center", ncols=len(shown))
below.bar(bins, over_bins(ranges, bins, baseline, "mae_m")["pixels"], color="#bdbdbd")
below.set_ylabel("truth pixels")
logarithmic(below.yaxis)
below.set_xlabel("true depth [m]")
below.tick_params(axis="x", rotation=45)
plt.show()

# %% [markdown] id="about-confidence" needs="confidence:abs_rel confidence:mae_m summary:coverage summary:mae_m_measured"
# ## Error against LiDAR confidence

# %% id="confidence" needs="confidence:abs_rel confidence:mae_m summary:coverage summary:mae_m_measured"
confidence = table("confidence")
names = {0: "0 low", 1: "1 medium", 2: "2 high"}
confidence["bin"] = confidence["confidence"].map(names)
confidence = seen_by_several(confidence)
levels = [name for name in names.values() if name in set(confidence["bin"])]
figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.2), sharex=True)
for axis, metric in zip(axes, ["abs_rel", "mae_m"]):
    for method in shown:
        line = over_bins(confidence, levels, method, metric)
        axis.vlines(levels, line["low"], line["high"], color=STYLE[method]["color"], linewidth=2)
        axis.plot(levels, line["value"], **STYLE[method])
    logarithmic(axis.yaxis)
    axis.set_ylabel(label(metric))
    axis.set_xlabel("confidence of the LiDAR pixel")
axes[0].set_title("All truth pixels, by the LiDAR's confidence")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(shown))
plt.show()

# %% [markdown] id="about-cumulative" needs="cumulative summary:mae_m_measured"
# ## Cumulative error
#
# The share of truth pixels whose error is smaller than a length; a missing prediction never counts, so that curves end at the coverage.

# %% id="cumulative" needs="cumulative summary:mae_m_measured"
cumulative = table("cumulative")
figure, axis = plt.subplots()
for method in shown:
    line = in_unit(cumulative[cumulative["method"] == method], "mae_m", ["error_m"])
    style = {**STYLE[method], "marker": None}
    axis.plot(line["error_m"], line["share"], **style)
    axis.fill_between(line["error_m"], line["low"], line["high"], color=style["color"], alpha=0.15, linewidth=0)
logarithmic(axis.xaxis)
axis.set_ylim(0, 1.01)
axis.set_xlabel(f"absolute error [{LENGTH}]")
axis.set_ylabel("share of truth pixels with a smaller error ↑")
axis.set_title("Higher and farther left is better; bands: 95 % over scenes")
figure.legend(loc="outside lower center", ncols=len(shown))
plt.show()

# %% [markdown] id="about-sparsification" needs="sparsification summary:mae_m_measured"
# ## Sparsification: does the confidence know where the error is?
#
# What is left of the mean relative error when pixels are removed: the least confident first, the worst first (the ideal), or any. AUSE is the
# area between the first two, AURG that between the first and the last.

# %% id="sparsification" needs="sparsification summary:mae_m_measured"
sparsification = table("sparsification")
orders = {"by_confidence": "-", "by_error": ":", "random": "--"}
drawn = [method for method in dict.fromkeys([baseline] + best[:1]) if method in set(sparsification["method"])]
figure, axis = plt.subplots()
for method in drawn:
    for order, dash in orders.items():
        line = sparsification[(sparsification["method"] == method) & (sparsification["order"] == order)]
        axis.plot(line["removed_share"], line["abs_rel_left"], linestyle=dash, color=STYLE[method]["color"],
                  label=f"{method}, {order.replace('_', ' ')}")
axis.set_xlim(0, 1)
axis.set_ylim(bottom=0)
axis.set_xlabel("share of pixels removed")
axis.set_ylabel("AbsRel of the pixels that are left ↓")
axis.set_title("The nearer the solid line to the dotted one, the better the confidence")
figure.legend(loc="outside lower center", ncols=len(drawn))
plt.show()

# %% [markdown] id="about-coverage" needs="summary:mae_m summary:coverage_all_frames"
# ## Coverage against error
#
# A method that leaves out what is hard has a small error: both belong together. Best is bottom right. A frame that a method refused counts as
# not covered.

# %% id="coverage" needs="summary:mae_m summary:coverage_all_frames"
points = means[means["metric"].isin(["mae_m", "coverage_all_frames"]) & (means["support"] == "all")]
points = points.pivot(index="method", columns="metric", values="value")
points = in_unit(points.dropna().sort_values("mae_m", kind="stable"), "mae_m", ["mae_m"])
figure, axis = plt.subplots(figsize=(8.4, 1.6 + 0.24 * len(points)))
for place, (method, point) in enumerate(points.iterrows()):
    oracle = methods.loc[method, "role"] == "oracle"
    colour = GREY if method == baseline or oracle else COLOURS[0]
    axis.plot(point["coverage_all_frames"], point["mae_m"], "o", color=colour, markerfacecolor="white" if oracle else colour,
              clip_on=False, zorder=3)
    # Names stand in a column of their own, in the order of the errors, with a line to their point.
    axis.annotate(method, (point["coverage_all_frames"], point["mae_m"]), xytext=(1.08, (place + 0.5) / len(points)),
                  textcoords="axes fraction", va="center", color=colour, fontsize=9,
                  arrowprops=dict(arrowstyle="-", color="#bdbdbd", linewidth=0.8, relpos=(0, 0.5)))
axis.set_xlim(right=1)
logarithmic(axis.yaxis)
axis.set_xlabel(label("coverage_all_frames"))
axis.set_ylabel(label("mae_m"))
plt.show()
without = [method for method in methods.index if method not in points.index]
if without:
    print("without a value:", ", ".join(without))

# %% [markdown] id="about-scenes" needs="summary:abs_rel_measured"
# ## Scene by scene
#
# Methods from the best on the left to the worst; grey is a scene that a method did not solve.

# %% id="scene-map" needs="summary:abs_rel_measured"
scenes = table("scenes")
heat = scenes.pivot(index="scene", columns="method", values="abs_rel_measured").dropna(how="all")
heat = heat[[method for method in values("abs_rel", "measured")["method"] if method in heat.columns]]
title = label("abs_rel", "measured")
if len(heat) > 40:
    heat = heat.nlargest(40, baseline)
    title += f"; the 40 scenes that are hardest for {baseline}"
norm = LogNorm(heat.min().min(), heat.max().max())
colours = plt.get_cmap("cividis_r").with_extremes(bad="#ebebeb")
is_wide = len(heat.columns) > 20
figure, axis = plt.subplots(figsize=(2.6 + (0.26 if is_wide else 0.66) * len(heat.columns), 1.6 + 0.32 * len(heat)))
image = axis.imshow(heat, cmap=colours, norm=norm, aspect="auto")
if not is_wide:
    for row, numbers in enumerate(heat.to_numpy()):
        for column, number in enumerate(numbers):
            if not pd.isna(number):
                axis.text(column, row, f"{number:.2g}", ha="center", va="center", fontsize=8,
                          color="white" if norm(number) > 0.55 else "black")
axis.grid(False)
axis.set_xticks(range(len(heat.columns)), heat.columns, rotation=90 if is_wide else 45, ha="center" if is_wide else "right")
axis.set_yticks(range(len(heat)), heat.index)
axis.set_title(title)
logarithmic(figure.colorbar(image, label=label("abs_rel", "measured", arrow=False)).ax.yaxis)
plt.show()

# %% [markdown] id="about-differences" needs="pairwise:mae_m_measured"
# ## Compared with the baseline
#
# Paired differences over all frames, the raw LiDAR standing in where a method refused one (`fallback`). An interval that excludes zero is
# drawn in colour: blue is better, orange worse. `p_adjusted` is Holm's correction of Wilcoxon's test on the scenes' means.

# %% id="differences" needs="pairwise:mae_m_measured"
differences = summary[(summary["statistic"] == "difference") & (summary["reference"] == baseline)]
against = differences[(differences["metric"] == "mae_m") & (differences["support"] == "measured")
                      & (differences["form"] == "fallback")].sort_values("value", kind="stable")
against = in_unit(against, "mae_m")
figure, axis = plt.subplots(figsize=(8.4, 1.4 + 0.26 * len(against)))
for place, row in enumerate(against.itertuples()):
    colour = COLOURS[0] if row.high < 0 else COLOURS[1] if row.low > 0 else GREY
    axis.hlines(place, row.low, row.high, color=colour, linewidth=2)
    axis.plot(row.value, place, "o", color=colour)
axis.axvline(0, color=GREY, linewidth=1)
axis.set_yticks(range(len(against)), against["method"])
axis.margins(y=0.02)
axis.invert_yaxis()
factor = factor_of("mae_m")
axis.set_xscale("symlog", linthresh=0.01 * factor)
axis.xaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
axis.set_xlabel(f"difference in {label('mae_m', 'measured', arrow=False)} from {baseline}; left is better")
plt.show()
against.set_index("method")[["value", "low", "high", "p", "p_adjusted"]]

# %% id="ranks" needs="ranks:mae_m_measured"
ranks = table("ranks")
ranks = ranks[(ranks["metric"] == "mae_m") & (ranks["support"] == "measured")]
figure, axis = plt.subplots(figsize=(8.4, 1.4 + 0.24 * len(ranks)))
axis.plot(ranks["mean_rank"], range(len(ranks)), "o", color=COLOURS[0])
axis.set_yticks(range(len(ranks)), ranks["method"])
axis.invert_yaxis()
axis.set_xlabel("mean rank over scenes (1 is best)")
axis.set_title(f"Friedman p = {ranks['friedman_p'].iloc[0]:.2g}; methods nearer than "
               f"{ranks['critical_difference'].iloc[0]:.3g} ranks cannot be distinguished (Nemenyi, 0.05)")
plt.show()

# %% [markdown] id="about-worst" needs="summary:mae_m_measured"
# ## Frames to look at
#
# Where the best method's error is largest: `fathom render` draws such a frame.

# %% id="worst" needs="summary:mae_m_measured"
looked_at = (best + [baseline])[0]
by_frame = frames[frames["method"] == looked_at].set_index(["scene", "frame"])
print("method:", looked_at)
worst = by_frame.nlargest(10, "mae_m_measured")[["mae_m_measured", "abs_rel", "delta_1", "coverage"]]
worst = in_unit(worst, "mae_m", ["mae_m_measured"])
worst.rename(columns={"mae_m_measured": label("mae_m", "measured")}).rename(columns=label)

# %% [markdown] id="about-protocols" needs="protocols:abs_rel"
# ## The same predictions under other protocols

# %% id="protocols" needs="protocols:abs_rel"
protocols = table("protocols")
whole = protocols[(protocols["complete"] == "yes") & (protocols["metric"] == "abs_rel")]
print(label("abs_rel"))
whole.pivot(index="method", columns="protocol", values="value").reindex(methods.index)

# %% [markdown] id="about-objects" needs="object_summary"
# ## Objects
#
# What a depth error costs where an app uses it: how far an effect stands from its true place, and how much the fitted box and the true one
# share. One row per depth map and box method, over all objects that have a box.

# %% id="objects" needs="object_summary:placement_cm object_summary:iou"
object_summary = table("object_summary")
everything = object_summary[object_summary["by"] == "all"].copy()
everything["name"] = everything["depth"] + " · " + everything["method"]
order = everything[everything["metric"] == "placement_cm"].sort_values("value", kind="stable")["name"].tolist()
depths = everything["depth"].drop_duplicates().tolist()
figure, axes = plt.subplots(1, 2, figsize=(9.6, 1.6 + 0.22 * len(order)), sharey=True)
for axis, metric in zip(axes, ["placement_cm", "iou"]):
    for depth, colour, mark in zip(depths, COLOURS, MARKS):
        rows = in_unit(everything[(everything["metric"] == metric) & (everything["depth"] == depth)], metric)
        places = [order.index(name) for name in rows["name"]]
        axis.hlines(places, rows["low"], rows["high"], colors=colour, linewidth=2)
        axis.plot(rows["value"], places, mark, color=colour, label=depth)
    axis.set_xlabel(label(metric))
axes[0].set_yticks(range(len(order)), order)
axes[0].invert_yaxis()
figure.legend(*axes[0].get_legend_handles_labels(), title="depth map", loc="outside lower center", ncols=len(depths))
plt.show()

# %% id="placements" needs="objects"
objects = table("objects")
objects = objects[(objects["status"] == "ok") & (objects["method"] == "auto")]
figure, axis = plt.subplots()
for depth, colour, mark in zip(objects["depth"].drop_duplicates(), COLOURS, MARKS):
    rows = in_unit(objects[objects["depth"] == depth], "placement_cm", ["placement_box_cm"])
    axis.plot(rows["range_m"], rows["placement_box_cm"], mark, color=colour, markersize=3, alpha=0.5, label=depth)
logarithmic(axis.yaxis)
axis.set_xlabel("distance of the object [m]")
axis.set_ylabel(label("placement_cm"))
axis.set_title("Every object, boxed by auto")
figure.legend(title="depth map", markerscale=2, loc="outside lower center", ncols=4)
plt.show()

# %% id="detections" needs="detections"
detections = table("detections")
counts = detections.fillna({"class": "all"}).drop_duplicates("class").set_index("class")[["matched", "spurious", "missed"]]
shares = detections.fillna({"class": "all"}).pivot(index="class", columns="metric", values="value")
counts.join(shares)
