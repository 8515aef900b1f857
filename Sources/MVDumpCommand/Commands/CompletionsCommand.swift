// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport

/// `mvdump completions`: scripts by which a shell completes command lines.
package enum CompletionsCommand: CompletionsOfProgram {
  package static let programName = "mvdump"
}
