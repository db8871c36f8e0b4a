"""Scenes, sensors and networks of nineteen kinds, drawn at random; numpy alone, and nothing of the simulator that `fathom synthesize` has.

A law says what errors a sensor has and what a network has; what it does not say is drawn: the scene, resolutions, levels of confidence, noise. A
camera stands at the origin of a scene, x to the right, y down, z ahead, and moves a little from frame to frame.
"""

import numpy as np

SENSORS = [(60, 80), (72, 96), (96, 128), (120, 160), (144, 192), (180, 240), (192, 256), (240, 320), (360, 480), (480, 640)]
FRAMES = 3


# Random fields.

def smooth(rng, shape, width):
    """Unit normal noise, alike over `width` pixels: white noise behind a Gaussian; below half a pixel it is white."""
    white = rng.standard_normal(shape)
    if width < 0.5:
        return white
    y, x = np.fft.fftfreq(shape[0])[:, None], np.fft.rfftfreq(shape[1])[None]
    field = np.fft.irfft2(np.fft.rfft2(white) * np.exp(-2 * (np.pi * width) ** 2 * (x * x + y * y)), shape)
    return field / max(field.std(), 1e-9)


def blurred(values, width):
    """Behind a Gaussian filter; edges are mirrored."""
    if width <= 0:
        return values
    reach = int(np.ceil(3 * width))
    taps = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    taps /= taps.sum()
    for axis in (0, 1):
        padded = np.pad(values, [(reach, reach) if a == axis else (0, 0) for a in (0, 1)], mode="symmetric")
        length = values.shape[axis]
        values = sum(
            t * np.take(padded, np.arange(k, k + length), axis) for k, t in enumerate(taps))
    return values


def between(rng, low, high):
    """A size drawn evenly in its logarithm."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


# Scenes.

class Scene:
    """Walls, boxes, balls and posts. `reach` is how far the back wall is, metres."""

    def __init__(self, rng, reach, thin):
        self.rng_seed = int(rng.integers(1 << 31))
        self.half = rng.uniform(0.45, 0.9) * reach, rng.uniform(0.35, 0.6) * reach
        self.turn = rng.uniform(-0.5, 0.5)
        self.back = reach
        self.curtain = (rng.uniform(0, 0.02) * reach if rng.random() < 0.5 else 0.0, rng.uniform(4, 14) / reach)
        self.boxes, self.balls, self.posts = [], [], []
        for _ in range(rng.integers(2, 7)):
            size = rng.uniform(0.05, 0.25, 3) * reach
            place = np.array([rng.uniform(-0.5, 0.5) * reach, self.half[1] - size[1], rng.uniform(0.4, 0.9) * reach])
            if rng.random() < 0.3:
                place[1] = rng.uniform(-0.3, 0.3) * reach
            self.boxes.append((place, size, rng.uniform(-np.pi, np.pi)))
        for _ in range(rng.integers(0, 5)):
            self.balls.append((
                np.array([rng.uniform(-0.45, 0.45), rng.uniform(-0.2, 0.3), rng.uniform(0.35, 0.85)]) * reach,
                rng.uniform(0.03, 0.15) * reach))
        for _ in range(rng.integers(3, 8) if thin else rng.integers(0, 3)):
            self.posts.append((rng.uniform(-0.5, 0.5) * reach, rng.uniform(0.35, 0.8) * reach, rng.uniform(0.003, 0.012) * reach))
        count = 6 + len(self.boxes) + len(self.balls) + len(self.posts)
        self.colours = rng.uniform(0.1, 0.9, (count, 3))
        self.patterns = rng.uniform(2, 25, (count, 3)) / reach * (rng.random((count, 1)) < 0.5)
        self.contrast = rng.uniform(0.2, 0.8)

    def render(self, shape, focal, pose, without_posts=False):
        """Depth along z, number of the body, and albedo at the centres of a raster's pixels. `focal` is a share of the width."""
        height, width = shape
        u = (np.arange(width) + 0.5) / width - 0.5
        v = ((np.arange(height) + 0.5) - height / 2) / width
        rays = np.stack(np.broadcast_arrays(u[None] / focal, v[:, None] / focal, 1.0), -1) @ pose[:3, :3].T
        origin = pose[:3, 3]
        best, body = np.full(shape, np.inf), np.zeros(shape, int)
        number = 0

        def put(t):
            nonlocal number
            ahead = (t > 0.05) & (t < best)
            best[ahead], body[ahead] = t[ahead], number
            number += 1

        with np.errstate(divide="ignore", invalid="ignore"):
            for axis, place in ((0, -self.half[0]), (0, self.half[0]), (1, self.half[1]), (1, -self.half[1])):
                put((place - origin[axis]) / rays[..., axis])
            normal = np.array([np.sin(self.turn), 0, np.cos(self.turn)])
            far = (self.back - normal @ origin) / (rays @ normal)
            put(far + self.curtain[0] * np.sin(self.curtain[1] * np.pi * (origin[0] + far * rays[..., 0])))
            put((4 * self.back - origin[2]) / rays[..., 2])
            for place, size, turn in self.boxes:
                c, s = np.cos(turn), np.sin(turn)
                own = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
                d, o = rays @ own.T, own @ (origin - place)
                near, away = (-size * np.sign(d) - o) / d, (size * np.sign(d) - o) / d
                enter, leave = near.max(-1), away.min(-1)
                put(np.where(enter < leave, enter, np.inf))
            for place, radius in self.balls:
                put(_quadratic(rays, origin - place, radius))
            for x, z, radius in self.posts:
                put(np.full(shape, np.inf) if without_posts else
                    _quadratic(rays[..., [0, 2]], origin[[0, 2]] - (x, z), radius))
        points = origin + best[..., None] * rays
        wave = np.sin(points * self.patterns[body] * 2 * np.pi).prod(-1)
        albedo = self.colours[body] * (1 + self.contrast * np.sign(wave) * (self.patterns[body][..., :1] > 0)[..., 0])[..., None]
        return best, body, np.clip(albedo, 0, 1)


