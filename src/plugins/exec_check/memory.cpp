// The memory kernels are tried on: copies of rows between guard bytes. (The memory of dats is that of the parent, seq.)
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "exec_check.hpp"
#include "plugins/exec_common/arguments.hpp"

namespace op2::exec_check {

using exec_common::round_up;

namespace {

constexpr std::size_t line = 64; // rows begin on a multiple of it, as dats do

// A row's worth of guard bytes, within reason: a kernel that is one row or one component off meets them.
std::size_t guard_bytes(std::size_t row) { return std::clamp(round_up(row, line), line, modest_bytes); }

Role role_of(const op_exec_arg &arg) {
  if (arg.kind == OP_RANGE_INDEX || arg.kind == OP_RANGE_MAP_INDEX) return Role::read;
  const bool number = arg.type != OP_TYPE_USER && arg.type != OP_TYPE_BOOL;
  const bool has_extrema = arg.type != OP_TYPE_USER && arg.payload_of < 0;
  switch (arg.access) {
    case OP_READ:
      return Role::read;
    case OP_WRITE:
      return Role::write;
    case OP_INC: // without a map a kernel sees the row itself and may do with it what it likes
      if (!number) return arg.kind == OP_RANGE_GLOBAL ? Role::free : Role::update;
      return arg.kind == OP_RANGE_DIRECT ? Role::update : Role::add;
    case OP_MIN:
    case OP_MAX:
      if (!has_extrema) return Role::free;
      return arg.access == OP_MIN ? Role::low : Role::high;
    case OP_RW:
      return Role::update;
    case OP_WORK:
      return Role::scratch;
    default:
      return Role::free;
  }
}

Slot make_slot(const op_exec_signature &signature, int i, int column, std::size_t offset) {
  const op_exec_arg &arg = signature.args[i];
  Slot slot{};
  slot.arg = i;
  slot.column = column;
  slot.role = role_of(arg);
  slot.type = arg.type;
  slot.type_size = arg.type_size;
  slot.dim = arg.dim;
  slot.bytes = exec_common::row_bytes(arg);
  slot.offset = offset;
  return slot;
}

} // namespace

bool is_shared(const op_exec_arg &arg) {
  return arg.kind == OP_RANGE_GLOBAL && arg.payload_of < 0 &&
         (arg.access == OP_WRITE || arg.access == OP_RW || arg.access == OP_WORK);
}

// [guard] row [guard] row ... [guard]. The rows of a vector argument are a whole number of rows apart, so that a map
// can lead to them.
Frame make_frame(const op_exec_signature &signature) {
  Frame frame;
  std::size_t end = line;
  for (int i = 0; i < signature.nargs; ++i) {
    const op_exec_arg &arg = signature.args[i];
    frame.first_slot.push_back(arg.kind == OP_RANGE_ABSENT ? -1 : static_cast<int>(frame.slots.size()));
    if (arg.kind == OP_RANGE_ABSENT) continue;
    end = round_up(end, line);
    for (int column = 0; column < exec_common::pointers(arg); ++column) {
      const Slot slot = make_slot(signature, i, column, end);
      frame.slots.push_back(slot);
      const std::size_t pitch = slot.bytes + guard_bytes(slot.bytes);
      end += arg.count > 0 ? round_up(pitch, slot.bytes) : pitch;
    }
  }
  std::vector<unsigned char> mask(round_up(end, line), 0xff);
  for (const Slot &slot : frame.slots)
    std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(slot.offset), slot.bytes, 0);
  frame.guards.resize(mask.size() / sizeof(std::uint64_t));
  std::memcpy(frame.guards.data(), mask.data(), mask.size());
  return frame;
}

void Arena::Free::operator()(std::uint64_t *words) const { std::free(words); }

Arena::Arena(const op_exec_kernel_s &kernel, Form form, std::uint64_t pattern)
    : kernel_(kernel), form_(form), pattern_(pattern) {
  words_.reset(static_cast<std::uint64_t *>(std::aligned_alloc(line, kernel.frame.bytes())));
  if (!words_) throw std::bad_alloc();
  std::fill_n(words_.get(), kernel.frame.guards.size(), pattern);
  args_.resize(static_cast<std::size_t>(kernel.signature->nargs));
  std::size_t columns = 1;
  for (const Slot &slot : kernel.frame.slots) columns = std::max(columns, static_cast<std::size_t>(slot.column) + 1);
  rows_.resize(args_.size() * columns);
  point_element();
}

