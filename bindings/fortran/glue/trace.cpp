// Lines and cells of tracers as Fortran counts them: from 1.
#include <mutex>
#include <unordered_map>
#include <vector>

#include "glue.hpp"
#include "op2/hand_loop.h"
#include "op2/heads.h"
#include "op2/inspect.h"
#include "op2/trace.h"

namespace {

// Lines outlive sessions, and so does this: where the points of each line begin, from 1.
struct Begins {
  std::mutex mutex;
  std::unordered_map<op_lines, std::vector<op_gindex>> of;
};
Begins &begins() {
  static Begins all;
  return all;
}

} // namespace

extern "C" {

const op_gindex *op2f_lines_begin(op_lines lines) {
  op_gindex count = 0;
  const op_gindex *const from_0 = op_lines_ints(lines, "begin", &count, nullptr);
  if (!from_0) return nullptr;
  std::vector<op_gindex> from_1(from_0, from_0 + count);
  for (op_gindex &one : from_1) ++one;
  const std::lock_guard lock(begins().mutex);
  return (begins().of[lines] = std::move(from_1)).data();
}

void op2f_lines_free(op_lines lines) {
  {
    const std::lock_guard lock(begins().mutex);
    begins().of.erase(lines);
  }
  op_lines_free(lines);
}

// Valid until the next call of this thread.
const char *op2f_lines_info(op_lines lines) {
  static thread_local std::vector<char> text;
  const int length = op_lines_info(lines, nullptr, 0);
  if (length < 0) return nullptr;
  text.resize(static_cast<std::size_t>(length) + 1);
  op_lines_info(lines, text.data(), text.size());
  return text.data();
}

// The rows as they lie on this process, whatever its part of the declaration: the sum is the same for each.
op_dat op2f_decl_neighbours(op_tracer tracer, op_map map, const char *name) {
  const op_dat dat = op_decl_neighbours(tracer, map, name);
  if (!dat || op_dat_sync_host(dat) != OP_OK) return dat;
  long long *const cells = reinterpret_cast<long long *>(dat->data);
  const auto values =
      static_cast<std::size_t>(op_get_size_local(op_dat_set(dat))) * static_cast<std::size_t>(op_dat_dim(dat));
  for (std::size_t i = 0; i < values; ++i) ++cells[i];
  op_dat_mark_host_new(dat);
  return dat;
}

} // extern "C"

// SPDX-License-Identifier: MIT
