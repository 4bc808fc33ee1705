// shim_count.cpp: linked to kernels whose accesses are counted: what their compiler calls at each load, store and piece
// of code (-fsanitize=thread -fsanitize-coverage=trace-pc). An instruction is known by where it is called from.
#include "shim_table.h"

extern "C" {

__attribute__((visibility("hidden"))) op2_fake_object op2_fake;

#define OP2_FAKE_CALLBACK __attribute__((visibility("hidden"))) void

static inline void seen(const void *site, const void *address, unsigned long bytes, int use) {
  if (op2_fake.runtime) op2_fake.runtime->access(site, address, static_cast<unsigned>(bytes), use);
}

#define OP2_FAKE_ACCESS(name, bytes, use) \
  OP2_FAKE_CALLBACK name(const void *address) { seen(__builtin_return_address(0), address, bytes, use); }
#define OP2_FAKE_ACCESSES(bytes)                          \
  OP2_FAKE_ACCESS(__tsan_read##bytes, bytes, 0)           \
  OP2_FAKE_ACCESS(__tsan_write##bytes, bytes, 1)          \
  OP2_FAKE_ACCESS(__tsan_unaligned_read##bytes, bytes, 0) \
  OP2_FAKE_ACCESS(__tsan_unaligned_write##bytes, bytes, 1)
OP2_FAKE_ACCESSES(1)
OP2_FAKE_ACCESSES(2)
OP2_FAKE_ACCESSES(4)
OP2_FAKE_ACCESSES(8)
OP2_FAKE_ACCESSES(16)

OP2_FAKE_CALLBACK __tsan_read_range(const void *address, unsigned long bytes) {
  seen(__builtin_return_address(0), address, bytes, 0);
}
OP2_FAKE_CALLBACK __tsan_write_range(const void *address, unsigned long bytes) {
  seen(__builtin_return_address(0), address, bytes, 1);
}
OP2_FAKE_CALLBACK __tsan_init() {}
OP2_FAKE_CALLBACK __tsan_func_entry(const void *) {}
OP2_FAKE_CALLBACK __tsan_func_exit() {}
OP2_FAKE_CALLBACK __tsan_vptr_read(const void *) {}
OP2_FAKE_CALLBACK __tsan_vptr_update(const void *, const void *) {}
OP2_FAKE_CALLBACK __sanitizer_cov_trace_pc() {
  if (op2_fake.runtime) op2_fake.runtime->step(__builtin_return_address(0));
}
}

// SPDX-License-Identifier: MIT
