// Loops as an executor gets them: kernels as text, and their signatures. Written by hand, so that the plugin is tested
// without the core that makes them otherwise.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "op2/plugin/exec.h"

namespace samples {

constexpr int type_sizes[] = {0, 8, 4, 4, 4, 8, 8, 1};

// How the record of what a loop reduces is combined; sums and extrema of doubles and ints, and payloads.
inline void combine(const op_exec_reduce *reduce, void *into, const void *later);

// One loop, whose tables stay where they are.
struct Loop {
  op_exec_signature signature{};
  std::vector<op_exec_arg> args;
  std::vector<op_range_layout> layouts;
  struct Reduce : op_exec_reduce {
    const Loop *loop = nullptr;
  } reduce{};
  std::vector<int32_t> reduce_args;
  std::vector<size_t> reduce_offsets;
  op_exec_text text{};
  std::string body, name;
  std::vector<op_exec_constant> constants;

  Loop(std::string loop_name, std::string kernel, int set_size) : body(std::move(kernel)), name(std::move(loop_name)) {
    signature.size = sizeof signature;
    signature.name = name.c_str();
    signature.set_size = set_size;
    signature.set_name = "elements";
  }
  Loop(const Loop &) = delete;

  op_exec_arg &add(int kind, op_access access, op_type_id type, int dim) {
    op_exec_arg arg{};
    arg.kind = kind;
    arg.access = access;
    arg.type = type;
    arg.type_size = type_sizes[type];
    arg.dim = dim;
    arg.dat = arg.map = arg.reduction = arg.payload_of = -1;
    args.push_back(arg);
    return args.back();
  }
  Loop &direct(int dat, op_access access, op_type_id type, int dim) {
    add(OP_RANGE_DIRECT, access, type, dim).dat = dat;
    return *this;
  }
  Loop &through(int dat, int map, int column, op_access access, op_type_id type, int dim) {
    op_exec_arg &arg = add(OP_RANGE_INDIRECT, access, type, dim);
    arg.dat = dat;
    arg.map = map;
    arg.column = column;
    return *this;
  }
  Loop &vector(int dat, int map, int count, op_access access, op_type_id type, int dim) {
    op_exec_arg &arg = add(OP_RANGE_VECTOR, access, type, dim);
    arg.dat = dat;
    arg.map = map;
    arg.count = count;
    return *this;
  }
  Loop &global(op_type_id type, int dim) {
    add(OP_RANGE_GLOBAL, OP_READ, type, dim);
    return *this;
  }
  Loop &reduced(op_access access, op_type_id type, int dim) {
    add(OP_RANGE_GLOBAL, access, type, dim).reduction = static_cast<int>(reduce_args.size());
    reduce_args.push_back(static_cast<int32_t>(args.size()) - 1);
    return *this;
  }
  Loop &payload(int of, op_type_id type, int dim) {
    add(OP_RANGE_GLOBAL, args[static_cast<size_t>(of)].access, type, dim).payload_of = of;
    args.back().reduction = static_cast<int>(reduce_args.size());
    reduce_args.push_back(static_cast<int32_t>(args.size()) - 1);
    return *this;
  }
  Loop &off() {
    add(OP_RANGE_ABSENT, OP_READ, OP_TYPE_USER, 0);
    return *this;
  }
  Loop &index() {
    add(OP_RANGE_INDEX, OP_READ, OP_TYPE_INT, 1);
    return *this;
  }
  Loop &map_index(int map, int column) {
    op_exec_arg &arg = add(OP_RANGE_MAP_INDEX, OP_READ, OP_TYPE_INT, 1);
    arg.map = map;
    arg.column = column;
    return *this;
  }
  Loop &of_size(int type_size) { // the last argument is of a type of the program's own
    args.back().type_size = type_size;
    return *this;
  }
  Loop &constant(const void *value, size_t offset, size_t bytes) {
    constants.push_back({value, offset, bytes});
    text.declared_bytes = std::max(text.declared_bytes, offset + bytes);
    return *this;
  }

