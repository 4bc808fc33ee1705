// rows_test.cpp: dats in other layouts: copies between them and rows on the host, and messages, which hold rows.
#include "runtime_host.hpp"

using namespace cuda_test;

namespace {

// Where the values of a dat lie, the simple way.
struct Shape {
  int kind;
  int count, dim, type_size;
  ptrdiff_t step() const { return static_cast<ptrdiff_t>(kind == OP_LAYOUT_SOA ? count + 5 : 1) * type_size; }
  ptrdiff_t stride() const { return ptrdiff_t{kind == OP_LAYOUT_SOA ? 1 : dim} * type_size; }
  size_t bytes() const { return static_cast<size_t>(kind == OP_LAYOUT_SOA ? step() * dim : count * stride()); }
  size_t row_bytes() const { return static_cast<size_t>(dim * type_size); }
  size_t place(int row, int c) const { return static_cast<size_t>(row * stride() + c * step()); }
  std::vector<char> from_rows(const std::vector<char> &rows, char filler) const {
    std::vector<char> out(bytes(), filler);
    for (int r = 0; r < count; ++r)
      for (int c = 0; c < dim; ++c)
        std::memcpy(out.data() + place(r, c),
                    rows.data() + static_cast<size_t>(r) * row_bytes() + static_cast<size_t>(c * type_size),
                    static_cast<size_t>(type_size));
    return out;
  }
};

class Rows : public Device {
 protected:
  op_status copy_rows(const Shape &shape, char *copy, std::vector<char> &rows, bool to_rows) {
    op_exec_rows all{};
    all.size = sizeof all;
    all.rows = rows.data();
    all.copy = copy;
    all.stride = shape.stride();
    all.step = shape.step();
    all.count = shape.count;
    all.dim = shape.dim;
    all.type_size = shape.type_size;
    all.to_rows = to_rows ? 1 : 0;
    op_event done = nullptr;
    const op_status status = ops().mem_copy_rows(exec, &all, &done);
    EXPECT_EQ(done, nullptr) << "ordered with all that follows";
    return status;
  }
};

TEST_F(Rows, GoToOtherLayoutsAndComeBack) {
  open();
  for (const Shape &shape :
       {Shape{OP_LAYOUT_SOA, 1000, 5, 8}, Shape{OP_LAYOUT_SOA, 777, 3, 4}, Shape{OP_LAYOUT_SOA, 65, 64, 4},
        Shape{OP_LAYOUT_SOA, 1, 2, 8}, Shape{OP_LAYOUT_SOA, 0, 2, 8},
        Shape{OP_LAYOUT_SOA, 70000, 20, 8}}) { // the last one in several pieces
    std::vector<char> rows = pattern(shape.row_bytes() * static_cast<size_t>(shape.count), 3);
    const std::vector<char> first = rows;
    char *copy = alloc(shape.bytes());
    put(copy, std::vector<char>(shape.bytes(), '-'));
    ASSERT_EQ(OP_OK, copy_rows(shape, copy, rows, false)) << host.failure;
    rows.assign(rows.size(), '!'); // it may change as soon as the call returns
    EXPECT_TRUE(get(copy, shape.bytes()) == shape.from_rows(first, '-')) << shape.count << " rows of " << shape.dim;
    ASSERT_EQ(OP_OK, copy_rows(shape, copy, rows, true)) << host.failure;
    EXPECT_TRUE(rows == first) << shape.count << " rows of " << shape.dim;
    free(copy);
  }
}

TEST_F(Rows, OfValuesThatCannotBeAreRefused) {
  open();
  std::vector<char> rows(30);
  char *copy = alloc(1000);
  EXPECT_EQ(OP_ERR_ARGUMENT, copy_rows({OP_LAYOUT_SOA, 5, 2, 3}, copy, rows, false));
  EXPECT_TRUE(contains(host.failure, "2 values of 3 bytes"));
  free(copy);
}

// Messages of dats in any layouts, between others, and values in them that lie where they are not aligned.
TEST_F(Rows, TravelInMessagesAsRows) {
  open();
  const std::vector<int32_t> offset = {0, 3, 3, 8}, listed = {4, 9, 1, 0, 99, 31, 32, 50};
  const op_exec_halo_lists lists = {sizeof lists, 3, 0, offset.data(), listed.data()};
  op_exec_halo *halo = nullptr;
  ASSERT_EQ(OP_OK, ops().halo_upload(exec, &lists, 1, &halo)) << host.failure;
  const std::vector<Shape> shapes = {
      {OP_LAYOUT_SOA, 100, 3, 4}, {OP_LAYOUT_SOA, 100, 5, 8}, {OP_LAYOUT_AOS, 100, 3, 4}, {OP_LAYOUT_SOA, 100, 2, 8}};
  std::vector<std::vector<char>> dats;
  std::vector<char *> copies;
  std::vector<op_exec_halo_item> items;
  for (const Shape &shape : shapes) {
    dats.push_back(pattern(shape.row_bytes() * 100, static_cast<unsigned>(dats.size())));
    const bool aos = shape.kind == OP_LAYOUT_AOS;
    copies.push_back(alloc(shape.bytes()));
    put(copies.back(), aos ? dats.back() : shape.from_rows(dats.back(), '-'));
    items.push_back({copies.back(), shape.row_bytes(), 0, aos ? 0 : shape.type_size, shape.stride(), shape.step()});
  }
  const auto each_row = [&](const auto &visit) { // visit(dat, place in it, bytes)
    for (size_t n = 0; n + 1 < offset.size(); ++n)
      for (size_t d = 0; d < dats.size(); ++d)
        for (int32_t i = offset[n]; i < offset[n + 1]; ++i)
          visit(d, static_cast<size_t>(listed[static_cast<size_t>(i)]) * shapes[d].row_bytes(), shapes[d].row_bytes());
  };
  std::vector<char> expected;
  each_row([&](size_t d, size_t at, size_t bytes) {
    expected.insert(expected.end(), dats[d].begin() + static_cast<ptrdiff_t>(at),
                    dats[d].begin() + static_cast<ptrdiff_t>(at + bytes));
  });
  char *buffer = alloc(expected.size());
  op_event done = nullptr;
  const int32_t nitems = static_cast<int32_t>(items.size());
  ASSERT_EQ(OP_OK, ops().halo_pack(exec, halo, items.data(), nitems, buffer, OP_SPACE_CUDA, &done));
  finish(done);
  EXPECT_EQ(expected, get(buffer, expected.size()));
  const std::vector<char> message = pattern(expected.size(), 77);
  put(buffer, message);
  ASSERT_EQ(OP_OK, ops().halo_unpack(exec, halo, items.data(), nitems, buffer, OP_SPACE_CUDA, &done));
  size_t taken = 0;
  each_row([&](size_t d, size_t at, size_t bytes) {
    std::memcpy(dats[d].data() + at, message.data() + taken, bytes);
    taken += bytes;
  });
  for (size_t d = 0; d < dats.size(); ++d) {
    const bool aos = shapes[d].kind == OP_LAYOUT_AOS;
    EXPECT_EQ(aos ? dats[d] : shapes[d].from_rows(dats[d], '-'), get(copies[d], shapes[d].bytes())) << "dat " << d;
    free(copies[d]);
  }
  finish(done);
  free(buffer);
  ops().halo_free(exec, halo);
}

} // namespace

// SPDX-License-Identifier: MIT
