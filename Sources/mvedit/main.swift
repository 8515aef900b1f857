// swift-multiview · SPDX-License-Identifier: Apache-2.0
import MVEditCommand

MVEdit.main()
