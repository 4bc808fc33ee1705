// The conformance suite: what a back end must do, topic by topic. A topic's body is written once and knows no back end.
// compare() runs it on `seq` and on the back end that the environment asks for (OP2_BACKEND, OP2_NUM_THREADS, OP2_RACE,
// ...), twice, and holds all results against each other and against plain host code.
//
// Bodies describe the whole mesh; the declaring helpers hand each process its share, and fetch() returns whole dats.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "meshes.hpp"
#include "op2/inspect.h"
#include "op2/op2.h"

// A call must return this status; the library's own words say why it did not.
#define EXPECT_STATUS(status, call) EXPECT_STREQ(op_status_name(status), op_status_name(call)) << op_last_error()
#define EXPECT_OK(call) EXPECT_STATUS(OP_OK, call)

namespace conformance {

// Errors return to the caller, and the library is shut down whatever a test did.
class Topic : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override { EXPECT_OK(op_exit()); }
};

// The library from op_init() to op_exit().
class Session {
 public:
  Session() : Session(nullptr) {} // the back end the environment asks for
  explicit Session(const char *backend, int threads = 0);
  explicit Session(const std::vector<std::string> &arguments); // of the command line
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
};

// While it lives, sessions keep the order of the declaration, whatever OP2_RENUMBER says.
class DeclaredOrder {
 public:
  DeclaredOrder();
  ~DeclaredOrder();
  DeclaredOrder(const DeclaredOrder &) = delete;
  DeclaredOrder &operator=(const DeclaredOrder &) = delete;

 private:
  std::string before_;
};

// Processes of this test, also outside a session; and what a test says that is about one process only.
int processes();
#define FOR_ONE_PROCESS(reason) \
  if (processes() > 1) GTEST_SKIP() << reason
// Does OP2_REPRODUCIBLE=1 keep the mesh in the order of its declaration?
bool reproducible();

// Does the running back end promise the same bits in every run? PT-Scotch's interface of ParMETIS divides in another
// way each time.
bool repeatable();
// OP2_RACE where it has a meaning, else "".
bool has_threads(); // the executor shares loops among threads of its own
std::string race();

// ---- results -------------------------------------------------------------------------------------------------------

// Sums as exactly as plain host code can form them, and the sums of magnitudes that the error bound speaks of.
struct Sums {
  std::vector<long double> value, magnitude;
  explicit Sums(std::size_t n) : value(n), magnitude(n) {}
  template <class T>
  explicit Sums(const std::vector<T> &start) : Sums(start.size()) {
    for (std::size_t i = 0; i < start.size(); ++i) add(i, start[i]);
  }
  void add(std::size_t i, long double term) {
    value[i] += term;
    magnitude[i] += std::fabs(term);
  }
};

// What a body found out.
class Outcome {
 public:
  // Values in which no order matters: they must have the bits of `exact`.
  template <class T>
  void same(const std::string &name, const std::vector<T> &got, const std::vector<T> &exact) {
    const bool equal = got.size() == exact.size() &&
                       (got.empty() || std::memcmp(got.data(), exact.data(), sizeof(T) * got.size()) == 0);
    EXPECT_TRUE(equal) << name << ": " << first_difference(got, exact);
  }
  // Sums of real numbers in an order that is up to the back end: within 8 eps sum|terms| of `exact` and of what seq
  // got.
  template <class T>
  void sums(const std::string &name, const std::vector<T> &got, const Sums &exact) {
    add(name, got, exact, false);
  }
  // The same where the order of one process is promised to be that of seq: the bits must agree too.
  template <class T>
  void ordered_sums(const std::string &name, const std::vector<T> &got, const Sums &exact) {
    add(name, got, exact, true);
  }

  void expect_agreement(const Outcome &seq) const; // within the bounds
  void expect_same_bits(const Outcome &earlier) const;

 private:
  struct Entry {
    std::string name;
    bool ordered;
    std::vector<double> got, bound;
  };
  template <class T>
  static std::string first_difference(const std::vector<T> &got, const std::vector<T> &exact);
  template <class T>
  void add(const std::string &name, const std::vector<T> &got, const Sums &exact, bool ordered);
  void check(const Entry &entry, const Sums &exact) const;

  std::vector<Entry> entries_;
};

using Body = std::function<void(Outcome &)>;
void compare(const Body &body);
void compare_on_meshes(const std::vector<Topology> &meshes,
                       const std::function<void(const Topology &, Outcome &)> &body);

// ---- declaring and fetching ----------------------------------------------------------------------------------------

using Flag = unsigned char; // a bool in an array: std::vector<bool> holds none

template <class T>
constexpr const char *type_of() {
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, int>) return "int";
  if constexpr (std::is_same_v<T, unsigned>) return "uint";
  if constexpr (std::is_same_v<T, long long>) return "ll";
  if constexpr (std::is_same_v<T, unsigned long long>) return "ull";
  if constexpr (std::is_same_v<T, Flag>) return "bool";
}

// f(T{}) for each built-in type.
template <class F>
void every_type(const F &f) {
  const auto one = [&]<class T>(T zero) {
    SCOPED_TRACE(type_of<T>());
    f(zero);
  };
  one(0.0), one(0.0f), one(0), one(0u), one(0LL), one(0ULL), one(Flag{0});
}

