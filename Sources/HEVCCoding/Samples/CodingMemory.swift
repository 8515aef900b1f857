// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC
import Threads

/// What a decoder needs in memory besides the picture: two to three megabytes at 1080p.
///
/// `@unchecked`: only one decoder at a time has it.
package final class CodingMemory: @unchecked Sendable {
  package let geometry: PictureGeometry
  package let tables: PictureTables
  package let scratch: BlockScratch
  package let rows: FilterRows

  package init(_ geometry: PictureGeometry, isLong: Bool) {
    self.geometry = geometry
    tables = PictureTables(geometry)
    scratch = BlockScratch(geometry, isLong: isLong)
    rows = FilterRows(geometry)
  }

  deinit {
    tables.free()
    scratch.free()
    rows.free()
  }
}

/// Keeps the memory of decoders for the next pictures, of whatever layer and parameter sets: as much as threads are at work,
/// and not as much for each layer.
package final class CodingMemoryPool: Sendable {
  private let idle = Monitor<[CodingMemory]>([])
  private let capacity: Int

  /// Makes a pool that keeps the memory of `capacity` idle decoders.
  package init(capacity: Int) { self.capacity = capacity }

  /// Lends memory for pictures of this geometry.
  package func take(_ geometry: PictureGeometry, isLong: Bool) -> CodingMemory {
    let found: CodingMemory? = idle.change { idle in
      let place = idle.lastIndex { $0.scratch.isLong == isLong && $0.geometry == geometry }
      return place.map { idle.remove(at: $0) }
    }
    return found ?? CodingMemory(geometry, isLong: isLong)
  }

  /// What waits for the next pictures.
  package var idleMemory: [CodingMemory] { idle.change { $0 } }

  package func takeBack(_ memory: CodingMemory) {
    idle.change { idle in
      idle.append(memory)
      if idle.count > capacity { idle.removeFirst() }
    }
  }
}
