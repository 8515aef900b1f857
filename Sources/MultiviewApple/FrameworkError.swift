// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(CoreVideo)
/// One of Apple's frameworks refused a request.
public struct FrameworkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The function that was called.
  public let function: String
  /// What it returned, such as a `CVReturn`; 0 if it returned no object and no number.
  public let status: Int32

  init(_ function: String, _ status: Int32 = 0) {
    self.function = function
    self.status = status
  }

  public var description: String { status == 0 ? "\(function) failed" : "\(function) failed (\(status))" }
}
#endif
