#!/usr/bin/env python3
"""What the libraries that an app would use import: check_imports.py

They shall compile wherever Swift does, and link little. So they import each other, the kernels, and Synchronization and Dispatch, which
come with Swift. Foundation is free where a file calls functions of mathematics, which neither the standard library nor FoundationEssentials
has, and nothing else of it. Any other import ends this with 1, unless imports.csv gives its reason for a file or a folder; and so does a
row of that table that nothing needs."""
import csv, re, sys
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES, TABLE = ROOT / "Sources", Path(__file__).resolve().parent / "imports.csv"
LIBRARIES = ["FathomPlainText", "DepthCore", "FathomLinearAlgebra", "FathomStatistics", "DepthFusion", "DepthObjects", "DepthEvaluation",
             "DepthVerdicts", "FathomReplay"]  # fmt: skip
FREE = {*LIBRARIES, "CFathomKernels", "Dispatch", "Synchronization"}
IMPORT = re.compile(r"^\s*(?:@\w+ )?(?:\w+ )?import (?:(?:enum|func|struct) )?(\w+)", re.M)
MATHEMATICS = re.compile(r"(?<![.\w])(?:Foundation\.)?(?:a?(?:cos|sin)|a?tan2?|cbrt|erfc?|exp2?|expm1|fmod|hypot|lgamma|log(?:1p|2|10)?|pow|tanh)f?\(")
# Names of Foundation, and of the C library that it brings along.
OTHERS = re.compile(
    r"(?<![.\w])(?:Bundle|Calendar|CharacterSet|CocoaError|Data|Date|Decimal|FileHandle|FileManager|FloatingPointFormatStyle|JSON(?:En|De)coder"
    r"|Locale|NS\w+|Process|ProcessInfo|TimeInterval|URL|UUID|errno|fstat|strerror|v?snprintf)\b"
    r"|String\(format:|\.components\(separatedBy|\.formatted\(|\.localizedDescription|\.replacingOccurrences|\.trimmingCharacters")

def needs(path):
    """Modules that a file imports and that need a reason, with the reason why."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    for module in sorted(set(IMPORT.findall(text)) - FREE):
        if module != "Foundation":
            yield module, "is not among what these libraries may import"
        elif OTHERS.search(text):
            yield module, f"is used for {OTHERS.search(text)[0].strip('.(')}"
        elif not MATHEMATICS.search(text):
            yield module, "is used for nothing of mathematics"

def main():
    with open(TABLE, newline="") as file:
        reasons = {(row["path"], row["module"]): row["why"] for row in csv.DictReader(file)}
    faults, used = [], set()
    for library in LIBRARIES:
        for path in sorted((SOURCES / library).rglob("*.swift")):
            name = path.relative_to(SOURCES)
            for module, why in needs(path):
                row = next(((str(place), module) for place in (name, *name.parents) if (str(place), module) in reasons), None)
                if row:
                    used.add(row)
                else:
                    faults.append(f"Sources/{name}: {module} {why}")
    faults += [f"{TABLE.name}: nothing needs {module} in {path}" for path, module in reasons if (path, module) not in used]
    print("\n".join(faults) or f"{len(LIBRARIES)} libraries import what is everywhere, but for {len(reasons)} reasons in {TABLE.name}")
    sys.exit(bool(faults))

if __name__ == "__main__":
    main()
