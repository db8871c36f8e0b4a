"""Networks against a truth, without a LiDAR."""

import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import fathom
from fathom import _arrays
from fathom._command import call
from fathom._metrics import METRICS

ROOT = Path(__file__).resolve().parents[2]
RNG = np.random.default_rng(5)
TRUTH = RNG.uniform(1.0, 4.0, (6, 24, 32)).astype("f4")
NEAR, FAR = TRUTH * np.float32(1.02), TRUTH * np.float32(1.05)
NOISY = TRUTH + RNG.normal(0, 0.05, TRUTH.shape).astype("f4")
INVERSE = (1.7 / TRUTH + 0.2).astype("f4")
# What differs from the truth by less than a thousandth of a millimetre is doubted.
NOISY_INVERSE = (1.7 / NOISY + 0.2).astype("f4")
PLAIN = {"figures": False, "gallery": False}
# Words of another sensor and of what is done with it.
SENSOR = re.compile(r"lidar|fuse|fusion|\bspec\b|shipped|calibrat|attach|independent of", re.IGNORECASE)


def python_of(page):
    """The first block of Python of a page."""
    return re.search(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)[1]


def test_the_example_of_the_readme_says_who_is_better(tmp_path, monkeypatch, capsys):
    for name, maps in {"truth": TRUTH, "mynet": FAR, "other": NEAR}.items():
        np.save(tmp_path / f"{name}.npy", maps)
    (tmp_path / "Reports").symlink_to(ROOT / "Reports" / "kept")
    monkeypatch.chdir(tmp_path)
    variables = {}
    exec(python_of("README.md"), variables)
    printed = capsys.readouterr().out
    first, answer = printed.splitlines()[:2]
    assert first.startswith("Measured  6 images, each a scene of its own")
    assert answer.startswith("Answer    other ") and "of 2 networks" in answer
    assert "60 % less than mynet" in answer
    run = variables["run"]
    assert [row["method"] for row in run.verdict["ranking"]["methods"]] == ["stored:other", "stored:mynet"]
    assert run.metrics("abs_rel") == pytest.approx({"mynet/abs_rel": 0.05, "other/abs_rel": 0.02}, rel=1e-5)


def test_numbers_are_those_of_the_command_for_the_same_maps_in_folders(tmp_path):
    networks = {"near": NEAR, "inverse": NOISY_INVERSE, "noisy": NOISY}
    for name, maps in {"gt": TRUTH, **networks}.items():
        (tmp_path / name).mkdir()
        for frame, values in enumerate(maps):
            np.save(tmp_path / name / f"{frame:06}.npy", values)
    kinds = {"near": "metric", "inverse": "disparity", "noisy": "metric"}
    words = [f"--prediction={name}:{kind}={tmp_path / name}" for name, kind in kinds.items()]
    options = ["--output", tmp_path / "run", "--no-figures", "--no-gallery", "--max-truth", "3.5"]
    call(["evaluate", *words, "--truth", tmp_path / "gt", *options])
    by_command = fathom.load(tmp_path / "run")
    by_call = fathom.evaluate(networks, TRUTH, kind={"inverse": "disparity"}, max_truth=3.5, **PLAIN)
    assert set(by_call) == set(by_command)
    for name in by_command:
        assert by_call[name].equals(by_command[name]), name
    assert by_call.verdict == by_command.verdict
    assert list(by_call.verdict.sentences) == ["Measured", "Answer", "Where", "Next"]
    for label in ("Measured", "Answer"):
        assert by_call.verdict.sentences[label] == by_command.verdict.sentences[label]


def test_nothing_speaks_of_a_sensor_that_is_not_there():
    networks = {"near": NEAR, "inverse": NOISY_INVERSE, "noisy": NOISY}
    run = fathom.evaluate(networks, TRUTH, kind={"inverse": "disparity"})
    said = [
        str(run),
        repr(run),
        run._repr_html_(),
        str(run.verdict),
        *run.verdict.sentences.values(),
        *run.verdict.findings,
    ]
    pictures = re.compile(r"base64,[^\"]*")
    for words in said:
        assert not SENSOR.search(pictures.sub("", words)), words
    for name, table in run.items():
        assert not [column for column in table.columns if SENSOR.search(column)], name
    assert "measured" not in set(run["summary"]["support"])


