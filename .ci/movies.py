# swift-multiview · SPDX-License-Identifier: Apache-2.0
"""Reads streams, movies and FFmpeg's pictures for the other scripts, without using the package."""
import csv
import gzip
import hashlib
import json
import os
import struct
import subprocess

SUBSAMPLING = {"4:0:0": None, "4:2:0": (2, 2), "4:2:2": (2, 1), "4:4:4": (1, 1)}


def run(command, **options):
    return subprocess.run(command, capture_output=True, **options)


# Units: (type, layer, bytes), without start codes and lengths.

def unit(data):
    return (data[0] >> 1 & 63, (data[0] & 1) << 5 | data[1] >> 3, data)


def stream_units(data):
    """The units of a byte stream. ISO/IEC 23008-2, B.2.2"""
    starts, place = [], data.find(b"\0\0\1")
    while place >= 0:
        starts.append(place + 3)
        place = data.find(b"\0\0\1", place + 3)
    found = []
    for number, start in enumerate(starts):
        end = starts[number + 1] - 3 if number + 1 < len(starts) else len(data)
        body = data[start:end].rstrip(b"\0")
        if len(body) > 1:
            found.append(unit(body))
    return found


def sample_units(data, length_size=4):
    found, place = [], 0
    while place + length_size <= len(data):
        count = int.from_bytes(data[place:place + length_size], "big")
        place += length_size
        found.append(unit(data[place:place + count]))
        place += count
    if place != len(data):
        raise ValueError("a sample does not end with a unit")
    return found


# Boxes.

def boxes(data, start=0, end=None):
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        header = 8
        if size == 1:
            size, header = struct.unpack(">Q", data[start + 8:start + 16])[0], 16
        if size == 0:
            size = end - start
        if size < header:
            return
        yield kind.decode("latin-1"), start + header, start + size
        start += size


def find(data, path, start=0, end=None):
    """The contents of all boxes at a path."""
    kind, _, rest = path.partition("/")
    for name, first, last in boxes(data, start, end):
        if name == kind:
            if rest:
                yield from find(data, rest, first, last)
            else:
                yield first, last


def one(data, path, start=0, end=None):
    return next(find(data, path, start, end), None)


def rows(data, place, form):
    """The rows of a table with a count after its version and flags."""
    size = struct.calcsize(form)
    count = struct.unpack(">I", data[place + 4:place + 8])[0]
    return [struct.unpack(form, data[place + 8 + i * size:place + 8 + (i + 1) * size]) for i in range(count)]


def arrays(data, place):
    """The arrays of a configuration record: (completeness, type, units)."""
    found, count = [], data[place]
    place += 1
    for _ in range(count):
        head, number = data[place], struct.unpack(">H", data[place + 1:place + 3])[0]
        place += 3
        units = []
        for _ in range(number):
            size = struct.unpack(">H", data[place:place + 2])[0]
            units.append(data[place + 2:place + 2 + size])
            place += 2 + size
        found.append((head >> 7, head & 63, units))
    return found


