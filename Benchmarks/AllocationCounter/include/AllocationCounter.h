// swift-multiview · SPDX-License-Identifier: Apache-2.0

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many times memory was allocated since the process started; 0 for ever where it cannot be counted.
uint64_t allocation_count(void);

/// Whether allocations are counted on this platform.
int allocation_counting_available(void);

#endif
