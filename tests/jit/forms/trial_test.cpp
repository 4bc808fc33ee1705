// Text that is not the program's: the trial refuses code that computes something else, and nothing breaks.
#include <cfenv>

#include "lab.hpp"
#include "op2/kernel.h"
#include "trial_kernels.h"

namespace forms {

namespace {

constexpr int size = 1000;
const char *const whole_text = R"(
static inline void judged(const double *a, const double *b, const int *k, double *out, double *added, double *sum,
                          double *low, int *at) {
  out[0] = a[0] * 2 - b[0];
  if (k[0] > 500) out[0] += 1;
  if (k[0] == 200) out[1] = 7;
  added[0] += a[0];
  sum[0] += a[0];
  if (b[0] < low[0]) {
    low[0] = b[0];
    at[0] = k[0];
  }
})";

std::string with(const std::string &from, const std::string &to) {
  std::string text = whole_text;
  const std::size_t at = text.find(from);
  EXPECT_NE(std::string::npos, at) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

void run_judged(Results &results, Form form) {
  const op_set cells = op_decl_set(size, "cells"), nodes = op_decl_set(70, "nodes");
  const op_map map = op_decl_map(cells, nodes, 1, random_table(size, 1, 70, 1).data(), "map");
  std::vector<int> number(size);
  for (int n = 0; n < size; ++n) number[static_cast<std::size_t>(n)] = n;
  const op_dat a = dat<double>(cells, 1, numbers<double>(size, 2), "a"),
               b = dat<double>(cells, 1, numbers<double>(size, 3), "b"), k = dat<int>(cells, 1, number, "k"),
               out = zeros<double>(cells, 2, "out"), added = zeros<double>(nodes, 1, "added");
  double sum = 0, low = 100;
  int at = -1;
  FORMS_RUN(judged, "judged", cells, direct(a, OP_READ), direct(b, OP_READ), direct(k, OP_READ), direct(out, OP_RW),
            through(map, 0, added, OP_INC), global(&sum, 1, OP_INC), global(&low, 1, OP_MIN),
            op_arg_payload(&at, 1, "int", 6));
  results.form("judged", form);
  results.same("out", fetch<double>(out));
  results.sums("added", fetch<double>(added), std::vector<double>(70, 80.0));
  results.sums<double>("sum", {sum}, {2.0 * size});
  results.same<double>("low", {low});
  results.same<int>("at", {at});
}

// Texts are told by the kernel's address, and last as long as the process.
class Told {
 public:
  explicit Told(const std::string &text) {
    EXPECT_EQ(OP_OK, op_kernel_source(reinterpret_cast<op_kernel_fn>(&judged), "judged", text.c_str()));
  }
  ~Told() { EXPECT_EQ(OP_OK, op_kernel_source(reinterpret_cast<op_kernel_fn>(&judged), "judged", whole_text)); }
};

Setting native(const std::vector<std::string> &words = {}) {
  Setting out{"native", {"OP2_JIT=on", "OP2_LOG=error"}, "seq", 1, widest_vector_bytes()};
  out.words.insert(out.words.end(), words.begin(), words.end());
  return out;
}

void expect_judged(const std::string &text, Form form) {
  const Results known = in_session(off(), [](Results &results) { run_judged(results, Form::own); });
  const Told told(text);
  in_session(native(), [&](Results &results) { run_judged(results, form); }).expect_agreement(known, false);
}

} // namespace

using Trial = Forms;

TEST_F(Trial, AcceptsTheProgramsOwnText) { expect_judged(whole_text, Form::vector8); }

TEST_F(Trial, RefusesTextThatComputesSomethingElse) {
  const std::vector<std::pair<const char *, const char *>> edits = {
      {"a[0] * 2", "a[0] * 3"},                                   // another number
      {"a[0] * 2 - b[0]", "b[0] * 2 - a[0]"},                     // swapped
      {"a[0] * 2 - b[0]", "a[0] * 2 + b[0]"},                     // another sign
      {"a[0] * 2 - b[0]", "a[0] * 2.0000001 - b[0]"},             // a little
      {"if (k[0] > 500) out[0] += 1;", ""},                       // a branch is missing
      {"k[0] > 500", "k[0] >= 500"},                              // only one element of the sample shows it
      {"out[0] = a", "out[1] = a"},                               // another component
      {"added[0] += a[0]", "added[0] += b[0]"},                   //
      {"added[0] += a[0]", "added[0] -= a[0]"},                   //
      {"added[0] += a[0]", ""},                                   //
      {"\n  sum[0] += a[0]", "\n  sum[0] += a[0] * 1.000000001"}, //
      {"\n  sum[0] += a[0]", "\n  sum[0] += 1"},                  //
      {"b[0] < low[0]", "b[0] > low[0]"},                         //
      {"low[0] = b[0]", "low[0] = a[0]"},                         //
      {"at[0] = k[0]", "at[0] = k[0] + 1"},                       // the payload
      {"out[0] = a[0] * 2", "out[0] = a[0] / 0 * 2"},             // not finite
      {"a[0] * 2 - b[0]", "float(a[0] * 2 - b[0])"},              // fewer digits
      {"a[0] * 2 - b[0]", "int(a[0] * 2 - b[0])"},                // none
      {"out[0] += 1", "out[0] -= 1"},                             // in a branch
      {"added[0] += a[0]", "added[0] = a[0] * 0.5"},              // what others added is lost
      {"b[0] < low[0]", "false"},                                 // no extremum
  };
  for (const auto &[from, to] : edits) {
    SCOPED_TRACE(std::string(from) + " -> " + to);
    expect_judged(with(from, to), Form::own);
  }
}

// The remainder of a cancellation is judged by the terms that cancel.
TEST_F(Trial, JudgesRemaindersByWhatWasSummed) {
  const std::string first = "out[0] = ", second = ";\n  out[1] = a[0] + b[0]", third = ";\n  sum[0] += out[0];\n}";
  const auto form_of_text = [&](const std::string &left_over_text, const std::string &other) {
    const std::string text =
        "static inline void left_over(const double *a, const double *b, double *out, double *sum) {\n  " + first +
        left_over_text + second + other + third;
    EXPECT_EQ(OP_OK, op_kernel_source(reinterpret_cast<op_kernel_fn>(&left_over), "left_over", text.c_str()));
    std::string form;
    in_session(native(), [&](Results &) {
      const op_set cells = op_decl_set(size, "cells");
      std::vector<double> inexact[2] = {numbers<double>(size, 2), numbers<double>(size, 3)};
      for (std::vector<double> &values : inexact)
        for (double &value : values) value = value * 1.1 + 0.3;
      const op_dat a = dat<double>(cells, 1, inexact[0], "a"), b = dat<double>(cells, 1, inexact[1], "b"),
                   out = zeros<double>(cells, 2, "out");
      double sum = 0;
      FORMS_RUN(left_over, "left_over", cells, direct(a, OP_READ), direct(b, OP_READ), direct(out, OP_WRITE),
                global(&sum, 1, OP_INC));
      form = form_of("left_over");
    });
    return form;
  };
  const std::string vectors = "vector x" + std::to_string(widest_vector_bytes() / 8);
  for (const char *right : {"(a[0] + b[0]) * (a[0] - b[0]) - (a[0] * a[0] - b[0] * b[0])",
                            "a[0] * (a[0] - b[0]) + b[0] * (a[0] - b[0]) - (a[0] * a[0] - b[0] * b[0])", "0"})
    EXPECT_EQ(vectors, form_of_text(right, "")) << right;
  for (const char *wrong : {"(a[0] + b[0]) * (a[0] - b[0]) - (a[0] * a[0] + b[0] * b[0])",
                            "(a[0] + b[0]) * (a[0] - b[0]) - a[0] * a[0] + b[0] * b[0] + 1e-8", "a[0] * 1e-9"})
    EXPECT_EQ("range", form_of_text(wrong, "")) << wrong;
  EXPECT_EQ("range", form_of_text("0", " * 1.00000001")); // a component beside it is judged as ever
}

TEST_F(Trial, RefusesTextThatDoesNotFitTheLoop) {
  const std::vector<std::pair<const char *, const char *>> edits = {
      {", int *at)", ")"},
      {", int *at)", ", int *at, int *more)"},
      {"const int *k", "const float *k"},
      {"const int *k", "const long long *k"},
      {"const int *k", "int **k"},
      {"const int *k", "const int &k"},
      {"judged(", "other("},
  };
  for (const auto &[from, to] : edits) {
    SCOPED_TRACE(std::string(from) + " -> " + to);
    expect_judged(with(from, to), Form::own);
  }
}

TEST_F(Trial, RefusesTextThatDoesNotCompile) {
  for (const char *line : {"out[0] = ;", "out[0] = unknown(a[0]);", "out[0] = a[0] +* 2;", "out[0] = nobody;", "}", "{",
                           "out[0] = a[0] ? ;", "#error\n", "out[0] = \"text\";", "out = a;", "return 1;", "goto end;",
                           "static int calls; ++calls;", "asm(\"\");", "throw 1;"}) {
    SCOPED_TRACE(line);
    expect_judged(with("out[0] = a[0] * 2 - b[0];", "out[0] = a[0] * 2 - b[0]; " + std::string(line)), Form::own);
  }
  for (const char *text : {" ", "judged", "void judged();", "/*", "\"", "#if 1"}) {
    SCOPED_TRACE(text);
    expect_judged(text, Form::own);
  }
}

// What it can and cannot see, as docs/specialised_loops.md says.
TEST_F(Trial, LetsRoundingPassAndElementsItDoesNotTry) {
  const auto run = [](const std::string &text) {
    const Told told(text);
    std::vector<double> out;
    in_session(native(), [&](Results &results) { run_judged(results, Form::vector8); });
  };
  run(with("a[0] * 2 - b[0]", "a[0] * 2.0000000000001 - b[0]")); // differs as contraction would
  run(with("out[1] = 7", "out[1] = 8"));                         // element 200 is not in the sample
}

// Elements that differ are found later on: the code of a loop is compared with its kernel again before the calls 2, 4,
// 8, ... where its data have their extremes, and with OP2_JIT=verify on all elements.
op_status status_of_calls(const std::string &setting, int calls, double spike, const char *backend = "seq") {
  const Told told(with("out[1] = 7", "out[1] = 8"));
  op_status status = OP_OK;
  int done = 0;
  Setting session = native({"OP2_ERROR=return"});
  session.words.front() = setting;
  session.backend = backend;
  in_session(session, [&](Results &) {
    const op_set cells = op_decl_set(size, "cells"), nodes = op_decl_set(70, "nodes");
    const op_map map = op_decl_map(cells, nodes, 1, random_table(size, 1, 70, 1).data(), "map");
    std::vector<int> number(size);
    for (int n = 0; n < size; ++n) number[static_cast<std::size_t>(n)] = n;
    std::vector<double> values = numbers<double>(size, 2);
    values[200] = spike; // the kernel computes something else at element 200
    const op_dat a = dat<double>(cells, 1, values, "a"), b = dat<double>(cells, 1, numbers<double>(size, 3), "b"),
                 k = dat<int>(cells, 1, number, "k"), out = zeros<double>(cells, 2, "out"),
                 added = zeros<double>(nodes, 1, "added");
    for (; done < calls && status == OP_OK; ++done) {
      double sum = 0, low = 100;
      int at = -1;
      status = op_par_loop(judged, "judged", cells, direct(a, OP_READ), direct(b, OP_READ), direct(k, OP_READ),
                           direct(out, OP_RW), through(map, 0, added, OP_INC), global(&sum, 1, OP_INC),
                           global(&low, 1, OP_MIN), op_arg_payload(&at, 1, "int", 6));
    }
    if (status != OP_OK) {
      const std::string error = op_last_error();
      for (const char *words : {"judged", "dat 'out'", "at element 200, component 1", "(8, not 7)", "OP2_JIT=off"})
        EXPECT_NE(std::string::npos, error.find(words)) << error;
    }
  });
  return status;
}

TEST_F(Trial, ComparesAgainWhereDataHaveTheirExtremes) {
  EXPECT_EQ(OP_OK, status_of_calls("OP2_JIT=on", 1, 1e3));
  EXPECT_EQ(OP_ERR_KERNEL, status_of_calls("OP2_JIT=on", 2, 1e3));
}

// Loops of a chain run as a whole where they are to be compared.
TEST_F(Trial, ComparesLoopsOfChainsAgain) {
  const auto tell = [](const char *text) {
    EXPECT_EQ(OP_OK, op_kernel_source(reinterpret_cast<op_kernel_fn>(&doubled), "doubled", text));
  };
  tell("static void doubled(const double *a, double *b) { b[0] = a[0] * 2 + int(a[0] / 1000); }");
  std::vector<op_status> found;
  Setting session = native({"OP2_ERROR=return", "OP2_CHAIN_TILE=64"});
  in_session(session, [&](Results &) {
    const op_set cells = op_decl_set(size, "cells");
    std::vector<double> values = numbers<double>(size, 2);
    values[200] = 1e3;
    const op_dat a = dat<double>(cells, 1, values, "a"), b = zeros<double>(cells, 1, "b"),
                 c = zeros<double>(cells, 1, "c");
    for (int run = 0; run < 4 && (found.empty() || found.back() == OP_OK); ++run) {
      EXPECT_EQ(OP_OK, op_chain_begin("twice"));
      FORMS_RUN(doubled, "doubled", cells, direct(a, OP_READ), direct(b, OP_WRITE));
      FORMS_RUN(doubled, "doubled again", cells, direct(b, OP_READ), direct(c, OP_WRITE));
      found.push_back(op_chain_end());
    }
    const std::string error = op_last_error();
    for (const char *words : {"call 2", "dat 'b'", "at element 200, component 0", "(2001, not 2000)"})
      EXPECT_NE(std::string::npos, error.find(words)) << error;
  });
  EXPECT_EQ((std::vector<op_status>{OP_OK, OP_ERR_KERNEL}), found);
  tell("static void doubled(const double *a, double *b) { b[0] = a[0] * 2; }");
}

TEST_F(Trial, ComparesAllElementsWhereAskedTo) { EXPECT_EQ(OP_ERR_KERNEL, status_of_calls("OP2_JIT=verify", 1, 1)); }

// The executor that looks for mistakes runs the program's own code, and holds generated code against it.
TEST_F(Trial, HoldsGeneratedCodeAgainstTheKernelInTheCheckExecutor) {
  const Results known = in_session(off(), [](Results &results) { run_judged(results, Form::own); });
  {
    const Told told(with("out[1] = 7", "out[1] = 7 ")); // the same
    Setting check{"check", {"OP2_JIT=verify", "OP2_LOG=error"}, "check", 1, -1};
    in_session(check, [](Results &results) {
      run_judged(results, Form::own);
      const std::string form = form_of("judged");
      EXPECT_EQ(std::string::npos, form.find("vector")) << form;
      EXPECT_EQ(std::string::npos, form.find("scalar")) << form;
    }).expect_agreement(known, true);
  }
  EXPECT_EQ(OP_ERR_KERNEL, status_of_calls("OP2_JIT=verify", 1, 1, "check"));
  EXPECT_EQ(OP_OK, status_of_calls("OP2_JIT=on", 1, 1, "check")); // it runs the program's own code
}

// The text is the program's own, and it is not asked after.
TEST_F(Trial, NamesAnArgumentThatIsWrittenAlthoughItIsOnlyRead) {
  testing::internal::CaptureStderr();
  in_session(native({"OP2_LOG=warn"}), [](Results &results) {
    const op_set cells = op_decl_set(size, "cells");
    const op_dat a = dat<double>(cells, 1, numbers<double>(size, 2), "a"), b = zeros<double>(cells, 1, "b"),
                 c = zeros<double>(cells, 1, "c");
    FORMS_RUN(doubled_twice, "doubled_twice", cells, direct(a, OP_READ), direct(b, OP_READ), direct(c, OP_WRITE));
    results.form("doubled_twice", Form::own);
  });
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("the kernel writes argument 1, declared OP_READ (dat 'b')")) << said;
  EXPECT_EQ(std::string::npos, said.find("edited")) << said;
}