def test_the_first_network_is_the_baseline():
    run = fathom.evaluate({"zebra": FAR, "ant": NEAR}, TRUTH, **PLAIN)
    assert run.verdict["baseline"] == "stored:zebra"
    assert list(run.means().index) == ["stored:zebra", "stored:ant"]
    other = fathom.evaluate({"zebra": FAR, "ant": NEAR}, TRUTH, baseline="ant", **PLAIN)
    assert other.verdict["baseline"] == "stored:ant"


def test_a_relative_network_is_fitted_to_the_truth():
    maps = 1 / TRUTH + RNG.normal(0, 0.01, TRUTH.shape).astype("f4")
    run = fathom.evaluate((3 * maps + 1).astype("f4"), TRUTH, kind="disparity", **PLAIN)
    errors = []
    for values, true in zip(maps.astype("f8"), TRUTH.astype("f8"), strict=True):
        slope, shift = np.polyfit(values.ravel(), 1 / true.ravel(), 1)
        errors.append(np.mean(np.abs(1 / (slope * values + shift) - true)))
    assert run.metrics()["mae_m"] == pytest.approx(np.mean(errors), rel=1e-3)
    assert "fitted to the truth" in run.verdict.sentences["Measured"]
    assert "fitted to the truth" in str(run).lower()
    with pytest.raises(fathom.FathomError, match="none"):
        fathom.evaluate(maps, TRUTH, kind="disparity", align="none", **PLAIN)


def test_alignment_and_protocol_are_the_command_s():
    scaled = TRUTH * np.linspace(1, 2, len(TRUTH), dtype="f4")[:, None, None]
    for options, error in (
        ({"align": "median"}, 0),
        ({"align": "median", "align_over": "scene", "scenes": "image"}, 0),
        ({"protocol": "monodepth2"}, 0),
        ({}, 0.5),
    ):
        run = fathom.evaluate(scaled, TRUTH, **options, **PLAIN)
        assert run.metrics()["abs_rel"] == pytest.approx(error, abs=1e-6), options
    video = fathom.evaluate(scaled, TRUTH, align="median", align_over="scene", scenes="folder", **PLAIN)
    assert video.metrics()["abs_rel"] > 0.1


def test_scenes():
    def scenes(**given):
        return list(fathom.evaluate(NEAR, TRUTH, **given, **PLAIN)["frames"]["scene"].unique())

    assert len(scenes()) == len(scenes(scenes="image")) == 6
    assert scenes(scenes="folder") == ["scene"]
    assert scenes(scenes=["hall", "a room, É"] * 3) == ["a room, É", "hall"]


class OnDevice:
    """What torch gives: a gradient and a graphics processor are in the way of numpy."""

    def __init__(self, values, steps=("detach", "cpu")):
        self.values, self.steps, self.shape, self.dtype = values, steps, values.shape, values.dtype

    def detach(self):
        return OnDevice(self.values, self.steps[1:])

    def cpu(self):
        assert "detach" not in self.steps
        return OnDevice(self.values, ())

    def __array__(self, dtype=None, copy=None):
        if self.steps:
            raise TypeError(f"needs {self.steps}")
        return self.values


class ByDLPack:
    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


def torch_with_gradient(values):
    torch = pytest.importorskip("torch")
    return torch.from_numpy(values).requires_grad_()


def jax_array(values):
    return pytest.importorskip("jax.numpy").asarray(values)


def xarray_array(values):
    return pytest.importorskip("xarray").DataArray(values)


@pytest.mark.parametrize(
    "kind",
    [
        OnDevice,
        ByDLPack,
        torch_with_gradient,
        jax_array,
        xarray_array,
        list,
        lambda values: [OnDevice(one) for one in values],
        lambda values: values[:, None],
        lambda values: values[..., None],
        lambda values: OnDevice(values[:, None]),
        lambda values: values.astype(">f4"),
        lambda values: np.asfortranarray(values),
    ],
)
def test_arrays_of_every_kind_have_the_numbers_of_numpy(kind):
    frames = _arrays.frames(kind(NOISY), "noisy")
    assert len(frames) == len(NOISY)
    for frame, expected in zip(frames, NOISY, strict=True):
        written = _arrays.stored(frame)
        assert type(written) is np.ndarray and written.dtype == "<f4"
        np.testing.assert_array_equal(written, expected)


@pytest.mark.parametrize(
    ("given", "written"),
    [("f2", "<f4"), ("f8", "<f4"), (">u2", "<u2"), ("u1", "|u1"), ("i1", "<i2"), ("i8", "<i8"), ("u8", "<i8")],
)
def test_numbers_are_written_as_the_command_reads_them(given, written):
    frame = _arrays.stored(_arrays.frames(np.arange(12).reshape(3, 4).astype(given), "maps")[0])
    assert frame.dtype.str == written and frame.tolist() == np.arange(12).reshape(3, 4).tolist()


