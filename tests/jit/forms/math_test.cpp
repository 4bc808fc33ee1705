// OP2_JIT_MATH=vector: functions of mathematics for whole vectors, near those of the C library; never without the
// request.
#include <filesystem>

#include "lab.hpp"
#include "math_kernels.h"

namespace forms {

namespace {

constexpr int functions = 25;
constexpr int size = 1003; // the last elements fill no vector

struct Values {
  std::vector<double> doubles;
  std::vector<float> floats;
};

Values computed(const Setting &setting, std::vector<std::string> *found) {
  Values out;
  in_session(setting, [&](Results &) {
    const op_set cells = op_decl_set(size, "cells");
    const op_dat x = dat<double>(cells, 1, numbers<double>(size, 1), "x"),
                 y = dat<double>(cells, 1, numbers<double>(size, 2, 1e-3, 2), "y"),
                 xf = dat<float>(cells, 1, numbers<float>(size, 3), "xf"),
                 yf = dat<float>(cells, 1, numbers<float>(size, 4, 1e-3, 2), "yf"),
                 d = zeros<double>(cells, functions, "d"), f = zeros<float>(cells, functions, "f");
    FORMS_RUN(of_doubles, "doubles", cells, direct(x, OP_READ), direct(y, OP_READ), direct(d, OP_WRITE));
    FORMS_RUN(of_floats, "floats", cells, direct(xf, OP_READ), direct(yf, OP_READ), direct(f, OP_WRITE));
    out = {fetch<double>(d), fetch<float>(f)};
    if (found) *found = {form_of("doubles"), form_of("floats")};
  });
  return out;
}

// The largest difference in units of the result's last place, and how many results differ.
template <class T>
std::pair<double, int> differences(const std::vector<T> &mine, const std::vector<T> &known) {
  double worst = 0;
  int count = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const double unit = static_cast<double>(std::nextafter(std::abs(known[i]), std::numeric_limits<T>::infinity())) -
                        static_cast<double>(std::abs(known[i]));
    worst = std::max(worst, std::abs(static_cast<double>(mine[i]) - static_cast<double>(known[i])) / unit);
    count += mine[i] != known[i];
  }
  return {worst, count};
}

bool has_vector_library() {
  return std::filesystem::exists("/lib/x86_64-linux-gnu/libmvec.so.1") ||
         std::filesystem::exists("/lib64/libmvec.so.1");
}

class Mathematics : public Forms {};

} // namespace

TEST_F(Mathematics, ForVectorsIsNearTheLibrarys) {
  if (!has_vector_library()) GTEST_SKIP() << "no libmvec here";
  const Values known = computed(off(), nullptr);
  for (const char *isa : {"native", "avx512", "avx2", "sse2"}) {
    SCOPED_TRACE(isa);
    if (!cpu_has(isa)) continue;
    std::vector<std::string> found;
    const Values mine =
        computed({"vector mathematics",
                  {"OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0", "OP2_JIT_MATH=vector", "OP2_JIT_ISA=" + std::string(isa)}},
                 &found);
    for (const std::string &form : found) EXPECT_EQ(0U, form.find("vector x")) << form;
    // 4 units of the vector library and one of the C library
    const auto [worst, count] = differences(mine.doubles, known.doubles);
    const auto [worst_single, count_single] = differences(mine.floats, known.floats);
    EXPECT_LE(worst, 5) << "doubles";
    EXPECT_LE(worst_single, 5) << "floats";
    EXPECT_GT(count + count_single, 0) << "not one result differs: the vector library is not in use";
  }
}

TEST_F(Mathematics, HasTheLibrarysBitsByDefault) {
  const Values known = computed(off(), nullptr);
  std::vector<std::string> found;
  const Values mine = computed({"default", {"OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0"}}, &found);
  for (const std::string &form : found)
    EXPECT_EQ(0U, form.find(widest_vector_bytes() > 0 ? "vector x" : "scalar")) << form;
  EXPECT_EQ(known.doubles, mine.doubles);
  EXPECT_EQ(known.floats, mine.floats);
}

} // namespace forms

// SPDX-License-Identifier: MIT
