// swift-multiview · SPDX-License-Identifier: Apache-2.0

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many times memory was allocated since the process started; 0 for ever where it cannot be counted.
uint64_t allocation_count(void);

/// Whether allocations are counted on this platform.
int allocation_counting_available(void);

/// What one thread allocated since it asked for the meter to be set to zero.
struct allocation_meter {
  /// How many times.
  uint64_t count;
  /// How many bytes altogether.
  uint64_t bytes;
  /// How many bytes were held at most at one time, beyond those held at the start.
  uint64_t peak;
};

/// Sets the meter of this thread to zero.
void allocation_meter_reset(void);

/// Reads the meter of this thread.
struct allocation_meter allocation_meter_read(void);

#endif
