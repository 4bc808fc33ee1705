// The text that the cuda executor writes for a loop: what is in it, and that NVRTC compiles it for the GPUs that are
// meant.
#include "code/code.hpp"
#include "launch/gather.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <nvrtc.h>

#include <functional>

#include "samples.hpp"

using namespace op2::exec_cuda;
using samples::Loop;
using samples::program;

namespace {

constexpr op_type_id d = OP_TYPE_DOUBLE;

// The library on this machine, if any. Functions are looked up, as the plugin does it.
struct Compiler {
  void *library = nullptr;
  Compiler() {
    for (const char *name : {OP2_TEST_NVRTC, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
      if (!library && *name) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  template <class F>
  F function(const char *name) const {
    return reinterpret_cast<F>(dlsym(library, name));
  }
#define CALL(name) function<decltype(&::name)>(#name)

  // "" when it compiles, else the log.
  std::string compile(const std::string &text, int arch, bool ptx = false) const {
    nvrtcProgram made = nullptr;
    CALL(nvrtcCreateProgram)(&made, text.c_str(), "loop.cu", 0, nullptr, nullptr);
    const std::string target = (ptx ? "-arch=compute_" : "-arch=sm_") + std::to_string(arch);
    const char *const options[] = {target.c_str(), "-default-device", "-std=c++17", "--fmad=false"};
    const nvrtcResult result = CALL(nvrtcCompileProgram)(made, 4, options);
    size_t bytes = 0;
    CALL(nvrtcGetProgramLogSize)(made, &bytes);
    std::string log(bytes, '\0');
    CALL(nvrtcGetProgramLog)(made, log.data());
    std::string code;
    if (result == NVRTC_SUCCESS && ptx) {
      CALL(nvrtcGetPTXSize)(made, &bytes);
      code.resize(bytes);
      CALL(nvrtcGetPTX)(made, code.data());
    }
    CALL(nvrtcDestroyProgram)(&made);
    if (ptx) return code;
    return result == NVRTC_SUCCESS ? log.c_str() : "failed: " + log;
  }
};

void expect_compiles(const std::string &text) {
  const Compiler compiler;
  if (!compiler.library) GTEST_SKIP() << "no libnvrtc on this machine";
  for (const int arch : {80, 90}) EXPECT_EQ(compiler.compile(text, arch), "") << "sm_" << arch << "\n" << text;
}

std::string code_of(const Loop &loop, Method method = Method::plain) {
  return write_code(loop.text, loop.signature, method, false).text;
}

const char *const add_edge = "(const double *x, double *a, double *b) { a[0] += x[0]; b[0] -= gam * x[0]; }";

TEST(CudaCode, ADirectLoopWithAConstant) {
  Loop loop("scale", program("(const double *x, double *r) { r[0] = gam * x[0] + x[1]; }", "double gam;"), 100);
  loop.direct(0, OP_READ, d, 2).direct(1, OP_WRITE, d, 1).constant("", 0, 8).done();
  expect_compiles(code_of(loop));
}

TEST(CudaCode, IncrementsByAtomicsOfEveryType) {
  for (const op_type_id type : {OP_TYPE_DOUBLE, OP_TYPE_FLOAT, OP_TYPE_INT, OP_TYPE_UINT, OP_TYPE_LL, OP_TYPE_ULL}) {
    const char *const names[] = {"", "double", "float", "int", "unsigned", "long long", "unsigned long long"};
    const std::string name = names[type];
    Loop loop("add",
              program("(const " + name + " *x, " + name + " *a, " + name + " *b) { a[0] += x[0]; b[2] += x[1]; }"),
              100);
    loop.direct(0, OP_READ, type, 2).through(1, 0, 0, OP_INC, type, 3).through(1, 0, 1, OP_INC, type, 3).done();
    EXPECT_TRUE(atomics_suffice(loop.signature));
    const std::string text = code_of(loop, Method::atomics);
    EXPECT_NE(text.find("op2_atomic_add(&"), std::string::npos);
    expect_compiles(text);
  }
}

TEST(CudaCode, IncrementsByColours) {
  Loop loop("add", program(add_edge, "double gam;"), 100);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 1).through(1, 0, 1, OP_INC, d, 1);
  loop.constant("", 0, 8).done();
  const DeviceSource code = write_code(loop.text, loop.signature, Method::colours, false);
  EXPECT_NE(code.params.order, absent);
  EXPECT_NE(code.text.find("op2_add(&"), std::string::npos);
  expect_compiles(code.text);
}

TEST(CudaCode, BlocksAddUpInSharedMemory) {
  Loop loop("add",
            program("(const double *x, double *a, double *b, float **v, double *s) {"
                    " a[0] += x[0]; b[2] -= gam * x[0]; v[1][0] += 1; *s += x[0]; }",
                    "double gam;"),
            100);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 3).through(1, 0, 1, OP_INC, d, 3);
  loop.vector(2, 1, 3, OP_INC, OP_TYPE_FLOAT, 1).reduced(OP_INC, d, 1).constant("", 0, 8).done();
  EXPECT_EQ(staged_elements(loop.signature, false), 256);
  for (const Method method : {Method::staged, Method::staged_atomics}) {
    const DeviceSource code = write_code(loop.text, loop.signature, method, false);
    EXPECT_EQ(code.params.groups.size(), 2u);
    EXPECT_EQ(code.params.columns.size(), 5u);
    expect_compiles(code.text);
  }
  Loop large("large", program("(double *a, double *b) { a[0] += 1; }"), 100);
  large.through(1, 0, 0, OP_INC, d, 40).through(1, 0, 1, OP_INC, d, 40).done();
  EXPECT_EQ(staged_elements(large.signature, false), 64) << "fewer elements where rows are long";
  Loop read("read", program("(double *a, const double *b) { a[0] += b[0]; }"), 100);
  read.through(1, 0, 0, OP_INC, d, 1).direct(1, OP_READ, d, 1).done();
  EXPECT_EQ(staged_elements(read.signature, false), 0) << "the row itself is wanted";
}

TEST(CudaCode, IncrementsAreGathered) {
  Loop loop("add",
            program("(const double *x, double *a, float **v, double *own, double *s) {"
                    " a[0] += x[0]; v[1][0] += 1; own[1] -= gam; *s += x[0]; }",
                    "double gam;"),
            100);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 1, OP_INC, d, 3).vector(2, 1, 3, OP_INC, OP_TYPE_FLOAT, 1);
  loop.direct(1, OP_INC, d, 3).reduced(OP_INC, d, 1).constant("", 0, 8).done();
  const DeviceSource code = write_code(loop.text, loop.signature, Method::gather, false);
  ASSERT_EQ(code.params.groups.size(), 2u);
  EXPECT_EQ(code.params.groups[0].columns, 2);
  EXPECT_EQ(code.params.groups[1].columns, 3);
  ASSERT_EQ(code.params.columns.size(), 5u);
  EXPECT_EQ(code.params.columns[4].table, -1) << "the element's own row";
  expect_compiles(code.text);
}

TEST(CudaCode, RowsListTheirIncrementsInOrder) {
  const HostTable map = {{3, 1, 1, 1, 3, 0}, 2}; // of elements 10 to 12
  const GatherColumn columns[] = {{&map, 0}, {&map, 1}, {nullptr, 0}};
  const RowLists lists = row_lists(10, 13, {}, columns);
  EXPECT_EQ(lists.rows, (std::vector<int32_t>{0, 1, 3, 10, 11, 12}));
  EXPECT_EQ(lists.offset, (std::vector<int32_t>{0, 1, 4, 6, 7, 8, 9}));
  EXPECT_EQ(lists.entries, (std::vector<int32_t>{7, 1, 3, 4, 0, 6, 2, 5, 8}));
  EXPECT_TRUE(row_lists(5, 5, {}, columns).rows.empty());
  const int32_t added[] = {12, 13, 10, 12}; // the last element before the others
  const RowLists other = row_lists(10, 13, added, columns);
  EXPECT_EQ(other.rows, lists.rows);
  EXPECT_EQ(other.offset, lists.offset);
  EXPECT_EQ(other.entries, (std::vector<int32_t>{7, 1, 3, 4, 6, 0, 2, 5, 8}));
}

TEST(CudaCode, WritingThroughMapsTakesColours) {
  for (const op_access access : {OP_WRITE, OP_RW}) {
    Loop loop("set", program("(const double *x, double *a) { a[0] = x[0]; }"), 100);
    loop.direct(0, OP_READ, d, 1).through(1, 0, 0, access, d, 4).done();
    EXPECT_FALSE(atomics_suffice(loop.signature));
    expect_compiles(code_of(loop, Method::colours));
  }
  Loop mixed("mixed", program("(double *a, double *b) { a[0] = 1; b[0] += 1; }"), 100);
  mixed.direct(1, OP_RW, d, 1).through(1, 0, 0, OP_INC, d, 1).done();
  EXPECT_FALSE(atomics_suffice(mixed.signature)) << "the row itself is written while others add to it";
  Loop both("both", program("(double *a, double *b) { a[0] += 1; b[0] += 1; }"), 100);
  both.direct(1, OP_INC, d, 1).through(1, 0, 0, OP_INC, d, 1).done();
  EXPECT_TRUE(atomics_suffice(both.signature));
  EXPECT_NE(code_of(both, Method::atomics).find("a0[j] = op2c::nothing"), std::string::npos) << "added to, too";
}

TEST(CudaCode, VectorsNothingAndNumbers) {
  Loop loop("many",
            program("(double **x, const float *none, const int *i, const int *t, double **a) {"
                    "  if (!none) for (int j = 0; j < 3; ++j) a[j][1] += x[j][0] * *i + *t; }"),
            100);
  loop.vector(0, 0, 3, OP_READ, d, 2).off().index().map_index(0, 2).vector(1, 0, 3, OP_INC, d, 2).done();
  expect_compiles(code_of(loop, Method::atomics));
  expect_compiles(code_of(loop, Method::colours));
  Loop numbers("numbers", program("(const int *i, int *r) { *r = *i; }"), 100);
  numbers.map_index(-1, 0).direct(0, OP_WRITE, OP_TYPE_INT, 1).done();
  expect_compiles(code_of(numbers));
}

TEST(CudaCode, SmallGlobalsTravelWithTheLaunch) {
  Loop loop("globals", program("(const double *g, const float *h, double *r) { r[0] = g[1] + h[999]; }"), 100);
  loop.global(d, 2).global(OP_TYPE_FLOAT, 1000).direct(0, OP_WRITE, d, 1).done();
  const DeviceSource code = write_code(loop.text, loop.signature, Method::plain, false);
  ASSERT_EQ(code.params.globals.size(), 2u);
  EXPECT_TRUE(code.params.globals[0].by_value);
  EXPECT_FALSE(code.params.globals[1].by_value);
  EXPECT_LE(code.params.bytes, 4000u);
  expect_compiles(code.text);
}

TEST(CudaCode, TypesOfTheProgram) {
  const std::string more = "struct point { double x, y; char c; };\n";
  Loop loop("points", program("(const point *p, point *q, const point *g) { q->x = p->y + g->x; }", "", more), 100);
  loop.direct(0, OP_READ, OP_TYPE_USER, 1).of_size(24).through(1, 0, 0, OP_RW, OP_TYPE_USER, 1).of_size(24);
  loop.global(OP_TYPE_USER, 1).of_size(24).done();
  EXPECT_FALSE(atomics_suffice(loop.signature));
  expect_compiles(code_of(loop, Method::colours));
}

TEST(CudaCode, SumsAndExtremaFoldInATree) {
  Loop loop("reduce",
            program("(const double *x, double *s, int *least, float *most) { *s += x[0]; s[1] += x[1];"
                    " if (x[0] < *least) *least = (int)x[0]; if (*most < x[1]) *most = (float)x[1]; }"),
            100);
  loop.direct(0, OP_READ, d, 2).reduced(OP_INC, d, 2).reduced(OP_MIN, OP_TYPE_INT, 1).reduced(OP_MAX, OP_TYPE_FLOAT, 1);
  loop.done();
  const DeviceSource code = write_code(loop.text, loop.signature, Method::plain, false);
  EXPECT_EQ(code.fold, Fold::tree);
  EXPECT_EQ(code.params.starts.size(), 2u);
  expect_compiles(code.text);
}

TEST(CudaCode, OtherReductionsRunInOrder) {
  Loop loop("winner",
            program("(const double *x, double *r, double *most, int *who, const int *i) {"
                    " r[0] += x[0]; if (*most < x[0]) { *most = x[0]; *who = *i; } }"),
            100);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 1).reduced(OP_MAX, d, 1).payload(2, OP_TYPE_INT, 1).index();
  loop.done();
  const DeviceSource tree = write_code(loop.text, loop.signature, Method::atomics, false);
  EXPECT_EQ(tree.fold, Fold::tree) << "threads meet their elements in ascending order";
  EXPECT_GT(tree.record_bytes, loop.signature.reduce->record_bytes) << "the numbers of elements lie behind the values";
  expect_compiles(tree.text);
  const DeviceSource plain = write_code(loop.text, loop.signature, Method::atomics, true);
  EXPECT_EQ(plain.fold, Fold::blocks);
  EXPECT_EQ(plain.params.order, absent);
  expect_compiles(plain.text);
  const DeviceSource blocks = write_code(loop.text, loop.signature, Method::colours, false);
  EXPECT_EQ(blocks.fold, Fold::blocks);
  expect_compiles(blocks.text);
  Loop own("own", program("(const double *x, double *r) { *r += *x; }"), 100);
  own.direct(0, OP_READ, d, 1).reduced(OP_REDUCE, d, 1).done();
  EXPECT_EQ(write_code(own.text, own.signature, Method::plain, false).fold, Fold::blocks);
}