class Track:
    """The first video track of a movie without fragments."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.data = data
        moov = one(data, "moov")
        for trak in find(data, "moov/trak"):
            handler = one(data, "mdia/hdlr", *trak)
            if data[handler[0] + 8:handler[0] + 12] == b"vide":
                break
        self.trak = trak
        header = one(data, "mdia/mdhd", *trak)[0]
        self.timescale = struct.unpack(">I", data[header + 12 + 8 * data[header]:][:4])[0]
        movie = one(data, "mvhd", *moov)[0]
        self.movie_timescale = struct.unpack(">I", data[movie + 12 + 8 * data[movie]:][:4])[0]
        stbl = one(data, "mdia/minf/stbl", *trak)

        def table(name, form):
            box = one(data, name, *stbl)
            return rows(data, box[0], form) if box else []

        self.durations = [duration for count, duration in table("stts", ">II") for _ in range(count)]
        sizes = one(data, "stsz", *stbl)[0]
        fixed, count = struct.unpack(">II", data[sizes + 4:sizes + 12])
        self.sizes = [fixed] * count if fixed else [
            struct.unpack(">I", data[sizes + 12 + 4 * i:sizes + 16 + 4 * i])[0] for i in range(count)]
        offsets = [offset for number, offset in table("ctts", ">Ii") for _ in range(number)] or [0] * count
        chunks = [row[0] for row in table("stco", ">I") or table("co64", ">Q")]
        runs = table("stsc", ">III")
        self.offsets, self.entries = [], []
        sample = 0
        for number, start in enumerate(chunks, 1):
            run_ = [row for row in runs if row[0] <= number][-1]
            for _ in range(run_[1]):
                if sample < count:
                    self.offsets.append(start)
                    self.entries.append(run_[2])
                    start += self.sizes[sample]
                    sample += 1
        sync = one(data, "stss", *stbl)
        self.sync = {row[0] - 1 for row in rows(data, sync[0], ">I")} if sync else set(range(count))
        self.open = set()
        for box in find(data, "sbgp", *stbl):
            if data[box[0] + 4:box[0] + 8] == b"rap ":
                place = 0
                shift = 4 if data[box[0]] == 1 else 0
                for number, group in rows(data, box[0] + 4 + shift, ">II"):
                    if group:
                        self.open |= set(range(place, place + number))
                    place += number
        self.decode = [sum(self.durations[:i]) for i in range(min(count, 4096))]
        if count > 4096:
            total, self.decode = 0, []
            for duration in self.durations:
                self.decode.append(total)
                total += duration
        self.compose = [decode + offset for decode, offset in zip(self.decode, offsets)]
        edits = one(data, "edts/elst", *trak)
        self.edits = rows(data, edits[0], ">QqI" if data[edits[0]] == 1 else ">IiI") if edits else []
        self.entry = one(data, "mdia/minf/stbl/stsd", *trak)
        self.records = {"hvcC": [], "lhvC": []}
        self.boxes = {}
        for kind, first, last in boxes(data, self.entry[0] + 8, self.entry[1]):
            for name, start, end in boxes(data, first + 78, last):
                self.boxes.setdefault(name, []).append(data[start:end])
                if name in self.records:
                    self.records[name].append(data[start:end])

    def configuration(self, name):
        """All units of the records of a kind."""
        place = 22 if name == "hvcC" else 5
        return [unit(body) for record in self.records[name] for _, _, units in arrays(record, place)
                for body in units]

    def samples(self):
        for offset, size in zip(self.offsets, self.sizes):
            yield sample_units(self.data[offset:offset + size])


# Pictures.

def frames(ffmpeg, path, view):
    """The MD5s of the frames of a view with their times in seconds, and what FFmpeg says on standard error."""
    choice = "0:v:0" if view is None else f"0:v:0:vidx:{view}"
    done = run([ffmpeg, "-v", "warning", "-nostdin", "-noautorotate", "-i", path, "-map", choice, "-fps_mode", "passthrough",
                "-f", "framemd5", "-"], text=True)
    found, base = [], 1.0
    for line in done.stdout.splitlines():
        if line.startswith("#tb"):
            up, down = line.split(":")[1].split("/")
            base = int(up) / int(down)
        elif line and not line.startswith("#"):
            parts = [part.strip() for part in line.split(",")]
            found.append((parts[-1], int(parts[2]) * base))
    return found, done.stderr.strip()


def decoded(tool, path):
    """The pictures of each layer: plane MD5s, hash, size and format; and what is said on standard error."""
    run = subprocess.run([tool, "pictures", "--csv", path], capture_output=True, text=True)
    layers = {}
    for row in csv.DictReader(run.stdout.splitlines()):
        layers.setdefault(int(row["layer"]), []).append(row)
    return layers, run.stderr.strip()


def planes(frame, row):
    """The MD5 of each plane of a raw frame with the size and format of `row`."""
    width, height = int(row["width"]), int(row["height"])
    wide = 2 if max(int(row["bitDepthLuma"]), int(row["bitDepthChroma"])) > 8 else 1
    luma = width * height * wide
    sums = [hashlib.md5(frame[:luma]).hexdigest()]
    step = SUBSAMPLING[row["chroma"]]
    if step:
        chroma = (width // step[0]) * (height // step[1]) * wide
        sums += [hashlib.md5(frame[luma + i * chroma:luma + (i + 1) * chroma]).hexdigest() for i in (0, 1)]
    return tuple(sums)


def size(row):
    width, height = int(row["width"]), int(row["height"])
    wide = 2 if max(int(row["bitDepthLuma"]), int(row["bitDepthChroma"])) > 8 else 1
    step = SUBSAMPLING[row["chroma"]]
    chroma = 2 * (width // step[0]) * (height // step[1]) if step else 0
    return (width * height + chroma) * wide


def planes_of_frames(ffmpeg, path, view, row):
    """The MD5 of each plane of the frames of a view by FFmpeg, which have the size and format of `row`."""
    done = run([ffmpeg, "-v", "error", "-nostdin", "-noautorotate", "-apply_cropping", "codec", "-i", path, "-map",
                f"0:v:0:vidx:{view}", "-fps_mode", "passthrough", "-f", "rawvideo", "-"])
    length = size(row)
    return [planes(done.stdout[start:start + length], row)
            for start in range(0, len(done.stdout) - length + 1, length)]


def truth(folder, view):
    """The MD5s of the frames of a view by the corpus."""
    path = os.path.join(folder, f"framemd5.view{view}.txt")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    elif os.path.exists(path + ".gz"):
        with gzip.open(path + ".gz", "rt", encoding="utf-8") as file:
            lines = file.read().splitlines()
    else:
        return None
    return [line.split(",")[-1].strip() for line in lines if line and not line.startswith("#")]


def check(mvdump, path):
    """What `mvdump check` says of a movie."""
    done = run([mvdump, "check", "--json", path], text=True)
    return json.loads(done.stdout)


def errors(document, without=()):
    return [f"{row['rule']} {row['message']}" for row in document["findings"]
            if row["severity"] == "error" and row["rule"] not in without]
