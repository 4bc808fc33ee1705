// Collects a kernel and the declarations that it uses. A Reader reads one declaration and reports the names in it; the
// collector then reads the declarations of these names.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "jit/text/declarations.hpp"
#include "jit/text/find_kernel.hpp"
#include "jit/text/kernel_text.hpp"
#include "jit/text/names/lookup.hpp"

namespace op2::core::jit {

class Collector {
 public:
  Collector(const Preprocessed &source, const Text &text, const Declarations &declarations,
            std::span<const DeclaredConstant> constants, std::string kernel, bool c_language);

  // The kernel itself: a function of the text, or a lambda ("[](...) {...}") in `scope`, which may use names declared
  // in the tokens `around`.
  void take_function(int declaration);
  void take_lambda(Range lambda, const std::string &scope, Range around);
  KernelText finish();

  // Tokens from `begin` on, put behind the text, see what is declared before `at`.
  void see_from(std::size_t begin, std::size_t at) {
    behind_ = begin;
    seen_at_ = at;
  }
  std::size_t seen_at(std::size_t position) const { return position < behind_ ? position : seen_at_; }

  // For readers. Each returns the name of the declaration in the result.
  const std::string &use_function(int declaration, const std::vector<Tokens> &template_arguments = {});
  const std::string &use_variable(int declaration);
  bool can_use_variable(int declaration); // whether use_variable() accepts it
  const std::string &use_type(int declaration);
  bool computed_at_start(int declaration, int depth = 0) const; // a variable; devices have no such initialisers
  void use_enumeration(int declaration);
  void use_declared(const std::string &name, int declaration = -1); // -1: the text does not declare it
  void use_known(const std::string &name);
  void use_member_function(const std::string &name) { member_calls_.insert(name); }

  const DeclaredConstant *declared(const std::string &name) const;
  Tokens alias(int declaration); // the built-in type that it names; empty: another type
  const Declaration &operator[](int n) const { return declarations_.all[static_cast<std::size_t>(n)]; }

  const Preprocessed &source() const { return source_; }
  const Text &tokens() const { return text_; }
  const Lookup &lookup() const { return lookup_; }
  // Whether the scope is a class of the text, in which the name may mean a member that the library has not read.
  bool may_be_member(const std::string &scope, const std::string &name) const;
  // Whether a function of this name, beside those in `found`, could be meant because of the types of its arguments.
  bool found_by_arguments(const std::string &name, const std::vector<int> &found) const;
  // Whether both have the same types of parameters.
  bool same_parameters(int declaration, int other) const;
  bool c_language() const { return result_.c_language; }
  bool means_c_function(const std::string &name) const;
  std::string place(std::size_t at) const { return source_.place(text_[at]); }

 private:
  Function read_function(int declaration, const std::vector<Tokens> &template_arguments = {});
  bool may_be_of_base(const std::string &name) const;
  void refuse_replaceable(const Declaration &function) const;
  NamedConstant read_constant(const Declaration &variable);
  std::string who(const Declaration &function) const;
  template <class... Part>
  [[noreturn]] void refuse(const Part &...parts) const { // "kernel 'k' " and the parts
    throw Refusal(text("kernel '", kernel_, "' ", parts...));
  }
  void claim(const std::string &name, int declaration);
  void check_type(const Declaration &variable, const DeclaredConstant &constant);

  const Preprocessed &source_;
  const Text &text_;
  const Declarations &declarations_;
  Lookup lookup_;
  std::map<std::string, DeclaredConstant> constants_;
  std::string kernel_;
  KernelText result_;
  std::map<std::size_t, NamedConstant> taken_constants_; // by position in the text
  std::map<std::size_t, Tokens> taken_types_;
  std::map<std::string, bool> functions_; // by their names in the result; false: being read
  std::set<int> reading_;         // variables and types being read
  std::map<std::string, int> names_;
  std::set<std::string> known_, member_calls_, member_functions_;
  int kernel_declaration_ = -1, depth_ = 0;
  std::size_t behind_ = Text::none, seen_at_ = Text::none;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
