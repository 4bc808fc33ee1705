// jit_unit_test.cpp: the text of a unit that its compiler has kept in the program, and where a loop stands in it.
#include <gtest/gtest.h>

#include <functional>

#include "jit/text/find_kernel.hpp"
#include "jit/unit/unit_site.hpp"
#include "jit/unit/unit_text.hpp"

namespace op2::core::jit {
namespace {

// As src/tools/text writes it, without compression.
std::string kept(const std::string &text, const std::string &head = "compiler /usr/bin/cc1plus\nlanguage c++\n") {
  const std::string size = std::to_string(text.size());
  return "op2 unit text 1\n" + head + "bytes " + size + " " + size + "\n\n" + text;
}

std::string refusal_of(const std::function<void()> &what) {
  try {
    what();
  } catch (const Refusal &refusal) {
    return refusal.what();
  }
  return "";
}

constexpr const char *two_kernels = R"(# 1 "main.cpp"
#include <cmath>
# 3 "main.cpp"
void limited(const double *x, double *y) { *y = *x > 10 ? 10 : *x; }
namespace second { void limited(const double *x, double *y) { *y = *x > 5 ? 5 : *x; } }
# 1 "loops.h" 1
void run() {
  using second::limited;
  (::op2::detail::par_loop([&](int op_n, auto &...op_row) { limited(op_row.at(op_n)...); }, limited, {"limited", "loops.h", 3, op_unit_text_}, "limited", cells, 1));
}
)";

TEST(JitUnit, LinesAreThoseOfTheSource) {
  const UnitText unit = read_unit(kept(two_kernels).c_str());
  EXPECT_FALSE(unit.c_language);
  const Preprocessed tokens = tokens_of(unit);
  EXPECT_EQ(tokens.headers, std::vector<std::string>{"<cmath>"});
  ASSERT_FALSE(tokens.tokens.empty());
  EXPECT_EQ(tokens.place(tokens.tokens.front()), "main.cpp:3");
  EXPECT_EQ(tokens.place(tokens.tokens.back()), "loops.h:4");
}

TEST(JitUnit, SymbolsSayWhichFunctionIsMeant) {
  const Preprocessed tokens = tokens_of(read_unit(kept(two_kernels).c_str()));
  KernelRequest request;
  request.expression = "limited";
  request.file = "loops.h";
  request.line = 3;
  request.unit = &tokens;
  request.parameters = 2;
  for (const auto &[symbol, line] :
       {std::pair("limited(double const*, double*)", 3), std::pair("second::limited(double const*, double*)", 4)}) {
    request.symbols = {symbol};
    EXPECT_EQ(find_kernel(request).kernel.line, line) << symbol;
  }
  request.symbols = {"third::limited(double const*, double*)"};
  EXPECT_NE(refusal_of([&] { find_kernel(request); }).find("is 'third::limited"), std::string::npos);
  // ccache gives compilers other folders than preprocessors.
  request.file = "../elsewhere/loops.h";
  request.symbols = {"second::limited(double const*, double*)"};
  EXPECT_EQ(find_kernel(request).kernel.line, 4);
  request.file = "loops.h";
  // Without symbols the name is not enough.
  request.symbols.clear();
  EXPECT_NE(refusal_of([&] { find_kernel(request); }).find("could be one of several"), std::string::npos);
  request.line = 4;
  EXPECT_NE(refusal_of([&] { find_kernel(request); }).find("no loop at loops.h:4"), std::string::npos);
}

TEST(JitUnit, LoopsOfOneLineAreToldApartByTheirKernels) {
  const Preprocessed tokens = tokens_of(read_unit(kept(R"(# 1 "k.cpp"
void one(double *x) { *x = 1; }
void two(double *x) { *x = 2; }
void run() { (::op2::detail::par_loop(0, one, {"one", "k.cpp", 3, op_unit_text_}, "a", s, 1)); (::op2::detail::par_loop(0, two, {"two", "k.cpp", 3, op_unit_text_}, "b", s, 1)); }
)")
                                                      .c_str()));
  KernelRequest request;
  request.file = "k.cpp";
  request.line = 3;
  request.unit = &tokens;
  for (const auto &[name, line] : {std::pair("one", 1), std::pair("two", 2)}) {
    request.expression = name;
    EXPECT_EQ(find_kernel(request).kernel.line, line);
  }
  request.expression = "MACRO";
  EXPECT_NE(refusal_of([&] { find_kernel(request); }).find("with different kernels"), std::string::npos);
}

TEST(JitUnit, NamesMeanWhatIsDeclaredBeforeThem) {
  const Preprocessed tokens = tokens_of(read_unit(kept(R"(# 1 "k.cpp"
const double most = 1;
namespace flow {
void limited(const double *x, double *y) { *y = *x > most ? most : *x; }
const double most = 2;
}
void run() { (::op2::detail::par_loop(0, flow::limited, {"flow::limited", "k.cpp", 6, op_unit_text_}, "l", s, 1)); }
)")
                                                      .c_str()));
  KernelRequest request;
  request.expression = "flow::limited";
  request.file = "k.cpp";
  request.line = 6;
  request.unit = &tokens;
  request.symbols = {"flow::limited(double const*, double*)"};
  const KernelText kernel = find_kernel(request);
  ASSERT_EQ(kernel.constants.size(), 1u);
  EXPECT_EQ(spell(kernel.constants[0].declaration), "const double most = 1;");
}

TEST(JitUnit, FunctionsThatMayBeReplacedAreRefused) {
  for (const char *how : {"__attribute__((weak))", "__attribute__((optimize(\"fast-math\")))"}) {
    const std::string text = std::string("# 1 \"k.cpp\"\n") + how +
                             " double limit(double x) { return x > 5 ? 5 : x; }\n" +
                             "void limited(const double *x, double *y) { *y = limit(*x); }\n"
                             "void run() { (::op2::detail::par_loop(0, limited, {\"limited\", \"k.cpp\", 3, "
                             "op_unit_text_}, \"l\", s, 1)); }\n";
    const Preprocessed tokens = tokens_of(read_unit(kept(text).c_str()));
    KernelRequest request;
    request.expression = "limited";
    request.file = "k.cpp";
    request.line = 3;
    request.unit = &tokens;
    request.symbols = {"limited(double const*, double*)"};
    EXPECT_NE(refusal_of([&] { find_kernel(request); }).find("calls 'limit', which is declared"), std::string::npos)
        << how;
  }
}

TEST(JitUnit, OptionsThatGiveTheTextAnotherMeaningAreRefused) {
  const auto with = [](const std::string &option) {
    return read_unit(kept("", "language c\noption -O2\noption " + option + "\n").c_str());
  };
  EXPECT_TRUE(with("-O3").c_language);
  EXPECT_EQ(refusal_of([&] { check_options(with("-O3")); }), "");
  for (const char *option : {"-fwrapv", "-ftrapv", "-funsigned-char", "-fshort-enums", "-fsingle-precision-constant"})
    EXPECT_NE(refusal_of([&] { check_options(with(option)); }).find(option), std::string::npos);
  KernelText kernel;
  kernel.kernel.body = tokenize("{ *y = isnan(*x) ? 0 : *x; }");
  EXPECT_EQ(refusal_of([&] { check_options_of(with("-O2"), kernel); }), "");
  EXPECT_NE(refusal_of([&] { check_options_of(with("-ffast-math"), kernel); }), "");
}

TEST(JitUnit, DamagedTextsAreRefused) {
  const std::string whole = kept(two_kernels);
  EXPECT_TRUE(is_unit_text(whole.c_str()));
  EXPECT_FALSE(is_unit_text("void k(double *x) {}"));
  EXPECT_FALSE(is_unit_text(nullptr));
  for (const char *text : {"op2 unit text 1\n", "op2 unit text 1\nbytes 4\n\nabcd",
                           "op2 unit text 1\nbytes 4 99999999999\n\nabcd", "op2 unit text 2\nbytes 4 4\n\nabcd"})
    EXPECT_NE(refusal_of([&] { read_unit(text); }), "") << text;
  EXPECT_NE(refusal_of([] { read_unit("op2 unit text 1\nlanguage c\nbytes 99 4\n\nabcd"); }),
            ""); // nothing that can be unpacked
  EXPECT_NE(digest_of_unit(whole.c_str()), digest_of_unit(kept("other").c_str()));
}

TEST(JitUnit, PartsOfSymbols) {
  const FunctionName plain = function_name("flux"),
                     scoped = function_name("a::(anonymous namespace)::flux(double const*)"),
                     instance = function_name("void a::flux<double, 2>(double const*, double*)");
  EXPECT_TRUE(plain.is_plain);
  EXPECT_EQ(plain.name, "flux");
  EXPECT_EQ(scoped.scope, "a");
  EXPECT_EQ(scoped.name, "flux");
  EXPECT_TRUE(instance.is_template);
  EXPECT_EQ(instance.scope + "|" + instance.name, "a|flux");
  EXPECT_EQ(function_name("main::{lambda(double const*)#1}::_FUN(double const*)").name, "");
  EXPECT_EQ(function_name("limited(double const*) [clone .lto_priv.0]").name, "limited");
}

} // namespace
} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
