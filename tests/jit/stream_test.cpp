// Rows that are written past the caches (loops over more data than these hold): the same bytes as other stores, and
// none beside them, wherever rows and ranges begin and in whichever layout they lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "generated.hpp"
#include "host/files.hpp"
#include "jit/loop/loop_code.hpp"

namespace {

using namespace op2::core;
using jit::Scalar;

const char *const text_of_kernel = R"(
void fill(const double *a, double *d1, double *d2, double *d4, double *d8, double *d16, double *d3,
          float *f1, float *f2, float *f4, float *f8, float *f16, int *i1, int *i2, int *i4, int *i8, long long *l2) {
  for (int c = 0; c < 1; ++c) d1[c] = (double)(a[0] * (c + 1));
  for (int c = 0; c < 2; ++c) d2[c] = (double)(a[0] * (c + 2));
  for (int c = 0; c < 4; ++c) d4[c] = (double)(a[0] * (c + 4));
  for (int c = 0; c < 8; ++c) d8[c] = (double)(a[0] * (c + 8));
  for (int c = 0; c < 16; ++c) d16[c] = (double)(a[0] * (c + 16));
  for (int c = 0; c < 3; ++c) d3[c] = (double)(a[0] * (c + 3));
  for (int c = 0; c < 1; ++c) f1[c] = (float)(a[0] * (c + 1));
  for (int c = 0; c < 2; ++c) f2[c] = (float)(a[0] * (c + 2));
  for (int c = 0; c < 4; ++c) f4[c] = (float)(a[0] * (c + 4));
  for (int c = 0; c < 8; ++c) f8[c] = (float)(a[0] * (c + 8));
  for (int c = 0; c < 16; ++c) f16[c] = (float)(a[0] * (c + 16));
  for (int c = 0; c < 1; ++c) i1[c] = (int)(a[0] * (c + 1));
  for (int c = 0; c < 2; ++c) i2[c] = (int)(a[0] * (c + 2));
  for (int c = 0; c < 4; ++c) i4[c] = (int)(a[0] * (c + 4));
  for (int c = 0; c < 8; ++c) i8[c] = (int)(a[0] * (c + 8));
  for (int c = 0; c < 2; ++c) l2[c] = (long long)(a[0] * (c + 2));
})";
struct Column {
  Scalar scalar;
  int dim, bytes;
};
const std::vector<Column> columns = {
    {Scalar::float64, 1, 8},  {Scalar::float64, 2, 8}, {Scalar::float64, 4, 8},  {Scalar::float64, 8, 8},
    {Scalar::float64, 16, 8}, {Scalar::float64, 3, 8}, {Scalar::float32, 1, 4},  {Scalar::float32, 2, 4},
    {Scalar::float32, 4, 4},  {Scalar::float32, 8, 4}, {Scalar::float32, 16, 4}, {Scalar::int32, 1, 4},
    {Scalar::int32, 2, 4},    {Scalar::int32, 4, 4},   {Scalar::int32, 8, 4},    {Scalar::int64, 2, 8}};

// How the rows of more than one value lie. SoA: `more` values between one component and the next beside the rows
// themselves, so that components begin at lines of the cache or beside them.
struct Lie {
  const char *name;
  int kind, more;
};

op_range_layout layout_of(const Lie &lie, const Column &column, int size) {
  if (lie.kind == OP_LAYOUT_AOS || column.dim == 1) return {column.bytes, OP_LAYOUT_AOS};
  return {(size + lie.more) * column.bytes, lie.kind};
}

jit::LoopShape shape(bool stream, const Lie &lie) {
  jit::LoopShape out;
  out.name = "fill";
  out.stream = stream;
  const auto add = [&](op_access access, const Column &column) {
    jit::ArgShape arg;
    arg.kind = OP_RANGE_DIRECT;
    arg.access = access;
    arg.scalar = column.scalar;
    arg.type_size = column.bytes;
    arg.dim = column.dim;
    arg.dat = static_cast<int>(out.args.size());
    arg.layout = layout_of(lie, column, 0).kind;
    out.args.push_back(arg);
  };
  add(OP_READ, {Scalar::float64, 1, 8});
  for (const Column &column : columns) add(OP_WRITE, column);
  return out;
}

