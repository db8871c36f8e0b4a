"""Makes the golden streams of FathomLZFSETests with Apple's own encoder (pip install pyliblzfse).

Each NAME.lzfse is the stream of the bytes that FathomLZFSETests builds for NAME by the same rules; `python3 make_golden.py` writes them anew.
The encoder chooses the block: LZVN below 4096 bytes, LZFSE above, stored where neither helps.
"""

import pathlib

import liblzfse


def noise(count, seed):
    """SplitMix64, as the test has it."""
    mask, state, out = (1 << 64) - 1, seed, bytearray()
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        out.append((z ^ z >> 31) & 255)
    return bytes(out)


def room(width, height):
    """Millimetres of a slanted wall with a box before it, 16 bits, lowest byte first."""
    out = bytearray()
    for row in range(height):
        for column in range(width):
            inside = width // 3 < column < width // 2 and height // 3 < row < height // 2
            value = 900 + row if inside else 1500 + 3 * column + row // 2
            out += bytes([value & 255, value >> 8])
    return bytes(out)


CASES = {
    "noise": noise(600, 1),
    "words": b"the depth of the room and the room of the depth; " * 20,
    "zeros": bytes(70_000),
    "levels": bytes(value % 3 for value in noise(49_152, 2)),
    "room": room(256, 192),
    "mixed": noise(9_000, 3) + room(64, 64) + bytes(5_000) + noise(300, 4) * 3,
}

if __name__ == "__main__":
    for name, data in CASES.items():
        stream = liblzfse.compress(data)
        assert liblzfse.decompress(stream) == data
        kinds = [magic.decode() for magic in (b"bvx-", b"bvx1", b"bvx2", b"bvxn") if magic in stream]
        (pathlib.Path(__file__).parent / f"{name}.lzfse").write_bytes(stream)
        print(name, len(data), len(stream), *kinds)
