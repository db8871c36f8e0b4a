"""`auto` beside every single box method, on scenes that it was not made on: paired over scenes.

    box_table.py FATHOM OUT.csv
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

MEASURES = ["iou", "yaw_error_deg", "placement_box_cm"]
DATA = {
    "zoo, seed 7003": ["--preset", "zoo", "--seed", "7003"],
    "zoo, seed 7004": ["--preset", "zoo", "--seed", "7004"],
    "demo": ["--preset", "demo"],
}
EVALUATE = "--methods auto --box-methods all --object-depths lidar,truth --no-diagnosis --no-figures --no-gallery --overwrite --quiet".split()


def main(fathom, out):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, options in DATA.items():
            data, run = Path(folder) / "data.h5", Path(folder) / "run"
            subprocess.run([fathom, "synthesize", data, *options, "--overwrite", "--quiet"], check=True)
            subprocess.run([fathom, "evaluate", data, *EVALUATE, "--output", run], check=True)
            table = pd.read_csv(run / "objects.csv", keep_default_na=False, na_values=[""])
            table = table[table.status == "ok"]
            keys = ["scene", "frame", "object"]
            for depth, own in table.groupby("depth"):
                auto = own[own.method == "auto"]
                for method, other in own.groupby("method"):
                    if method == "auto":
                        continue
                    both = auto.merge(other, on=keys, suffixes=("_auto", "_other"))
                    row = {"data": name, "depth": depth, "method": method}
                    row |= {"objects": len(both), "scenes": both.scene.nunique()}
                    for column in MEASURES:
                        pair = [column + "_auto", column + "_other"]
                        means = both[["scene", *pair]].dropna().groupby("scene").mean()
                        gain = means[pair[0]] - means[pair[1]]
                        row |= dict(means[pair].mean())
                        row[column + "_p"] = stats.wilcoxon(gain).pvalue if np.any(gain) else 1.0
                    rows.append(row)
    table = pd.DataFrame(rows)
    table.round(4).to_csv(out, index=False)
    for row in table.to_dict("records"):
        cells = [f"{row[c + '_auto']:.3g}, {row[c + '_other']:.3g} ({row[c + '_p']:.2g})" for c in MEASURES]
        print("|", " | ".join([row["data"], row["depth"], f"`{row['method']}`", str(row["objects"]), *cells]), "|")


main(*sys.argv[1:])
