// Reads one function, constant or type of the text: checks that it understands every token, looks up its names, and
// writes it as generated code needs it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jit/text/collector.hpp"

namespace op2::core::jit {

class Reader {
 public:
  // who: the declaration, for messages: "kernel 'k'". Looks up names from `scope`; a lambda may also use names declared
  // in the tokens `around` it.
  Reader(Collector &collector, std::string who, std::string scope, Range around = {});

  // Of a template: what its parameters stand for.
  void bind(const Declaration &function, const std::vector<Tokens> &template_arguments);
  std::vector<Parameter> parameters(Range range); // declares their names for body()
  Tokens type(Range range);                       // without storage class
  Tokens body(Range range);
  // After body(): gives parameters their names in the body.
  void rename(std::vector<Parameter> &parameters) const;
  Tokens constant(const Declaration &variable); // from the type to ";"
  Tokens enumeration(const Declaration &declaration);
  Tokens record(const Declaration &declaration, std::vector<std::string> &member_functions);
  Tokens alias(const Declaration &declaration);

  bool returns_value() const { return returns_value_; }

 private:
  enum class Local { variable, constant, alias, number, member, function };
  struct Meaning {
    Local kind = Local::variable;
    Tokens type = {};            // of an alias; the number
    QualifiedName function = {}; // that a using declaration names
  };

  // reader.cpp: statements and declarations
  void start(Range range);
  void compound_statement();
  void statement();
  void keyword_statement(const std::string &word);
  void condition();
  void for_statement();
  void declaration_or_expression(const char *stop);
  void declaration(const char *stop);
  void declarator(bool is_static, const char *stop);
  void alias_declaration();
  bool using_declaration(std::size_t end);
  bool declares(std::size_t at) const;
  std::size_t behind_type(std::size_t at) const;
  bool names_type(std::size_t &at) const;

  // reader_types.cpp: types, parameters, constants; reader_records.cpp: structures
  struct Specifiers {
    bool is_static = false, is_const = false, is_constexpr = false;
  };
  Specifiers decl_specifiers(std::size_t stop);
  void ptr_operators();
  Parameter parameter(Range range);
  void member_declaration(const Declaration &record, std::vector<std::string> &member_functions);
  void member_function();

  // reader_names.cpp: expressions and names
  void expression(std::string_view stops);
  void group();
  void name();
  void keyword_in_expression(const std::string &word);
  void lambda();
  void standard_name(const QualifiedName &qualified_name, std::size_t begin);
  void numeric_limit();
  void global_name(const QualifiedName &qualified_name, std::size_t begin, bool qualified);
  void unknown_name(const QualifiedName &qualified_name, std::size_t begin);
  void refuse_kept(const std::string &name, std::size_t at) const;
  int function_meant(const std::vector<int> &candidates, const QualifiedName &qualified_name, std::size_t begin);
  void template_call(int declaration, std::size_t begin);
  std::vector<Tokens> template_arguments();
  std::size_t parameter_count(int declaration) const;
  void function_call(const std::vector<int> &candidates, const QualifiedName &qualified_name, std::size_t begin);
  void variable(int declaration, const QualifiedName &qualified_name);
  void known_call(const std::string &name, std::size_t begin, bool of_std = false);
  void arguments_as_double(int count);
  void check_arguments(std::size_t name_at, std::size_t wanted) const;
  bool is_written(std::size_t end) const;
  void rename_locals();
  bool elaborated() const;
  void emit_type(const Tokens &words);
  void number(const Token &token) const;
  bool follows_operand() const;

  const Meaning *local(const std::string &name) const;
  void declare(const std::string &name) { declare(name, Meaning{Local::variable, {}}); }
  void declare(const std::string &name, Meaning meaning);

  bool is(std::string_view word) const { return at_ < end_ && text_.is(at_, word); }
  const std::string &word() const { return at_ < end_ ? text_.word(at_) : nothing_; }
  bool is_name() const { return at_ < end_ && text_.is_name(at_); }
  const SourceToken &look(); // the next token; refuses a missing one
  void take();               // copies the next token to out_
  void drop();               // skips the next token
  void expect(std::string_view word);
  void skip_attributes();
  void emit(TokenKind kind, std::string_view word);
  [[noreturn]] void refuse(const std::string &what, std::size_t at) const; // "kernel 'k' " what " (k.h:3)"
  [[noreturn]] void refuse(const std::string &what) const { refuse(what, at_); }

  // Refuses text nested too deeply for recursion.
  struct Depth;

  Collector &collector_;
  const Text &text_;
  std::string who_, scope_, nothing_;
  Range around_;
  std::size_t at_ = 0, end_ = 0;
  Tokens out_;
  std::map<std::string, int> known_calls_;
  std::map<std::string, std::string> new_names_; // of locals named as a std function used in the same body
  std::vector<std::map<std::string, Meaning>> scopes_;
  bool constant_only_ = false; // in an initialiser of a constant
  bool in_record_ = false, members_known_ = false;
  bool returns_value_ = false;
  int depth_ = 0, lambdas_ = 0;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
