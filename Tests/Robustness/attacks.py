# swift-multiview · SPDX-License-Identifier: Apache-2.0
"""Files of up to a megabyte, each made so that a careless reader is slow or takes much memory."""

import os
import struct

MEGABYTE = 1 << 20
MEDIA = 32  # where the media data begin in a movie of `movie`


def u32(*values):
    return struct.pack(f">{len(values)}I", *(value & 0xFFFFFFFF for value in values))


def box(kind, *content):
    body = b"".join(content)
    return u32(8 + len(body)) + kind + body


def full(kind, *content, version=0, flags=0):
    return box(kind, u32(version << 24 | flags), *content)


def children(data, start, end):
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        yield kind, start, start + size
        start += max(8, size)


def description(fixtures, name="spatial.mov", track=0):
    """The `stsd` of a fixture."""
    data = fixtures[name]
    start, end = 0, len(data)
    for step, number in ((b"moov", 0), (b"trak", track), (b"mdia", 0), (b"minf", 0), (b"stbl", 0)):
        found = [(a + 8, b) for kind, a, b in children(data, start, end) if kind == step]
        start, end = found[number]
    return next(data[a:b] for kind, a, b in children(data, start, end) if kind == b"stsd")


def track(stsd, tables, number=1, edits=b"", references=b"", handler=b"vide"):
    header = full(b"tkhd", u32(0, 0, number), bytes(24), u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000),
                  u32(64 << 16, 64 << 16), flags=3)
    media = box(b"mdia", full(b"mdhd", u32(0, 0, 600, 0, 0x55C40000)),
                full(b"hdlr", u32(0), handler, bytes(13)),
                box(b"minf", full(b"vmhd", bytes(8), flags=1), box(b"stbl", stsd, tables)))
    return box(b"trak", header, references, edits, media)


def movie(tracks, media=b"", more=b"", fragments=b""):
    header = full(b"mvhd", u32(0, 0, 600, 0, 0x10000, 0x1000000, 0, 0, 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000),
                  bytes(24), u32(100))
    return (box(b"ftyp", b"qt  ", u32(0), b"qt  ", u32(0)) + box(b"mdat", media)
            + box(b"moov", header, b"".join(tracks), more) + fragments)


def tables(sizes, offsets):
    count = len(sizes)
    return (full(b"stts", u32(1, count, 100)) + full(b"stsc", u32(1, 1, 1, 1)) + full(b"stsz", u32(0, count), u32(*sizes))
            + full(b"stco", u32(len(offsets)), u32(*offsets)))


def uniform(count, size=1, offset=MEDIA):
    return (full(b"stts", u32(1, count, 1)) + full(b"stsc", u32(1, 1, count, 1)) + full(b"stsz", u32(size, count))
            + full(b"stco", u32(1, offset)) + full(b"ctts", u32(2, 1, 9, count - 1, 0)))


def filled(piece, size=MEGABYTE - 8_192):
    return piece * (size // len(piece))


def configured(stsd, kind, records):
    """A sample description with other units of one type in its first `hvcC` or `lhvC`."""
    start = stsd.find(kind) - 4
    end = start + struct.unpack(">I", stsd[start:start + 4])[0]
    head = stsd[start + 8:start + (30 if kind == b"hvcC" else 13)]
    arrays = b"".join(bytes([number]) + struct.pack(">H", len(units)) + b"".join(
        struct.pack(">H", len(unit)) + unit for unit in units) for number, units in records)
    record = box(kind, head, bytes([len(records)]), arrays)
    entry = stsd[20:start] + record + stsd[end:]
    return full(b"stsd", u32(1), u32(len(entry) + 4), entry)


def extended(stsd, *boxes):
    """A sample description with more boxes in its first entry."""
    size, = struct.unpack(">I", stsd[16:20])
    entry = stsd[20:16 + size] + b"".join(boxes)
    return full(b"stsd", u32(1), u32(4 + len(entry)), entry)


def ue(value):
    code = f"{value + 1:b}"
    return "0" * (len(code) - 1) + code


def escaped(bits):
    """The bytes of a payload, without the beginnings of start codes."""
    bits += "1"
    bits += "0" * (-len(bits) % 8)
    body = bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits), 8))
    written, zeros = b"", 0
    for byte in body:
        if zeros >= 2 and byte <= 3:
            written, zeros = written + b"\x03", 0
        written += bytes([byte])
        zeros = zeros + 1 if byte == 0 else 0
    return written


def buffer_models(count):
    """A video parameter set with so many `hrd_parameters()` without schedules."""
    level = "0" * 8 + "0" * 80 + "0" * 8
    bits = "0000" + "11" + "000000" + "000" + "1" + "1" * 16 + level + "0" + ue(0) * 3
    bits += "000000" + ue(count - 1) + "1" * (count - 1)
    bits += "1" + f"{1:032b}{60:032b}" + "0" + ue(count)
    for index in range(count):
        bits += ue(0) + ("0" if index else "00") + "1" + ue(0) + ue(0)
    return b"\x40\x01" + escaped(bits + "0")


