"""Draws the README's picture: one frame of a data set with the error of three maps.

    draw_frame.py DATA.h5 SCENE FRAME OUT.png          (needs matplotlib, see draw_requirements.txt)
"""

import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import depth_reference as reference


def main() -> int:
    path, scene, index, output = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    frame = reference.read_frame(path, scene, index)
    with h5py.File(path) as file:
        rgb = file[f"scenes/{scene}/image/rgb"][index]
        relative = file[f"scenes/{scene}/relative/values"][index]
    truth = frame.truth
    depth = {"cmap": "turbo", "vmin": 0.5, "vmax": 4.5}
    error = {"cmap": "RdBu_r", "vmin": -0.2, "vmax": 0.2}

    def signed_error(method: str) -> tuple[np.ndarray, str]:
        fusion = reference.fuse(frame, method)
        metrics = reference.evaluate(frame, [method])[method]
        prediction = fusion.at_truth
        if prediction is None:
            prediction = reference.sample_at_centres(fusion.depth_map, truth.shape)
        return prediction - truth, f"{metrics['mae_m'] * 1000:.0f} mm"

    panels = [
        ("camera image", rgb, {}),
        ("LiDAR depth [m], 256×192", frame.lidar, depth),
        ("LiDAR confidence 0, 1, 2", frame.confidence, {"cmap": "viridis", "vmin": 0, "vmax": 2}),
        ("network's disparity, 518×392", relative, {"cmap": "magma"}),
    ]
    for method, title in [("lidar-bilinear", "raw LiDAR"), ("ols@disparity", "ols@disparity")]:
        values, mae = signed_error(method)
        panels.append((f"error of {title} [m], MAE {mae}", values, error))
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.4), layout="constrained")
    for axis, (title, values, style) in zip(axes.T.flat, panels, strict=True):
        image = axis.imshow(values, interpolation="nearest", **style)
        axis.set_title(title, fontsize=11)
        axis.axis("off")
        if style:
            figure.colorbar(image, ax=axis, shrink=0.8, pad=0.01)
    figure.savefig(output, dpi=80, metadata={"Software": None})
    return 0


if __name__ == "__main__":
    sys.exit(main())