def _quadratic(rays, offset, radius):
    a, b, c = (rays ** 2).sum(-1), (rays * offset).sum(-1), (offset ** 2).sum() - radius ** 2
    square = b * b - a * c
    return np.where(square > 0, (-b - np.sqrt(np.maximum(square, 0))) / a, np.inf)


# Sensors: each takes a Sight and returns depth with NaN for no return.

class Sight:
    """What a sensor can know of a frame: depth at its pixels and, three times as fine, within them."""

    def __init__(self, scene, shape, focal, pose):
        self.shape = shape
        fine = scene.render((3 * shape[0], 3 * shape[1]), focal, pose)[0]
        self.fine = fine.reshape(shape[0], 3, shape[1], 3)
        self.depth = fine[1::3, 1::3]
        high, low = self.fine.max((1, 3)), self.fine.min((1, 3))
        self.mixed = high > 1.05 * low
        padded = np.pad(self.depth, 1, mode="edge")
        around = np.stack([padded[1 + j:1 + j + shape[0], 1 + i:1 + i + shape[1]] for j in (-1, 0, 1) for i in (-1, 0, 1)])
        self.edge = around.max(0) > 1.05 * around.min(0)


def bled(sight, share, rng):
    """Pixels at depth steps hold a mean of both sides; a share of them."""
    mean = sight.fine.mean((1, 3))
    return np.where(sight.mixed & (rng.random(sight.shape) < share), mean, sight.depth)


def graded(rng, sight, levels, noise):
    """Confidence with 0 to 3 levels, and how much noisier each return is for it."""
    if levels == 0:
        return None, noise
    confidence = np.full(sight.shape, 2, np.uint8)
    doubt = smooth(rng, sight.shape, 6)
    if levels >= 2:
        confidence[sight.edge | (doubt > 1.8)] = 0
    if levels == 3:
        confidence[(confidence == 2) & (doubt > rng.uniform(0.7, 1.5))] = 1
    factor = np.array([rng.uniform(2, 8), rng.uniform(1.3, 4), 1])
    return confidence, noise * factor[confidence]


# Networks: disparity or depth, up to what a law says.

def affine(rng, disparity):
    """Any scale and shift that leave it positive."""
    return between(rng, 0.1, 50) * (disparity + rng.uniform(0, 0.5) * disparity.min())


