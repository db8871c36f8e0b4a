"""The command `fathom`: where it is, and how it is called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

VARIABLE = "FATHOM_BINARY"
PACKAGE = "fathom-depth"
_WARNING = "fathom: warning: "
# An option in a sentence of the command, with its value where the sentence has one: NAME:KIND=, NAME=VALUE, a number or one of a few
# words. Commands to type stay as they are.
_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_OPTION = re.compile(
    rf"""(?P<typed>fathom\ [a-z]+\ .*)
    |(?<![\w-])--(?P<no>no-(?=(?:gallery|figures|objects|diagnosis|pictures)\b))?(?P<name>[a-z]+(?:-[a-z]+)*)
    (?:[ =](?:(?P<network>[^\s:=]+):(?P<kind>\w+)=\S*|(?P<key>[^\s:=]+)=(?P<item>[^\s,;]*[^\s,;.])
    |(?P<number>{_NUMBER})(?![\w.:,]\w)|(?P<word>image|folder|multiview|none|planar|stretch|order|number|name)\b))?""",
    re.VERBOSE,
)
# The other way to give standard deviations in a unit of their own: arrays have only that of their maps.
_DEVIATION_UNIT = re.compile(r",? or give --prediction-deviation [^\s:=]+:\w+=")
# Options that are arguments of another name here, and switches.
_ARGUMENTS = {"prediction": "depths", "prediction-deviation": "deviation", "scene-by": "scenes"}
_SWITCHES = {"overwrite", "strict", "keep-going", "allow-external", "protocol-diff"}


class FathomError(RuntimeError):
    """The command ended with an error. The text is its own, with options as keywords; `exit_code` is 64 for wrong usage, 65 for bad
    data, 66 for no such input, 74 where reading or writing failed, 75 where a resource was short or a process was killed (try
    again), and as docs/commands/index.md says."""

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class FathomWarning(UserWarning):
    """The command went on, and doubts something. The text is its own, with options as keywords."""


class CommandNotFound(FathomError):
    """The command is neither named by FATHOM_BINARY, nor part of the package, nor on PATH."""


def installed() -> str | None:
    """The command that was installed with this package, if it was a wheel with the command inside."""
    try:
        paths = files(PACKAGE) or []
    except PackageNotFoundError:
        return None
    return next(
        (os.path.normpath(path.locate()) for path in paths if path.name == "fathom" and path.parent.name == "bin"), None
    )


def command() -> Path:
    """The path of the command: that of FATHOM_BINARY, else the one in this package, else the first `fathom` on PATH."""
    named = os.environ.get(VARIABLE)
    found = shutil.which(named or installed() or "fathom")
    if found:
        return Path(found)
    what = (
        f"{VARIABLE} is {named!r}, which is not a program."
        if named
        else f"The command fathom is not on PATH, and {VARIABLE} is not set."
    )
    raise CommandNotFound(
        f"{what} It comes with the wheel fathom_depth-*-manylinux_*.whl. Or build it with `make install PREFIX=~/.local` in a copy of "
        f"Fathom's repository and put ~/.local/bin on PATH. A command elsewhere is named by {VARIABLE}=/path/to/fathom."
    )


def call(arguments: Iterable[str | os.PathLike[str]]) -> str:
    """Calls the command and gives back what it printed. Raises FathomError with the command's own words where it fails, and warns
    in them where it warns."""
    words = [os.fspath(argument) for argument in arguments]
    done = subprocess.run(
        [os.fspath(command()), *words], check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith(_WARNING)]
        reason = "\n".join(lines).removeprefix("fathom: ") or f"fathom ended with {done.returncode}"
        raise FathomError(in_python(reason), done.returncode)
    for line in done.stderr.splitlines():
        if line.startswith(_WARNING):
            warnings.warn(in_python(line.removeprefix(_WARNING)), FathomWarning, stacklevel=_levels_to_the_caller())
    return done.stdout


def _levels_to_the_caller() -> int:
    """How far above the function that asks the first line outside of this package is."""
    level, frame = 0, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level + 1


def flags(options: Mapping[str, object]) -> list[str]:
    """Options of the command from keywords: `max_truth=10` becomes `--max-truth=10`, `gallery=False` becomes `--no-gallery`, a list
    is joined by commas, a mapping is one option for each of its items, and None is skipped."""
    words: list[str] = []
    for key, value in options.items():
        name = key.replace("_", "-")
        if value is None:
            continue
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        elif isinstance(value, Mapping):
            words += [f"--{name}={item}={part}" for item, part in value.items()]
        elif isinstance(value, (list, tuple)):
            words.append(f"--{name}={','.join(str(item) for item in value)}")
        else:
            words.append(f"--{name}={value}")
    return words


def in_python(text: str) -> str:
    """A sentence of the command with its options as keywords: `--prediction-invalid depths=9` becomes
    `prediction_invalid={"depths": 9}`."""

    def value(word: str) -> str:
        return word if re.fullmatch(_NUMBER, word) else f'"{word}"'

    def spelled(option: re.Match[str]) -> str:
        if option["typed"]:
            return option["typed"]
        if option["network"]:
            return f'kind={{"{option["network"]}": "{option["kind"]}"}}'
        keyword = _ARGUMENTS.get(option["name"], option["name"]).replace("-", "_")
        if option["key"]:
            item = option["item"]
            return f'{keyword}={{"{option["key"]}": {value(item)}}}'
        if option["number"] or option["word"]:
            return f"{keyword}={value(option['number'] or option['word'])}"
        switch = "=False" if option["no"] else "=True" if option["name"] in _SWITCHES else ""
        return keyword + switch

    return _OPTION.sub(spelled, _DEVIATION_UNIT.sub("", text))
