// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Opens standard input: as a file if it is one (`< movie.mov`), otherwise as a pipe.
public func openStandardInput(
  keeping policy: PipeBytes.Policy, limits: Limits = .standard
) throws(SourceError) -> any ByteSource {
  try openDescriptor(0, name: "standard input", keeping: policy, limits: limits)
}

/// Opens a descriptor according to its kind, and never closes it.
func openDescriptor(
  _ descriptor: Int32, name: String, keeping policy: PipeBytes.Policy, limits: Limits
) throws(SourceError) -> any ByteSource {
  let kind: FileStatus.Kind
  do { kind = try FileStatus(descriptor: descriptor).kind } catch { throw error.sourceError(path: name) }
  switch kind {
  case .regular, .blockDevice, .directory:
    return try FileBytes(descriptor: descriptor, path: name, owned: false)
  case .fifo, .socket, .characterDevice, .other:
    guard !isTerminal(descriptor) else {
      throw SourceError(
        .notAFile(kind: "a terminal"), path: name, advice: "Name a file, or send one through a pipe.")
    }
    return PipeBytes(
      descriptor: descriptor, name: name, keeping: policy, limit: limits.maximumBoxBytes)
  }
}