def distorted(rng, depth, body, amount, softness, texture=None, regions=0.0):
    """Smooth relative error, soft edges, a scale for each body, brightness taken for nearness."""
    width = depth.shape[1]
    log = np.log(depth) + amount * smooth(rng, depth.shape, width * rng.uniform(0.06, 0.25))
    log = log + 0.1 * amount * smooth(rng, depth.shape, 1.5)
    if regions:
        log = log + regions * rng.standard_normal(body.max() + 1)[body]
    if texture is not None:
        log = log - texture
    return 1 / blurred(np.exp(log), softness)


# Laws.

class Draw:
    """What a law decides of a scene."""

    def __init__(self, rng, **choices):
        self.reach, self.thin = between(rng, 2, 7), False
        self.noise, self.width = between(rng, 0.001, 0.05), 0.0   # relative, and over how many pixels alike
        self.growth = 0.0           # power of depth, over the scene's, that the noise grows by
        self.levels = int(rng.integers(0, 4))
        self.holes, self.tails, self.false = 0.0, False, 0.0
        self.scattered = 0.0        # share of the pixels that have a return, each by itself
        self.bleeding, self.smear, self.multipath, self.steps = rng.uniform(0, 0.5), 0.0, 0.0, 0.0
        self.offset, self.wiggle = 0.0, 0.0
        self.lasting = 0.0          # share of the noise that stays from frame to frame
        self.network, self.amount, self.softness = "fair", between(rng, 0.01, 0.05), rng.uniform(0.3, 2)
        self.texture, self.regions, self.gamma, self.drift, self.hallucination = 0.0, 0.0, 1.0, 0.0, 0.0
        self.image, self.poses, self.moves = rng.random() < 0.6, rng.random() < 0.5, True
        self.__dict__.update(choices)


LAWS = {
    "smooth sensor, fair network": lambda r: Draw(
        r, noise=between(r, 0.002, 0.01), width=r.uniform(4, 16), levels=3, amount=between(r, 0.01, 0.04), lasting=0.9, regions=r.uniform(0, 0.02)),
    "independent noise, excellent network": lambda r: Draw(
        r, noise=between(r, 0.01, 0.05), amount=between(r, 0.001, 0.004), softness=r.uniform(0.2, 0.7), bleeding=0.0),
    "unrelated network": lambda r: Draw(r, noise=between(r, 0.002, 0.03), network="unrelated", width=r.choice([0, 0, 1, 3])),
    "independent noise, no network": lambda r: Draw(
        r, noise=between(r, 0.004, 0.04), network=None, growth=r.uniform(0, 1), poses=False),
    "smooth sensor, no network": lambda r: Draw(
        r, noise=between(r, 0.002, 0.02), width=r.uniform(4, 12), network=None, lasting=0.9, levels=3),
    "stereo": lambda r: Draw(
        r, noise=between(r, 0.003, 0.02), width=r.uniform(1, 3), growth=1, steps=between(r, 0.002, 0.01), holes=r.uniform(0.02, 0.2),
        bleeding=1.0, smear=r.uniform(0, 0.7), levels=0, gamma=r.uniform(0.8, 1.2)),
    "multipath": lambda r: Draw(
        r, noise=between(r, 0.002, 0.01), multipath=r.uniform(0.01, 0.04), lasting=0.3, amount=between(r, 0.005, 0.03)),
    "bleeding": lambda r: Draw(r, noise=between(r, 0.001, 0.01), bleeding=1.0, smear=r.uniform(0, 0.8), softness=r.uniform(0.2, 2.5)),
    "heavy tails": lambda r: Draw(r, noise=between(r, 0.003, 0.02), tails=True, false=r.uniform(0.005, 0.05)),
    "holes, hallucinations": lambda r: Draw(
        r, noise=between(r, 0.002, 0.02), holes=r.uniform(0.1, 0.4), hallucination=r.uniform(0.05, 0.2)),
    "scattered returns": lambda r: Draw(r, noise=between(r, 0.001, 0.01), scattered=between(r, 0.02, 0.6), amount=between(r, 0.005, 0.03)),
    "close structured light": lambda r: Draw(
        r, reach=r.uniform(0.5, 1.3), noise=between(r, 0.001, 0.004), width=r.uniform(0.7, 2), growth=1, levels=0,
        regions=r.uniform(0.02, 0.1), holes=r.uniform(0, 0.1)),
    "thin structures": lambda r: Draw(
        r, thin=True, noise=between(r, 0.001, 0.01), network="without posts", width=r.choice([0, 2, 6]), amount=between(r, 0.003, 0.02)),
    "textured network": lambda r: Draw(
        r, noise=between(r, 0.001, 0.006), width=r.choice([0, 4, 10]), texture=r.uniform(0.02, 0.15), amount=between(r, 0.005, 0.02)),
    "repeated frames": lambda r: Draw(
        r, noise=between(r, 0.004, 0.04), moves=False, poses=True, network=r.choice(["fair", None]), drift=0.1),
    "smeared steps": lambda r: Draw(
        r, noise=between(r, 0.001, 0.008), width=r.uniform(0, 3), smear=r.uniform(0.8, 1.8), image=True),
    "bent network": lambda r: Draw(
        r, noise=between(r, 0.003, 0.02), width=r.choice([0, 1, 2]), gamma=r.choice([0.6, 0.75, 1.35, 1.6]), regions=0.01),
    "bias, excellent network": lambda r: Draw(
        r, noise=between(r, 0.001, 0.01), width=r.choice([0, 5]), offset=r.uniform(-0.02, 0.02), wiggle=r.uniform(0, 0.01),
        amount=between(r, 0.001, 0.005)),
    "good sensor, poor network": lambda r: Draw(
        r, noise=0.001, width=r.choice([0, 3]), amount=between(r, 0.05, 0.3), regions=r.uniform(0.02, 0.2), softness=r.uniform(1, 4)),
}