TEST(CudaCode, SumsAndIncrementsTogether) {
  Loop loop("both", program("(const double *x, double *r, double *s) { r[0] += x[0]; *s += x[0]; }"), 100);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 1).reduced(OP_INC, d, 1).done();
  expect_compiles(code_of(loop, Method::atomics));
  expect_compiles(code_of(loop, Method::colours));
}

TEST(CudaCode, OtherLayouts) {
  std::string first;
  for (const int rows : {100, 1000}) {
    Loop loop("layouts", program("(const double *x, double *y, double *a) { y[0] = x[1]; a[1] += x[0]; }"), rows);
    loop.direct(0, OP_READ, d, 2).direct(1, OP_RW, d, 2).through(2, 0, 1, OP_INC, d, 2);
    loop.layouts = {{8 * rows, OP_LAYOUT_SOA}, {8, OP_LAYOUT_AOS}, {8 * rows, OP_LAYOUT_SOA}};
    loop.done();
    EXPECT_EQ(why_no_code(loop.signature), nullptr);
    for (const Method method : {Method::atomics, Method::colours, Method::staged, Method::staged_atomics}) {
      const DeviceSource code = write_code(loop.text, loop.signature, method, false);
      EXPECT_EQ(code.params.dats[0].stride, 8);
      EXPECT_EQ(code.params.dats[1].stride, 16);
      if (method != Method::atomics && rows == 100) expect_compiles(code.text);
      if (method != Method::atomics) continue;
      if (first.empty()) expect_compiles(first = code.text);
      EXPECT_EQ(code.text, first) << "code does not depend on the size of the mesh";
    }
  }
}