def test_brain_floats():
    jax = pytest.importorskip("jax.numpy")
    values = jax.asarray(NOISY).astype(jax.bfloat16)
    expected = np.asarray(values.astype(jax.float32))
    np.testing.assert_array_equal(_arrays.stored(_arrays.frames(values, "noisy")[0]), expected[0])


def test_other_packages_arrays_are_evaluated():
    expected = fathom.evaluate({"near": NEAR, "noisy": NOISY}, TRUTH, **PLAIN)
    run = fathom.evaluate({"near": OnDevice(NEAR[:, None]), "noisy": list(NOISY)}, ByDLPack(TRUTH), **PLAIN)
    assert run["frames"].equals(expected["frames"])


def test_what_is_masked_is_not_known():
    mask = np.zeros(TRUTH.shape, bool)
    mask[:, :12] = True
    predicted = fathom.evaluate(np.ma.array(np.full_like(NEAR, 9), mask=mask), TRUTH, **PLAIN).metrics()
    assert predicted["coverage"] == pytest.approx(0.5)
    spoiled = np.where(mask, np.float32(9), NEAR)
    known = fathom.evaluate(spoiled, np.ma.array(TRUTH, mask=mask), **PLAIN).metrics()
    assert known["coverage"] == 1 and known["abs_rel"] == pytest.approx(0.02, rel=1e-5)
    millimetres = np.ma.array(np.round(1000 * TRUTH).astype("u2"), mask=mask)
    counts = fathom.evaluate(spoiled, millimetres, truth_scale=0.001, **PLAIN)
    assert counts.metrics()["abs_rel"] == pytest.approx(0.02, abs=1e-3)
    kitti = fathom.evaluate(256 * NEAR, TRUTH, kind="kitti", **PLAIN).metrics()
    assert kitti["abs_rel"] == pytest.approx(0.02, rel=1e-5)


def test_stated_deviations_are_judged():
    """Half of the deviation holds 67.3 % of the errors where 95 % are asked."""
    true = np.full((6, 48, 64), 2.5)
    right = RNG.uniform(0.02, 0.08, true.shape)
    noisy = true + RNG.normal(0, right)
    run = fathom.evaluate({"net": noisy, "other": noisy}, true, deviation={"net": right / 2, "other": right}, **PLAIN)
    scores = run["deviation_summary"].set_index(["method", "score"])["value"]
    assert scores["stored:net", "coverage_95"] == pytest.approx(0.673, abs=0.02)
    assert scores["stored:other", "coverage_95"] == pytest.approx(0.95, abs=0.01)
    evaluator = fathom.Evaluator(**PLAIN)
    for frame in range(6):
        evaluator.update(noisy[frame], true[frame], deviation=right[frame])
    single = evaluator.result()["deviation_summary"].set_index("score")["value"]
    assert single["coverage_95"] == pytest.approx(scores["stored:other", "coverage_95"])


def test_a_confidence_is_judged_by_its_order():
    true = np.full((6, 48, 64), 2.5)
    spread = RNG.uniform(0.02, 0.08, true.shape)
    noisy = true + RNG.normal(0, spread)
    conf = {"net": 1 + 0.1 / spread, "other": spread}
    run = fathom.evaluate({"net": noisy, "other": noisy}, true, prediction_confidence=conf, **PLAIN)
    scores = run["deviation_summary"].set_index(["method", "score"])["value"]
    assert scores["stored:net", "aurg_deviation_m"] > 0 > scores["stored:other", "aurg_deviation_m"]
    assert np.isnan(scores["stored:net", "coverage_95"])
    kept = run["deviation_retained"].set_index(["method", "wanted_share"])
    assert kept.loc[("stored:net", 0.7), "kept_share"] == pytest.approx(0.7, abs=0.02)
    assert kept.loc[("stored:net", 0.7), "mean_error_m"] < 0.85 * kept.loc[("stored:net", 1), "mean_error_m"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"prediction_confidence": NEAR[:, :12]}, "confidence of depths must have the frames and sizes"),
        ({"prediction_confidence": NEAR, "deviation": NEAR}, "a deviation and a confidence"),
        ({"prediction_confidence": NEAR, "lidar": TRUTH}, "without a LiDAR"),
        ({"deviation": NEAR[:, :12]}, "the frames and sizes"),
        ({"deviation": {"nett": NEAR}}, "names nett"),
        ({"deviation": NEAR, "lidar": TRUTH}, "without a LiDAR"),
    ],
)
def test_deviations_that_do_not_fit(given, words):
    with pytest.raises(ValueError, match=words):
        fathom.evaluate(NEAR, TRUTH, **given, **PLAIN)


