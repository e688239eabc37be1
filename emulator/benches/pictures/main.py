"""Measures the media engine of the emulator beside Pillow and OpenCV on one core, and prints the slowest row first.

    pip install numpy pillow opencv-python-headless
    cargo build --release --package ascendcl-emulator-capi --features emulator-media
    python emulator/benches/pictures/main.py target/release/libascendcl_emulator_capi.so [WORD ...]

Words select rows by parts of their names. A row has the processor's time of both, the least of several runs in turns in one
process. The script fails if a picture is not that of the reference, or if a row takes more than LIMIT times as long.
"""

import ctypes
import io
import os
import sys
import time

os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
# Memory of pictures is kept for the next call instead of given back to the system, for both sides.
libc = ctypes.CDLL(None)
libc.mallopt(-3, 32 << 20)
libc.mallopt(-1, 1 << 30)

import cv2
import numpy
from PIL import Image

LIMIT = 2.0
# Each side runs so often, or as often as fits into so many seconds.
TIMES, SECONDS = 25, 1.0
# The mean difference of a byte that roundings and other constants of colour matrices make.
CLOSE = 1.0
NV12, RGB, NV24 = 1, 12, 5
TO_DEVICE, TO_HOST = 1, 2
WIDTH, HEIGHT = 1920, 1080


def spent(function):
    begin = time.process_time_ns()
    function()
    return time.process_time_ns() - begin


