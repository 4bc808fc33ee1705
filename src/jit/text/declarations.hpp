// The declarations of a text at namespace scope: functions, variables, types. Names are not resolved here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jit/text/words.hpp"

namespace op2::core::jit {

struct Range {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

struct Declaration {
  enum class Kind { function, prototype, variable, record, enumeration, enumerator, alias, templated };

  Kind kind = Kind::variable;
  std::string name;  // "" if unnamed; "operator+" for operators
  std::string scope; // "a::b"; "": global; unnamed namespaces count as the enclosing one
  Range all;         // whole declaration; a record or enumeration: from its keyword to "}"
  Range type;        // decl-specifiers, with storage class and attributes
  Range declarator;  // "*name[3]"
  std::size_t name_at = 0;
  Range initialiser;         // a variable's, behind "=", or "{...}"; an enumerator's
  Range parameters;          // of a function, between the parentheses
  Range result;              // trailing return type, behind "->"
  Range template_parameters; // between < and >, of a function with one list
  Range body;                // "{...}" of a function, record or enumeration
  bool is_const = false;     // const or constexpr before the declarator
  bool is_extern = false, thread_local_ = false;
  bool internal = false; // static or in an unnamed namespace: each source file has its own
  bool scoped = false;   // enum class
  bool based = false;    // a record with base classes
  int parent = -1;       // an enumerator's enumeration; the record or enumeration that an alias declaration defines
  int owner = -1;        // of a record or enumeration defined in a typedef: its first alias
};

// using namespace a::b;   using a::f;
struct Using {
  std::vector<std::string> name;
  std::string scope;
  Range all; // with its ";"
  bool directive = false;
};

struct Declarations {
  std::vector<Declaration> all; // in the order of the text
  std::multimap<std::string, int> by_name;
  std::vector<Using> uses; // at namespace scope
};

// Skips text that it does not understand.
Declarations scan_declarations(const Text &text);

// Whether the range (parameters and body of a function, or a record) seems to declare the name.
bool declares_name(const Text &text, Range range, const std::string &name);

// "a::b" from its parts, and back.
std::string joined(const std::string &scope, const std::string &name);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