def test_one_map_and_maps_of_different_sizes():
    assert fathom.evaluate(FAR[0], TRUTH[0], **PLAIN).metrics()["abs_rel"] == pytest.approx(0.05, rel=1e-5)
    sizes = [true[: 12 + 4 * frame, : 16 + 5 * frame] for frame, true in enumerate(TRUTH[:3])]
    run = fathom.evaluate([1.02 * true for true in sizes], sizes, **PLAIN)
    assert run.metrics()["abs_rel"] == pytest.approx(0.02, rel=1e-5)
    smaller = fathom.evaluate(np.full((6, 12, 16), 2.0), np.full(TRUTH.shape, 2.5), **PLAIN)
    assert smaller.metrics()["bias_m"] == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"truth": 1000 * TRUTH}, r"all truth lies beyond 10 m: median 2,\d+; in millimetres it would be 2\.\d m"),
        ({"truth": (1000 * TRUTH).astype("u2")}, "holds whole numbers"),
        ({"depths": np.swapaxes(NEAR, 1, 2)}, "it has 24×32 pixels, and its truth 32×24: it is turned"),
        ({"depths": NEAR[:, :, :10]}, "another aspect than its truth"),
        ({"depths": np.full(TRUTH.shape, np.nan)}, "hold no number"),
        ({"kind": "disparity", "depths": np.full(TRUTH.shape, 0.5)}, "are constant: 0.5 everywhere"),
        ({"align": "affine"}, "^align: 'affine' is not none, by-kind"),
        ({"protocol": "kitti"}, "^protocol: 'kitti' is unknown"),
        ({"align_over": "video"}, "^align_over: 'video'"),
        ({"no_such_option": 1}, "'no_such_option'"),
    ],
)
def test_what_the_command_refuses_raises(given, words):
    with pytest.raises(fathom.FathomError, match=words):
        fathom.evaluate(**{"depths": NEAR, "truth": TRUTH, **PLAIN, **given})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"depths": NEAR[:2]}, "depths has 2 frames, and truth has 6"),
        ({"depths": np.stack([NEAR, NEAR], 1)}, r"shape \[h, w\], \[N, h, w\] or \[N, 1, h, w\]"),
        ({"depths": {"a:b": NEAR}}, "cannot be the name"),
        ({"images": np.zeros((6, 24, 32), "u1")}, "images must be"),
        ({"images": np.zeros((2, 24, 32, 3), "u1")}, "images has 2 frames"),
        ({"images": np.full((6, 24, 32, 3), 255.0)}, "0 to 1"),
        ({"kind": {"net": "depth"}}, "kind names net, and the networks are depths"),
        ({"kind": {"depths": "inverse"}}, "is not one of metric"),
        ({"metrics": ["mae"]}, "no metric is called 'mae': did you mean mae_m"),
        ({"scenes": "video"}, "scenes must be a name"),
        ({"scenes": ["a"]}, "a name for each"),
        ({"scenes": ["a/b"] * 6}, "cannot be the name of a scene"),
        ({"relative": INVERSE}, "there is no lidar"),
        ({"intrinsics": np.stack([np.eye(3)] * 6)}, "one camera"),
    ],
)
def test_what_does_not_fit_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        fathom.evaluate(**{"depths": NEAR, "truth": TRUTH, **PLAIN, **given})


def test_what_the_command_doubts_is_a_warning(tmp_path, monkeypatch):
    real = fathom.command()
    speaker = tmp_path / "fathom"
    speaker.write_text(f'#!/bin/sh\necho "fathom: warning: net: looks like disparity" >&2\nexec {real} "$@"\n')
    speaker.chmod(0o755)
    monkeypatch.setenv("FATHOM_BINARY", str(speaker))
    with pytest.warns(fathom.FathomWarning, match="^net: looks like disparity$") as warned:
        fathom.evaluate(NEAR, TRUTH, **PLAIN)
    assert warned[0].filename == __file__
    # A warning is not a part of the error's words.
    with pytest.raises(fathom.FathomError, match="^cannot"):
        fathom.evaluate(NEAR, 1000 * TRUTH, **PLAIN)


