#!/usr/bin/env python3
"""Lines of every module against its budget in CONTRIBUTING.md, and of all against the whole's: check_sizes.py [--write]

Swift, C, JavaScript, CSS, YAML and Python below Sources count, as the formatter leaves them. A module that grows over its
budget ends this with 1: take away what the addition replaced, or raise the budget in the change that says why. --write sets the column
of today's lines."""
import re, sys
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
COUNTED = {".swift", ".c", ".h", ".modulemap", ".js", ".css", ".html", ".yaml", ".yml", ".py"}
WIDTH = 110
ROW = re.compile(r"^\| `(\w+)` \| ([\d,]*) \| ([\d,]+) \|$", re.M)

def lines(module):
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "Sources" / module).rglob("*")
               if path.is_file() and path.suffix in COUNTED)

def main():
    page = ROOT / "CONTRIBUTING.md"
    text = page.read_text()
    now = {path.name: lines(path.name) for path in sorted((ROOT / "Sources").iterdir()) if path.is_dir()}
    now["all"] = sum(now.values())
    rows = {name: (int(shown.replace(",", "") or 0), int(budget.replace(",", ""))) for name, shown, budget in ROW.findall(text)}
    faults = [f"{name}: it has no row in the table of budgets of CONTRIBUTING.md" for name in now if name not in rows]
    faults += [f"{name}: it is in the table of budgets, and not in Sources" for name in rows if name not in now]
    faults += [f"{name}: {now[name]:,} lines, and a budget of {budget:,}" for name, (_, budget) in rows.items() if now.get(name, 0) > budget]
    width = re.search(r'"lineLength"\s*:\s*(\d+)', (ROOT / ".swift-format").read_text())
    if not width or int(width[1]) != WIDTH:
        faults.append(f".swift-format: lines are counted at a width of {WIDTH}")
    if "--write" in sys.argv[1:]:
        page.write_text(ROW.sub(lambda m: f"| `{m[1]}` | {now.get(m[1], 0):,} | {m[3]} |", text))
    print("\n".join(faults) or f"{len(now) - 1} modules, {now['all']:,} lines: all within their budgets")
    sys.exit(bool(faults))

if __name__ == "__main__":
    main()
