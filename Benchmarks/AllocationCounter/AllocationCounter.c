// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Counts allocations by standing in front of the C library's allocator. Benchmarks only: nothing that users link
// contains this.

#include "AllocationCounter.h"

#include <stddef.h>

static _Atomic uint64_t count;

uint64_t allocation_count(void) { return count; }

#if defined(__linux__) && defined(__GLIBC__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

int allocation_counting_available(void) { return 1; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  count++;
  return __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size) {
  count++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count++;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? 12 : 0;
}

#else

int allocation_counting_available(void) { return 0; }

#endif
