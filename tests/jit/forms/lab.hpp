// Loops in every form: a body declares a mesh and runs loops; everywhere() runs it in sessions with other settings and
// holds the results against those of the program's own code (OP2_JIT=off, seq). A body says of each loop which form it
// must get, so that code that silently falls back fails the test.
//
// The kernels are functions in the headers of this folder, where the library finds their text.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "op2/op2.hpp"

namespace forms {

// What a session runs with.
struct Setting {
  std::string name;
  std::vector<std::string> words; // as on a command line
  const char *backend = "seq";
  int threads = 1;
  int vector_bytes = 0;  // of the code it makes; 0 = scalar, -1 = none is made
  bool any_form = false; // vectors, narrower ones and scalar code are all right
};

// The form a loop must get where code is made: vectors of as many values of 8 or 4 bytes as fit, scalar code, none, or
// vectors if the compiler can make them, else scalar code.
enum class Form { vector8, vector4, scalar, own, compilers };

// Loops and their forms as the timing table has them: "vector x8, block colours".
using FormTable = std::vector<std::pair<std::string, std::string>>;

// What a body found out.
class Results {
 public:
  // Values that must have the same bits in every form.
  template <class T>
  void same(const std::string &name, const std::vector<T> &values) {
    Entry entry{name, false, sizeof(T), {}, {}, {}};
    entry.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(entry.bytes.data(), values.data(), entry.bytes.size());
    if constexpr (std::is_floating_point_v<T>) entry.values.assign(values.begin(), values.end());
    entries_.push_back(std::move(entry));
  }
  // Sums, and the sums of the magnitudes of their terms.
  template <class T>
  void sums(const std::string &name, const std::vector<T> &values, const std::vector<T> &magnitudes) {
    static_assert(std::is_floating_point_v<T>);
    ASSERT_EQ(values.size(), magnitudes.size());
    Entry entry{name, true, sizeof(T), {}, {values.begin(), values.end()}, {}};
    for (const T magnitude : magnitudes)
      entry.bounds.push_back(8 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                             static_cast<double>(magnitude));
    entries_.push_back(std::move(entry));
  }
  // The loop of that name must have got this form.
  void form(const std::string &loop, Form form) { forms_.emplace_back(loop, form); }

  void expect_agreement(const Results &reference, bool same_sums) const;
  void expect_forms(const Setting &setting, const FormTable &found) const;

 private:
  struct Entry {
    std::string name;
    bool sum;
    std::size_t value_bytes;
    std::vector<char> bytes;
    std::vector<double> values, bounds;
  };
  void compare(const Entry &mine, const Entry &known, bool same_sums) const;

  std::vector<Entry> entries_;
  std::vector<std::pair<std::string, Form>> forms_;
};

using Body = std::function<void(Results &)>;

// How many forms a body is worth: each costs a compilation per loop. OP2_TEST_EVERYWHERE=1 in the environment: all,
// every instruction set by every compiler (tests/run.sh --full).
enum class Reach {
  native, // scalar and the widest vectors, all executors
  wide,   // also narrower vectors, the other compiler, and what runs before there are vectors
};
void everywhere(Reach reach, const Body &body);

// One session; what the body found.
Results in_session(const Setting &setting, const Body &body);
std::string full_form_of(const std::string &loop); // "vector x8, soa, owner", of the running session
std::string form_of(const std::string &loop);      // its first part, "" if there is no such loop
std::string forms_by_time(const std::string &loop); // "vector x8 1.250 ms, range 0.500 ms"; "": nothing was measured
Setting off();
int widest_vector_bytes();
bool cpu_has(const char *isa);      // a value of OP2_JIT_ISA
bool has_program(const char *name); // in PATH

// Errors return, and the library is shut down whatever a test did.
class Forms : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
};

// ---- data and meshes

// Repeatable numbers, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435761u + 12345) {}
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) / 9007199254740992.0);
  }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

template <class T>
constexpr const char *type_of() {
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, int>) return "int";
  if constexpr (std::is_same_v<T, unsigned>) return "uint";
  if constexpr (std::is_same_v<T, long long>) return "ll";
  if constexpr (std::is_same_v<T, unsigned long long>) return "ull";
}

// Real numbers have digits to round; integers are small enough for the kernels here.
template <class T>
std::vector<T> numbers(std::size_t count, std::uint64_t seed, double low = -2, double high = 2) {
  Random random(seed);
  std::vector<T> out(count);
  for (T &value : out)
    value = static_cast<T>(std::is_floating_point_v<T> ? random.between(low, high)
                           : std::is_unsigned_v<T>     ? random.between(0, 1000)
                                                       : random.between(-500, 500));
  return out;
}

// The same with values that are special mixed in: NaN, infinities, zeros of both signs, the smallest and largest.
template <class T>
std::vector<T> special_numbers(std::size_t count, std::uint64_t seed) {
  using limits = std::numeric_limits<T>;
  const T special[] = {limits::quiet_NaN(),  limits::infinity(),    -limits::infinity(), T(0),          -T(0),
                       limits::denorm_min(), -limits::denorm_min(), limits::min(),       limits::max(), -limits::max()};
  std::vector<T> out = numbers<T>(count, seed);
  Random random(seed + 1);
  for (T &value : out)
    if (random.below(2) == 0) value = special[random.below(10)];
  return out;
}

template <class T>
std::vector<T> magnitudes_of(std::vector<T> values) {
  for (T &value : values) value = std::abs(value);
  return values;
}

// `to` <= 0: all lead to one element.
std::vector<int> random_table(int from, int dim, int to, std::uint64_t seed);

template <class T>
op_dat dat(op_set set, int dim, const std::vector<T> &values, const char *name) {
  const op_dat out = op_decl_dat(set, dim, type_of<T>(), values.empty() ? nullptr : values.data(), name);
  EXPECT_NE(nullptr, out) << op_last_error();
  return out;
}
template <class T>
op_dat zeros(op_set set, int dim, const char *name) {
  return dat<T>(set, dim, std::vector<T>(static_cast<std::size_t>(op_get_size(set) * dim)), name);
}
template <class T>
std::vector<T> fetch(op_dat dat) {
  std::vector<T> out(static_cast<std::size_t>(op_get_size(op_dat_set(dat))) *
                     static_cast<std::size_t>(op_dat_dim(dat)));
  T nothing{};
  EXPECT_EQ(OP_OK, op_fetch_data_all(dat, out.empty() ? &nothing : out.data())) << op_last_error();
  return out;
}

inline op_arg direct(op_dat dat, op_access access) {
  return op_arg_dat(dat, -1, OP_ID, op_dat_dim(dat), op_dat_type(dat), access);
}
inline op_arg through(op_map map, int column, op_dat dat, op_access access) {
  return op_arg_dat(dat, column, map, op_dat_dim(dat), op_dat_type(dat), access);
}
inline op_arg rows(op_map map, int count, op_dat dat, op_access access) { // a vector argument
  return op_arg_dat(dat, -count, map, op_dat_dim(dat), op_dat_type(dat), access);
}
template <class T>
op_arg global(T *values, int dim, op_access access) {
  return op_arg_gbl(values, dim, type_of<T>(), access);
}

} // namespace forms

#define FORMS_RUN(kernel, name, set, ...) \
  EXPECT_EQ(OP_OK, op_par_loop(kernel, name, set, __VA_ARGS__)) << op_last_error()

// SPDX-License-Identifier: MIT