TEST_F(Trial, IsNotForSmallSets) {
  in_session(native(), [](Results &results) {
    for (const int elements : {0, 255, 256, 257}) {
      const op_set cells = op_decl_set(elements, "cells");
      const auto n = static_cast<std::size_t>(elements);
      const op_dat a = dat<double>(cells, 1, numbers<double>(n, 1), "a"), b = zeros<double>(cells, 1, "b");
      const std::string name = "of " + std::to_string(elements);
      FORMS_RUN(doubled, name.c_str(), cells, direct(a, OP_READ), direct(b, OP_WRITE));
      results.form(name, elements < 256 ? Form::own : Form::vector8);
    }
  });
  in_session(native({"OP2_JIT_MIN_ELEMENTS=1000"}), [](Results &results) {
    const op_set cells = op_decl_set(999, "cells");
    FORMS_RUN(doubled, "small", cells, direct(zeros<double>(cells, 1, "a"), OP_READ),
              direct(zeros<double>(cells, 1, "b"), OP_WRITE));
    results.form("small", Form::own);
  });
}

// Both sides of a branch are computed in vectors: a program that traps would see divisions that it does not make.
TEST_F(Trial, FindsOutThatExceptionsTrap) {
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
  const auto body = [](Results &results, Form form) {
    const op_set cells = op_decl_set(300, "cells");
    std::vector<double> values = numbers<double>(300, 1);
    for (std::size_t n = 0; n < 300; n += 2) values[n] = 0;
    const op_dat b = zeros<double>(cells, 1, "b");
    FORMS_RUN(inverse, "inverse", cells, direct(dat<double>(cells, 1, values, "a"), OP_READ), direct(b, OP_WRITE));
    results.form("inverse", form);
    results.same("inverse", fetch<double>(b));
  };
  const Results usual = in_session(native(), [&](Results &results) { body(results, Form::vector8); });
  const int before = feenableexcept(FE_DIVBYZERO);
  const Results careful = in_session(native(), [&](Results &results) { body(results, Form::scalar); });
  fedisableexcept(FE_ALL_EXCEPT);
  feenableexcept(before);
  careful.expect_agreement(usual, true);
#else
  GTEST_SKIP() << "feenableexcept() is not there";
#endif
}

} // namespace forms

// SPDX-License-Identifier: MIT
