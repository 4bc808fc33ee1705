// jit_refusal_test.cpp: what generated code cannot have is refused with a sentence that says what was found where.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel_source.hpp"

namespace {

using namespace kernel_source;

// ---- finding the kernel ----

TEST(JitRefusal, KernelsThatAreNotFound) {
  EXPECT_EQ(refused("void other(double *a) { }"), "kernel 'k' is not found in the text given for it");
  EXPECT_EQ((Program{"void other(double *a) { }\nvoid run() {\n}", "k.cpp", 2}.refusal()),
            "kernel 'k' is not found in the text of its unit");
  EXPECT_EQ(refused("\nvoid k(double *a);"), "kernel 'k' is only declared (k.cpp:2), not defined in the text");
}

// Nothing says what macros, conditions and other files would make of it.
TEST(JitRefusal, LinesOfThePreprocessorInTextThatTheProgramGives) {
  for (const char *line :
       {"#define N 4", "#if 1", "# ifdef X", "#include \"k.h\"", "#line 7", "# 1 \"k.h\"", "#undef N"})
    try {
      tokens_of_given(std::string("#include <math.h>\n") + line + "\nvoid k(double *a) { }");
      ADD_FAILURE() << line;
    } catch (const Refusal &refusal) {
      EXPECT_TRUE(std::string(refusal.what()).starts_with(std::string("the kernel's text:2: ") + line + ": "))
          << refusal.what();
    }
  EXPECT_TRUE(tokens_of_given("#pragma pack(1)\n#include <cmath>\n#pragma once\n").packed);
}

TEST(JitRefusal, KernelsThatAreNotOneFunction) {
  EXPECT_EQ(refused("void k(double *a) { }\nvoid k(float *a) { }"),
            "kernel 'k' is defined more than once (k.cpp:1, k.cpp:2)");
  EXPECT_EQ(refused("namespace a { void k(double *a) { } }\nnamespace b { void k(double *a) { } }"),
            "kernel 'k' is defined more than once (k.cpp:1, k.cpp:2)");
  EXPECT_EQ(refused("void k(double *a);\nvoid k(double *a, int *b) { }"),
            "kernel 'k' is overloaded (k.cpp:2, k.cpp:1)");
  EXPECT_EQ(refused("template <class T>\nvoid k(T *a) { }"), "kernel 'k' is a template or deleted (k.cpp:2)");
  EXPECT_EQ(refused("void k(double *) = delete;"), "kernel 'k' is a template or deleted (k.cpp:1)");
  EXPECT_EQ(refused("void (*k)(double *);"), "kernel 'k' is a variable, whose value the text does not tell (k.cpp:1)");
  EXPECT_EQ(refused("void k(auto *a) { }"),
            "kernel 'k' has a parameter of type auto, so that it is a template (k.cpp:1)");
  EXPECT_EQ((Program{"void k(double *a) { }\nvoid run(void (*k)(double *)) {\n  op_par_loop(k, s);\n}", "k.cpp", 3}
                 .refusal()),
            "kernel 'k' has the name of a parameter or variable at the loop");
}

// A variable hides the function of its name, however it is declared.
TEST(JitRefusal, VariablesWithTheNameOfAFunction) {
  const std::string kernel = "typedef void (*kernel_fn)(double *);\nvoid k(double *a) { }\n";
  const std::vector<std::string> hides = {"kernel 'k' is a variable, whose value the text does not tell",
                                          "kernel 'k' has the name of a parameter or variable at the loop"};
  for (const char *function :
       {"void run(kernel_fn k) {", "void run(void k(double *)) {", "template <class F> void run(F k) {",
        "template <class F> void run(F &&k) {", "void run() { kernel_fn k = other;", "void run() { auto &k = other;",
        "struct S { kernel_fn k; void run() {", "template <class F> struct S { F k; void run() {",
        "struct S { static void k(double *); void run() {",
        "struct S { kernel_fn k; void run(); };\nstruct U { void S() { } };\nvoid S::run() {",
        "struct B { kernel_fn k; };\nstruct S : B { void run() {"}) {
    std::string text = kernel + function + "\nop_par_loop(k, s);\n}";
    const int line = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    if (std::count(text.begin(), text.end(), '{') > std::count(text.begin(), text.end(), '}')) text += "};";
    const std::string said = Program{text, "k.cpp", line}.refusal();
    EXPECT_TRUE(said == hides[0] || said == hides[1]) << said << "\n" << text;
  }
  for (const char *function : {"void run(kernel_fn other) {", "struct S { kernel_fn k; };\nvoid run() {",
                               "namespace n { void f(kernel_fn k); }\nvoid run() {"}) {
    const std::string text = kernel + function + "\nop_par_loop(k, s);\n}";
    const int line = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ((Program{text, "k.cpp", line}.refusal()), "") << text;
  }
}

TEST(JitRefusal, ExpressionsThatAreNoName) {
  const std::string text = "struct k { };\nvoid f(double *a) { }";
  for (const char *expression :
       {"k<2>", "f<2", "f<g<2>>", "kernels[i]", "pick(f)", "a.f", "(op_kernel_fn)f", "1", "", "f f", "f::"})
    EXPECT_EQ(refused(text, expression),
              "kernel '" + std::string(expression) + "' is given by an expression that is not the name of a function");
  EXPECT_NE(refused(text, "\"x"), "");
  EXPECT_NE(refused(text, "((f)"), "");
}

TEST(JitRefusal, LambdasThatAreMoreThanAFunction) {
  EXPECT_EQ((Program{"int x;\n\n\n\n\nvoid run() {\n}", "k.cpp", 7}.refusal("[x](double *a) { }")),
            "kernel '[x](double *a) { }' captures variables, which generated code cannot have (k.cpp:7)");
  EXPECT_NE(refused("", "[&](double *a) { }").find("captures"), std::string::npos);
  EXPECT_NE(refused("", "[](auto *a) { }").find("type auto"), std::string::npos);
  EXPECT_NE(refused("", "[]<class T>(T *a) { }").find("is a template"), std::string::npos);
  EXPECT_NE(refused("", "[] { }").find("no parameters"), std::string::npos);
  EXPECT_NE(refused("", "[](double *a) { }()").find("not a lambda alone"), std::string::npos);
  EXPECT_NE(refused("", "[](double *a)").find("not understood"), std::string::npos);
  EXPECT_NE(refused("", "[](double *a) { return 1; }").find("returns a value"), std::string::npos);
  EXPECT_EQ(refused("", "[](const double *a, double *b) { b[0] = unknown(a[0]) + a[1]; }")
                .find("kernel '[](const double *a, double *b) { b[0]...'"),
            0U);
}

TEST(JitRefusal, LambdasThatMayMeanSomethingOfTheFunctionAroundThem) {
  const Program program{"const int n = 4;\nint main() {\n  const int n = 5;\n  op_par_loop([](double *a) { });\n}\n",
                        "k.cpp", 4};
  EXPECT_NE(program.refusal("[](double *a) { a[0] = n; }")
                .find("uses 'n', which the function around the lambda declares, too"),
            std::string::npos);
  EXPECT_EQ(program.refusal("[](double *a) { int n = 1; a[0] = n; }"), "");
  const Program used{"const int n = 4;\nint main() {\n  declare(\"n\", n);\n  op_par_loop([](double *a) { });\n}\n",
                     "k.cpp", 4};
  EXPECT_EQ(used.refusal("[](double *a) { a[0] = n; }"), "");
}

// ---- what the kernel needs ----

TEST(JitRefusal, Globals) {
  EXPECT_EQ(refused("double eps;\ndouble foo;\nvoid k(double *a) { a[0] = foo; }"),
            "kernel 'k' reads the global 'foo' (k.cpp:2), which is not declared as a constant: declare it with "
            "op_decl_const to get specialised code");
  for (const char *global :
       {"extern double g;", "static double g = 1;", "double g[3];", "extern const double g;", "const double *g = 0;",
        "double *const g = p;", "thread_local const double g = 1;", "namespace { double g; }"})
    EXPECT_EQ(refused(std::string(global) + "\nvoid k(double *a) { a[0] = g; }")
                  .find("kernel 'k' reads the global 'g' (k.cpp:1), which is not declared as a constant"),
              0U)
        << global;
  for (const char *statement : {"foo = 1;", "foo += a[0];", "++foo;", "foo--;", "foo <<= 1;"})
    EXPECT_EQ(refused("\nint foo;\nvoid k(int *a) { " + std::string(statement) + " }"),
              "kernel 'k' writes to the global 'foo' (k.cpp:2)")
        << statement;
  EXPECT_EQ(refused("int foo[3][3];\nvoid k(int *a) { foo[1][a[0]] = 2; }"),
            "kernel 'k' writes to the global 'foo' (k.cpp:1)");
  EXPECT_EQ(refused("struct s { int x; } foo;\nvoid k(int *a) { foo.x = 2; }"),
            "kernel 'k' writes to the global 'foo' (k.cpp:1)");
  const Program declared{"double gam;\nvoid k(double *a) { gam = a[0]; }", "k.cpp", 0, airfoil_constants};
  EXPECT_EQ(declared.refusal(), "kernel 'k' writes to the global 'gam' (k.cpp:1)");
  const Program unseen{"void k(double *a) { gam = a[0]; }", "k.cpp", 0, airfoil_constants};
  EXPECT_EQ(unseen.refusal(), "kernel 'k' writes to the constant 'gam' (k.cpp:1)");
}

TEST(JitRefusal, DeclaredConstantsThatTheTextContradicts) {
  EXPECT_EQ((Program{"float gam;\nvoid k(double *a) { a[0] = gam; }", "k.cpp", 0, airfoil_constants}.refusal()),
            "kernel 'k' reads the constant 'gam', which op_decl_const has as double and the text as float (k.cpp:1)");
  EXPECT_NE((Program{"namespace a { double gam; }\nnamespace b { double gam; }\nvoid k(double *x) { x[0] = a::gam; }",
                     "k.cpp", 0, airfoil_constants}
                 .refusal()
                 .find("there are several of this name")),
            std::string::npos);
}

TEST(JitRefusal, ConstantsWhoseValueTheTextDoesNotTell) {
  EXPECT_NE(refused("double p;\nconst double g = p;\nvoid k(double *a) { a[0] = g; }")
                .find("'g', which it uses, reads the global 'p'"),
            std::string::npos);
  EXPECT_NE(refused("double f() { return 1; }\nconst double g = f();\nvoid k(double *a) { a[0] = g; }")
                .find("to initialise a constant"),
            std::string::npos);
  EXPECT_NE(refused("const int g = 1;\nconst int g = 2;\nvoid k(int *a) { a[0] = g; }")
                .find("declared more than once (k.cpp:1, k.cpp:2)"),
            std::string::npos);
  EXPECT_NE(
      refused("const double g = g + 1;\nconst double h = sizeof(long double);\nstruct s { int x; };\nconst s t = {1};\n"
              "void k(double *a) { a[0] = t.x; }")
          .find("type of its own"),
      std::string::npos);
}

TEST(JitRefusal, CallsOfUnknownFunctions) {
  EXPECT_EQ(refused("#include <stdio.h>\nvoid k(double *a) {\n  printf(\"x\");\n}"),
            "kernel 'k' calls 'printf' (k.cpp:3), which the text does not define and which is no known mathematical "
            "function");
  EXPECT_EQ(refused("double h(double);\nvoid k(double *a) { a[0] = h(1); }"),
            "kernel 'k' calls 'h', which is declared (k.cpp:1) but not defined in the text (k.cpp:2)");
  EXPECT_EQ(refused("void k(double *a) { std::cout << a[0]; }"),
            "kernel 'k' uses 'std::cout', which is not known (k.cpp:1)");
  EXPECT_EQ(refused("void k(double *a) { std::vector<int> v; }"),
            "kernel 'k' uses 'std::vector', which is not known (k.cpp:1)");
  EXPECT_EQ(refused("void k(double *a) { a[0] = missing; }"),
            "kernel 'k' uses 'missing' (k.cpp:1), which the text does not define");
  EXPECT_EQ(refused("void k(double *a) { mytype x; }"),
            "kernel 'k' uses 'mytype' (k.cpp:1), which the text does not define");
  EXPECT_EQ(refused("void h(double *a) { abort(); }\nvoid k(double *a) { h(a); }"),
            "kernel 'k': 'h', which it uses, calls 'abort' (k.cpp:1), which the text does not define and which is no "
            "known mathematical function");
  EXPECT_NE(refused("void k(double *a) { assert(a[0] > 0); }").find("calls 'assert'"), std::string::npos);
  EXPECT_NE(refused("void k(double *a) { a[0] = sqrt(1, 2); }").find("with 2 arguments where 1 are known"),
            std::string::npos);
  EXPECT_NE(refused("double sqrt(double x) { return x; }\nvoid k(double *a) { a[0] = std::sqrt(a[0]); }")
                .find("uses both 'std::sqrt' and another"),
            std::string::npos);
  EXPECT_NE(refused("void k(double *a) { double max(std::max(a[0], 1.0)); }").find("uses both 'std::max' and a local"),
            std::string::npos);
  EXPECT_NE((Program{"void k(double *a) { a[0] = max(a[0], a[1]); }", "k.c"}.refusal().find("which C does not have")),
            std::string::npos);
  EXPECT_NE(
      (Program{"#include <tgmath.h>\nvoid k(float *a) { a[0] = sqrt(a[0]); }", "k.c"}.refusal().find("<tgmath.h>")),
      std::string::npos);
}

TEST(JitRefusal, HelpersThatAreNotOneFunction) {
  EXPECT_EQ(
      refused(
          "double h(double x) { return x; }\nfloat h(float x) { return x; }\nvoid k(double *a) { a[0] = h(a[0]); }"),
      "kernel 'k' calls 'h', which is overloaded (k.cpp:1, k.cpp:2) (k.cpp:3)");
  EXPECT_EQ(refused("double h(double x) { return x > 1 ? h(x / 2) : x; }\nvoid k(double *a) { a[0] = h(a[0]); }"),
            "kernel 'k' calls 'h' recursively (k.cpp:1)");
  EXPECT_NE(refused("double g(double x);\ndouble h(double x) { return g(x); }\ndouble g(double x) { return h(x); "
                    "}\nvoid k(double *a) { a[0] = h(a[0]); }")
                .find("recursively"),
            std::string::npos);
  EXPECT_NE(refused("void k(double *a) { k(a); }").find("recursively"), std::string::npos);
  EXPECT_NE(
      refused("template <class T> T h(T x) { return x; }\nvoid k(double *a) { a[0] = h(a[0]); }").find("is a template"),
      std::string::npos);
  EXPECT_NE(refused("double h(double x, int n = 2) { return x; }\nvoid k(double *a) { a[0] = h(a[0]); }")
                .find("has a default for the parameter 'n'"),
            std::string::npos);
  EXPECT_NE(refused("double h(double (*f)(double)) { return f(1); }\nvoid k(double *a) { a[0] = h(sqrt); }")
                .find("pointer to a function"),
            std::string::npos);
  EXPECT_NE(refused("double h(double x) { return x; }\nvoid k(double *a) { auto f = h; }")
                .find("uses the function 'h' without calling it"),
            std::string::npos);
  EXPECT_NE(refused("double h(int n, ...) { return n; }\nvoid k(double *a) { a[0] = h(1, 2); }")
                .find("any number of arguments"),
            std::string::npos);
  EXPECT_NE(
      refused("namespace a { double h(double x) { return x; } }\nnamespace b { double h(double x) { return x; } }\n"
              "void k(double *x) { x[0] = a::h(1) + b::h(2); }")
          .find("uses two things called 'h' (k.cpp:1, k.cpp:2)"),
      std::string::npos);
  EXPECT_NE(refused("namespace a { double h(double x) { return x; } }\nvoid k(double *x) { double h = a::h(1); }")
                .find("and a local variable 'h'"),
            std::string::npos);
}

TEST(JitRefusal, UsingDeclarationsThatDoNotTellOneFunction) {
  const std::string f = "namespace n { double f(double x) { return x; } }\n";
  const auto says = [&](const std::string &text, const std::string &body, const std::string &message) {
    const std::string reason = refused(f + text + "\nvoid k(double *a) { " + body + " }");
    EXPECT_NE(reason.find(message), std::string::npos) << reason;
  };
  const std::string unclear = "a declaration with 'using' or 'typedef' that is not understood";
  says("", "using n::g; a[0] = g(1);", unclear);
  says("", "using n::f, n::f; a[0] = f(1);", unclear);
  says("", "using ::n::f; a[0] = f(1);", unclear);
  says("namespace m { struct S { int x; }; }", "using m::S; S s;", unclear);
  says("namespace m { double f(double x) { return 2; } }", "using n::f; using m::f; a[0] = f(1);", unclear);
  says("namespace m { enum E { e }; double f(E x) { return 2; } }", "using n::f; a[0] = f(m::e);", unclear);
  says("namespace n { double f(float x) { return 2; } }", "using n::f; a[0] = f(1);", "overloaded");
  says("double f(double x) { return 2; }", "using n::f; a[0] = f(1) + ::f(2);", "uses two things called 'f'");
  says("namespace n { double f(double x, double y) { return 2; } }", "using n::f; a[0] = f(1);", "overloaded");
}

TEST(JitRefusal, TypesThatAreMoreThanData) {
  const auto with = [](const std::string &type) { return refused(type + "\nvoid k(double *a) { T t; }"); };
  EXPECT_EQ(with("struct B { int x; };\nstruct T : B { };")
                .find("kernel 'k': 'T', which it uses, has base classes (k.cpp:2)"),
            0U);
  EXPECT_NE(with("struct T { virtual void f() { } };").find("virtual"), std::string::npos);
  EXPECT_NE(with("struct T { static int n; };").find("static member"), std::string::npos);
  EXPECT_NE(with("struct T { void f(); };").find("defined elsewhere"), std::string::npos);
  EXPECT_NE(with("struct T { int b : 3; };").find("bit field"), std::string::npos);
  EXPECT_NE(with("struct T { std::string s; };").find("uses 'std::string'"), std::string::npos);
  EXPECT_NE(with("struct T { struct U { int x; } u; };"), "");
  EXPECT_NE(with("struct T { ~T() { } };"), "");
  EXPECT_NE(with("union T { int x; float y; };").find("union"), std::string::npos);
  EXPECT_NE(with("template <class X> struct T { X x; };").find("template"), std::string::npos);
  EXPECT_NE(
      with("struct T { int x; };\nT operator+(T a, T b) { return a; }").find("has operators outside of it (k.cpp:2)"),
      std::string::npos);
  EXPECT_NE(with("#pragma pack(1)\nstruct T { int x; };").find("#pragma pack"), std::string::npos);
  EXPECT_NE(refused("struct T { int x; };\nvoid k(double *a) { T t; t.get(); }").find("calls a member function 'get'"),
            std::string::npos);
}

TEST(JitRefusal, StatementsThatGeneratedCodeCannotHave) {
  const auto with = [](const std::string &statement) { return refused("void k(double *a) {\n" + statement + "\n}"); };
  const auto says = [&](const std::string &statement, const std::string &words) {
    const std::string sentence = with(statement);
    EXPECT_EQ(sentence.find("kernel 'k' "), 0U) << statement << ": " << sentence;
    EXPECT_NE(sentence.find(words), std::string::npos) << statement << ": " << sentence;
    EXPECT_NE(sentence.find("k.cpp:2"), std::string::npos) << statement << ": " << sentence;
  };
  says("static int n = 0;", "static local variable");
  says("static double w[3];", "static local variable");
  says("static const double c = a[0];", "depends on 'a' between calls");
  says("thread_local int n;", "thread_local");
  says("extern int n;", "extern");
  says("goto out;", "goto");
  says("out: a[0] = 1;", "label");
  says("asm(\"nop\");", "assembler");
  says("throw 1;", "exceptions");
  says("try { } catch (int) { }", "exceptions");
  says("double *p = new double;", "new");
  says("delete a;", "delete");
  says("int *p = reinterpret_cast<int *>(a);", "reinterpret_cast");
  says("double *p = const_cast<double *>(a);", "const_cast");
  says("volatile double x = 1;", "volatile");
  says("double *volatile p = a;", "volatile");
  says("this->x = 1;", "this");
  says("struct s { int x; } t;", "");
  says("union u { int x; } t;", "union");
  says("enum { A };", "");
  says("double f(double);", "declares the function 'f' inside");
  says("double (*f)(double);", "pointer to a function");
  says("a[0] = ({ 1; });", "statement as an expression");
  says("a[0] = 1.0_km;", "1.0_km");
  says("a[0] = 1.0L;", "long double");
  says("const char *s = \"x\";", "uses the text");
  says("a[0] = @;", "'@'");
  says("a[0] = typeid(a);", "typeid");
  says("using other::f;", "using");
  EXPECT_EQ(with("int x"), "kernel 'k' has '}' where ';' is expected (k.cpp:3)");
}

TEST(JitRefusal, TextThatIsNotWhole) {
  EXPECT_EQ(refused("void k(double *a) {\n  if (a[0]) {\n}"),
            "kernel 'k' is in a text with a '{' without counterpart (k.cpp:1)");
  EXPECT_EQ(refused("void k(double *a) { } }"), "kernel 'k' is in a text with a '}' without counterpart (k.cpp:1)");
  EXPECT_EQ(refused("void k(double *a) { a[0) = 1; }"),
            "kernel 'k' is in a text with a '[' without counterpart (k.cpp:1)");
  EXPECT_EQ(refused("void k(double *a) { /* }"), "the comment that begins in line 2 does not end");
  EXPECT_NE(refused("void k(double *a) { a[0] = 'x; }"), "");
  EXPECT_NE(refused("void k(double *a) { " + std::string(5000, '(') + std::string(5000, ')') + "; }")
                .find("nested too deeply"),
            std::string::npos);
  EXPECT_NE(refused("void k(double *a) { " + std::string(5000, '{') + std::string(5000, '}') + "; }")
                .find("nested too deeply"),
            std::string::npos);
  std::string chain = "double f0(double x) { return x; }\n";
  for (int n = 1; n < 2000; ++n)
    chain += "double f" + std::to_string(n) + "(double x) { return f" + std::to_string(n - 1) + "(x); }\n";
  EXPECT_NE(refused(chain + "void k(double *a) { a[0] = f1999(1); }").find("nested too deeply"), std::string::npos);
}

} // namespace

// SPDX-License-Identifier: MIT