struct Part {
  int first, size;
};
Part own_part(int size);     // the elements of a set that this process declares
Part fetched_part(int size); // those that op_fetch_data() gives it

op_set declare_set(int size, const char *name);
op_map declare_map(op_set from, op_set to, const Topology &mesh, const char *name = "map");

template <class T>
op_dat declare_dat(op_set set, int dim, const std::vector<T> &values, const char *name) {
  const std::size_t first = static_cast<std::size_t>(own_part(static_cast<int>(op_get_size(set))).first);
  const op_dat dat = op_decl_dat(set, dim, type_of<T>(), values.data() + first * static_cast<std::size_t>(dim), name);
  EXPECT_NE(nullptr, dat) << op_last_error();
  return dat;
}

template <class T>
std::vector<T> fetch(op_dat dat) {
  std::vector<T> out(static_cast<std::size_t>(op_get_size(op_dat_set(dat))) *
                     static_cast<std::size_t>(op_dat_dim(dat)));
  EXPECT_EQ(static_cast<int>(sizeof(T)), op_dat_type_size(dat));
  T nothing{};
  EXPECT_OK(op_fetch_data_all(dat, out.empty() ? &nothing : out.data()));
  return out;
}

// ---- running loops -------------------------------------------------------------------------------------------------

inline op_arg direct(op_dat dat, op_access access) {
  return op_arg_dat(dat, -1, OP_ID, op_dat_dim(dat), op_dat_type(dat), access);
}
inline op_arg through(op_map map, int column, op_dat dat, op_access access) {
  return op_arg_dat(dat, column, map, op_dat_dim(dat), op_dat_type(dat), access);
}
// The rows of the first `count` columns, count >= 2.
inline op_arg rows(op_map map, int count, op_dat dat, op_access access) {
  return op_arg_dat(dat, -count, map, op_dat_dim(dat), op_dat_type(dat), access);
}
template <class T>
op_arg global(T *values, int dim, op_access access) {
  return op_arg_gbl(values, dim, type_of<T>(), access);
}
template <class T>
op_arg global(std::vector<T> &values, op_access access) {
  return global(values.data(), static_cast<int>(values.size()), access);
}

template <class... P>
constexpr std::size_t arity(void (*)(P...)) {
  return sizeof...(P);
}

// A place in a test that runs a loop. The text of its first argument tells the library what the kernel is, as
// op_par_loop of op2.hpp does.
struct CallPlace {
  const char *call, *file; // "kernel, "name", set, ..."
  int line;
  const char *unit; // the text of the unit, or NULL
};
op_loop_site &site_of(const CallPlace &place, op_kernel_fn kernel);

// Before the first loop of a session: OP2TEST_DIVIDE names a way to divide the mesh that only a program can ask for,
// since it goes by a dat: GEOM, HILBERT, INERTIAL or EXTERNAL.
void divide_once(op_set of_loop, std::span<const op_arg> args);

template <class Kernel, class... Args>
op_status try_run_at(const CallPlace &place, Kernel kernel, const char *name, op_set set, const Args &...args) {
  static_assert(arity(+Kernel()) == sizeof...(Args), "one argument for each parameter of the kernel");
  const std::array<op_arg, sizeof...(Args)> list = {args...};
  op_loop_site &site = site_of(place, reinterpret_cast<op_kernel_fn>(+kernel));
  divide_once(set, list);
  return op_par_loop_site(&site, name, set, static_cast<int>(list.size()), list.data());
}

// try_run(kernel, name, set, args...): op_par_loop for a function or a lambda without captures. run() expects OP_OK.
#define try_run(...) try_run_at({#__VA_ARGS__, __FILE__, __LINE__, OP_UNIT_TEXT}, __VA_ARGS__)
#define run(...) EXPECT_OK(try_run(__VA_ARGS__))

// ---- details -------------------------------------------------------------------------------------------------------

template <class T>
std::string Outcome::first_difference(const std::vector<T> &got, const std::vector<T> &exact) {
  if (got.size() != exact.size())
    return std::to_string(got.size()) + " values instead of " + std::to_string(exact.size());
  std::size_t i = 0;
  while (i < got.size() && std::memcmp(&got[i], &exact[i], sizeof(T)) == 0) ++i;
  return "value " + std::to_string(i) + " is " + testing::PrintToString(got[i]) + " instead of " +
         testing::PrintToString(exact[i]);
}

template <class T>
void Outcome::add(const std::string &name, const std::vector<T> &got, const Sums &exact, bool ordered) {
  static_assert(std::is_floating_point_v<T>, "sums of whole numbers are exact: use same()");
  ASSERT_EQ(exact.value.size(), got.size()) << name;
  Entry entry{name, ordered && op_comm_size() == 1, std::vector<double>(got.begin(), got.end()), {}};
  for (const long double magnitude : exact.magnitude)
    entry.bound.push_back(8.0 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                          static_cast<double>(magnitude));
  check(entry, exact);
  entries_.push_back(std::move(entry));
}

} // namespace conformance

// SPDX-License-Identifier: MIT