def test_what_a_warning_advises_works_as_it_is_typed():
    filled = NEAR.copy()
    filled[:, :8] = 9
    with pytest.warns(fathom.FathomWarning, match=r'give prediction_invalid=\{"depths": 9\}'):
        fathom.evaluate(filled, TRUTH, **PLAIN)
    run = fathom.evaluate(filled, TRUTH, prediction_invalid={"depths": 9}, **PLAIN)
    assert run.metrics("coverage")["coverage"] < 1


def test_a_frame_without_a_prediction_is_a_warning():
    holes = FAR.copy()
    holes[2] = np.nan
    with pytest.warns(fathom.FathomWarning, match="rows without a result"):
        run = fathom.evaluate({"near": NEAR, "holes": holes}, TRUTH, **PLAIN)
    assert run.metrics("coverage_all_frames", method="holes")["coverage_all_frames"] == pytest.approx(5 / 6)


def test_independence_of_what_is_not_there_warns():
    with pytest.warns(fathom.FathomWarning, match="truth_independence"):
        fathom.evaluate(NEAR, TRUTH, truth_independence="render", **PLAIN)


def test_metrics_are_a_flat_dictionary():
    run = fathom.evaluate({"near": NEAR, "far": FAR}, TRUTH, metrics=["mae_m", "abs_rel"], **PLAIN)
    assert list(run.metrics()) == ["near/mae_m", "near/abs_rel", "far/mae_m", "far/abs_rel"]
    assert run.metrics(["abs_rel"], method="far") == pytest.approx({"abs_rel": 0.05}, rel=1e-5)
    assert run.metrics(method="stored:far") == run.metrics(method="far")
    assert all(type(value) is float for value in run.metrics().values())
    # Known, but not in this run: normals take a camera.
    assert np.isnan(run.metrics("normal_30", method="far")["normal_30"])
    for call_of, words in (
        (lambda: run.metrics("rmse"), "did you mean rmse_m"),
        (lambda: run.metrics(method="fat"), "did you mean far"),
        (lambda: run.means("measured"), "there are all"),
    ):
        with pytest.raises(KeyError, match=words):
            call_of()
    one = fathom.evaluate(NEAR, TRUTH, **PLAIN)
    assert one.metrics()["abs_rel"] == pytest.approx(0.02, rel=1e-5)
    assert {metric["id"] for metric in one.definitions["metrics"]} <= set(METRICS)


def test_a_notebook_shows_the_answer_the_table_and_pictures(capsys):
    colours = RNG.integers(0, 256, (6, 24, 32, 3)).astype("u1")
    run = fathom.evaluate({"a<b": NEAR, "far": FAR}, TRUTH, images=colours, figures=False)
    page = run._repr_html_()
    assert "a&lt;b</strong>" not in page and "a&lt;b " in page and "of 2 networks" in page
    assert page.count("<tr>") == 3 and "2.00" in page
    # The worst, the median and the best image: its picture, prediction, truth, error.
    assert page.count("<figure") == 3 and page.count("data:image/") == 12
    for role in ("image", "prediction", "truth", "error"):
        assert page.count(f'title="{role}"') == 3
    assert "http" not in page
    run.show()
    assert capsys.readouterr().out == str(run) + "\n"
    real = fathom.evaluate(FAR, TRUTH, images=np.moveaxis(colours, 3, 1) / 255, figures=False)
    kept = fathom.evaluate(FAR, TRUTH, images=list(colours), figures=False)
    picture = "gallery/1-image.jpg"
    assert (real.folder / picture).read_bytes() == (kept.folder / picture).read_bytes()


def test_the_sentences_of_a_run_that_is_there():
    run = fathom.evaluate_files(ROOT / "Datasets/sample.h5", methods="auto,ols", figures=False)
    assert "LiDAR" in run.verdict.sentences["Answer"]
    assert str(run.verdict) == "\n".join(run.verdict.sentences.values())
    assert "**" not in str(run) and "`" not in str(run.verdict) and "FOLDER" not in str(run)
    assert run._repr_html_().startswith("<h4>sample: accuracy of depth fusion</h4>")
    assert run.metrics("mae_m", method="auto") == {"mae_m": run.means().loc["auto", "mae_m"]}
    # A folder of tables alone has no sentences.
    kept = fathom.load(ROOT / "Reports/kept/demo")
    assert kept.verdict.sentences == {} and str(kept) == repr(kept)