def rates_of_a_bit(number):
    """The payload of a video parameter set of 1024 layer sets and seven sub-layers, with a flag for the rate of each."""
    level = "0" * 8 + "0" * 80 + "0" * 8
    bits = f"{number:04b}" + "11" + "000000" + "110" + "1" + "1" * 16 + level + "0" * 16 + "0" + ue(0) * 3
    bits += "000000" + ue(1023) + "0" * 1023 + "0" + "1"
    bits += "1" * (-len(bits) % 8)
    bits += "0" + "0" * 16 + "0" + "0000" + "000" + ue(0) * 2 + "00"
    bits += ue(0) + f"{64:016b}{64:016b}" + "1" + "01" + "0" * 8 + "0" + "00" + "011" * 1023
    bits += ue(0) + "1" + "00" + ue(0) + "1"
    bits += "1" * (-len(bits) % 8)
    bits += "10" + "10" + "0" * 7 * 1024 + "0" + "101" + "0" * 25 + "11" + "0000"
    return escaped(bits + "0")


def attacks(fixtures):
    """Every attack: its name and its bytes."""
    stsd = description(fixtures)
    enhancement = description(fixtures, "two-tracks-lhv1.mp4", 1)
    unit = u32(3) + b"\x02\x01\x80"
    one = tables([7], [MEDIA])

    yield "uniform-sizes", movie([track(stsd, uniform(0xFFFFFFFF), number) for number in range(1, 9)], b"\x00" * 16)
    yield "uniform-sizes-in-1000-tracks", movie([track(stsd, uniform(0xFFFFFFFF), n + 1) for n in range(500)], b"\x00" * 16)
    run = full(b"trun", u32(1 << 28)) + full(b"trun", u32(5_000))
    yield "runs-without-rows", movie(
        [track(stsd, b"")], more=box(b"mvex", full(b"trex", u32(1, 1, 1, 1, 0))),
        fragments=filled(box(b"moof", box(b"traf", full(b"tfhd", u32(1)), run))))
    yield "runs-without-samples", movie(
        [track(stsd, b"")], fragments=filled(box(b"moof", box(b"traf", full(b"tfhd", u32(1)), full(b"trun", u32(0))))))
    flood = filled(unit, 100_000)
    yield "overlapping-samples", movie([track(stsd, tables([len(flood)] * 110_000, [MEDIA] * 110_000))], flood)
    large = u32(200_000) + b"\x02\x01" + b"\x80" * 199_998
    yield "overlapping-large-samples", movie([track(stsd, tables([len(large)] * 90_000, [MEDIA] * 90_000))], large)
    edits = box(b"edts", full(b"elst", u32(5_400), u32(1, 0, 0x10000) * 5_400))
    yield "overlapping-edits", movie([track(stsd, tables([7] * 100_000, [MEDIA] * 100_000), edits=edits)], unit)
    edits = box(b"edts", full(b"elst", u32(80_000), u32(0xFFFFFFFF, 0, 0x10000) * 80_000))
    yield "many-edits", movie([track(stsd, one, edits=edits)], unit)
    yield "zeros-as-units", movie([track(stsd, tables([900_000], [MEDIA]))], bytes(900_000))
    yield "smallest-units", movie([track(stsd, tables([990_000], [MEDIA]))], filled(u32(2) + b"\x02\x01", 990_000))
    # More than a megabyte: each place takes many times the bytes of its unit.
    yield "smallest-units-in-four-megabytes", movie(
        [track(stsd, tables([4_194_300], [MEDIA]))], filled(u32(2) + b"\x02\x01", 4_194_300))
    yield "smallest-samples", movie([track(stsd, tables([6] * 70_000, [MEDIA + 6 * n for n in range(70_000)]))],
                                    filled(u32(2) + b"\x02\x01", 420_000))
    sei = u32(300_000) + b"\x50\x01" + b"\x01" * 299_998
    yield "one-first-sample-of-many-tracks", movie(
        [track(stsd, tables([len(sei)], [MEDIA]), n + 1) for n in range(450)], sei)
    sets = filled(u32(9) + b"\x44\x01\xc1\x72\xb0\x9c\x0a\x0c\x80", 300_000)
    yield "parameter-sets-in-the-first-sample-of-many-tracks", movie(
        [track(stsd, tables([len(sets)], [MEDIA]), n + 1) for n in range(450)], sets)
    ids = u32(*range(1, 301))
    circle = box(b"tref", box(b"sbas", ids), box(b"scal", ids))
    yield "references-in-circles", movie([track(enhancement, one, n + 1, references=circle) for n in range(240)], unit)
    refer = box(b"tref", box(b"sbas", u32(1)))
    base = description(fixtures, "two-tracks-lhv1.mp4", 0)
    crowded = configured(base, b"hvcC", [(39, [b"\x4e\x01"] * 50_000), (39, [b"\x4e\x01"] * 50_000)])
    yield "many-units-in-the-base-of-many-tracks", movie(
        [track(crowded, one)] + [track(enhancement, one, n + 2, references=refer) for n in range(300)], unit)
    crowded = configured(enhancement, b"lhvC", [(39, [b"\x4e\x09\x80"] * 3_000)])
    yield "layers-in-63-tracks", movie(
        [track(base, one)] + [track(crowded, one, n + 2, references=refer) for n in range(62)], unit)
    repeated = box(b"tref", box(b"hint", u32(*range(1, 20_001))), box(b"hint") * 3_000)
    yield "references-of-one-type", movie([track(stsd, one, references=repeated)], unit)
    headless = box(b"mdia", full(b"hdlr", u32(0), b"vide", bytes(13)))
    yield "fragments-of-no-track", movie(
        [box(b"trak", full(b"tkhd", u32(0, 0, n + 1), bytes(68), flags=3), headless) for n in range(2_500)],
        fragments=b"".join(box(b"moof", box(b"traf", full(b"tfhd", u32(100_000 + n)))) for n in range(15_000)))
    timed = full(b"stsd", u32(1), box(b"mebx", bytes(6), b"\0\1", box(b"keys", b"".join(
        u32(8, 0x61616161 + n) for n in range(80_000)))))
    yield "keys-of-timed-metadata", movie([track(stsd, one), track(timed, one, 2, handler=b"meta")], unit)
    yield "many-tracks", movie([track(box(b"stsd", u32(0, 0)), b"", n + 1) for n in range(2_600)])
    yield "many-empty-tracks", movie([], more=filled(box(b"trak")))
    # More than a megabyte: as many boxes as are listed.
    yield "many-empty-tracks-in-four-megabytes", movie([], more=filled(box(b"trak"), 4_194_304))
    yield "many-sample-descriptions", movie([track(full(b"stsd", u32(10_000), filled(box(b"hvc1", bytes(78)))), one)], unit)
    yield "rows-of-no-samples", movie([track(stsd, full(b"stts", u32(100_000), bytes(800_000)) + one)], unit)
    yield "runs-of-chunks", movie([track(
        stsd, full(b"stts", u32(1, 80_000, 1)) + full(b"stsz", u32(7, 80_000)) + full(b"stco", u32(2, MEDIA, MEDIA))
        + full(b"stsc", u32(80_000), b"".join(u32(80_000 - n, 1, 1) for n in range(80_000))))], unit)
    yield "sync-samples-out-of-order", movie([track(
        stsd, tables([7] * 80_000, [MEDIA] * 80_000) + full(b"stss", u32(80_000, *range(80_000, 0, -1))))], unit)
    yield "boxes-at-the-top", box(b"ftyp", b"qt  ", u32(0)) + filled(box(b"free"))
    yield "boxes-of-unknown-types", movie([], more=filled(box(b"zzzz")))
    yield "boxes-too-large", movie([], more=filled(u32(0x7FFFFFFF) + b"udta"))
    nested = b""
    for _ in range(40):
        nested = box(b"udta", nested)
    yield "boxes-in-boxes", movie([], more=filled(nested))
    deep = box(b"free")
    while len(deep) < MEGABYTE - 8_192:
        deep = u32(len(deep) + 8) + b"udta" + deep if len(deep) < 800_000 else deep + box(b"free")
    yield "boxes-in-boxes-without-end", movie([], more=deep)
    keys = full(b"keys", u32(60_000), box(b"mdta", b"") * 60_000)
    items = box(b"ilst", b"".join(u32(8, n + 1) for n in range(60_000)))
    yield "metadata-keys", movie([], more=box(b"meta", full(b"hdlr", u32(0), b"mdta", bytes(13)), keys, items))
    yield "subpictures-that-take-no-bits", movie([track(stsd, one + full(
        b"sgpd", b"spid", u32(4, 15_000), u32(0x1FFF0005) * 15_000, version=1))], unit)
    yield "sample-groups-of-a-byte", movie([track(stsd, one + full(
        b"sgpd", b"sap ", u32(1, 1_000_000), bytes(1_000_000), version=1))], unit)
    yield "descriptors-of-two-bytes", movie([track(full(b"stsd", u32(1), box(
        b"mp4a", bytes(6), b"\0\1", bytes(20), full(b"esds", b"\x0e\x00" * 500_000))), one, handler=b"soun")], unit)
    yield "boxes-of-all-types-in-vexu", movie([track(extended(stsd, box(b"vexu", b"".join(
        u32(8, 0x61616161 + n) for n in range(120_000)))), one)], unit)
    yield "required-boxes", movie([track(extended(stsd, box(b"vexu", full(
        b"must", u32(*range(0x61616161, 0x61616161 + 240_000))))), one)], unit)
    crowded = configured(stsd, b"hvcC", [(32, [buffer_models(1024)])])
    yield "buffer-models-of-six-bits", movie([track(crowded, one, n + 1) for n in range(750)], unit)
    def bare(number, entries=(), references=b"", after=b""):
        described = full(b"stsd", u32(len(entries)), b"".join(entries))
        return box(b"trak", full(b"tkhd", u32(0, 0, number)), references, box(
            b"mdia", full(b"hdlr", u32(0), b"vide"), box(b"minf", box(b"stbl", described))), after)

    def entry(*boxes):
        return box(b"hvc1", bytes(6), b"\0\1", bytes(70), *boxes)

    flat = box(b"zzz1")
    eyes = box(b"vexu", box(b"eyes", full(b"stri", b"\1")))
    sphere = box(b"vexu", box(b"proj", full(b"prji", b"equi")))
    yield "one-stereo-track-behind-flat-ones", movie(
        [bare(n + 1, [flat]) for n in range(6_000)] + [bare(6_001, [entry(eyes)])])
    yield "defaults-of-fragments-for-each-track", movie(
        [bare(n + 1, [entry()]) for n in range(1_500)],
        more=box(b"mvex", full(b"trex", u32(7, 1, 0, 0, 0)) * 20_000))
    yield "metadata-for-each-track", movie(
        [bare(n + 1, [entry(sphere)]) for n in range(1_500)],
        more=box(b"udta", box(b"auth", u32(0), b"\x55\xc4a\0") * 30_000))
    yield "references-of-all-types", movie([bare(1, [flat], references=box(b"tref", b"".join(
        u32(12, 0x61616161 + n, 77) for n in range(80_000))))])
    long_edits = box(b"edts", full(b"elst", u32(20_000), b"".join(u32(1, n, 0x10000) for n in range(20_000))))
    yield "edits-of-one-eye-against-many", movie(
        [bare(1, [entry(eyes)], after=long_edits)] + [bare(n + 2, [entry(box(b"vexu", box(
            b"eyes", full(b"stri", b"\2"))))]) for n in range(3_000)])
    yield "one-id-for-many-tracks", movie([bare(1, [flat]) for _ in range(7_000)], fragments=box(
        b"moof", box(b"traf", full(b"tfhd", u32(1)), full(b"trun", u32(500_000)))))
    pictures = [bytes([68 | layer >> 5, (layer & 31) << 3 | 1]) for layer in range(63)]
    yield "layers-of-no-known-sets", movie([track(configured(stsd, b"hvcC", [(34, pictures)]), one, n + 1)
                                            for n in range(800)], unit)
    yield "records-of-two-bytes-in-many-tracks", movie(
        [bare(n + 1, [entry(box(b"hvcC", b"\1" + bytes(20) + b"\3\1\x22" + struct.pack(">H", 63)
                                 + b"".join(b"\0\2" + piece for piece in pictures)))]) for n in range(1_600)])
    yield "sample-entries-of-eight-bytes", movie([track(full(
        b"stsd", u32(120_000), box(b"hvc1") * 120_000), one)], unit)
    for kind in (b"Cr8r", b"auth"):
        yield f"empty-user-data-{kind.decode()}", movie([track(stsd, one)], unit, more=box(b"udta", box(kind) * 120_000))
    yield "item-entries-of-eight-bytes", box(b"ftyp", b"heic", u32(0), b"heic") + full(
        b"meta", full(b"hdlr", u32(0), b"pict", bytes(13)), full(b"iinf", b"\xff\xff", box(b"infe") * 120_000))
    yield "item-locations", box(b"ftyp", b"heic", u32(0), b"heic") + full(
        b"meta", full(b"hdlr", u32(0), b"pict", bytes(13)),
        full(b"iloc", struct.pack(">HH", 0, 0xFFFF), b"".join(struct.pack(">HHH", n, 0, 0xFFFF) for n in range(0xFFFF))))
    yield "item-properties", box(b"ftyp", b"heic", u32(0), b"heic") + full(
        b"meta", full(b"hdlr", u32(0), b"pict", bytes(13)), box(
            b"iprp", box(b"ipco", filled(box(b"free"), 300_000)),
            full(b"ipma", u32(2_000), b"".join(struct.pack(">HB", n, 255) + b"\x81" * 255 for n in range(2_000)))))

    association = struct.pack(">HB", 1, 255) + b"\x81" * 255
    yield "one-property-many-times", box(b"ftyp", b"heic", u32(0), b"heic") + full(
        b"meta", full(b"hdlr", u32(0), b"pict", bytes(13)),
        full(b"iinf", struct.pack(">H", 1), full(b"infe", struct.pack(">HH", 1, 0), b"hvc1\0", version=2)),
        box(b"iprp", box(b"ipco", full(b"auxC", b"a" * 4_000 + b"\0")), full(b"ipma", u32(2_500), association * 2_500)))
    # Items at the same bytes, items that refer to one another, and many that have all properties.
    def items(count, *more, extent=(0, 4)):
        return box(b"ftyp", b"heic", u32(0), b"heic") + full(
            b"meta", full(b"hdlr", u32(0), b"pict", bytes(13)),
            full(b"iinf", struct.pack(">H", count), b"".join(
                full(b"infe", struct.pack(">HH", n + 1, 0), b"hvc1\0", version=2) for n in range(count))),
            full(b"iloc", struct.pack(">HH", 0x4400, count), b"".join(
                struct.pack(">HHHII", n + 1, 0, 1, *extent) for n in range(count))), *more)

    yield "items-upon-one-another", items(12_000, extent=(0, 800_000)) + box(b"mdat", bytes(500_000))
    yield "items-that-refer-to-one-another", items(1_000, full(
        b"iref", b"".join(box(b"dimg", struct.pack(">HHH", n, 1, n // 7)) for n in range(60_000))))
    yield "properties-of-many-items", items(
        1_500, box(b"iprp", box(b"ipco", b"".join(full(b"auxC", f"{n:04}".encode() + b"a" * 3_500 + b"\0") for n in range(127))),
                   full(b"ipma", u32(1_500), b"".join(
                       struct.pack(">HB", n + 1, 127) + bytes(128 | p + 1 for p in range(127)) for n in range(1_500)))))
    named = box(b"\0\0\0\1", box(b"data", u32(1, 0), b"v"))
    yield "one-long-key-many-times", movie([track(stsd, one)], unit, more=box(
        b"meta", full(b"hdlr", u32(0), b"mdta", bytes(13)), full(b"keys", u32(1), box(b"mdta", b"k" * 50_000)),
        box(b"ilst", named * 1_500)))

    def prefixed(kind, payload):
        return u32(len(payload) + 2) + bytes([kind << 1, 1]) + payload

    def extracting(sample, extractors, times=1):
        return movie([track(base, tables([len(sample)] * times, [MEDIA] * times)),
                      track(base, tables([len(extractors)] * times, [MEDIA + len(sample)] * times), 2,
                            references=box(b"tref", box(b"scal", u32(1))))], sample + extractors)

    large = prefixed(1, b"\x80" * 250_000)
    yield "extractors-of-the-same-bytes", extracting(
        large, prefixed(49, b"\2\1\0" + (b"\0\1\0" + u32(0, len(large))) * 5_000), 200)
    yield "extractors-in-many-tracks", movie(
        [track(base, tables([len(large)], [MEDIA]))]
        + [track(base, tables([55_011], [MEDIA + len(large)]), n + 2, references=box(b"tref", box(b"scal", u32(1))))
           for n in range(60)], large + prefixed(49, b"\2\1\0" + (b"\0\1\0" + u32(0, len(large))) * 5_000))
    for name, constructor in (("empty", b"\2\0"), ("wrong", b"\0\0\0" + u32(0, 9)), ("circular", b"\0\1\0" + u32(0, 9))):
        yield f"{name}-constructors-upon-one-another", extracting(
            b"", filled(prefixed(49, constructor * (64_000 // len(constructor))), 900_000), 64)
    # Every constructor asks for a sample behind which a hundred thousand rows stand that say nothing of any.
    small = prefixed(1, b"\x80")
    sizes = full(b"stsz", u32(0, 2), u32(len(small), len(small))) + full(b"stco", u32(2, MEDIA, MEDIA))
    chunks = full(b"stsc", u32(1, 1, 1, 1))
    constructors = prefixed(49, (b"\0\1\0" + u32(0, 0)) * 4_000) * 2
    for name, rows in (
            ("sync-numbers", full(b"stts", u32(1, 2, 100)) + full(b"stss", u32(100_000), u32(1) * 100_000)),
            ("times", full(b"stts", u32(50_002, 1, 100), bytes(400_000), u32(1, 100))),
            ("offsets", full(b"stts", u32(1, 2, 100)) + full(b"ctts", u32(50_002, 1, 0), bytes(400_000), u32(1, 0)))):
        yield f"constructors-in-front-of-empty-{name}", movie(
            [track(base, rows + chunks + sizes),
             track(base, tables([len(constructors)], [MEDIA + len(small)]), 2,
                   references=box(b"tref", box(b"scal", u32(1))))], small + constructors)
    nested = b"".join(u32(900_000 - 8 * n - 4) + b"\x02\1\x80\0" for n in range(60))
    nested += b"\x55" * (900_000 - len(nested))
    yield "extractors-of-units-in-units", extracting(
        nested, prefixed(49, b"".join(b"\0\1\0" + u32(8 * n, 0) for n in range(60))))
    back = full(b"stts", u32(30_000), (u32(1, 995) + u32(1, 0xFFFFFFFF - 994)) * 15_000) + full(
        b"stsc", u32(1, 1, 30_000, 1)) + full(b"stsz", u32(1, 30_000)) + full(b"stco", u32(1, MEDIA))
    rows = full(b"stts", u32(63), u32(15, 1) * 63) + full(
        b"stsc", u32(236), b"".join(u32(n + 1, 4, 1) for n in range(236))) + full(b"stsz", u32(1, 945)) + full(
        b"stco", u32(236), u32(MEDIA) * 236)
    yield "times-back-and-forth-beside-60-tracks", movie(
        [track(base, back)] + [track(enhancement, rows, n + 2, references=refer) for n in range(60)], unit)
    yield "half-a-million-samples-of-62-tracks", movie(
        [track(base, uniform(524_288))] + [track(enhancement, one, n + 2, references=refer) for n in range(62)], unit)
    half = full(b"stts", u32(1, 1_800_000, 1)) + full(b"stsc", u32(1, 1, 1_800_000, 1)) + full(
        b"stz2", u32(4, 1_800_000), bytes(900_000)) + full(b"stco", u32(1, MEDIA))
    yield "sizes-of-half-a-byte-in-39-tracks", movie(
        [track(base, half)] + [track(enhancement, one, n + 2, references=refer) for n in range(38)], unit)
    edits = box(b"edts", full(b"elst", u32(2_100), u32(0x7FFFFFFF, 0, 0x10000) * 2_100))
    yield "edits-upon-all-of-half-a-million-samples", movie([track(stsd, uniform(524_288), edits=edits)], unit)

    slice_header = bytes.fromhex("0201c4025fdb6fbf00f31b22f4652defc34f8a61c1712187f6ae34d563e6e413") + b"\x55" * 225
    slices = filled(u32(len(slice_header)) + slice_header)
    yield "slices-upon-one-another", movie([track(stsd, tables([len(slices)] * 80, [MEDIA] * 80))], slices)
    groups = full(b"sgpd", b"dtrt", u32(1, 65_000, 65_000), bytes(65_003), version=2)
    yield "groups-that-may-have-a-length", movie([track(stsd, one + groups * 10)], unit)
    for name, message in (("displays", b"\xb0\x02\xb8\x04"), ("packings", b"\x2d\x05\x85\x83\x00\x04\x80")):
        messages = b"\x4e\x01" + filled(message, 1_020_000) + b"\x80"
        yield f"messages-of-{name}-in-four-tracks", movie(
            [track(stsd, tables([len(messages) + 4], [MEDIA]), n + 1) for n in range(4)], u32(len(messages)) + messages)
    layered = b"".join(u32(3) + bytes([2 | layer >> 5, (layer & 31) << 3 | 1, 0x80]) for layer in range(62))
    few = full(b"stts", u32(1, 3_000, 1)) + full(b"stsc", u32(1, 1, 3_000, 1)) + full(
        b"stz2", u32(4, 3_000), b"\xee" * 15 + b"\xe0" + bytes(1_484)) + full(b"stco", u32(1, MEDIA))
    plain = full(b"stsd", u32(1), box(b"hvc1", bytes(6), b"\0\1", bytes(70)))
    yield "empty-samples-in-330-tracks", movie([track(plain, few, n + 1) for n in range(330)], layered)
    # The last of many samples: every one before it is a sync sample that starts no count.
    yield "sync-samples-of-a-byte", movie([track(stsd, uniform(700_000))], unit + bytes(700_000))
    behind = full(b"stts", u32(1, 524_288, 1)) + full(
        b"stsc", u32(256), b"".join(u32(n + 1, 0, 1) for n in range(255)) + u32(256, 524_288, 1)) + full(
            b"stsz", u32(1, 524_288)) + full(b"stco", u32(256), u32(MEDIA) * 256)
    yield "sync-samples-behind-empty-chunks", movie([track(stsd, behind)], unit + bytes(600_000))
    # What is said beside the tables, of every sample: groups that hold by default, divisions, and tables of fragments.
    sound = full(b"stsd", u32(1), box(b"sowt", bytes(28)))

    def kinds(count):
        return b"".join(full(b"sgpd", u32(n + 0x61616161, 1, 1, 1), b"\0", version=2) for n in range(count))

    several = full(b"sgpd", b"roll", u32(1, 2), b"\0\1", version=1)
    yield "groups-of-each-sample", movie([track(sound, uniform(80_000) + kinds(9_000) + several + full(
        b"sbgp", b"roll", u32(80_000), u32(1, 1, 1, 2) * 40_000), handler=b"soun")], bytes(80_000))

    # The byte in the middle is that of a description: all samples are in another group in a copy with another byte there.
    varied = full(b"stts", u32(1, 100_000, 1)) + full(b"stsc", u32(1, 1, 100_000, 1)) + full(
        b"stsz", u32(0, 100_000), u32(1, 2) * 50_000) + full(b"stco", u32(1, MEDIA))
    for padding in range(29):
        changing = movie([track(sound, kinds(9_000) + varied, handler=b"soun")], bytes(150_000 + padding * 2))
        place = changing.find(b"sgpd") - 4
        if place < len(changing) // 2 < place + 9_000 * 29 and (len(changing) // 2 - place) % 29 == 28:
            break
    yield "groups-of-each-sample-that-change", changing
    yield "divisions-of-each-sample", movie(
        [track(sound, uniform(400_000) + full(b"subs", u32(0)) * 30_000, handler=b"soun")], bytes(400_000))
    yield "groups-of-many-fragments", movie(
        [track(sound, uniform(1) + kinds(12_000), handler=b"soun")], unit, box(b"mvex", full(b"trex", u32(1, 1, 1, 1, 0))),
        b"".join(box(b"moof", full(b"mfhd", u32(n)), box(
            b"traf", full(b"tfhd", u32(1)), full(b"trun", u32(1)))) for n in range(7_000)))
    edits = box(b"edts", full(b"elst", u32(36_000), u32(1, 0, 0x10000) * 36_000))
    yield "uniform-sound-in-many-chunks-and-edits", movie([track(
        sound, full(b"stts", u32(1, 500_000, 1)) + full(b"stsc", u32(1, 1, 4, 1)) + full(b"stsz", u32(4, 500_000)) + full(
            b"stco", u32(125_000), u32(MEDIA) * 125_000), edits=edits, handler=b"soun")], unit)
    # Lengths of one byte: a unit of two takes three.
    start = stsd.find(b"hvcC") + 4 + 21
    of_a_byte = stsd[:start] + bytes([stsd[start] & 0xFC]) + stsd[start + 1:]
    for name, piece in (("slices", b"\x02\x02\x01"), ("slices-with-a-payload", b"\x03\x02\x01\xd0"),
                        ("picture-sets", b"\x02\x44\x01")):
        smallest = filled(piece, 65_000 * len(piece))
        yield f"{name}-with-lengths-of-a-byte", movie(
            [track(of_a_byte, tables([len(smallest)] * 30, [MEDIA] * 30))], smallest + bytes(900_000 - len(smallest)))
    # One track whose tables are long, and many whose extractors take bytes from it.
    inner = u32(3) + b"\x02\x01\x80"
    extractor = u32(13) + b"\x62\x01\x00\x01\x00" + u32(0, len(inner))
    rows = full(b"stsc", u32(25_001), b"".join(u32(n + 1, 1, 1) for n in range(25_000)) + u32(1, 1, 1))
    source = full(b"stts", u32(1, 1, 100)) + full(b"stsz", u32(len(inner), 1)) + full(
        b"stco", u32(25_000), u32(MEDIA) * 25_000) + rows
    taking = full(b"stts", u32(1, 1, 100)) + full(b"stsc", u32(1, 1, 1, 1)) + full(b"stsz", u32(len(extractor), 1)) + full(
        b"stco", u32(1, MEDIA + len(inner)))
    scal = box(b"tref", box(b"scal", u32(1)))
    yield "extractors-of-many-tracks-into-one-with-long-tables", movie(
        [track(plain, source)] + [track(plain, taking, n + 2, references=scal) for n in range(900)], inner + extractor)
    crowded = box(b"hvc1", bytes(6), b"\0\1", bytes(70), box(b"free") * 40_000)
    yield "descriptions-beside-one-with-many-boxes", movie(
        [track(full(b"stsd", u32(6_001), crowded + box(b"hvc1", bytes(6), b"\0\1", bytes(70)) * 6_000), one)], unit)
    yield "brands-without-number", filled(box(b"ftyp"))
    yield "brands-that-change-without-number", filled(box(b"ftyp", b"qt  ") + box(b"ftyp", b"isom"))
    # Errors of the tree that every track asks for, to know what of it is lost.
    broken = filled(box(b"udta", u32(7)), 36_000)
    empty = full(b"stsd", u32(0))
    yield "errors-behind-many-tracks", movie([track(empty, b"", n + 1) for n in range(4_000)], more=broken)
    yield "errors-in-many-fragments", movie(
        [track(empty, b"", n + 1) for n in range(3_500)],
        fragments=b"".join(box(b"moof", box(b"traf", full(b"tfhd", u32(n)), full(b"trun", u32(9)))) for n in range(3_500)))

    # 1024 layer sets of seven sub-layers with a bit each, from two kilobytes.
    rates = [rates_of_a_bit(number) for number in range(16)]
    many = [bytes([64 | layer >> 5, (layer & 31) << 3 | 1]) + rates[number] for layer in range(63) for number in range(16)]
    crowded = many[:500]
    yield "stream-of-rates-of-a-bit", b"".join(b"\0\0\1" + piece for piece in crowded) + b"\0\0\1\x02\x01\xd0\x10"
    yield "rates-of-a-bit", movie([track(configured(stsd, b"hvcC", [(32, crowded)]), one)], unit)
    base_layer = b"".join(u32(len(piece)) + piece for piece in (many[:16] * 32)[:500])
    yield "rates-of-a-bit-upon-one-another", movie(
        [track(stsd, tables([len(base_layer)] * 60, [MEDIA] * 60))], base_layer)
    yield "rates-of-a-bit-in-many-tracks", movie(
        [track(stsd, tables([len(base_layer)], [MEDIA]), n + 1) for n in range(40)], base_layer)

    start = b"\x00\x00\x01"
    vps, sps, pps = ([], [], [])
    for name in ("two-views.hevc", "three-views.hevc"):
        for piece in fixtures[name].split(start)[1:]:
            piece = piece.rstrip(b"\x00")
            {32: vps, 33: sps, 34: pps}.get(piece[0] >> 1 & 63, []).append(piece)
    picture = start + b"\x02\x01\xd0\x10"
    yield "stream-of-start-codes", start + vps[0] + filled(start)
    yield "stream-of-smallest-units", start + vps[0] + filled(start + b"\x02\x01")
    yield "stream-of-smallest-pictures", start + vps[0] + start + sps[0] + start + pps[0] + filled(picture)
    yield "stream-of-video-parameter-sets", filled(start + vps[0] + start + vps[-1]) + picture
    yield "stream-of-picture-parameter-sets", start + vps[0] + start + sps[0] + filled(start + pps[0]) + picture
    both = start + vps[0] + start + vps[-1]
    other = pps[0][:2] + bytes([pps[0][2] ^ 0x01]) + pps[0][3:]
    yield "stream-that-changes-its-picture-sets", both + b"".join(start + piece for piece in sps) + filled(
        start + pps[0] + picture + start + other + picture, 900_000)
    yield "stream-that-changes-its-sets", b"".join(start + piece for piece in sps) * 20 + filled(both, 900_000) + picture
    many = pps[:1] * (150_000 // len(pps[0]))
    records = [(32, vps[:1]), (33, sps[:1])]

    def alternating(description, first, numbers):
        """30 000 samples of one slice that alternate between descriptions, after two others."""
        sizes = [len(first), len(first)] + [8] * 29_998
        places = [MEDIA, MEDIA] + [MEDIA + len(first)] * 29_998
        rows = b"".join(u32(n + 1, 1, numbers[n % 2]) for n in range(30_000))
        return movie([track(full(b"stsd", u32(2), description * 2), full(b"stts", u32(1, 30_000, 1)) + full(
            b"stsc", u32(30_000), rows) + full(b"stsz", u32(0, 30_000), u32(*sizes)) + full(
            b"stco", u32(30_000), u32(*places)))], first + u32(4) + picture[3:])

    crowded = configured(stsd, b"hvcC", records + [(34, many)])[16:]
    plain = configured(stsd, b"hvcC", records + [(34, pps[:1])])[16:]
    units = b"".join(u32(len(unit)) + unit for unit in many)
    yield "descriptions-that-alternate", alternating(crowded, b"", (1, 2))
    yield "descriptions-that-alternate-without-being-there", alternating(crowded, b"", (7, 8))
    yield "descriptions-of-first-samples-that-alternate", alternating(plain, units, (1, 2))
    yield "stream-of-smallest-messages", start + vps[0] + start + b"\x4e\x01" + b"\x01" * 990_000 + b"\x80" + picture
    yield "stream-of-message-units", start + vps[0] + filled(start + b"\x4e\x01\x01\x01\x80\x80") + picture
    yield "stream-of-long-sizes", start + vps[0] + start + b"\x4e\x01" + b"\xff" * 1_000_000 + picture
    yield "stream-of-one-unit", start + vps[0][:40] + b"\xff" * 1_000_000
    nesting = b"\x80"
    while len(nesting) < 250:
        nesting = b"\x20\x85" + bytes([len(nesting)]) + nesting
    yield "stream-of-nested-messages", start + vps[0] + start + b"\x4e\x01" + filled(
        b"\x85" + bytes([len(nesting)]) + nesting, 900_000) + b"\x80" + picture
    for pattern in (0x00, 0x24, 0x55, 0x80, 0xAA, 0xFF):
        body = b"".join(start + bytes([kind << 1, 1]) + bytes([pattern or 3]) * 300_000 for kind in (32, 33, 34))
        yield f"sets-of-{pattern:02x}", body + picture


def write_all(fixtures, folder):
    """For a look at them by hand."""
    os.makedirs(folder, exist_ok=True)
    for name, data in attacks(fixtures):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
