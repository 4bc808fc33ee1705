// jit_fortran_program.cpp: see jit_fortran_program.hpp.
#include "jit_fortran_program.hpp"

#include <sstream>

#include "jit/fortran/fortran.hpp"
#include "jit/lanes/lanes.hpp"
#include "jit/prelude/prelude.hpp"

namespace op2_test {

using namespace op2::core::jit;

namespace {

const char *const runtime = R"cpp(
  extern "C" int printf(const char *, ...);
  constexpr int W = 8, N = 32;
  static unsigned long long state = 88172645463325252ull;
  static unsigned long long bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717ull;
  }
  static void draw(double &x) { x = (double)(bits() >> 11) * 0x1p-53 * 8 - 4; }
  static void draw(float &x) { x = (float)((double)(bits() >> 40) * 0x1p-24 * 8 - 4); }
  static void draw(int &x) { x = (int)(bits() % 3) + 1; }
  static void draw(long long &x) { x = (long long)(bits() % 3) + 1; }
  template <class T>
  bool equal(T a, T b) {
    return (a != a && b != b) || __builtin_memcmp(&a, &b, sizeof a) == 0;
  }
  template <class T>
  struct Data {
    T own[W][N], one[W][N];
    op2j::lanes<T, W> all[N];
    // as a vector argument: rows of two values
    T *own_rows[W][N / 2];
    const T *read_rows[W][N / 2];
    T *one_rows[W][N / 2];
    op2j::lanes<T, W> *all_rows[N / 2];
    Data() {
      for (int i = 0; i < N / 2; ++i) {
        all_rows[i] = all + 2 * i;
        for (int k = 0; k < W; ++k) {
          own_rows[k][i] = own[k] + 2 * i;
          read_rows[k][i] = one_rows[k][i] = one[k] + 2 * i;
        }
      }
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < W; ++k) {
          draw(own[k][i]);
          all[i].v[k] = one[k][i] = own[k][i];
        }
    }
    void as_one() {
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < W; ++k) all[i].v[k] = one[k][i];
    }
    int compare(const char *name, int parameter) const {
      int out = 0;
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < W; ++k)
          if ((!equal(own[k][i], one[k][i]) || !equal(own[k][i], T(all[i].v[k]))) && ++out < 3)
            printf("%s: argument %d, value %d: %.17g by gfortran, %.17g as text, %.17g in lanes\n", name, parameter, i,
                   (double)own[k][i], (double)one[k][i], (double)all[i].v[k]);
      return out;
    }
  };
)cpp";

const char *const lane_types =
    "using op2_double = op2j::lanes<double, W>; using op2_float = op2j::lanes<float, W>;\n"
    "using op2_int = op2j::lanes<int, W>; using op2_ll = op2j::lanes<long long, W>; using op2_mask = op2j::mask<W>;\n";

// Runs one kernel three times over the same values.
// `lanes`: the members for lanes; "" without them.
std::string comparison(const std::string &symbol, const KernelText &text, const std::string &lanes) {
  std::ostringstream out, types, own, one, all, compare;
  const auto &parameters = text.kernel.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const char *comma = i > 0 ? ", " : "";
    const bool rows = parameters[i].pointers == 2;
    types << comma << "void *";
    own << comma << "p" << i << (rows ? ".own_rows[k]" : ".own[k]");
    one << comma << "p" << i << (!rows ? ".one[k]" : parameters[i].is_const ? ".read_rows[k]" : ".one_rows[k]");
    all << comma << "p" << i << (rows ? ".all_rows" : ".all");
    compare << "    bad += p" << i << ".compare(\"" << text.kernel.name << "\", " << i << ");\n";
  }
  out << "extern \"C\" void " << symbol << "(" << types.str() << ");\n";
  out << "namespace of_" << text.kernel.name << " {\nstruct Scalar {\n" << scalar_members(text) << "};\n";
  out << "struct Lanes {\n" << lane_types << lanes << "};\n";
  out << "static int run() {\n  Scalar scalar;\n  Lanes lanes;\n  int bad = 0;\n";
  out << "  for (int n = 0; n < 100 && bad == 0; ++n) {\n";
  for (std::size_t i = 0; i < parameters.size(); ++i)
    out << "    Data<" << spelling_of(parameters[i].scalar) << "> p" << i << ";\n";
  out << "    for (int k = 0; k < W; ++k) " << symbol << "(" << own.str() << ");\n";
  out << "    for (int k = 0; k < W; ++k) scalar.op2_kernel(" << one.str() << ");\n";
  if (lanes.empty())
    for (std::size_t i = 0; i < parameters.size(); ++i) out << "    p" << i << ".as_one();\n";
  else
    out << "    lanes.op2_kernel(" << all.str() << ");\n";
  out << compare.str() << "  }\n  return bad;\n}\n}\n";
  return out.str();
}

} // namespace

std::string FortranProgram::add(const std::string &symbol, const KernelText &kernel) {
  std::string lanes, why;
  try {
    lanes = lane_members(kernel, std::vector<Use>(kernel.kernel.parameters.size(), Use::lanes));
  } catch (const Refusal &refusal) {
    why = refusal.what();
  }
  for (const ProgramVariable &variable : kernel.variables)
    if (variables_.insert(variable.symbol).second) {
      const fortran::PartOfVariable part = fortran::part_of_variable(variable.symbol);
      const std::string object = "object_" + std::to_string(variables_.size()), type = spelling_of(variable.scalar);
      kernels_ += "extern \"C\" char " + object + "[] asm(\"" + part.symbol + "\");\nstatic const " + type +
                  (variable.dim > 1 ? " *const " : " &") + variable.symbol + " = " + (variable.dim > 1 ? "" : "*") +
                  "(const " + type + " *)(" + object + " + " + std::to_string(part.offset) + ");\n";
    }
  kernels_ += comparison(symbol, kernel, lanes);
  calls_ += "  bad += of_" + kernel.kernel.name + "::run();\n";
  return why;
}

std::string FortranProgram::text() const {
  std::string prelude = std::string(values_prelude()) + std::string(functions_prelude());
  const std::string inlined = "__attribute__((always_inline))"; // which takes a compiler long, and changes no bits
  for (std::size_t at = 0; (at = prelude.find(inlined, at)) != std::string::npos;) prelude.erase(at, inlined.size());
  return prelude + runtime + kernels_ + "int main() {\n  int bad = 0;\n" + calls_ + "  return bad > 0;\n}\n";
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
