"""Writes the pictures of the tests, and what Pillow makes of them.

    pip install pillow
    python generate.py                    the committed pictures
    python generate.py --many 300 FOLDER  random ones, for ASCENDCL_TEST_PICTURES=FOLDER cargo test -p ascendcl-emulator-media

A `<name>.yuv` has the components Y, Cb and Cr of each pixel of `<name>.jpg`, as libjpeg decodes them, and a `<name>.raw`
the components of a PNG. `scaled.raw` is the brightness of `s444.jpg` with twice the sides, by bilinear interpolation.
`encoded.nv12` is a picture in NV12, and `encoded_<quality>.jpg` what libjpeg makes of it.
"""

import math
import pathlib
import random
import sys

from PIL import Image

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 48, 32


def scene(width, height):
    """A smooth picture with an edge, in red, green and blue."""
    picture = Image.new("RGB", (width, height))
    for y in range(height):
        for x in range(width):
            red = int(127 + 120 * math.sin(x / 9))
            green = 40 + y * 200 // height
            blue = 220 if x > width * 2 // 3 else 60
            picture.putpixel((x, y), (red, green, blue))
    return picture


def yuv(path):
    """The components of a JPEG, without a conversion to red, green and blue."""
    picture = Image.open(path)
    if picture.mode == "RGB":
        picture.draft("YCbCr", picture.size)
    picture.load()
    if picture.mode == "L":
        return b"".join(bytes([y, 128, 128]) for y in picture.tobytes())
    assert picture.mode == "YCbCr", picture.mode
    return picture.tobytes()


def jpeg(name, picture, **options):
    path = HERE / f"{name}.jpg"
    picture.save(path, "JPEG", quality=92, **options)
    return path


def encoded(width, height):
    """A picture in which four pixels share a colour, as NV12 and as JPEG. No unit has a block that is beyond an edge."""
    chance = random.Random(2)
    components = list(scene(width, height).convert("YCbCr").split())
    grain = Image.frombytes("L", (width, height), bytes(chance.randrange(256) for _ in range(width * height)))
    components[0] = Image.blend(components[0], grain, 0.1)
    half = [one.resize((width // 2, height // 2), Image.Resampling.NEAREST) for one in components[1:]]
    colours = b"".join(bytes(pair) for pair in zip(*(one.tobytes() for one in half)))
    (HERE / "encoded.nv12").write_bytes(components[0].tobytes() + colours)
    components[1:] = [one.resize((width, height), Image.Resampling.NEAREST) for one in half]
    for quality in (10, 75, 95):
        Image.merge("YCbCr", components).save(HERE / f"encoded_{quality}.jpg", quality=quality, subsampling="4:2:0")


def many(count, folder):
    """Pictures of random sizes, contents, subsamplings and qualities."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(1)
    for index in range(count):
        width, height = chance.randrange(32, 700), chance.randrange(32, 500)
        small = Image.new("RGB", (chance.randrange(2, 40), chance.randrange(2, 40)))
        small.putdata([tuple(chance.randrange(256) for _ in range(3)) for _ in range(small.width * small.height)])
        picture = small.resize((width, height), chance.choice([Image.Resampling.BICUBIC, Image.Resampling.NEAREST]))
        kind = chance.choice(["4:4:4", "4:2:2", "4:2:0", "gray"])
        options = {"quality": chance.randrange(20, 100), "optimize": chance.random() < 0.5}
        if kind == "gray":
            picture = picture.convert("L")
        else:
            options["subsampling"] = kind
        path = folder / f"{index:04}.jpg"
        picture.save(path, "JPEG", **options)
        path.with_suffix(".yuv").write_bytes(yuv(path))


def main():
    rgb = scene(WIDTH, HEIGHT)
    for name, sampling in [("s444", "4:4:4"), ("s422", "4:2:2"), ("s420", "4:2:0")]:
        path = jpeg(name, rgb, subsampling=sampling)
        (HERE / f"{name}.yuv").write_bytes(yuv(path))
    path = jpeg("restarts", rgb, subsampling="4:2:0", restart_marker_blocks=1)
    (HERE / "restarts.yuv").write_bytes(yuv(path))
    path = jpeg("gray", rgb.convert("L"))
    (HERE / "gray.yuv").write_bytes(yuv(path))
    path = jpeg("odd", scene(41, 33), subsampling="4:2:0")
    (HERE / "odd.yuv").write_bytes(yuv(path))
    exif = Image.Exif()
    exif[0x0112] = 6
    jpeg("turned", rgb, subsampling="4:4:4", exif=exif)
    jpeg("progressive", rgb, progressive=True)
    jpeg("cmyk", rgb.convert("CMYK"))
    jpeg("small", scene(16, 16))
    encoded(58, 44)
    y = Image.frombytes("L", (WIDTH, HEIGHT), (HERE / "s444.yuv").read_bytes()[::3])
    scaled = y.resize((WIDTH * 2, HEIGHT * 2), Image.Resampling.BILINEAR)
    (HERE / "scaled.raw").write_bytes(scaled.tobytes())
    rgba = rgb.copy()
    rgba.putalpha(rgb.convert("L"))
    for name, picture in [("rgb", rgb), ("rgba", rgba), ("gray", rgb.convert("L"))]:
        picture.save(HERE / f"{name}.png", optimize=True)
        (HERE / f"{name}.raw").write_bytes(picture.tobytes())
    rgb.quantize(16).save(HERE / "palette.png", optimize=True)
    # Its rows of 120 bytes are no multiple of the bytes of a pixel after they are rounded up to 64.
    narrow = Image.new("RGB", (40, 32))
    narrow.putdata([(x * 5, y * 7, x + y) for y in range(32) for x in range(40)])
    narrow.save(HERE / "narrow.png", optimize=True)
    deep = Image.new("I;16", (WIDTH, HEIGHT))
    deep.putdata([value * 257 for value in rgb.convert("L").tobytes()])
    deep.save(HERE / "deep.png", optimize=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--many"]:
        many(int(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        main()
