# swift-multiview · SPDX-License-Identifier: Apache-2.0
"""Streams whose pictures carry MD5 sums, in other decoders."""
import glob
import hashlib
import os
import re
import subprocess


def run(command, **more):
    return subprocess.run(command, capture_output=True, check=False, **more)


def md5(data):
    return hashlib.md5(data).hexdigest()


class Decoders:
    """The reference decoders HM and HTM, whose verdict decides, FFmpeg 7.1 or later, and libde265's dec265, if it is there."""

    def __init__(self, folder, hm, htm, ffmpeg, dec265=None):
        self.folder, self.hm, self.htm, self.ffmpeg, self.dec265 = folder, hm, htm, ffmpeg, dec265
        self.pictures, self.wrong, self.others = 0, [], []

    def check(self, path, two):
        """Decodes a stream of one or two views; the reference decoders write into the folder."""
        for old in glob.glob(self.folder + "/out*.yuv"):
            os.remove(old)
        reference = self.htm if two else self.hm
        found = run([reference, "-b", path, "-o", self.folder + "/out.yuv", "-d", "0"]).stdout.decode("latin-1")
        with open(path, "rb") as stream:
            # Suffix messages, one for each picture.
            wanted = len(re.findall(rb"\x00\x00\x01[\x50\x51]", stream.read()))
        equal = found.count("(OK)")
        self.pictures += equal
        if equal != wanted or wanted == 0 or "***" in found:
            self.wrong.append(path)
            return
        for view, output in enumerate(sorted(glob.glob(self.folder + "/out*.yuv"))):
            choice = f"0:v:0:vidx:{view}" if two else "0:v:0"
            frames = run([self.ffmpeg, "-v", "quiet", "-f", "hevc", "-i", path, "-map", choice, "-fps_mode", "passthrough",
                          "-f", "rawvideo", "-"]).stdout
            with open(output, "rb") as planes:
                if md5(frames) != md5(planes.read()):
                    self.others.append(f"FFmpeg: {path} view {view}")
        if self.dec265 and not two:
            said = run([self.dec265, "-q", "-c", path])
            if b"mismatch" in said.stdout + said.stderr:
                self.others.append(f"libde265: {path}")

    def report(self):
        """Prints what was found; returns whether the reference decoders agree, which is what counts."""
        for line in self.others:
            print(line)
        print(f"{self.pictures} pictures are equal in the reference decoders; decoders other than the reference ones differ in "
              f"{len(self.others)} streams")
        for path in self.wrong:
            print(f"the reference decoder differs: {path}")
        return not self.wrong
