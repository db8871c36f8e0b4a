import os
from importlib.metadata import Distribution
from pathlib import Path

import pytest

import fathom
from fathom import _command
from fathom._command import call, flags


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
    }
    assert flags(given) == ["--max-truth=10", "--no-gallery", "--protocol-diff", "--methods=auto,wls", "--seed=-1"]


def test_version_is_that_of_the_command():
    source = Path(__file__).resolve().parents[2] / "Sources/FathomTables/Version.swift"
    assert f'"{fathom.__version__}"' in source.read_text()
    assert call(["--version"]).splitlines()[0] == fathom.__version__
