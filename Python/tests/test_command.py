import os
from importlib.metadata import Distribution
from pathlib import Path

import pytest

import fathom
from fathom import _command
from fathom._command import call, flags, in_python


def program(path: Path, words: str = "exit 0") -> Path:
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o755)
    return path


def test_variable_goes_before_path(tmp_path, monkeypatch):
    named, on_path = program(tmp_path / "mine"), tmp_path / "bin"
    on_path.mkdir()
    program(on_path / "fathom")
    monkeypatch.setenv("PATH", f"{on_path}{os.pathsep}/usr/bin")
    monkeypatch.delenv("FATHOM_BINARY", raising=False)
    assert fathom.command() == on_path / "fathom"
    monkeypatch.setenv("FATHOM_BINARY", str(named))
    assert fathom.command() == named


def test_command_of_the_package_goes_before_path(tmp_path, monkeypatch):
    """pip keeps a list of what it installed, with paths from the folder of the packages."""
    information = tmp_path / "lib/python3/site-packages/fathom_depth-1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Name: fathom-depth\nVersion: 1\n")
    (information / "RECORD").write_text("fathom/__init__.py,,\n../../../bin/fathom,,\n")
    for folder in ("bin", "other"):
        (tmp_path / folder).mkdir()
        program(tmp_path / folder / "fathom")
    monkeypatch.setattr(_command, "files", lambda name: Distribution.at(information).files)
    monkeypatch.setenv("PATH", f"{tmp_path / 'other'}{os.pathsep}/usr/bin")
    monkeypatch.delenv("FATHOM_BINARY", raising=False)
    assert fathom.command() == tmp_path / "bin/fathom"
    (information / "RECORD").write_text("fathom/__init__.py,,\n")
    assert fathom.command() == tmp_path / "other/fathom"


@pytest.mark.parametrize("variable", [None, "/nowhere/fathom"])
def test_absent_command_says_how_to_install_it(tmp_path, monkeypatch, variable):
    monkeypatch.setenv("PATH", str(tmp_path))
    if variable:
        monkeypatch.setenv("FATHOM_BINARY", variable)
    else:
        monkeypatch.delenv("FATHOM_BINARY", raising=False)
    with pytest.raises(fathom.CommandNotFound) as error:
        fathom.command()
    for words in ("FATHOM_BINARY", "make install", variable or "PATH"):
        assert words in str(error.value)


def test_error_has_the_command_s_words_and_code(tmp_path, monkeypatch):
    monkeypatch.setenv("FATHOM_BINARY", str(program(tmp_path / "fathom", "echo fathom: no such frame >&2; exit 65")))
    with pytest.raises(fathom.FathomError, match=r"^no such frame$") as error:
        call(["inspect"])
    assert error.value.exit_code == 65


def test_flags():
    given = {
        "max_truth": 10,
        "gallery": False,
        "protocol_diff": True,
        "methods": ["auto", "wls"],
        "seed": -1,
        "config": None,
        "prediction_invalid": {"near": 9, "far": -1},
    }
    assert flags(given) == [
        *("--max-truth=10", "--no-gallery", "--protocol-diff", "--methods=auto,wls", "--seed=-1"),
        *("--prediction-invalid=near=9", "--prediction-invalid=far=-1"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("if so, give --prediction-invalid depths=9", 'if so, give prediction_invalid={"depths": 9}'),
        ("give --prediction net:disparity=…", 'give kind={"net": "disparity"}'),
        ("divide by 1000, or give --prediction-deviation net:millimetres=", "divide by 1000"),
        ("choose another --output or add --overwrite", "choose another output or add overwrite=True"),
        ("with --truth-scale 0.001 they fit.", "with truth_scale=0.001 they fit."),
        ("--scene-by folder: intervals", 'scenes="folder": intervals'),
        ("--min-depth must be 0 to 5; add --no-gallery", "min_depth must be 0 to 5; add gallery=False"),
        ("run fathom inspect a.h5 --json", "run fathom inspect a.h5 --json"),
    ],
)
def test_options_in_sentences_are_keywords(text, words):
    assert in_python(text) == words


def test_version_is_that_of_the_command():
    source = Path(__file__).resolve().parents[2] / "Sources/FathomTables/Version.swift"
    assert f'"{fathom.__version__}"' in source.read_text()
    assert call(["--version"]).splitlines()[0] == fathom.__version__
