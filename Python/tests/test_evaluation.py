from pathlib import Path

import numpy as np
import pytest

import fathom

RNG = np.random.default_rng(3)
TRUTH = RNG.uniform(1.0, 4.0, (8, 24, 32))
NEAR = TRUTH + RNG.normal(0, 0.02, TRUTH.shape)
FAR = TRUTH * 1.1
SCENES = [f"room-{frame // 2}" for frame in range(8)]
QUIET = {"figures": False, "gallery": False, "diagnosis": False}


def by_scene(values):
    """Mean over the pixels of a frame, then over the frames of a scene, then over scenes of equal length."""
    return values.reshape(len(values), -1).mean(1).mean()


def test_errors_are_those_of_numpy():
    run = fathom.evaluate({"near": NEAR, "far": FAR}, TRUTH, scenes=SCENES, **QUIET)
    means = run.means()
    truth = TRUTH.astype("f4").astype("f8")
    for name, depths in (("stored:near", NEAR), ("stored:far", FAR)):
        error = depths.astype("f4").astype("f8") - truth
        assert means.loc[name, "mae_m"] == pytest.approx(by_scene(abs(error)), rel=1e-6)
        assert means.loc[name, "bias_m"] == pytest.approx(by_scene(error), rel=1e-5, abs=1e-9)
        assert means.loc[name, "abs_rel"] == pytest.approx(by_scene(abs(error) / truth), rel=1e-6)
    assert list(run["frames"]["scene"].unique()) == sorted(set(SCENES))
    # Four scenes have an interval.
    summary = run["summary"].set_index(["method", "metric", "statistic", "support"])
    row = summary.loc[("stored:far", "mae_m", "mean", "all")]
    assert row["low"] < row["value"] < row["high"]


def test_one_map_is_one_frame():
    run = fathom.evaluate(FAR[0], TRUTH[0], **QUIET)
    assert run.means().loc["stored:depths", "abs_rel"] == pytest.approx(0.1, rel=1e-5)
    assert len(run["frames"]) == 1


def test_missing_values_are_no_predictions():
    holes = FAR.copy()
    holes[:, :12] = np.nan
    run = fathom.evaluate(holes, TRUTH, **QUIET)
    assert run.means().loc["stored:depths", "coverage"] == pytest.approx(0.5)


def test_a_relative_network_is_fitted_to_the_lidar():
    lidar = TRUTH[:, ::2, ::2]
    run = fathom.evaluate(
        1.7 / TRUTH + 0.2, TRUTH, kind="disparity", lidar=TRUTH, methods=["stored", "lidar-bilinear"], **QUIET
    )
    assert run.means().loc["stored:depths", "mae_m"] < 1e-5
    fused = fathom.evaluate(
        NEAR,
        TRUTH,
        lidar=lidar,
        confidence=np.full(lidar.shape, 2),
        relative=1.7 / TRUTH + 0.2,
        intrinsics=[[30.0, 0, 16], [0, 30, 12], [0, 0, 1]],
        truth_independence="render",
        min_pairs=30,
        **QUIET,
    )
    assert {"ols@disparity", "auto", "lidar-bilinear", "stored:depths"} <= set(fused.means().index)
    assert fused.manifest["options"]["minPairs"] == 30
    assert fused.verdict["data"]["rendered"] == 1


def test_folder_stays_where_it_was_asked_for(tmp_path):
    run = fathom.evaluate(NEAR, TRUTH, output=tmp_path / "kept", **QUIET)
    assert run.folder == tmp_path / "kept" and (run.folder / "report.html").is_file()
    with pytest.raises(fathom.FathomError, match="overwrite"):
        fathom.evaluate(NEAR, TRUTH, output=tmp_path / "kept", **QUIET)
    again = fathom.evaluate(NEAR, TRUTH, output=tmp_path / "kept", overwrite=True, **QUIET)
    assert again["frames"].equals(run["frames"])


def test_folder_of_no_name_goes_with_the_run():
    run = fathom.evaluate(NEAR, TRUTH, **QUIET)
    folder = run.folder
    assert folder.is_dir()
    del run
    assert not folder.exists()


def test_files_and_the_command_s_own_words():
    sample = Path(__file__).resolve().parents[2] / "Datasets/sample.h5"
    run = fathom.evaluate_files(sample, methods="lidar-bilinear", **QUIET)
    assert "lidar-bilinear" in run.means().index
    with pytest.raises(fathom.FathomError, match="no_such_option") as error:
        fathom.evaluate_files(sample, no_such_option=1)
    assert error.value.exit_code == 64
    with pytest.raises(fathom.FathomError) as error:
        fathom.evaluate_files("absent.h5")
    assert error.value.exit_code == 66


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"depths": {}}, "no network"),
        ({"depths": NEAR[:2]}, "2 frames, and truth has 8"),
        ({"depths": NEAR[0, 0]}, "shape"),
        ({"depths": NEAR[:0]}, "empty"),
        ({"truth": np.full(TRUTH.shape, "far")}, "numbers"),
        ({"lidar": TRUTH[:3]}, "lidar has 3 frames"),
        ({"confidence": np.ones(TRUTH.shape)}, "there is no lidar"),
        ({"lidar": TRUTH, "confidence": np.full(TRUTH.shape, 7)}, "0, 1, 2"),
        ({"intrinsics": np.eye(4)}, "intrinsics must be"),
        ({"scenes": ["a"]}, "a name for each"),
        ({"scenes": ["a/b"] * 8}, "cannot be the name"),
        ({"kind": "inverse"}, "is not one of"),
    ],
)
def test_what_does_not_fit_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        fathom.evaluate(**{"depths": NEAR, "truth": TRUTH, **given})
