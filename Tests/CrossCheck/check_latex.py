"""Compiles the LaTeX tables of run folders as a paper would use them.

    check_latex.py --fathom PROGRAM RUN…

Every run's tables, then each choice of tables, columns, rows and unit that it has, is set by pdfLaTeX, or by Tectonic where that is
installed. Nothing may be an error, a missing character, or wider than the page by more than 2 points. Without either program it says
so and ends with 0.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAPER = r"""\documentclass{article}
\usepackage{array}\usepackage{booktabs}\usepackage{longtable}
\begin{document}
\input{tables.tex}
\end{document}
"""
WIDEST = 2
# Options of `fathom report --format latex`; one that names what a run does not have is omitted.
CHOICES = [
    [],
    ["--unit", "m"],
    ["--unit", "cm", "--table", "methods"],
    ["--table", "methods", "--column", "MAE,AbsRel", "--method", "lidar-bilinear,auto"],
    ["--table", "method-definitions"],
    ["--table", "metric-definitions"],
    ["--table", "box-method-definitions,object-columns"],
    ["--table", "refusals,data"],
    ["--table", "objects-by-method,placements,detections,objects-without-box", "--unit", "m"],
    ["--table", "frame-errors,fits"],
]


def engine():
    if program := shutil.which("pdflatex"):
        return [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    if program := shutil.which("tectonic"):
        return [program, "--keep-logs", "--print", "paper.tex"]
    return None


def faults(folder, command):
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    log = folder / "paper.log"
    text = log.read_text(errors="replace") if log.exists() else made.stdout + made.stderr
    if made.returncode:
        found = re.search(r"^! .*(?:\n.*){0,2}|^error: .*", text + made.stderr, re.M)
        return [found[0].replace("\n", " ") if found else f"exit code {made.returncode}"]
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", text)]
    return [f"{points:.0f} pt wider than the page" for points in wide if points > WIDEST] + sorted(
        set(re.findall(r"Missing character: .*", text))
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", required=True, metavar="PROGRAM")
    parser.add_argument("runs", nargs="+", metavar="RUN")
    options = parser.parse_args()
    command = engine()
    if command is None:
        print("skipped: there is neither pdflatex nor tectonic, so no table was set (apt install texlive-latex-base)")
        return
    wrong, done = [], 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "paper.tex").write_text(PAPER)
        for run in options.runs:
            for choice in CHOICES:
                tables = folder / "tables.tex"
                made = subprocess.run(
                    [options.fathom, "report", run, "--format", "latex", "--output", tables, "--overwrite", "--quiet", *choice],
                    capture_output=True,
                    text=True,
                )
                if made.returncode == 64 and choice:
                    continue
                name = " ".join([run, *choice])
                found = [made.stderr.strip()] if made.returncode else faults(folder, command)
                wrong += [f"{name}: {fault}" for fault in found]
                done += 1
    print(*wrong, sep="\n")
    if wrong:
        sys.exit(f"{len(wrong)} faults in {done} documents")
    print(f"{done} documents of {len(options.runs)} runs compile, no line is wider than the page")


if __name__ == "__main__":
    main()
