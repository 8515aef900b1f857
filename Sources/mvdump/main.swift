// swift-multiview · SPDX-License-Identifier: Apache-2.0
import MVDumpCommand

MVDump.main()