def pose_of(rng, reach, step):
    """A camera that has moved by some `step`s, as a 4×4 matrix."""
    turn = rng.uniform(-0.01, 0.01, 3) * step
    pose = np.eye(4)
    x, y, z = turn
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = max(np.linalg.norm(turn), 1e-12)
    pose[:3, :3] += np.sin(angle) / angle * skew + (1 - np.cos(angle)) / angle ** 2 * skew @ skew
    pose[:3, 3] = rng.uniform(-0.01, 0.01, 3) * reach * step
    return pose


def network_map(rng, draw, scene, shape, focal, pose, albedo_like):
    """A relative map and its kind."""
    depth, body, albedo = scene.render(shape, focal, pose, without_posts=draw.network == "without posts")
    if draw.network == "unrelated":
        kind = rng.integers(3)
        if kind == 0:
            disparity = np.exp(rng.uniform(0.2, 1) * smooth(rng, shape, shape[1] * rng.uniform(0.02, 0.3)))
        elif kind == 1:
            disparity = 0.2 + albedo.mean(-1)
        else:
            disparity = 1 / Scene(rng, draw.reach, True).render(shape, focal, np.eye(4))[0]
        return affine(rng, disparity), "disparity"
    texture = draw.texture * (albedo.mean(-1) - 0.5) if draw.texture else None
    steady = np.random.default_rng(scene.rng_seed) if draw.lasting else rng
    disparity = distorted(steady, depth, body, draw.amount, draw.softness * shape[1] / 320, texture, draw.regions)
    if draw.hallucination:
        height, width = shape
        for _ in range(rng.integers(1, 4)):
            y, x = rng.integers(height), rng.integers(width)
            h, w = int(height * rng.uniform(0.05, 0.2)) + 1, int(width * rng.uniform(0.05, 0.2)) + 1
            disparity[y:y + h, x:x + w] *= 1 + draw.hallucination * rng.choice([-1, 2])
    disparity = disparity ** draw.gamma
    if draw.drift:
        disparity = disparity * np.exp(draw.drift * rng.standard_normal())
    if albedo_like:
        return between(rng, 0.1, 5) / disparity, "depth"
    return affine(rng, disparity), "disparity"