// Memory for all rows, `shift` values behind a line of the cache, with room around it.
struct Rows {
  std::vector<std::vector<char>> bytes;
  std::vector<op_range_arg> args;
  std::vector<op_range_layout> layouts;
  std::vector<std::ptrdiff_t> length; // of each object
  Rows(int size, int shift, const std::vector<double> &a, const Lie &lie) {
    for (std::size_t i = 0; i <= columns.size(); ++i) {
      const Column column = i == 0 ? Column{Scalar::float64, 1, 8} : columns[i - 1];
      const op_range_layout layout = layout_of(lie, column, size);
      const int rows = layout.kind == OP_LAYOUT_SOA ? size + lie.more : size;
      length.push_back(std::ptrdiff_t{rows} * column.dim * column.bytes);
      bytes.emplace_back(static_cast<std::size_t>(length.back()) + 256, char{0x55});
      op_range_arg arg{};
      const auto address = reinterpret_cast<std::uintptr_t>(bytes.back().data() + 64);
      arg.base = bytes.back().data() + 64 + (64 - address % 64) % 64 + shift * column.bytes;
      arg.stride = layout.kind == OP_LAYOUT_SOA ? column.bytes : column.dim * column.bytes;
      arg.kind = OP_RANGE_DIRECT;
      arg.access = i == 0 ? OP_READ : OP_WRITE;
      arg.dim = column.dim;
      args.push_back(arg);
      layouts.push_back(layout);
    }
    std::memcpy(args[0].base, a.data(), a.size() * sizeof(double));
  }
  // What lies around the first row, which is at another place in each object.
  std::vector<char> all(std::size_t i) const { return {args[i].base - 32, args[i].base + length[i] + 32}; }
};

class Streams : public testing::TestWithParam<generated::Target> {};

} // namespace

TEST_P(Streams, WriteWhatStoresWrite) {
  const Log log(OP_LOG_ERROR);
  std::string reason;
  const auto store = generated::store_for(GetParam(), log, reason);
  if (!store) GTEST_SKIP() << reason;

  const jit::KernelText kernel = generated::kernel_of("fill", text_of_kernel);
  const int vector_bytes = store->machine().vector_bytes, size = 60;
  std::vector<double> a(size);
  for (int n = 0; n < size; ++n) a[static_cast<std::size_t>(n)] = n * 1.25 - 7;
  const auto try_everywhere = [&](const Lie &lie, op_range_fn streaming, op_range_fn plain) {
    for (const int shift : {0, 1, 2, 3})
      for (const int begin : {0, 1, 4, 8, 16, 17})
        for (const int end : {begin, begin + 1, begin + 15, begin + 16, begin + 33, size}) {
          const Rows made(size, shift, a, lie), known(size, shift, a, lie);
          const auto run = [&](op_range_fn function, const Rows &rows) {
            const op_range_ctx ctx{
                sizeof(op_range_ctx), rows.args.data(), static_cast<int>(rows.args.size()), 0, nullptr,
                rows.layouts.data()};
            function(&ctx, begin, end);
          };
          run(streaming, made);
          run(plain, known);
          for (std::size_t i = 0; i < made.args.size(); ++i)
            ASSERT_TRUE(known.all(i) == made.all(i)) << lie.name << ", argument " << i << ", rows " << begin << " to "
                                                     << end << ", shifted by " << shift << " values";
        }
  };
  const auto code_for = [&](const Lie &lie, bool stream, int bytes) {
    const jit::LoopCode code = jit::generate(kernel, shape(stream, lie), bytes);
    EXPECT_EQ(stream, code.text.find("streamed();\n") != std::string::npos);
    return store->get(code.text, "fill").library;
  };
  const auto range = [](const auto &library) {
    return reinterpret_cast<op_range_fn>(library->find(jit::range_symbol));
  };
  std::vector<int> kinds = {OP_LAYOUT_AOS};
  const std::string target = std::string(GetParam().first) + GetParam().second;
  if (target == "native" || target == "sse2clang++")
    kinds.push_back(OP_LAYOUT_SOA); // the stores are those of the others
  for (const int kind : kinds) {
    const Lie rows{"rows", kind, 0};
    const auto streaming = code_for(rows, true, vector_bytes), plain = code_for(rows, false, 0);
    const auto look = [&](const char *name, int more) {
      try_everywhere({name, kind, more}, range(streaming), range(plain));
    };
    if (kind == OP_LAYOUT_AOS) {
      look("rows", 0);
    } else {
      look("components at lines", 64 - size);
      look("components beside lines", 65 - size);
    }
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Jit, Streams,
                         testing::Values(generated::Target{"native", ""}, generated::Target{"sse2", "g++"},
                                         generated::Target{"avx2", "g++"}, generated::Target{"sse2", "clang++"},
                                         generated::Target{"native", "clang++"}),
                         generated::name_of);

// SPDX-License-Identifier: MIT
