// Neighbouring loops of a chain that run as one: which do, and that results have the bits of loop after loop.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "suite.hpp"

namespace conformance {

namespace {

enum class Do { advance, keep, look, reach, peek, spread, blend, light, other, put };

// Cells, each with a neighbour anywhere.
class Field {
 public:
  static constexpr int size = 1900;
  Field()
      : cells_(declare_set(size, "cells")),
        others_(declare_set(size, "others")),
        next_(declare_map(cells_, cells_, random_map(size, size, 1, 61), "next")),
        a_(declare_dat(cells_, 2, reals(2 * size, 62), "a")),
        b_(declare_dat(cells_, 2, reals(2 * size, 63), "b")),
        c_(declare_dat(cells_, 1, reals(size, 64), "c")),
        x_(declare_dat(cells_, 1, reals(size, 65), "x")),
        o_(declare_dat(others_, 1, reals(size, 66), "o")),
        f_(declare_dat(cells_, 1, floats(), "f")),
        light_(op_decl_global(1, "float", nullptr, "light")),
        total_(op_decl_global(1, "double", nullptr, "total")),
        most_(op_decl_global(1, "double", nullptr, "most")),
        where_(op_decl_global(1, "int", nullptr, "where")) {}

  static std::vector<float> floats() {
    std::vector<float> out;
    for (const double value : reals(size, 67)) out.push_back(static_cast<float>(value));
    return out;
  }
  void run_chain(const std::vector<Do> &loops) {
    EXPECT_OK(op_chain_begin("fused"));
    for (std::size_t k = 0; k < loops.size(); ++k) loop(loops[k], 0.25 + 0.125 * static_cast<double>(k));
    EXPECT_OK(op_chain_end());
  }
  std::vector<double> result() const {
    std::vector<double> out(2);
    EXPECT_OK(op_fetch_global(total_, &out[0]));
    EXPECT_OK(op_fetch_global(most_, &out[1]));
    int where = 0;
    EXPECT_OK(op_fetch_global(where_, &where));
    out.push_back(where);
    float light = 0;
    EXPECT_OK(op_fetch_global(light_, &light));
    out.push_back(light);
    for (const op_dat dat : {a_, b_, c_, o_})
      for (const double value : fetch<double>(dat)) out.push_back(value);
    return out;
  }

 private:
  void loop(Do what, double scale) {
    switch (what) {
      case Do::advance: // reduces
        run(
            [](double *a, const double *b, const double *s, double *sum, double *most, const int *n, int *where) {
              a[0] = 0.5 * a[0] + *s * b[1], a[1] = 0.5 * a[1] - *s * b[0];
              *sum += a[0];
              if (*most < a[1]) *most = a[1], *where = *n;
            },
            "advance", cells_, direct(a_, OP_RW), direct(b_, OP_READ), global(&scale, 1, OP_READ),
            op_arg_global(total_, 1, "double", OP_INC), op_arg_global(most_, 1, "double", OP_MAX),
            op_arg_idx(-1, OP_ID), op_arg_global_info(where_, 1, "int", 4));
        break;
      case Do::keep:
        run([](const double *a, double *b) { b[0] = a[0], b[1] = a[1]; }, "keep", cells_, direct(a_, OP_READ),
            direct(b_, OP_WRITE));
        break;
      case Do::look:
        run([](const double *x, const double *a, double *c) { c[0] = 0.5 * c[0] + x[0] * a[1]; }, "look", cells_,
            through(next_, 0, x_, OP_READ), direct(a_, OP_READ), direct(c_, OP_RW));
        break;
      case Do::reach:
        run([](const double *a, double *c) { c[0] = 0.5 * c[0] + a[0]; }, "reach", cells_,
            through(next_, 0, a_, OP_READ), direct(c_, OP_RW));
        break;
      case Do::peek:
        run([](const double *b, double *c) { c[0] = 0.5 * c[0] - b[1]; }, "peek", cells_,
            through(next_, 0, b_, OP_READ), direct(c_, OP_RW));
        break;
      case Do::spread:
        run([](const double *a, double *c) { c[0] += 0.25 * a[1]; }, "spread", cells_, direct(a_, OP_READ),
            through(next_, 0, c_, OP_INC));
        break;
      case Do::blend: // changes a part of its row, in some elements
        run(
            [](double *b, double *c, const double *s) {
              if (b[0] < c[0]) b[1] = *s * c[0], c[0] -= b[0];
            },
            "blend", cells_, direct(b_, OP_RW), direct(c_, OP_RW), global(&scale, 1, OP_READ));
        break;
      case Do::light: // sums in more lanes than loops with doubles have
        run([](float *f, float *sum) { *f *= 0.9375f, *sum += *f; }, "light", cells_, direct(f_, OP_RW),
            op_arg_global(light_, 1, "float", OP_INC));
        break;
      case Do::other:
        run([](double *o) { o[0] *= 0.75; }, "other", others_, direct(o_, OP_RW));
        break;
      case Do::put:
        EXPECT_OK(op_put_global(total_, &scale));
        break;
    }
    scale = 1e9; // what counts is the value at the call
  }

