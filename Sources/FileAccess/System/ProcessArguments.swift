// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The arguments of the command line, without the name of the program.
package func processArguments() -> [SystemName] {
  var arguments: [SystemName] = []
  var index = 1
  while index < Int(CommandLine.argc), let argument = unsafe CommandLine.unsafeArgv[index] {
    var count = 0
    while unsafe argument[count] != 0 { count += 1 }
    unsafe arguments.append(
      SystemName(UnsafeRawBufferPointer(start: UnsafeRawPointer(argument), count: count)))
    index += 1
  }
  return arguments
}
