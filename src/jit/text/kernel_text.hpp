// A kernel as text, with all declarations that it uses and no others: the input of code generation.
//
// Macros are expanded, aliases of built-in types are replaced by the types, mathematical functions have no "std::"
// (std::sqrt -> sqrt), attributes and storage classes are removed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jit/text/tokens.hpp"

namespace op2::core::jit {

// Types that generated code can handle as numbers.
enum class Scalar { none, boolean, int32, uint32, int64, uint64, float32, float64, other };

// Its name in C++ ("double", "long long"); none is "void"; not for other.
const char *spelling_of(Scalar scalar);
bool is_real(Scalar scalar);

struct Parameter {
  std::string name; // "" if unnamed
  Scalar scalar = Scalar::other;
  bool is_const = false; // the value, or what the last pointer points to, is const
  int pointers = 0;      // levels: double * = 1, double ** = 2; arrays (double x[4]) count as pointers
  bool reference = false;
  Tokens type; // without the name; used if scalar is `other`
};

struct Function {
  std::string name; // a lambda: "op2_kernel"
  Scalar result = Scalar::none;
  Tokens result_type; // if result is `other`
  std::vector<Parameter> parameters;
  Tokens body;      // from '{' to '}', both included
  std::string file; // that has it; "" for text that the program gave
  int line = 0;
};

// A constant of the program's text: const, constexpr, or an enumerator's whole enum.
struct NamedConstant {
  std::string name; // "" for an enum
  Scalar scalar = Scalar::other;
  bool array = false;
  Tokens declaration; // without storage class, from the type to ';'
};

// A variable of the program that a kernel reads, and nobody changes while a loop runs.
struct ProgramVariable {
  std::string symbol; // its name in generated code, and in the symbols of the program as gfortran makes them;
                      // "flow__AT16_r8_1": what lies 16 bytes behind the beginning of flow_
  Scalar scalar = Scalar::other;
  int dim = 1;
};

// The variable that a kernel's text names where it reads a constant of op_decl_const(). What the text says of it, and
// what is found from that (jit/constant_places.hpp).
struct TextVariable {
  bool declared = false;         // the text has a declaration of it
  bool internal = false;         // static or in an unnamed namespace
  std::string scope;             // its namespace or class, "a::b"
  const void *address = nullptr; // NULL: not found yet
  std::string place;             // by which a later run finds it again
};

// Constants come first in generated code, then types, then helpers: a structure may need a constant (double x[dim]),
// but no constant is of a type among `types`.
struct KernelText {
  Function kernel;
  std::vector<Function> helpers;              // called directly or indirectly; callees before callers; never recursive
  std::vector<NamedConstant> constants;       // in the order of the text
  std::vector<Tokens> types;                  // definitions of used structs and aliases, in order, each to its ';'
  std::vector<std::string> declared;          // constants of op_decl_const() that it reads
  std::map<std::string, TextVariable> places; // of those among `declared` that are variables of C and C++
  std::vector<ProgramVariable> variables;     // of Fortran modules; their names are among `declared`
  // If not "": the kernel, and all it needs, word for word (excerpt.hpp), since the Reader refused it for this reason.
  // Of the other members only the kernel's name, place and body and `declared` are set.
  std::string excerpt, excerpt_headers, why_excerpt;
  std::vector<std::string> declared_arrays; // those among `declared` that an excerpt has as arrays
  std::string callee;                       // how the excerpt calls the kernel: "::flow::flux"
  bool c_language = false;                  // the file is C: sqrt(float) computes in double, abs() is of int
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
