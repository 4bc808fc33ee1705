// jit_lanes_program.cpp: see jit_lanes_program.hpp.
#include "jit_lanes_program.hpp"

#include <iterator>
#include <sstream>

#include "jit/lanes/lanes.hpp"
#include "jit/prelude/prelude.hpp"
#include "jit_text.hpp"

namespace op2_test {

using op2::core::jit::Use;

namespace {

const char *const runtime = R"cpp(
  extern "C" int printf(const char *, ...);

  static unsigned long long state = 88172645463325252ull;
  static unsigned long long bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717ull;
  }
  static double unit() { return (double)(bits() >> 11) * 0x1p-53; }

  template <class T>
  T draw(bool moderate);
  template <>
  double draw<double>(bool moderate) {
    static const double odd[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 __builtin_nan(""),
                                 __builtin_inf(),
                                 -__builtin_inf(),
                                 4.9e-324,
                                 -4.9e-324,
                                 1e308,
                                 -1e308,
                                 1e-308,
                                 0.5,
                                 2.5,
                                 -2.5,
                                 3.0,
                                 1e17,
                                 -1e-17};
    if (!moderate && bits() % 4 == 0) return odd[bits() % (sizeof odd / sizeof odd[0])];
    return unit() * 8 - 4;
  }
  template <>
  float draw<float>(bool moderate) {
    return (float)draw<double>(moderate);
  }
  template <>
  int draw<int>(bool) {
    return (int)(bits() % 15) - 5;
  }
  template <>
  unsigned draw<unsigned>(bool) {
    return (unsigned)(bits() % 3 == 0 ? bits() % 7 : bits());
  }
  template <>
  long long draw<long long>(bool) {
    return (long long)(bits() >> 23) - (1ll << 40);
  }
  template <>
  unsigned long long draw<unsigned long long>(bool) {
    return bits();
  }

  template <class T>
  bool equal(T a, T b) {
    return (a != a && b != b) || __builtin_memcmp(&a, &b, sizeof a) == 0;
  }

  template <class T, int N>
  struct Data {
    T one[W][N];
    op2j::lanes<T, W> all[N];
    void fill(bool moderate) {
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < W; ++k) all[i].v[k] = one[k][i] = draw<T>(moderate);
    }
    int compare(const char *name, int parameter) const {
      int out = 0;
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < W; ++k)
          if (!equal(one[k][i], T(all[i].v[k])) && ++out < 4)
            printf("%s: parameter %d, element %d, lane %d: %.17g in scalar form, %.17g in lanes\n", name, parameter, i,
                   k, (double)one[k][i], (double)all[i].v[k]);
      return out;
    }
  };
)cpp";

struct Word {
  std::string type;
  int dim = 1, rows = 0; // rows > 0: an array of pointers
  bool shared = false, moderate = false, absent = false;
};

std::vector<Word> words_of(const std::string &parameters) {
  std::vector<Word> out;
  std::istringstream in(parameters);
  for (std::string word; in >> word;) {
    Word one;
    one.shared = word[0] == '=';
    one.absent = word[0] == '!';
    if (one.shared || one.absent) word.erase(0, 1);
    const std::string letters = "dtfiulk";
    const char *const types[] = {"double", "double", "float", "int", "unsigned", "long long", "unsigned long long"};
    one.type = types[letters.find(word[0]) % std::size(types)];
    one.moderate = word[0] == 't';
    one.dim = std::stoi(word.substr(1));
    if (word.find('*') != std::string::npos) one.rows = std::stoi(word.substr(word.find('*') + 1));
    out.push_back(one);
  }
  return out;
}

std::string runner(const Case &one, const std::vector<Word> &words) {
  std::ostringstream out, scalars, lanes, fill, compare, rows, lane_rows;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word &word = words[i];
    const int elements = word.dim * (word.rows > 0 ? word.rows : 1);
    out << "  Data<" << word.type << ", " << elements << "> p" << i << ";\n";
    fill << "    p" << i << ".fill(" << (word.moderate ? "true" : "false") << ");\n";
    const char *comma = i > 0 ? ", " : "";
    if (word.absent) {
      scalars << comma << "(" << word.type << " *)nullptr";
      lanes << comma << "(op2j::lanes<" << word.type << ", W> *)nullptr";
      continue;
    }
    if (word.rows > 0) {
      rows << "      const " << word.type << " *r" << i << "[] = {";
      lane_rows << "    const op2j::lanes<" << word.type << ", W> *q" << i << "[] = {";
      for (int row = 0; row < word.rows; ++row) {
        rows << "p" << i << ".one[k] + " << row * word.dim << ", ";
        lane_rows << "p" << i << ".all + " << row * word.dim << ", ";
      }
      rows << "};\n";
      lane_rows << "};\n";
      scalars << comma << "r" << i;
      lanes << comma << "q" << i;
    } else {
      scalars << comma << "p" << i << (word.shared ? ".one[0]" : ".one[k]");
      lanes << comma << "p" << i << (word.shared ? ".one[0]" : ".all");
    }
    if (!word.shared) compare << "    bad += p" << i << ".compare(\"" << one.name << "\", " << i << ");\n";
  }
  return "static int run(int rounds) {\n  Scalar scalar;\n  Lanes lanes;\n  int bad = 0;\n" + out.str() +
         "  for (int n = 0; n < rounds && bad < 4; ++n) {\n" + fill.str() + "    for (int k = 0; k < W; ++k) {\n" +
         rows.str() + "      scalar.op2_kernel(" + scalars.str() + ");\n    }\n" + lane_rows.str() +
         "    lanes.op2_kernel(" + lanes.str() + ");\n" + compare.str() + "  }\n  return bad;\n}\n";
}

const char *const aliases =
    "using op2_double = op2j::lanes<double, W>; using op2_float = op2j::lanes<float, W>;\n"
    "using op2_int = op2j::lanes<int, W>; using op2_uint = op2j::lanes<unsigned, W>;\n"
    "using op2_ll = op2j::lanes<long long, W>; using op2_ull = op2j::lanes<unsigned long long, W>;\n"
    "using op2_mask = op2j::mask<W>;\n";

} // namespace

std::string comparing_program(const std::vector<Case> &cases, int width, bool c_language) {
  std::ostringstream out, calls;
  if (c_language) out << "#define OP2J_C\n";
  out << op2::core::jit::values_prelude() << op2::core::jit::functions_prelude();
  out << "constexpr int W = " << width << ";\n" << runtime;
  for (const Case &one : cases) {
    if (one.c_language != c_language) continue;
    const op2::core::jit::KernelText text = text_of(one.source, c_language);
    const std::vector<Word> words = words_of(one.parameters);
    std::vector<Use> uses;
    for (const Word &word : words) uses.push_back(word.shared ? Use::uniform : Use::lanes);
    out << "namespace case_" << one.name << " {\nstruct Scalar {\n" << one.constants << "\n" << scalar_members(text);
    out << "};\nstruct Lanes {\n" << aliases << one.constants << "\n" << lane_members(text, uses) << "};\n";
    out << runner(one, words) << "}\n";
    calls << "  bad += case_" << one.name << "::run(300);\n";
  }
  out << "int main() {\n  int bad = 0;\n" << calls.str() << "  return bad > 0;\n}\n";
  return out.str();
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
