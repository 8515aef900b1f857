# swift-multiview · SPDX-License-Identifier: Apache-2.0
"""The presentation of movies by FFmpeg: pictures as MD5s with their times, sound as samples. For the other scripts in this folder.

FFmpeg (9 or later) applies edit lists, but not completely. A picture that an edit cuts at its start is dropped, and the first
complete one is moved to 0 with all others of its track; a packet of sound that a second or later edit cuts is dropped; edits of fragments
only move times, and times of fragments with negative offsets are moved once more. So there is a second reading of each movie: FFmpeg
decodes all media without edits, with start times from mvdump, and the edits, which this script reads from the boxes, are applied to that.
"""
import csv
import os
import re
import struct
import subprocess
import tempfile
from fractions import Fraction


class Track:
    """A track, by its boxes: number, kind, and edits as (start, end, media time, speed) in seconds; end is None where it is open."""

    def __init__(self, identifier, kind, index, scale, edits, entry, layers):
        self.id, self.kind, self.index, self.scale, self.edits = identifier, kind, index, scale, edits
        self.entry, self.layers = entry, layers


def boxes(data, start, end):
    """Boxes in a range: type, start and end of what they hold."""
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        head = 8
        if size == 1 and start + 16 <= end:
            size, head = struct.unpack_from(">Q", data, start + 8)[0], 16
        elif size == 0:
            size = end - start
        if size < head or start + size > end:
            return
        yield kind.decode("latin-1"), start + head, start + size
        start += size


def child(data, place, *path):
    for name in path:
        place = next(((s, e) for kind, s, e in boxes(data, *place) if kind == name), None)
        if place is None:
            return None
    return place


def movie_box(path):
    """The bytes of moov, and whether the movie has fragments; media data is not read."""
    with open(path, "rb") as file:
        place, size, moov, fragmented = 0, os.path.getsize(path), b"", False
        while place + 8 <= size:
            file.seek(place)
            header = file.read(16)
            length, kind = struct.unpack_from(">I4s", header)
            if length == 1:
                length = struct.unpack_from(">Q", header, 8)[0]
            length = length or size - place
            if kind == b"moov" and not moov:
                file.seek(place + 8)
                moov = file.read(length - 8)
            fragmented = fragmented or kind == b"moof"
            place += max(8, length)
    return moov, fragmented


def last_start(data, place):
    """The decoding time of the last sample of a table (stts); None if there is none."""
    if not place:
        return None
    count = struct.unpack_from(">I", data, place[0] + 4)[0]
    rows = [struct.unpack_from(">II", data, place[0] + 8 + 8 * row) for row in range(count)]
    rows = [row for row in rows if row[0] > 0]
    return sum(samples * length for samples, length in rows) - rows[-1][1] if rows else None


def tracks(path):
    """The tracks of a movie that have edits or none, in the order of the file."""
    data, fragmented = movie_box(path)
    whole = (0, len(data))

    def scale(place):
        return struct.unpack_from(">I", data, place[0] + (20 if data[place[0]] == 1 else 12))[0]

    movie, found, counts = scale(child(data, whole, "mvhd")), [], {}
    for kind, start, end in boxes(data, *whole):
        if kind != "trak":
            continue
        header, media = child(data, (start, end), "tkhd"), child(data, (start, end), "mdia", "mdhd")
        handler = child(data, (start, end), "mdia", "hdlr")
        if not header or not media or not handler:
            continue
        identifier = struct.unpack_from(">I", data, header[0] + (20 if data[header[0]] == 1 else 12))[0]
        kind = data[handler[0] + 8:handler[0] + 12].decode("latin-1")
        edits, time = [], Fraction(0)
        place = child(data, (start, end), "edts", "elst")
        if place:
            version, count = data[place[0]], struct.unpack_from(">I", data, place[0] + 4)[0]
            form = ">Qqi" if version == 1 else ">Iii"
            rows = [struct.unpack_from(form, data, place[0] + 8 + row * struct.calcsize(form)) for row in range(count)]
            # Edits of a movie that continues in fragments were written when it had only the samples of its movie box.
            own = last_start(data, child(data, (start, end), "mdia", "minf", "stbl", "stts")) if fragmented else None
            for row, (length, from_, speed) in enumerate(rows):
                is_open = length == 0 and row == count - 1 and (fragmented or all(r[0] == 0 for r in rows))
                if row == len(rows) - 1 and from_ >= 0 and own is not None:
                    reached = Fraction(from_, scale(media)) + Fraction(length, movie)
                    is_open = is_open or reached > Fraction(own, scale(media))
                until = None if is_open else time + Fraction(length, movie)
                if from_ >= 0:
                    edits.append((time, until, Fraction(from_, scale(media)), Fraction(speed, 65536)))
                time = until if until is not None else time
        else:
            edits.append((Fraction(0), None, Fraction(0), Fraction(1)))
        table = child(data, (start, end), "mdia", "minf", "stbl", "stsd")
        layers = 2 if table and b"lhvC" in data[table[0]:table[1]] else 1
        index = counts.get(kind, 0)
        counts[kind] = index + 1
        entry = next((kind for kind, _, _ in boxes(data, table[0] + 8, table[1])), "") if table else ""
        found.append(Track(identifier, kind, index, scale(media), edits, entry, layers))
    return found


