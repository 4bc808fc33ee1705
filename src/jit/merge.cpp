#include "jit/merge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/text.hpp"

namespace op2::core::jit {

namespace {

constexpr const char *kernel_name = "merged_kernel_", *row_name = "merged_row_"; // in the text, with numbers

std::string spell_function(const Function &f) {
  std::string out = text(spelling_of(f.result), " ", spell(f.result_type), "(");
  for (const Parameter &p : f.parameters)
    out += text(p.is_const ? "const " : "", spelling_of(p.scalar), spell(p.type), " ", p.pointers,
                p.reference ? "&" : "", " ", p.name, ", ");
  return text(out, ") ", spell(f.body));
}

// "struct vec { ... };" and "using real = ...;" have their name in second place.
std::string name_of_type(const Tokens &type) { return type.size() > 1 ? type[1].text : ""; }

// Two source files may have a constant of one name each.
std::string place_of(const KernelText &kernel, const std::string &name) {
  const auto found = kernel.places.find(name);
  return found == kernel.places.end() ? "" : text(" ", found->second.address);
}

// What a text declares: by name, how. Overloaded functions have several.
std::map<std::string, std::set<std::string>> declarations_of(const KernelText &kernel) {
  std::map<std::string, std::set<std::string>> out;
  for (const Function &f : kernel.helpers) out[f.name].insert(spell_function(f));
  for (const NamedConstant &c : kernel.constants) out[c.name].insert(spell(c.declaration));
  for (const Tokens &type : kernel.types) out[name_of_type(type)].insert(spell(type));
  for (const std::string &name : kernel.declared) out[name].insert("op_decl_const" + place_of(kernel, name));
  for (const ProgramVariable &v : kernel.variables)
    out[v.symbol].insert(text("variable ", static_cast<int>(v.scalar), " ", v.dim));
  out.erase(""); // enums, whose names are compared by the compiler
  return out;
}

bool mentions(const Function &f, const std::string &name) {
  return std::ranges::any_of(f.parameters, [&](const Parameter &p) { return p.name == name; }) ||
         std::ranges::any_of(f.body, [&](const Token &t) { return t.kind == TokenKind::identifier && t.is(name); });
}

// A variable of one kernel would hide what another one reads under that name.
bool mentions(const KernelText &kernel, const std::string &name) {
  return mentions(kernel.kernel, name) ||
         std::ranges::any_of(kernel.helpers, [&](const Function &f) { return mentions(f, name); });
}

void need_own_names(std::span<const KernelPart> parts) {
  std::vector<std::map<std::string, std::set<std::string>>> declared;
  for (const KernelPart &part : parts) declared.push_back(declarations_of(part.text));
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = 0; b < parts.size(); ++b)
      for (const auto &[name, how] : declared[a]) {
        const auto same = declared[b].find(name);
        const bool apart = same == declared[b].end() ? mentions(parts[b].text, name) : same->second != how;
        if (apart) throw Refusal(text("'", name, "' means different things in the kernels that are to run as one"));
      }
}

template <class T, class Same>
void add(std::vector<T> &all, const std::vector<T> &more, const Same &same) {
  const std::size_t before = all.size(); // of the texts so far
  for (const T &one : more)
    if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before),
                     [&](const T &other) { return same(one, other); }))
      all.push_back(one);
}

void add_parameters(Function &merged, const Function &kernel, std::span<const int> position) {
  if (kernel.parameters.size() != position.size())
    throw Refusal(text("the text of the kernel has ", kernel.parameters.size(), " parameters and the loop ",
                       position.size(), " arguments"));
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Parameter &parameter = kernel.parameters[i];
    const auto at = static_cast<std::size_t>(position[i]);
    if (merged.parameters.size() <= at) merged.parameters.resize(at + 1);
    Parameter &into = merged.parameters[at];
    if (into.name.empty()) {
      into = parameter;
      into.name = text(row_name, at);
      if (into.scalar != Scalar::other) into.type.clear(); // it need not be const everywhere
    } else if (into.scalar != parameter.scalar || into.pointers != parameter.pointers ||
               into.reference != parameter.reference ||
               (into.scalar == Scalar::other && spell(into.type) != spell(parameter.type))) {
      throw Refusal(text("parameter '", parameter.name, "' has another type in another kernel"));
    }
    into.is_const = into.is_const && parameter.is_const;
  }
}

} // namespace

KernelText merge_kernels(std::span<const KernelPart> parts) {
  need_own_names(parts);
  KernelText out;
  const KernelText &first = parts.front().text;
  out.c_language = first.c_language;
  out.kernel.file = first.kernel.file;
  out.kernel.line = first.kernel.line;
  const auto same_tokens = [](const Tokens &a, const Tokens &b) { return spell(a) == spell(b); };
  std::string body = "{ ";
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const KernelText &part = parts[k].text;
    if (!part.excerpt.empty()) throw Refusal(part.why_excerpt);
    if (part.c_language != out.c_language) throw Refusal("one of the kernels is C, and another one C++");
    add(out.helpers, part.helpers, [](const Function &a, const Function &b) {
      return a.name == b.name && spell_function(a) == spell_function(b);
    });
    add(out.constants, part.constants,
        [&](const NamedConstant &a, const NamedConstant &b) { return same_tokens(a.declaration, b.declaration); });
    add(out.types, part.types, same_tokens);
    add(out.declared, part.declared, std::equal_to<std::string>());
    out.places.insert(part.places.begin(), part.places.end());
    add(out.variables, part.variables,
        [](const ProgramVariable &a, const ProgramVariable &b) { return a.symbol == b.symbol; });
    add(out.declared_arrays, part.declared_arrays, std::equal_to<std::string>());
    add_parameters(out.kernel, part.kernel, parts[k].position);
    Function called = part.kernel;
    called.name = text(kernel_name, k);
    out.helpers.push_back(std::move(called));
    body += text(kernel_name, k, "(");
    for (std::size_t i = 0; i < parts[k].position.size(); ++i)
      body += text(i > 0 ? ", " : "", row_name, parts[k].position[i]);
    body += "); ";
    out.kernel.name += text(k > 0 ? "_" : "", part.kernel.name);
  }
  out.kernel.body = tokenize(body + "}");
  return out;
}

} // namespace op2::core::jit
