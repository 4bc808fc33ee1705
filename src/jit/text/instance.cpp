#include "jit/text/instance.hpp"

#include <map>
#include <utility>

namespace op2::core::jit {

namespace {

// The parts between commas that stand outside of brackets.
std::vector<Range> parts_of(const Text &text, Range list) {
  std::vector<Range> out;
  std::size_t begin = list.begin;
  for (std::size_t at = list.begin; at < list.end; ++at) {
    if (text.is(at, "(") || text.is(at, "[") || text.is(at, "{")) {
      at = text.partner(at);
    } else if (text.is(at, "<")) {
      const std::size_t behind = text.behind_angles(at);
      if (behind > at && behind <= list.end) at = behind - 1;
    } else if (text.is(at, ",")) {
      out.push_back({begin, at});
      begin = at + 1;
    }
  }
  if (begin < list.end) out.push_back({begin, list.end});
  return out;
}

// "class T", "typename T = double", "int N", "bool More = false"
TemplateParameter parameter_of(const Text &text, Range range) {
  TemplateParameter out;
  Range front = range;
  for (std::size_t at = range.begin; at < range.end; ++at) {
    if (text.is(at, "...")) throw Refusal("has a list of any number of parameters");
    if (!text.is(at, "=")) continue;
    front.end = at;
    out.initial = {at + 1, range.end};
    break;
  }
  out.front = front;
  if (text.is(front.begin, "template")) throw Refusal("has a template as parameter");
  out.type = text.is(front.begin, "class") || text.is(front.begin, "typename");
  if (front.end > front.begin + 1 && text.is_plain_name(front.end - 1)) out.name = text.word(front.end - 1);
  return out;
}

class TemplateValues {
 public:
  TemplateValues(const Text &text, Range parameters, Range arguments) {
    const std::vector<Range> given = parts_of(text, arguments);
    const std::vector<TemplateParameter> wanted = template_parameters(text, parameters);
    if (given.size() > wanted.size()) throw Refusal("has fewer parameters than arguments are given");
    for (std::size_t n = 0; n < wanted.size(); ++n) {
      const TemplateParameter &parameter = wanted[n];
      const Range value = n < given.size() ? given[n] : parameter.initial;
      if (value.empty()) throw Refusal("has parameters that only its arguments tell");
      SourceTokens tokens = replaced(text, value);
      // A sum stays one where it is multiplied.
      if (!parameter.type && tokens.size() > 1) tokens = in_brackets(std::move(tokens));
      if (!parameter.name.empty()) values_[parameter.name] = std::move(tokens);
    }
  }

  SourceTokens replaced(const Text &text, Range range) const {
    SourceTokens out;
    for (std::size_t at = range.begin; at < range.end; ++at) {
      const auto value = text.is_name(at) ? values_.find(text.word(at)) : values_.end();
      const bool member = at > range.begin && (text.is(at - 1, ".") || text.is(at - 1, "->") || text.is(at - 1, "::"));
      if (value == values_.end() || member)
        out.push_back(text[at]);
      else
        out.insert(out.end(), value->second.begin(), value->second.end());
    }
    return out;
  }

 private:
  static SourceTokens in_brackets(SourceTokens tokens) {
    SourceToken open = tokens.front(), close = tokens.back();
    open.token = {TokenKind::punctuator, "(", open.token.line};
    close.token = {TokenKind::punctuator, ")", close.token.line};
    tokens.insert(tokens.begin(), open);
    tokens.push_back(close);
    return tokens;
  }
  std::map<std::string, SourceTokens> values_;
};

// template <> void name<3>(...) anywhere
bool has_specialisations(const Text &text, const std::string &name) {
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    if (!text.is(at, "template") || !text.is(at + 1, "<") || !text.is(at + 2, ">")) continue;
    for (std::size_t n = at + 3; n < text.size() && !text.is(n, "(") && !text.is(n, ";") && !text.is(n, "{"); ++n)
      if (text.word(n) == name) return true;
  }
  return false;
}

} // namespace

std::vector<TemplateParameter> template_parameters(const Text &text, Range list) {
  std::vector<TemplateParameter> out;
  for (const Range part : parts_of(text, list)) out.push_back(parameter_of(text, part));
  return out;
}

SourceTokens instance_of(const Text &text, const Declaration &declaration, Range arguments, const std::string &name) {
  if (declaration.template_parameters.empty() || declaration.body.empty())
    throw Refusal("is a template of a form that is not understood");
  if (has_specialisations(text, declaration.name)) throw Refusal("is a template with specialisations");
  const TemplateValues values(text, declaration.template_parameters, arguments);
  SourceTokens out;
  const auto add = [&](const SourceTokens &tokens) { out.insert(out.end(), tokens.begin(), tokens.end()); };
  const auto write = [&](const std::string &words) {
    for (Token &token : tokenize(words)) {
      SourceToken copy = text[declaration.name_at];
      copy.token.kind = token.kind;
      copy.token.text = std::move(token.text);
      out.push_back(std::move(copy));
    }
  };
  if (!declaration.scope.empty()) write("namespace " + declaration.scope + " {");
  add(values.replaced(text, {declaration.all.begin, declaration.name_at}));
  write(name);
  add(values.replaced(text, {declaration.name_at + 1, declaration.all.end}));
  if (!declaration.scope.empty()) write("}");
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