  op_set cells_, others_;
  op_map next_;
  op_dat a_, b_, c_, x_, o_, f_;
  op_global light_;
  op_global total_, most_, where_;
};

struct Case {
  std::vector<Do> loops;
  const char *fused; // as the timing table says it
};

const Case cases[] = {
    {{Do::keep, Do::look}, "keep + look"},
    {{Do::advance, Do::keep, Do::look, Do::blend}, "advance + keep + look + blend"},
    // what one of them reads through a map no other one changes
    {{Do::keep, Do::reach, Do::blend}, "keep + reach + blend"},
    {{Do::advance, Do::reach}, ""},
    {{Do::reach, Do::advance}, ""},
    {{Do::blend, Do::peek}, ""},
    {{Do::peek, Do::blend}, ""},
    {{Do::look, Do::spread}, ""},
    {{Do::spread, Do::blend}, ""},
    {{Do::keep, Do::other, Do::blend}, ""},
    {{Do::light, Do::keep}, ""},
    // one of them may reduce
    {{Do::advance, Do::advance}, ""},
    {{Do::keep, Do::advance, Do::look, Do::advance}, "keep + advance + look"},
    // puts stay between those results where they were
    {{Do::put, Do::keep, Do::advance, Do::put, Do::look}, "keep + advance + look"},
    {{Do::advance, Do::other, Do::keep, Do::put, Do::advance, Do::blend}, "keep + advance + blend"},
    {{Do::keep, Do::put, Do::advance, Do::blend, Do::put, Do::advance}, "keep + advance + blend"},
};

struct Result {
  std::vector<double> values;
  std::string fused;
};

Result result_of(const Case &one, bool fused) {
  const Session session({"OP2_CHAIN=off", "OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0", "OP2_CHAIN_TILE=1",
                         fused ? "OP2_CHAIN_FUSE=on" : "OP2_CHAIN_FUSE=off"});
  Field field;
  for (int round = 0; round < 3; ++round) field.run_chain(one.loops); // the first one runs loop after loop
  Result out{field.result(), ""};
  const std::string file = testing::TempDir() + "/op2_fused." + std::to_string(getpid()) + ".json";
  EXPECT_OK(op_timings_to_json(file.c_str()));
  std::ifstream in(file);
  const std::string said((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::remove(file.c_str());
  const std::string key = "\"fused\": \""; // of the last chain: the first call of a loop ends one
  if (const std::size_t at = said.rfind(key); at != std::string::npos)
    out.fused = said.substr(at + key.size(), said.find('"', at + key.size()) - at - key.size());
  return out;
}

enum class Here { fused, verified, nothing };
Here here() {
  const Session session({"OP2_CHAIN=off", "OP2_JIT=on"});
  const std::string executor = op_backend(), order = race(), layout = op_setting("OP2_LAYOUT");
  if (executor == "self+check") return Here::verified;
  const bool tiles = executor == "self+seq" || (executor == "self+openmp" && (order == "auto" || order == "owner"));
  const bool vectors =
      op_setting("OP2_JIT_ISA") != std::string("scalar") && op_setting("OP2_JIT_FORM") != std::string("scalar");
  const bool fuses = tiles && vectors && repeatable() && !reproducible() && layout != "soa" && layout != "aosoa";
  return fuses ? Here::fused : Here::nothing;
}

} // namespace

using Chains = Topic;

// Executor check runs no loops as one, but verifies the order that they would have.
TEST_F(Chains, RunLoopsAsOneWhereRowsAreTheirOwn) {
  FOR_ONE_PROCESS("loops run as one on one process");
  const Here what = here();
  if (what == Here::nothing) GTEST_SKIP() << "no tiles, or no vectors, with these settings";
  for (const Case &one : cases) {
    const Result apart = result_of(one, false), fused = result_of(one, true);
    SCOPED_TRACE(testing::Message() << "case " << &one - cases << " " << one.fused);
    EXPECT_EQ("", apart.fused);
    EXPECT_EQ(what == Here::fused ? one.fused : "", fused.fused);
    ASSERT_EQ(apart.values.size(), fused.values.size());
    EXPECT_EQ(0, std::memcmp(apart.values.data(), fused.values.data(), sizeof(double) * apart.values.size()));
  }
}

} // namespace conformance