def up(number, step):
    return -(-number // step) * step


class Picture:
    """A picture of the media engine, with rows of 128 bytes or a multiple, and its description."""

    def __init__(self, engine, form, width, height):
        self.engine, self.form, self.width, self.height = engine, form, width, height
        self.stride, self.rows = up(width * (3 if form == RGB else 1), 128), up(height, 16)
        self.bytes = self.stride * self.rows * {NV12: 3, RGB: 2, NV24: 6}[form] // 2
        self.data = engine.malloc(self.bytes)
        self.desc = engine.made("acldvppCreatePicDesc")
        engine.check("acldvppSetPicDescData", self.desc, self.data)
        words = {"Size": self.bytes, "Format": form, "Width": width, "Height": height, "WidthStride": self.stride,
                 "HeightStride": self.rows}
        for word, value in words.items():
            engine.check(f"acldvppSetPicDesc{word}", self.desc, value)

    def split(self, data):
        """The planes of the picture in an array of bytes."""
        if self.form == RGB:
            return [data.reshape(self.rows, self.stride)[: self.height, : self.width * 3]]
        bright = data[: self.rows * self.stride].reshape(self.rows, self.stride)[: self.height, : self.width]
        colours = data[self.rows * self.stride :]
        if self.form == NV24:
            return [bright, colours.reshape(self.rows, self.stride * 2)[: self.height, : self.width * 2]]
        return [bright, colours.reshape(self.rows // 2, self.stride)[: self.height // 2, : self.width]]

    def put(self, planes):
        data = numpy.zeros(self.bytes, numpy.uint8)
        for place, plane in zip(self.split(data), planes):
            place[:] = plane.reshape(place.shape)
        self.engine.copy(self.data, data.ctypes.data, self.bytes, TO_DEVICE)
        return self

    def planes(self):
        data = numpy.empty(self.bytes, numpy.uint8)
        self.engine.copy(data.ctypes.data, self.data, self.bytes, TO_HOST)
        return self.split(data)


class Engine:
    """The emulator, with a stream and a channel."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.check("aclInit", None)
        self.check("aclrtSetDevice", 0)
        self.stream = ctypes.c_void_p()
        self.check("aclrtCreateStream", ctypes.byref(self.stream))
        self.channel = self.made("acldvppCreateChannelDesc")
        self.check("acldvppCreateChannel", self.channel)
        self.options = self.made("acldvppCreateResizeConfig")
        self.quality = self.made("acldvppCreateJpegeConfig")
        self.check("acldvppSetJpegeConfigLevel", self.quality, 90)

    def check(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            self.library.aclGetRecentErrMsg.restype = ctypes.c_char_p
            raise RuntimeError(f"{name} returned {code}: {self.library.aclGetRecentErrMsg()}")

    def made(self, name, *arguments):
        make = getattr(self.library, name)
        make.restype = ctypes.c_void_p
        return ctypes.c_void_p(make(*arguments))

    def malloc(self, size):
        address = ctypes.c_void_p()
        self.check("acldvppMalloc", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def copy(self, to, source, size, kind):
        size = ctypes.c_size_t(size)
        to, source = [one if isinstance(one, ctypes.c_void_p) else ctypes.c_void_p(one) for one in (to, source)]
        self.check("aclrtMemcpy", to, size, source, size, kind)

    def run(self, name, *arguments):
        self.check(name, self.channel, *arguments, self.stream)
        self.check("aclrtSynchronizeStream", self.stream)


def photograph():
    """A picture in red, green and blue with edges, areas and grain, as cameras make them."""
    chance = numpy.random.default_rng(1)
    small = chance.integers(0, 256, (27, 48, 3), numpy.uint8)
    picture = cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    grain = chance.normal(0, 4, picture.shape)
    return numpy.clip(picture + grain, 0, 255).astype(numpy.uint8)


def halved(components):
    """The planes of NV12 of the components Y, U and V of each pixel."""
    colours = components[:, :, 1:].astype(numpy.float32)
    colours = colours.reshape(HEIGHT // 2, 2, WIDTH // 2, 2, 2).mean(axis=(1, 3))
    return [components[:, :, 0], numpy.round(colours).astype(numpy.uint8)]


def wide(planes):
    """Red, green and blue of the planes of NV12, by the matrix BT.601 with the whole range."""
    bright = planes[0].astype(numpy.float32)
    colours = planes[1].reshape(HEIGHT // 2, WIDTH // 2, 2).repeat(2, axis=0).repeat(2, axis=1).astype(numpy.float32)
    u, v = colours[:, :, 0] - 128, colours[:, :, 1] - 128
    rgb = numpy.stack([bright + 1.402 * v, bright - 0.344 * u - 0.714 * v, bright + 1.772 * u], axis=2)
    return numpy.clip(numpy.round(rgb), 0, 255).astype(numpy.uint8)


def files(engine):
    rgb = Image.fromarray(photograph())
    components = numpy.asarray(rgb.convert("YCbCr"))
    for name, form, subsampling in (("4:2:0", NV12, 2), ("4:4:4", NV24, 0)):
        file = io.BytesIO()
        rgb.save(file, "JPEG", quality=90, subsampling=subsampling)
        text = file.getvalue()
        source, out = engine.malloc(len(text)), Picture(engine, form, WIDTH, HEIGHT)

        def decode(text=text):
            picture = Image.open(io.BytesIO(text))
            picture.draft("YCbCr", picture.size)
            picture.load()
            return [numpy.asarray(picture)[:, :, 0]]

        # The decoder may write to its input, so each run gets a new one.
        def ours(text=text, source=source, out=out):
            engine.copy(source, ctypes.cast(text, ctypes.c_void_p), len(text), TO_DEVICE)
            engine.run("acldvppJpegDecodeAsync", source, len(text), out.desc)

        yield f"JPEG {name}, decode", ours, out, decode, "Pillow"
    source = Picture(engine, NV12, WIDTH, HEIGHT).put(halved(components))
    room = WIDTH * HEIGHT * 2
    out, size = engine.malloc(room), ctypes.c_uint32(room)
    picture = Image.fromarray(components, "YCbCr")

    def encode():
        size.value = room
        engine.run("acldvppJpegEncodeAsync", source.desc, out, ctypes.byref(size), engine.quality)

    yield "JPEG 4:2:0, encode", encode, None, lambda: picture.save(io.BytesIO(), "JPEG", quality=90), "Pillow"
    file = io.BytesIO()
    rgb.save(file, "PNG")
    text = file.getvalue()
    data, png = engine.malloc(len(text)), Picture(engine, RGB, WIDTH, HEIGHT)
    engine.copy(data, ctypes.cast(text, ctypes.c_void_p), len(text), TO_DEVICE)
    decode = lambda: [numpy.asarray(Image.open(io.BytesIO(text)))]
    yield "PNG, decode", lambda: engine.run("acldvppPngDecodeAsync", data, len(text), png.desc), png, decode, "Pillow"


def scaling(engine):
    rgb = photograph()
    planes = halved(numpy.asarray(Image.fromarray(rgb).convert("YCbCr")))
    for width, height in ((640, 360), (416, 416), (1280, 720), (3840, 2160)):
        for name, form, parts in (("NV12", NV12, planes), ("RGB", RGB, [rgb])):
            source, out = Picture(engine, form, WIDTH, HEIGHT).put(parts), Picture(engine, form, width, height)
            if form == RGB:
                twin = lambda width=width, height=height: [cv2.resize(rgb, (width, height))]
            else:
                twin = lambda width=width, height=height: [
                    cv2.resize(planes[0], (width, height)), cv2.resize(planes[1], (width // 2, height // 2))]
            ours = lambda source=source, out=out: engine.run(
                "acldvppVpcResizeAsync", source.desc, out.desc, engine.options)
            yield f"{name}, resize to {width} x {height}", ours, out, twin, "OpenCV"


def colours(engine):
    rgb = photograph()
    planes = halved(numpy.asarray(Image.fromarray(rgb).convert("YCbCr")))
    nv12 = numpy.concatenate([planes[0], planes[1].reshape(HEIGHT // 2, WIDTH)])
    source, out = Picture(engine, NV12, WIDTH, HEIGHT).put(planes), Picture(engine, RGB, WIDTH, HEIGHT)
    convert = lambda source=source, out=out: engine.run("acldvppVpcConvertColorAsync", source.desc, out.desc)
    yield "NV12 to RGB", convert, out, lambda: cv2.cvtColor(nv12, cv2.COLOR_YUV2RGB_NV12), "OpenCV", wide(planes)
    back, packed = Picture(engine, NV12, WIDTH, HEIGHT), Picture(engine, RGB, WIDTH, HEIGHT).put([rgb])
    convert = lambda: engine.run("acldvppVpcConvertColorAsync", packed.desc, back.desc)
    yield "RGB to NV12", convert, back, lambda: cv2.cvtColor(rgb, cv2.COLOR_RGB2YUV_I420), "OpenCV", planes[0]
    part = Picture(engine, NV12, 1280, 720)
    area = engine.made("acldvppCreateRoiConfig", 320, 1599, 180, 899)
    crop = lambda: engine.run("acldvppVpcCropAsync", source.desc, part.desc, area)
    cut = lambda: [planes[0][180:900, 320:1600].copy(), planes[1].reshape(540, 1920)[90:450, 320:1600].copy()]
    yield "NV12, crop 1280 x 720", crop, part, cut, "NumPy"


def measure(name, ours, out, twin, reference, expected=None):
    ours()
    wanted = twin()
    wanted = wanted if expected is None else [expected]
    is_same = True
    for got, one in zip(out.planes() if out else [], wanted if isinstance(wanted, list) else []):
        difference = got.astype(numpy.int16) - one.reshape(got.shape)
        is_same = is_same and float(numpy.abs(difference).mean()) <= CLOSE
    mine, theirs, until = [], [], time.monotonic() + SECONDS
    while len(mine) < 2 or len(mine) < TIMES and time.monotonic() < until:
        theirs.append(spent(twin))
        mine.append(spent(ours))
    return min(mine) / min(theirs), min(mine), min(theirs), name, reference, is_same


def main():
    engine, words = Engine(sys.argv[1]), sys.argv[2:]
    cv2.setNumThreads(1)
    rows = []
    for family in (files, scaling, colours):
        for row in family(engine):
            if not words or any(word.lower() in row[0].lower() for word in words):
                rows.append(measure(*row))
    rows.sort(reverse=True)
    print(f"| picture of {WIDTH} x {HEIGHT} | emulator, ms | beside | ms | ratio |\n|---|--:|---|--:|--:|")
    for ratio, mine, theirs, name, reference, is_same in rows:
        mark = "" if is_same else " differs"
        print(f"| {name} | {mine / 1e6:.2f} | {reference} | {theirs / 1e6:.2f} | {ratio:.2f}{mark} |")
    above, wrong = sum(row[0] > LIMIT for row in rows), sum(not row[-1] for row in rows)
    print(f"\n{len(rows)} rows: {above} above {LIMIT}, {wrong} with other pictures")
    sys.exit(above > 0 or wrong > 0)


main()