  // Fills in what follows from the arguments.
  Loop &done() {
    signature.nargs = static_cast<int32_t>(args.size());
    signature.args = args.data();
    signature.layouts = layouts.empty() ? nullptr : layouts.data();
    for (const op_exec_arg &arg : args) {
      if (arg.kind != OP_RANGE_INDIRECT && arg.kind != OP_RANGE_VECTOR) continue;
      signature.indirect = 1;
      if (arg.access != OP_READ) signature.conflicts = 1;
    }
    size_t end = 0;
    for (const int32_t i : reduce_args) {
      reduce_offsets.push_back(end);
      const op_exec_arg &arg = args[static_cast<size_t>(i)];
      end += (static_cast<size_t>(arg.dim) * static_cast<size_t>(arg.type_size) + 15) / 16 * 16;
    }
    if (end > 0) {
      reduce.size = sizeof(op_exec_reduce);
      reduce.record_bytes = (end + 63) / 64 * 64;
      reduce.count = static_cast<int32_t>(reduce_args.size());
      reduce.arg = reduce_args.data();
      reduce.offset = reduce_offsets.data();
      reduce.combine = combine;
      reduce.loop = this;
      signature.reduce = &reduce;
    }
    text.size = sizeof text;
    text.text = body.c_str();
    text.title = name.c_str();
    text.why = "";
    text.nconstants = static_cast<int32_t>(constants.size());
    text.constants = constants.data();
    return *this;
  }
};

template <class T>
void combine_values(const op_exec_arg &arg, T *into, const T *later, const auto &take_payloads) {
  for (int d = 0; d < arg.dim; ++d) {
    if (arg.access == OP_INC || arg.access == OP_REDUCE) {
      into[d] = static_cast<T>(into[d] + later[d]);
    } else if (arg.access == OP_MIN ? later[d] < into[d] : into[d] < later[d]) {
      into[d] = later[d];
      take_payloads(d);
    }
  }
}

inline void combine(const op_exec_reduce *table, void *into, const void *later) {
  const Loop &loop = *static_cast<const Loop::Reduce *>(table)->loop;
  for (int32_t place = 0; place < table->count; ++place) {
    const int32_t i = table->arg[place];
    const op_exec_arg &arg = loop.args[static_cast<size_t>(i)];
    if (arg.payload_of >= 0) continue;
    const size_t at = table->offset[place];
    const auto take = [&](int d) {
      for (int32_t other = 0; other < table->count; ++other) {
        const op_exec_arg &payload = loop.args[static_cast<size_t>(table->arg[other])];
        if (payload.payload_of != i) continue;
        const size_t share = static_cast<size_t>(payload.dim * payload.type_size) / static_cast<size_t>(arg.dim);
        const size_t from = table->offset[other] + share * static_cast<size_t>(d);
        std::copy_n(static_cast<const char *>(later) + from, share, static_cast<char *>(into) + from);
      }
    };
    char *const to = static_cast<char *>(into) + at;
    const char *const from = static_cast<const char *>(later) + at;
    if (arg.type == OP_TYPE_INT)
      combine_values(arg, reinterpret_cast<int *>(to), reinterpret_cast<const int *>(from), take);
    else if (arg.type == OP_TYPE_FLOAT)
      combine_values(arg, reinterpret_cast<float *>(to), reinterpret_cast<const float *>(from), take);
    else if (arg.type == OP_TYPE_LL)
      combine_values(arg, reinterpret_cast<long long *>(to), reinterpret_cast<const long long *>(from), take);
    else
      combine_values(arg, reinterpret_cast<double *>(to), reinterpret_cast<const double *>(from), take);
  }
}

// A program with one kernel, with constants or without.
inline std::string program(const std::string &kernel, const std::string &constants = "", const std::string &more = "") {
  return "struct op2_declared {\n" + constants + "};\nstruct op2_program : op2_declared {\n" + more +
         "inline void op2_kernel" + kernel + "\n};\n";
}

} // namespace samples

// SPDX-License-Identifier: MIT
