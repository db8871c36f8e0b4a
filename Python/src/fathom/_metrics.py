"""What the command calls its metrics; tables.json of a run defines each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

METRICS = (
    "coverage",
    "coverage_all_frames",
    "abs_rel",
    "sq_rel_m",
    "sq_rel_kitti",
    "rmse_m",
    "rmse_log",
    "log10",
    "silog",
    "mae_m",
    "median_ae_m",
    "p90_ae_m",
    "p95_ae_m",
    "median_rel",
    "bias_m",
    "delta_0_5",
    "delta_1",
    "delta_2",
    "delta_3",
    "delta_103",
    "delta_105",
    "irmse_per_m",
    "irmse_per_km",
    "imae_per_km",
    "boundary_f1",
    "temporal_abs_rel",
    "flicker_m",
    "ause",
    "aurg",
    "normal_mean_deg",
    "normal_median_deg",
    "normal_11",
    "normal_22",
    "normal_30",
    "scale_error",
    "epe_px",
    "bad_1",
    "bad_2",
    "bad_4",
    "d1_all",
)


def near(word: str, words: Iterable[str]) -> str:
    """The words that were probably meant, "did you mean a, b?"; else all."""
    known = [str(one) for one in words]
    meant = difflib.get_close_matches(word, known, n=3)
    return f"did you mean {', '.join(meant)}?" if meant else f"there are {', '.join(known)}"