TEST(CudaCode, RowsThatMayBeTheSameInOtherLayouts) {
  Loop loop("rows", program("(double **v, const double *x, double *own) { v[0][0] = x[1]; own[0] = v[1][0]; }"), 100);
  loop.vector(0, 0, 2, OP_RW, d, 2).through(0, 1, 0, OP_READ, d, 2).direct(0, OP_RW, d, 2);
  loop.layouts.assign(3, {800, OP_LAYOUT_SOA});
  loop.done();
  const std::string text = code_of(loop, Method::colours);
  EXPECT_NE(text.find("t0_1 == t0_0 ? q0_0 : q0_1_values"), std::string::npos) << text;
  expect_compiles(text);
}

// What the compiler makes of it: whole rows at once, and nothing loaded that is overwritten.
TEST(CudaCode, RowsAreLoadedWithoutWaste) {
  const Compiler compiler;
  if (!compiler.library) GTEST_SKIP() << "no libnvrtc on this machine";
  Loop loop("save", program("(const double *q, double *old) { for (int i = 0; i < 4; ++i) old[i] = q[i]; }"), 100);
  loop.direct(0, OP_READ, d, 4).direct(1, OP_WRITE, d, 4).done();
  const std::string ptx = compiler.compile(code_of(loop), 90, true);
  const auto count = [&](const std::string &what) {
    int found = 0;
    for (size_t at = ptx.find(what); at != std::string::npos; at = ptx.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("ld.global.v2.f64") + count("ld.global.v2.b64") + count("ld.v2.b64") + count("ld.v2.f64"), 2) << ptx;
  EXPECT_EQ(count(".local"), 0) << ptx;
}

} // namespace

// SPDX-License-Identifier: MIT