// For the core's own range function every pointer can be given as it is.
void Arena::point_element() {
  const std::size_t columns = args_.empty() ? 0 : rows_.size() / args_.size();
  for (std::size_t i = 0; i < args_.size(); ++i) {
    const op_exec_arg &given = kernel_.signature->args[i];
    op_range_arg &arg = args_[i];
    arg.access = given.access;
    arg.dim = given.dim;
    const int first = kernel_.frame.first_slot[i];
    if (first < 0) {
      arg.kind = OP_RANGE_ABSENT;
      continue;
    }
    const Slot &slot = kernel_.frame.slots[static_cast<std::size_t>(first)];
    arg.base = row(slot);
    arg.kind = OP_RANGE_GLOBAL;
    for (int c = 0; c < exec_common::pointers(given); ++c) {
      const Slot &other = kernel_.frame.slots[static_cast<std::size_t>(first + c)];
      rows_[i * columns + static_cast<std::size_t>(c)] =
          1 + static_cast<int>((other.offset - slot.offset) / slot.bytes);
    }
    if (given.count <= 0) continue;
    arg.kind = OP_RANGE_VECTOR;
    arg.count = given.count;
    arg.stride = static_cast<std::ptrdiff_t>(slot.bytes);
    arg.base = row(slot) - arg.stride;
    arg.map = &rows_[i * columns];
  }
}

// A range function of the program wants the kinds it was compiled for, and element n: bases and maps are moved so that
// element n finds the copies. All copies are row 1 of something, so a function that takes rows to be longer or shorter
// than they are meets guard bytes.
void Arena::point_range(int n, const op_range_arg *call_args) {
  const std::size_t columns = args_.empty() ? 0 : rows_.size() / args_.size();
  for (std::size_t i = 0; i < args_.size(); ++i) {
    const int first = kernel_.frame.first_slot[i];
    op_range_arg &arg = args_[i];
    arg = call_args[i];
    if (first < 0) continue;
    char *const base = row(kernel_.frame.slots[static_cast<std::size_t>(first)]);
    const std::ptrdiff_t map_shift = static_cast<std::ptrdiff_t>(n) * arg.map_stride;
    switch (arg.kind) {
      case OP_RANGE_DIRECT:
        arg.base = base - n * arg.stride;
        break;
      case OP_RANGE_INDIRECT:
      case OP_RANGE_VECTOR: // rows_ was filled by point_element()
        arg.base = base - arg.stride;
        arg.map = &rows_[i * columns] - map_shift;
        break;
      case OP_RANGE_MAP_INDEX:
        arg.map = reinterpret_cast<const int *>(base) - map_shift;
        break;
      default:
        arg.base = base;
    }
  }
}

void Arena::run(int n, const op_range_arg *call_args) {
  op_range_ctx ctx{sizeof(op_range_ctx), args_.data(), kernel_.signature->nargs, 0, kernel_.element, nullptr};
  if (form_ == Form::element) {
    kernel_.generic(&ctx, 0, 1);
  } else {
    if (!kernel_.numbered) n = 1; // nobody can tell, and a wrong idea of a row's length does not lead far away
    point_range(n, call_args);
    kernel_.range(&ctx, n, n + 1);
  }
}

bool Arena::intact() const {
  const std::vector<std::uint64_t> &guards = kernel_.frame.guards;
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < guards.size(); ++i) changed |= (words_[i] ^ pattern_) & guards[i];
  return changed == 0;
}

std::size_t Arena::first_broken() const {
  for (std::size_t i = 0; i < kernel_.frame.guards.size(); ++i) {
    const std::uint64_t changed = (words_[i] ^ pattern_) & kernel_.frame.guards[i];
    if (changed == 0) continue;
    unsigned char bytes[sizeof changed];
    std::memcpy(bytes, &changed, sizeof changed);
    std::size_t byte = 0;
    while (bytes[byte] == 0) ++byte;
    return i * sizeof changed + byte;
  }
  return kernel_.frame.bytes();
}

void Arena::renew(std::uint64_t pattern) {
  pattern_ = pattern;
  for (std::size_t i = 0; i < kernel_.frame.guards.size(); ++i)
    words_[i] = (pattern & kernel_.frame.guards[i]) | (words_[i] & ~kernel_.frame.guards[i]);
}

void Arena::renew_near(const Slot &slot, std::uint64_t pattern) {
  // Guard bytes between two rows belong to the nearer one.
  std::size_t begin = 0, end = kernel_.frame.bytes();
  for (const Slot &other : kernel_.frame.slots) {
    const std::size_t other_end = other.offset + other.bytes;
    if (other_end <= slot.offset) begin = std::max(begin, other_end + (slot.offset - other_end) / 2);
    if (other.offset >= slot.offset + slot.bytes)
      end = std::min(end, (slot.offset + slot.bytes + other.offset + 1) / 2);
  }
  unsigned char bytes[sizeof pattern];
  std::memcpy(bytes, &pattern, sizeof pattern);
  for (std::size_t i = begin; i < end; ++i)
    if (i < slot.offset || i >= slot.offset + slot.bytes) data()[i] = static_cast<char>(bytes[i % sizeof pattern]);
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
