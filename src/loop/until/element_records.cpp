#include "loop/until/element_records.hpp"

#include <algorithm>
#include <cstring>

#include "loop/until/written_rows.hpp"

namespace op2::core {

ElementRecords::ElementRecords(const LoopSignature &what, bool whole) : what_(what), reduction_(what.args) {
  const op_exec_reduce *const table = reduction_.table();
  for (std::int32_t i = 0; table && i < table->count; ++i)
    bytes_ = std::max(bytes_, table->offset[i] + place_bytes(what.args[static_cast<std::size_t>(table->arg[i])]));
  bytes_ = whole ? reduction_.bytes() : (bytes_ + 15) / 16 * 16;
}

void ElementRecords::begin(std::span<const op_arg> args) {
  const op_exec_reduce *const table = reduction_.table();
  if (!table) return;
  start_.assign(reduction_.bytes(), 0);
  total_.assign(reduction_.bytes(), 0);
  kept_.clear();
  for (std::int32_t i = 0; i < table->count; ++i) {
    const std::size_t position = static_cast<std::size_t>(table->arg[i]);
    const LoopArg &arg = what_.args[position];
    char *const start = start_.data() + table->offset[i];
    std::memcpy(total_.data() + table->offset[i], args[position].data, place_bytes(arg));
    if (arg.reduction)
      for (int k = 0; k < arg.dim; ++k)
        std::memcpy(start + static_cast<std::ptrdiff_t>(k) * arg.element.size, arg.reduction->identity.data(),
                    arg.reduction->identity.size());
    else if (arg.access == OP_INC)
      put_no_increment(arg.element, arg.dim, start);
    else
      std::memcpy(start, args[position].data, place_bytes(arg));
  }
}

void ElementRecords::open(char *record, std::span<op_range_arg> args) const {
  const op_exec_reduce *const table = reduction_.table();
  if (!table) return;
  std::memcpy(record, start_.data(), bytes());
  for (std::int32_t i = 0; i < table->count; ++i)
    args[static_cast<std::size_t>(table->arg[i])].base = record + table->offset[i];
}

void ElementRecords::finish(std::span<const op_arg> args) const {
  const op_exec_reduce *const table = reduction_.table();
  for (std::int32_t i = 0; table && i < table->count; ++i) {
    const std::size_t position = static_cast<std::size_t>(table->arg[i]);
    std::memcpy(args[position].data, total_.data() + table->offset[i], place_bytes(what_.args[position]));
  }
}

void ElementRecords::keep(std::int64_t number, const char *record) {
  kept_.append(reinterpret_cast<const char *>(&number), sizeof number);
  kept_.append(record, bytes());
}

void ElementRecords::add_kept(Communicator &communicator) {
  struct Kept {
    std::int64_t number;
    const char *record;
  };
  const std::vector<std::string> parts = communicator.allgather(kept_);
  kept_.clear();
  std::vector<Kept> all;
  for (const std::string &part : parts)
    for (std::size_t at = 0; at < part.size(); at += sizeof(std::int64_t) + bytes()) {
      Kept kept{0, part.data() + at + sizeof(std::int64_t)};
      std::memcpy(&kept.number, part.data() + at, sizeof kept.number);
      all.push_back(kept);
    }
  std::ranges::sort(all, {}, &Kept::number);
  std::vector<std::max_align_t> aligned(bytes() / sizeof(std::max_align_t) + 1); // for the program's own functions
  for (const Kept &kept : all) {
    std::memcpy(aligned.data(), kept.record, bytes());
    add(reinterpret_cast<const char *>(aligned.data()));
  }
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