def sensed(rng, draw, sight, lasting):
    """Depth and confidence of the sensor."""
    shape, reach = sight.shape, draw.reach
    depth = bled(sight, draw.bleeding, rng)
    if draw.smear:
        depth = 1 / blurred(1 / depth, draw.smear)
    if draw.multipath:
        # Light that takes the way round makes concave places look farther, and smooth.
        near = blurred(depth, shape[1] * 0.04)
        depth = depth + draw.multipath * near * np.clip(np.abs(near - depth) / (0.05 * reach), 0, 1)
    depth = depth + draw.offset + draw.wiggle * np.sin(2 * np.pi * depth / 0.7)
    noise = draw.noise * (depth / np.median(depth)) ** draw.growth
    confidence, noise = graded(rng, sight, draw.levels, noise)
    unit = smooth(rng, shape, draw.width)
    if draw.tails:
        unit = np.clip(rng.standard_t(3, shape) / np.sqrt(3), -30, 30)
    if draw.lasting:
        unit = np.sqrt(draw.lasting) * lasting + np.sqrt(1 - draw.lasting) * unit
    depth = depth * np.exp(noise * unit)
    if draw.steps:
        depth = 1 / (np.round(1 / (depth * draw.steps / reach)) * draw.steps / reach + 1e-9)
    if draw.false:
        wrong = rng.random(shape) < draw.false
        depth = np.where(wrong, rng.uniform(0.2, 1.2 * reach, shape), depth)
    if draw.holes:
        depth = np.where(smooth(rng, shape, shape[1] * 0.04) < np.quantile(smooth(rng, shape, 2), draw.holes), np.nan, depth)
        depth[sight.edge & (rng.random(shape) < 0.5)] = np.nan
    if draw.scattered:
        depth = np.where(rng.random(shape) < draw.scattered, depth, np.nan)
    return np.where(depth > 0.05, depth, np.nan), confidence


def scene_of(law, seed, number, truth_shape, largest):
    """Arrays of one scene by their paths in a data set, and attributes."""
    rng = np.random.default_rng([seed, number, *law.encode()])
    draw = LAWS[law](rng)
    sensors = [s for s in SENSORS if s[0] <= largest]
    shape = sensors[rng.integers(len(sensors))]
    focal = rng.uniform(0.6, 1.1)
    scene = Scene(rng, draw.reach, draw.thin)
    relative_shape = [(s * 3 // 4, s) for s in (192, 256, 320)][rng.integers(3)]
    is_depth = rng.random() < 0.25
    lasting = smooth(rng, shape, draw.width)
    lidar, levels, relative, truth, images, poses = [], [], [], [], [], []
    for frame in range(FRAMES):
        pose = pose_of(rng, draw.reach, frame if draw.moves else 0)
        depth, _, albedo = scene.render(truth_shape, focal, pose)
        truth.append(depth)
        poses.append(pose)
        values, confidence = sensed(rng, draw, Sight(scene, shape, focal, pose), lasting)
        lidar.append(values)
        levels.append(confidence)
        if draw.network:
            values, kind = network_map(rng, draw, scene, relative_shape, focal, pose, is_depth)
            relative.append(values)
        if draw.image:
            light = 1 + 0.15 * smooth(rng, truth_shape, truth_shape[1] * 0.2)
            shown = albedo * light[..., None] + 0.01 * rng.standard_normal(albedo.shape)
            images.append((255 * np.clip(shown, 0, 1) ** (1 / 2.2)).astype("u1"))
    arrays = {
        "truth/depth": (np.stack(truth).astype("f4"), {"units": "m", "kind": "planar", "independence": "render"}),
        "lidar/depth": (np.nan_to_num(np.stack(lidar)).astype("f4"), {"units": "m", "kind": "planar"}),
    }
    if levels[0] is not None:
        arrays["lidar/confidence"] = (np.stack(levels), {})
    if relative:
        arrays["relative/values"] = (np.stack(relative).astype("f4"), {"kind": kind})
    if images:
        arrays["image/rgb"] = (np.stack(images), {})
    if draw.poses:
        arrays["camera/world_from_camera"] = (np.stack(poses), {"convention": "opencv", "up": "y"})
    height, width = truth_shape
    arrays["camera/intrinsics"] = (
        np.array([[focal * width, 0, width / 2], [0, focal * width, height / 2], [0, 0, 1]]), {})
    return arrays, {"image_size": [width, height]}
