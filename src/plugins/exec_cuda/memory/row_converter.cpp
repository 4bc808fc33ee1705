// row_converter.cpp: copies between rows on the host and another layout on the device, all in the order of the compute
// stream.
#include "memory/row_converter.hpp"

#include <algorithm>

#include "device/rows_parts.h"
#include "memory/staging.hpp"

namespace op2::exec_cuda {

namespace {

constexpr size_t most_scratch = size_t{8} << 20; // fits the second-level cache of every device
constexpr unsigned threads = 256;

size_t row_bytes(const op_exec_rows &rows) {
  return static_cast<size_t>(rows.dim) * static_cast<size_t>(rows.type_size);
}

void check(const op_exec_rows &rows) {
  const bool sizes = rows.count >= 0 && rows.dim > 0 && (rows.type_size == 4 || rows.type_size == 8);
  if (!sizes || rows.step % rows.type_size != 0 || rows.stride % rows.type_size != 0)
    throw Failure(OP_ERR_ARGUMENT, "copy of rows: " + std::to_string(rows.dim) + " values of " +
                                       std::to_string(rows.type_size) + " bytes, components " +
                                       std::to_string(rows.step) + " bytes apart");
}

} // namespace

CUfunction RowConverter::kernel(bool to_rows) {
  if (!module_) {
    std::string text;
    for (const char *part : {"kernel", "rows_parts", "rows"}) text += device_text(part);
    module_ = std::make_unique<Module>(exec_, text, "op2_rows");
  }
  return module_->function(to_rows ? "op2_rows_gather" : "op2_rows_spread");
}

void RowConverter::launch_piece(const op_exec_rows &rows, int64_t first, int64_t count) {
  op2_rows_params params{};
  params.rows = scratch_->as<char>();
  params.copy = rows.copy;
  params.stride = rows.stride;
  params.step = rows.step;
  params.first = first;
  params.count = static_cast<int>(count);
  params.dim = rows.dim;
  params.type_size = rows.type_size;
  const unsigned blocks = static_cast<unsigned>((count * rows.dim + threads - 1) / threads);
  launch(exec_, kernel(rows.to_rows != 0), blocks, threads, 0, exec_.streams->compute, &params, "a copy of rows");
}

void RowConverter::copy(const op_exec_rows &rows) {
  check(rows);
  const size_t row = row_bytes(rows);
  const int64_t piece = static_cast<int64_t>(std::max<size_t>(1, most_scratch / row));
  const size_t bytes = static_cast<size_t>(std::min<int64_t>(rows.count, piece)) * row;
  if (bytes == 0) return;
  room(exec_, scratch_, bytes);
  for (int64_t first = 0; first < rows.count; first += piece) {
    const int64_t count = std::min<int64_t>(piece, rows.count - first);
    char *const here = rows.rows + static_cast<size_t>(first) * row;
    const size_t length = static_cast<size_t>(count) * row;
    if (!rows.to_rows) exec_.staging->to_device(scratch_->address(), here, length);
    launch_piece(rows, first, count);
    if (rows.to_rows) exec_.staging->to_host(here, scratch_->address(), length);
  }
}

op_status mem_copy_rows(op_exec *exec, const op_exec_rows *rows, op_event *done) {
  if (done) *done = nullptr;
  return entry(exec, [&] {
    before_copy(*exec);
    exec->row_converter->copy(*rows);
  });
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
