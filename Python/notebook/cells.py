# The cells of Notebooks-export/python.ipynb, in the percent format (Jupytext); make_notebook.py executes them.

# %% [markdown] id="title"
# # Depth maps from Python
#
# numpy arrays go in, pandas tables come out. The package `fathom-depth` calls the command `fathom`, which computes every number
# here but those of the last cell, which checks them.

# %% [markdown] id="arrays-words"
# ## Arrays
#
# Four frames of a simulated room: the truth, the LiDAR with its confidence, and the relative map of a network.
# Two networks are made up here: one is 3 % too far everywhere, the other has random errors of 5 cm.

# %% id="arrays"
import h5py
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import fathom

pd.set_option("display.float_format", "{:.4g}".format)

with h5py.File("../Datasets/sample.h5") as file:
    rooms = [file["scenes/room-01"], file["scenes/room-02"]]
    truth, lidar, confidence, relative = (
        np.concatenate([room[name][:] for room in rooms])
        for name in ("truth/depth", "lidar/depth", "lidar/confidence", "relative/values")
    )
scenes = ["room-01"] * 2 + ["room-02"] * 2
networks = {"scaled": 1.03 * truth, "noisy": truth + np.random.default_rng(1).normal(0, 0.05, truth.shape)}
print(truth.shape, lidar.shape, relative.shape)

# %% [markdown] id="evaluate-words"
# ## One call
#
# `means` has a row for each method: the networks (`stored:…`), the raw LiDAR, and the fits of the relative map to the LiDAR.
# `support="measured"` counts the pixels that the LiDAR measures.

# %% id="evaluate"
run = fathom.evaluate(
    networks, truth, lidar=lidar, confidence=confidence, relative=relative, scenes=scenes, truth_independence="render"
)
run.means("measured")[["mae_m", "abs_rel", "rmse_m", "delta_1"]].sort_values("mae_m")

# %% [markdown] id="verdict-words"
# What the run shows stands in `verdict`. Its keys are described in `docs/verdict.md`.

# %% id="verdict"
ranking = run.verdict["ranking"]
print("best:", ranking["best"], "by", ranking["column"])
pd.DataFrame(ranking["methods"])[["method", "place", "coverage"]].dropna(subset="place").astype({"place": int})

# %% [markdown] id="tables-words"
# ## Tables
#
# A run is a mapping of a table's name to its DataFrame. `definitions` says what every column is.

# %% id="tables"
rows = {table["file"].removesuffix(".csv"): table["row"] for table in run.definitions["tables"]}
pd.DataFrame([{"table": name, "a row is": rows[name], "rows": len(run[name])} for name in run])

# %% id="ranges"
ranges = run["ranges"]
errors = ranges[ranges["metric"] == "mae_m"].pivot(index="from_m", columns="method", values="value")
errors = 1000 * errors[["lidar-bilinear", "auto", "stored:scaled", "stored:noisy"]]
axis = errors.plot(marker="o", figsize=(8, 4), xlabel="true depth from [m]", ylabel="MAE [mm]")
axis.set_ylim(bottom=0)
plt.show()

# %% [markdown] id="stored-words"
# ## A run that is there
#
# `load` reads any folder that the command wrote: of `evaluate`, `tune`, `calibrate`, `compare`, `replay` or `diagnose`.

# %% id="stored"
stored = fathom.load("../Reports/demo")
print(stored.manifest["tool"], "of", stored.manifest["counts"])
stored.means().loc[["auto", "lidar-bilinear", "ols@disparity"], ["mae_m", "abs_rel"]]

# %% [markdown] id="check-words"
# ## The same by hand
#
# The error of the first network, by numpy: the mean over the pixels of a frame, the frames of a scene, the scenes.

# %% id="check"
error = np.abs(networks["scaled"].astype("f8") - truth)
frames = [values[true > 0].mean() for values, true in zip(error, truth)]
by_hand = np.mean([np.mean(frames[:2]), np.mean(frames[2:])])
print(f"numpy {by_hand:.6f} m, fathom {run.means().loc['stored:scaled', 'mae_m']:.6f} m")
del run  # And its folder, which was a temporary one.