def clipped(pieces, start, end):
    """What of (start, end, …) is in a range, moved so that the range begins with 0."""
    result = []
    for piece in pieces:
        low, high = max(piece[0], start), piece[1] if end is None else min(piece[1], end)
        if low < high:
            result.append((low - start, high - start) + piece[2:])
    return result


class Sound:
    """Sound: its rate, and bytes of samples with the numbers of the samples at which they begin."""

    def __init__(self, rate, width, chunks):
        self.rate, self.width, self.chunks = rate, width, chunks

    def window(self, start, count, part=None):
        """The samples in a range; 0 where there are none. `part` limits what is used."""
        result = bytearray(count * self.width)
        for at, data in self.chunks:
            length = len(data) // self.width
            low, high = max(at, start), min(at + length, start + count)
            if part:
                low, high = max(low, part[0]), min(high, part[1])
            if low < high:
                result[(low - start) * self.width:(high - start) * self.width] = \
                    data[(low - at) * self.width:(high - at) * self.width]
        return result


class Presentation:
    """A movie as FFmpeg presents it."""

    def __init__(self, mvdump, ffmpeg, path):
        self.mvdump, self.ffmpeg, self.path, self.tracks = mvdump, ffmpeg, path, tracks(path)
        self.known = {}

    def run(self, arguments, ignores, path=None):
        lists = ["-ignore_editlist", "1"] if ignores else []
        return subprocess.run([self.ffmpeg, "-v", "error", "-nostdin", "-y", "-noautorotate", "-copyts"] + lists
                              + ["-i", path or self.path] + arguments, capture_output=True)

    def shift(self, track):
        """How much earlier the first sample of a track is composed, by mvdump, than FFmpeg says where it applies no edits."""
        key = (track.id, "shift")
        if key not in self.known:
            copy = self.run(["-map", f"0:v:{track.index}", "-c", "copy", "-copyinkf", "-frames:v", "1", "-f", "framemd5", "-"], True)
            lines = copy.stdout.decode().splitlines()
            unit = next((Fraction(line.split(":")[1].strip()) for line in lines if line.startswith("#tb 0:")), Fraction(1))
            first = next((int(line.split(",")[2]) * unit for line in lines if line and not line.startswith("#")), None)
            run = subprocess.run([self.mvdump, "samples", "--csv", "--track", str(track.id), "--samples", "0", self.path],
                                 capture_output=True, text=True)
            row = next(csv.DictReader(run.stdout.splitlines()), None)
            self.known[key] = first - Fraction(int(row["cts"]), track.scale) if row and first is not None else Fraction(0)
        return self.known[key]

    def decoded(self, track, view, ignores):
        """Pictures (start, end, MD5) in the order of their times, as they come."""
        key = (track.id, view, ignores)
        if key not in self.known:
            choice = f"0:v:{track.index}" + (f":vidx:{view}" if track.layers > 1 else "")
            run = self.run(["-map", choice, "-fps_mode", "passthrough", "-enc_time_base", "demux", "-f", "framemd5", "-"], ignores)
            unit, rows = Fraction(1), []
            for line in run.stdout.decode().splitlines():
                if line.startswith("#tb 0:"):
                    unit = Fraction(line.split(":")[1].strip())
                elif line and not line.startswith("#"):
                    cells = [cell.strip() for cell in line.split(",")]
                    rows.append((int(cells[2]) * unit, int(cells[3]) * unit, cells[5]))
            rows.sort(key=lambda row: row[0])
            pictures = []
            for index, (start, length, digest) in enumerate(rows):
                end = rows[index + 1][0] if index + 1 < len(rows) else start + length
                if end > start:
                    pictures.append((start, end, digest))
            self.known[key] = pictures
        return self.known[key]

    def pictures(self, track, view, by_hand):
        """Pictures (start, end, MD5) as presented: with edits applied by FFmpeg, or by hand."""
        found = self.decoded(track, view, by_hand)
        if not by_hand or not found:
            return found
        shift = self.shift(track)
        found = [(low - shift, high - shift, digest) for low, high, digest in found]
        result = []
        for start, end, media, speed in track.edits:
            if speed != 1:
                continue
            result += [(start + low, start + high, digest) for low, high, digest
                       in clipped(found, media, None if end is None else media + end - start)]
        return result

    def pictures_by_mvdump(self, track, view):
        """Pictures (start, end, MD5s) of HEVC as mvdump decodes and presents them."""
        key = (track.id, "mvdump")
        if key not in self.known:
            self.known[key] = [list(csv.DictReader(subprocess.run(
                [self.mvdump, *command, "--csv", "--track", str(track.id), self.path], capture_output=True, text=True).stdout.splitlines()))
                for command in (["pictures"], ["samples", "--presented"])]
        decoded, shown = self.known[key]
        layers = sorted({int(row["layer"]) for row in decoded})
        if view >= len(layers):
            return []
        digests = {row["sample"]: row["md5y"] + row["md5cb"] + row["md5cr"] for row in decoded if int(row["layer"]) == layers[view]}
        found = [(Fraction(int(row["pts"]), track.scale), digests.get(row["index"], "nothing")) for row in shown]
        ends = [start for start, _ in found[1:]] + [track.edits[-1][1] or found[-1][0] + 1]
        return [(start, end, digest) for (start, digest), end in zip(found, ends) if end > start]

    def sound(self, track, by_hand, start=None):
        """All sound, as presented; with a start, as a decoder gives it that begins with the packet at this media time."""
        key = (track.id, "sound", by_hand, start)
        if key not in self.known:
            self.known[key] = self.read_sound(track, by_hand, start)
        return self.known[key]

    def read_sound(self, track, by_hand, start):
        with tempfile.TemporaryDirectory(prefix="sound-") as folder:
            rows, data, path = (os.path.join(folder, name) for name in ("rows", "data", "packets.nut"))
            choice = ["-map", f"0:a:{track.index}"]
            if start is not None:
                late = f"noise=drop='lt(pts*tb,{float(start) - 0.5 / track.scale})'"
                self.run(choice + ["-c", "copy", "-bsf", late, "-f", "nut", path], True)
                choice = ["-map", "0:a:0"]
            choice += ["-c:a", "pcm_f64le"]
            self.run(choice + ["-f", "framecrc", rows] + choice + ["-f", "f64le", data], by_hand and start is None,
                     path if start is not None else None)
            if not os.path.exists(rows) or not os.path.exists(data):
                return None
            with open(rows, encoding="utf-8") as file:
                lines = file.read().splitlines()
            with open(data, "rb") as file:
                samples = file.read()
        rate = next((int(line.split(":")[1]) for line in lines if line.startswith("#sample_rate")), 0)
        unit = next((Fraction(line.split(":")[1].strip()) for line in lines if line.startswith("#tb 0:")), Fraction(1))
        cells = [[cell.strip() for cell in line.split(",")] for line in lines if line and not line.startswith("#")]
        if not rate or not cells:
            return None
        width = int(cells[0][4]) // max(1, int(cells[0][3]))
        chunks, place = [], 0
        for row in cells:
            length = int(row[4])
            chunks.append((nearest(int(row[2]) * unit * rate), samples[place:place + length]))
            place += length
        sound = Sound(rate, width, chunks)
        if not by_hand:
            return sound
        edited = []
        for begin, end, media, speed in track.edits:
            low = nearest(media * rate)
            high = max(at + len(data) // width for at, data in chunks) if end is None else low + nearest((end - begin) * rate)
            if speed == 1 and high > low:
                edited.append((nearest(begin * rate), bytes(sound.window(low, high - low))))
        return Sound(rate, width, edited)


def nearest(value):
    """The nearest whole number, the greater one of two."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def first_difference(found, wanted):
    """Where lists of pictures differ, in a few words; "" where they do not."""
    if [p[0::2] for p in found] == [p[0::2] for p in wanted]:
        return ""
    for index, (mine, other) in enumerate(zip(found, wanted)):
        if mine[0] != other[0]:
            return f"picture {index} of {len(found)} ({len(wanted)}) is at {float(mine[0]):.6f} s, not {float(other[0]):.6f} s"
        if mine[2] != other[2]:
            return f"picture {index} of {len(found)} ({len(wanted)}) is another"
    return f"{len(found)} pictures, not {len(wanted)}"


def sound_difference(found, wanted, width):
    """How many samples of sound differ, from which to which, and by how much; None where none does."""
    if found == wanted:
        return None
    count = len(found) // width
    places = [at for at in range(count) if found[at * width:(at + 1) * width] != wanted[at * width:(at + 1) * width]]
    greatest = 0.0
    for at in places:
        mine = struct.unpack_from(f"<{width // 8}d", found, at * width)
        other = struct.unpack_from(f"<{width // 8}d", wanted, at * width)
        greatest = max([greatest] + [abs(a - b) for a, b in zip(mine, other)])
    return len(places), places[0], places[-1], greatest


class Comparison:
    """Compares what movies present with what they were made of, and counts."""

    def __init__(self):
        self.counts = {name: 0 for name in ("views", "pictures", "sounds", "samples", "cut", "edits", "mvdump", "memory", "wrong")}
        self.distance = {}
        # Whether the last picture stays up to the end of what is compared.
        self.holds = False

    def held(self, pictures, end):
        """Pictures of which the last one stays up to a time."""
        if not self.holds or not pictures or pictures[-1][1] >= end:
            return pictures
        return pictures[:-1] + [(pictures[-1][0], end) + pictures[-1][2:]]

    def pictures(self, source, track, low, high, made, new, at, view):
        """Compares a view from low to high with what was made of it, from `at` on; what is not as FFmpeg has it, in words."""

        def compared(by_hand):
            wanted = clipped(self.held(source.pictures(track, view, by_hand), high), low, high)
            found = clipped(made.pictures(new, view, by_hand), at, at + high - low) if new else []
            return first_difference(found, wanted), len(wanted)

        words, count = compared(False)
        if words:
            by_hand, count = compared(True)
            if by_hand and self.equal_by_mvdump(source, track, low, high, made, new, at, view):
                self.counts["mvdump"] += 1
                self.counts["views"] += 1
                self.counts["pictures"] += count
                return f"view {view}: equal by mvdump; FFmpeg: {words}; by hand: {by_hand}"
            if by_hand:
                self.counts["wrong"] += 1
                return f"view {view}: {words}; by hand: {by_hand}"
        self.counts["views"] += 1
        self.counts["pictures"] += count
        if words:
            starts = [start for start, _, _ in source.pictures(track, view, True)]
            if low not in starts and any(start < low for start in starts):
                self.counts["cut"] += 1
                return ""
            self.counts["edits"] += 1
            return f"view {view}: equal by hand; FFmpeg: {words}"
        return ""

    def equal_by_mvdump(self, source, track, low, high, made, new, at, view):
        if not new or track.entry not in ("hvc1", "hev1"):
            return False
        wanted = clipped(self.held(source.pictures_by_mvdump(track, view), high), low, high)
        return wanted and not first_difference(clipped(made.pictures_by_mvdump(new, view), at, at + high - low), wanted)

    def sound(self, source, track, low, high, made, new, at, before=None):
        """Compares sound from low to high with what was made of it, from `at` on; what is not as FFmpeg has it, in words.

        A decoder that begins with the part begins so much media before it; None is with the first packet of what was made.
        """
        old = source.sound(track, True)
        if old is None:
            return "FFmpeg does not decode it"
        first, start = nearest(low * old.rate), nearest(at * old.rate)
        count = int((at + high - low) * old.rate) - start

        def compared(by_hand, packet=None, own=None):
            whole, part = source.sound(track, by_hand, packet), made.sound(new, by_hand, own) if new else None
            return sound_difference(*(sound.window(begin, count) if sound else bytearray(count * old.width)
                                      for sound, begin in ((part, start), (whole, first))), old.width)

        self.counts["samples"] += count
        self.counts["sounds"] += 1
        difference = compared(False)
        if not difference:
            return ""
        by_hand = compared(True)
        if not by_hand:
            self.counts["edits"] += 1
            return "equal by hand; FFmpeg: {} samples of sound differ, {} to {}, by at most {:.2g}".format(*difference)
        edit, new_edit = (next((edit for edit in edits if edit[1] is None or time < edit[1]), None)
                          for edits, time in ((track.edits, low), (new.edits if new else [], at)))
        if edit and new_edit:
            media = edit[2] + max(Fraction(0), low - edit[0])
            own = new_edit[2] + max(Fraction(0), at - new_edit[0])
            step = own if before is None else min(before, media, own)
            if not compared(True, media - step, None if before is None else own - step):
                self.counts["memory"] += 1
                self.distance[track.entry] = max(by_hand[3], self.distance.get(track.entry, 0))
                return ""
        self.counts["sounds"] -= 1
        self.counts["wrong"] += 1
        return "{} samples of sound differ, {} to {}, by at most {:.2g}".format(*by_hand)

    def all(self, source, low, high, made, at, before=None, pairs=None):
        """Compares all tracks; what is not as FFmpeg has it, a line each."""
        for track in source.tracks:
            new = next((other for other in made.tracks if other.id == (pairs or {}).get(track.id, track.id)), None)
            words = []
            if track.kind == "vide":
                words = [self.pictures(source, track, low, high, made, new, at, view) for view in range(track.layers)]
            elif track.kind == "soun":
                words = [self.sound(source, track, low, high, made, new, at, before)]
            for line in filter(None, words):
                yield f"track {track.id} ({track.entry}): {line}"

    def report(self, what):
        """Prints the counts."""
        counts = self.counts
        print(f"{what}: {counts['views']} views ({counts['pictures']} pictures) and {counts['sounds']} tracks of sound "
              f"({counts['samples']} samples) are those of the movies; {counts['wrong']} are not")
        print(f"with edits applied by hand: {counts['cut']} views that begin within a picture, {counts['edits']} others; "
              f"decoded by mvdump: {counts['mvdump']} views")
        print(f"sound by a decoder that begins with the part: {counts['memory']}; greatest distance from the whole movie: "
              + ", ".join(f"{entry} {value:.2g}" for entry, value in sorted(self.distance.items())))
        return 1 if counts["wrong"] else 0


def rows(mvdump, path):
    """The presented samples of each track, by mvdump: (start, end, bytes) in seconds."""
    run = subprocess.run([mvdump, "samples", "--presented", "--csv", path], capture_output=True, text=True)
    known, found = {track.id: track for track in tracks(path)}, {}
    with open(path, "rb") as file:
        for row in csv.DictReader(run.stdout.splitlines()):
            track = known.get(int(row["track"]))
            if not track:
                continue
            file.seek(int(row["offset"]))
            start = Fraction(int(row["pts"]), track.scale)
            found.setdefault(track.id, []).append((start, start + Fraction(int(row["duration"]), track.scale), file.read(int(row["size"]))))
    # A sample is shown until the next one, and no longer than an edit.
    for number, shown in found.items():
        last = known[number].edits[-1][1] if known[number].edits else None
        ends = [start for start, _, _ in shown[1:]] + [last or shown[-1][1]]
        found[number] = [(max(start, Fraction(0)), min(end, next_), data) for (start, end, data), next_ in zip(shown, ends)]
    return found
