"""Writes the maps of documented.yaml, rows of a PFM of Float32: numbers as their sources print them.

usage: make_documented.py [NIST_STRD]    the folder of NIST's .dat files (nonlinear regression), which give data and certified parameters

What is predicted is the certified model; where its first parameter is a factor, without that factor, which the alignment has to find."""
import math
import re
import struct
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "documented"
NORRIS = """0.1 0.2 338.8 337.4 118.1 118.2 888.0 884.6 9.2 10.1 228.1 226.5 668.5 666.3 998.5 996.3 449.1 448.6 778.9 777.0 559.2 558.2 0.3 0.4
0.1 0.6 778.1 775.5 668.8 666.9 339.3 338.0 448.9 447.5 10.8 11.6 557.7 556.0 228.3 228.1 998.0 995.8 888.8 887.6 119.6 120.2 0.3 0.3
0.6 0.3 557.6 556.8 339.3 339.1 888.0 887.2 998.5 999.0 778.9 779.0 10.2 11.1 117.6 118.3 228.9 229.2 668.4 669.1 449.2 448.9 0.2 0.5"""
norris = [float(number) for number in NORRIS.split()]
MAVRO = """18 17 18 19 18 17 15 14 15 15 17 18 18 19 19 21 20 16 14 13 13 15 15 16 15 14 13 14 15 14 15 16 15 16 19 20 20 21 22 23 24 25 27 26 26 26
27 26 25 24"""
ROWS = {
    "noint1-y": list(range(130, 141)),
    "noint1-x": list(range(60, 71)),
    "noint2-y": [3, 4, 4],
    "noint2-x": [4, 5, 6],
    "norris-y": [y + 1 for y in norris[::2]],
    "norris-x": norris[1::2],
    "mavro-y": [(20000 + int(digits)) / 1e4 for digits in MAVRO.split()],
    "mavro-mean": [2.001856] * 50,
    "numacc1-y": [10000001, 10000003, 10000002],
    "numacc1-mean": [10000002] * 3,
    "numacc2-y": [1.2] + [1.1, 1.3] * 500,
    "numacc2-mean": [1.2] * 1001,
    "mape-target": [1, 10, 1e6],
    "mape-preds": [0.9, 15, 1.2e6],
}
exp = math.exp
# Models as NIST's files print them, b[0] the file's b1; of SCALED the value is without b1, which multiplies it.
SCALED = {
    "Misra1a": lambda x, b: 1 - exp(-b[1] * x),
    "Misra1b": lambda x, b: 1 - (1 + b[1] * x / 2) ** -2,
    "Misra1c": lambda x, b: 1 - (1 + 2 * b[1] * x) ** -0.5,
    "Misra1d": lambda x, b: b[1] * x / (1 + b[1] * x),
    "DanWood": lambda x, b: x ** b[1],
    "Rat42": lambda x, b: 1 / (1 + exp(b[1] - b[2] * x)),
    "Rat43": lambda x, b: (1 + exp(b[1] - b[2] * x)) ** (-1 / b[3]),
    "BoxBOD": lambda x, b: 1 - exp(-b[1] * x),
    "MGH09": lambda x, b: (x * x + x * b[1]) / (x * x + x * b[2] + b[3]),
    "MGH10": lambda x, b: exp(b[1] / (x + b[2])) * 1e4,
    "Eckerle4": lambda x, b: exp(-0.5 * ((x - b[2]) / b[1]) ** 2) / b[1],
}
WHOLE = {
    "Chwirut2": lambda x, b: exp(-b[0] * x) / (b[1] + b[2] * x),
    "Gauss1": lambda x, b: b[0] * exp(-b[1] * x) + b[2] * exp(-((x - b[3]) / b[4]) ** 2) + b[5] * exp(-((x - b[6]) / b[7]) ** 2),
    "Hahn1": lambda x, b: (b[0] + b[1] * x + b[2] * x ** 2 + b[3] * x ** 3) / (1 + b[4] * x + b[5] * x ** 2 + b[6] * x ** 3),
    "MGH17": lambda x, b: b[0] + b[1] * exp(-x * b[3]) + b[2] * exp(-x * b[4]),
    "Thurber": lambda x, b: (b[0] + b[1] * x + b[2] * x ** 2 + b[3] * x ** 3) / (1 + b[4] * x + b[5] * x ** 2 + b[6] * x ** 3),
    "Lanczos3": lambda x, b: b[0] * exp(-b[1] * x) + b[2] * exp(-b[3] * x) + b[4] * exp(-b[5] * x),
}


def certified(text):
    """Observations (y, x), certified parameters and the certified residual standard deviation as printed."""
    parameters = [float(v) for v in re.findall(r"^ +b\d+ = +\S+ +\S+ +(\S+) +\S+ *$", text, re.M)]
    rows = re.split(r"^Data: +y +x *$", text, flags=re.M)[1]
    pairs = [[float(v) for v in line.split()] for line in rows.splitlines() if line.strip()]
    return pairs, parameters, re.search(r"Residual Standard Deviation: +(\S+)", text)[1]


def main():
    for folder in map(Path, sys.argv[1:]):
        for name, model in (SCALED | WHOLE).items():
            pairs, parameters, printed = certified((folder / f"{name}.dat").read_text())
            ROWS[f"{name.lower()}-y"] = [y for y, _ in pairs]
            ROWS[f"{name.lower()}-model"] = [model(x, parameters) for _, x in pairs]
            print(name, len(pairs), len(parameters), repr(math.sqrt(1 - len(parameters) / len(pairs))), printed)
    FOLDER.mkdir(exist_ok=True)
    for name, row in ROWS.items():
        assert min(row) > 0, name
        (FOLDER / f"{name}.pfm").write_bytes(f"Pf\n{len(row)} 1\n-1.0\n".encode() + struct.pack(f"<{len(row)}f", *row))


if __name__ == "__main__":
    main()