def test_frame_by_frame_is_all_at_once():
    whole = fathom.evaluate({"near": NEAR, "inverse": INVERSE}, TRUTH, kind={"inverse": "disparity"}, **PLAIN)
    evaluator = fathom.Evaluator(kind={"inverse": "disparity"}, **PLAIN)
    for frame in range(3):
        evaluator.update({"inverse": INVERSE[frame, None], "near": NEAR[frame, None, None]}, TRUTH[frame])
    evaluator.update({"near": NEAR[3:], "inverse": INVERSE[3:]}, TRUTH[3:])
    run = evaluator.result()
    assert run["frames"].set_index(["frame", "method"]).sort_index().equals(
        whole["frames"].set_index(["frame", "method"]).sort_index()
    )  # fmt: skip
    # The first update says who the baseline is.
    assert run.verdict["baseline"] == "stored:inverse"
    aligned = evaluator.result(align="median")
    assert aligned.metrics("abs_rel", method="near")["abs_rel"] == pytest.approx(0, abs=1e-6)
    folders = [evaluator._folder, run.folder, aligned.folder]
    del evaluator, run, aligned
    assert not any(folder.exists() for folder in folders)


def test_the_training_loop_of_the_tutorial_gives_the_numbers_of_one_call():
    variables = {}
    exec(python_of("docs/tutorial-network.md"), variables)
    truth = RNG.uniform(1.0, 12.0, (2, 480, 640)).astype("f4")
    found = variables["validate"](lambda picture: picture * np.float32(1.1), [(frame[None], frame[None]) for frame in truth])
    assert found == fathom.evaluate(truth * np.float32(1.1), truth, protocol="nyu-eigen", metrics=list(found), **PLAIN).metrics()
    assert set(found) == {"abs_rel", "rmse_m", "delta_1"}


def test_the_maps_stay_as_long_as_their_run():
    run = fathom.evaluate(NEAR, TRUTH, **PLAIN)
    assert f"fathom frames {run.folder} makes" in run.verdict.sentences["Next"]
    call(["frames", run.folder, "--quiet", "--output", run.folder.parent / "frames"])


def test_scenes_and_images_frame_by_frame():
    evaluator = fathom.Evaluator(figures=False)
    for frame in range(4):
        evaluator.update(FAR[frame], TRUTH[frame], np.full((3, 24, 32), 0.5), scene=f"room {frame // 2}")
    run = evaluator.result()
    assert list(run["frames"]["scene"]) == ["room 0", "room 0", "room 1", "room 1"]
    assert "image" in {picture.role for picture in run._report.frames[0].pictures}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pred": FAR[:2]}, "2 frames, and truth has 1"),
        ({"pred": {"other": FAR[0]}}, "the networks are other, and were depths"),
        ({"truth": "far"}, "numbers"),
        ({"image": np.zeros((24, 32, 3), "u1")}, "image must be given in every update or in none"),
        ({"scene": "hall"}, "scene must be given in every update or in none"),
        ({"scene": ".hidden"}, "begin with a dot"),
    ],
)
def test_a_wrong_update_costs_only_itself(given, words):
    evaluator = fathom.Evaluator(**PLAIN)
    evaluator.update(FAR[0], TRUTH[0])
    with pytest.raises(ValueError, match=words):
        evaluator.update(**{"pred": FAR[1], "truth": TRUTH[1], **given})
    evaluator.update(FAR[1], TRUTH[1])
    assert len(evaluator.result()["frames"]) == 2


def test_unknown_words_are_refused_before_the_maps_are_made():
    for given in ({"kind": "inverse"}, {"scenes": "video"}, {"metrics": "mae"}):
        with pytest.raises(ValueError, match="is not one of|no metric|scenes must be"):
            fathom.Evaluator(**given)
    for given in ({"align": "affine"}, {"protocol": "kitti"}, {"baseline": "other"}, {"no_such_option": True}):
        with pytest.raises(fathom.FathomError) as error:
            fathom.Evaluator(**given).update(FAR[0], TRUTH[0])
        assert error.value.exit_code == 64
    with pytest.raises(ValueError, match="there are no frames"):
        fathom.Evaluator().result()


def test_memory_is_that_of_a_frame():
    maps = np.ones((512, 512), "f4")
    evaluator = fathom.Evaluator(**PLAIN)
    evaluator.update(maps, maps)
    tracemalloc.start()
    for _ in range(20):
        evaluator.update(maps.copy(), maps.copy(), scene=None)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 * maps.nbytes
