// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Counts allocations by standing in front of the C library's allocator. Benchmarks and tests only: nothing that users
// link contains this.

#include "AllocationCounter.h"

#include <stddef.h>

// Sanitizers bring allocators of their own, which must not be circumvented.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ALLOCATIONS_BELONG_TO_A_SANITIZER
#endif
#endif

static _Atomic uint64_t count;

uint64_t allocation_count(void) { return count; }

#if defined(__linux__) && defined(__GLIBC__) && !defined(ALLOCATIONS_BELONG_TO_A_SANITIZER)

#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

int allocation_counting_available(void) { return 1; }

static __thread struct {
  uint64_t count, bytes;
  int64_t held, peak;
} meter;

void allocation_meter_reset(void) {
  meter.count = 0;
  meter.bytes = 0;
  meter.held = 0;
  meter.peak = 0;
}

struct allocation_meter allocation_meter_read(void) {
  return (struct allocation_meter){meter.count, meter.bytes, (uint64_t)meter.peak};
}

static void *note(void *memory) {
  count++;
  if (memory == NULL) return NULL;
  size_t size = malloc_usable_size(memory);
  meter.count++;
  meter.bytes += size;
  meter.held += (int64_t)size;
  if (meter.held > meter.peak) meter.peak = meter.held;
  return memory;
}

void *malloc(size_t size) { return note(__libc_malloc(size)); }

void *calloc(size_t items, size_t size) { return note(__libc_calloc(items, size)); }

void *realloc(void *memory, size_t size) {
  size_t old = memory == NULL ? 0 : malloc_usable_size(memory);
  void *moved = __libc_realloc(memory, size);
  if (moved != NULL || size == 0) meter.held -= (int64_t)old;
  return note(moved);
}

void *aligned_alloc(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size)); }

void *memalign(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = note(__libc_memalign(alignment, size));
  return *memory == NULL ? 12 : 0;
}

void free(void *memory) {
  if (memory != NULL) meter.held -= (int64_t)malloc_usable_size(memory);
  __libc_free(memory);
}

#else

int allocation_counting_available(void) { return 0; }

void allocation_meter_reset(void) {}

struct allocation_meter allocation_meter_read(void) { return (struct allocation_meter){0, 0, 0}; }

#endif
