// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The version of the package, which all of its programs have.
package let packageVersion = "0.9.0"
