#include "jit/fortran/range/range_text.hpp"

#include <algorithm>

#include "jit/code/code_store.hpp"
#include "jit/fortran/fortran.hpp"
#include "jit/fortran/kernel_writer.hpp"
#include "jit/fortran/quiet_floats.hpp"
#include "jit/fortran/range/needed.hpp"
#include "jit/fortran/range/range_writer.hpp"

namespace op2::core::jit::fortran {

namespace {

constexpr long most_elements = 1000; // of a variable that is copied whenever elements run

std::string word_of(const Word &word) {
  return word.kind == WordKind::text ? text(word.quote, word.text, word.quote) : word.text;
}

class Writer {
 public:
  Writer(const Unit &kernel, const LoopShape &shape, Project &project)
      : kernel_(kernel), shape_(shape), project_(project), semantics_(project), needed_(needed_for(kernel, project)) {}

  RangeText write() {
    if (kernel_.kind != Unit::Kind::subroutine || kernel_.dummies.size() != shape_.args.size())
      Semantics::refuse(kernel_, kernel_.file, kernel_.line,
                        text("'", kernel_.name, "' is no subroutine with ", shape_.args.size(), " arguments"));
    out_.line(fortran_text);
    for (std::size_t m = 0; m < needed_.modules.size(); ++m) module(needed_.modules[m], m);
    for (const Unit *unit : needed_.externals) statements(*unit, unit->begin, unit->end);
    write_range(out_, {kernel_.name, kernel_.host ? name_of_module(kernel_.host->name) : ""}, shape_, copied_,
                static_cast<int>(kernel_text_.variables.size()));
    RangeText all;
    all.code.text = out_.take();
    all.code.title = text("! Loop '", shape_.name, "', made by libop2 for the kernel ", kernel_.name, " of ",
                          kernel_.text->place(kernel_.file, kernel_.line), ".\n");
    all.from = kernel_.text->place(kernel_.file, kernel_.line);
    all.code.form = "range, by the Fortran compiler";
    all.code.fortran = true;
    all.kernel = std::move(kernel_text_);
    return all;
  }

 private:
  // Names of their own, since compilers find what they know of modules in the folder where the program runs, too.
  std::string name_of_module(const std::string &name) const {
    for (std::size_t m = 0; m < needed_.modules.size(); ++m)
      if (needed_.modules[m].unit->name == name) return text(module_prefix, m);
    return name;
  }

  // In lines short enough for any compiler.
  void statement(const Line &line) {
    constexpr std::size_t longest = 100;
    std::string out = line.label > 0 ? text(line.label, " ") : "";
    const std::size_t used = used_module_at(line);
    for (std::size_t i = 0; i < line.words.size(); ++i) {
      const std::string next = used > 0 && i == used ? name_of_module(line.words[i].text) : word_of(line.words[i]);
      if (!out.empty() && out.size() + next.size() > longest) {
        out_.line(out, " &");
        out = "  ";
      }
      out += (out.empty() || out == "  " ? "" : " ") + next;
    }
    out_.line(out);
  }

  void statements(const Unit &unit, std::size_t begin, std::size_t end) {
    const std::vector<Line> &all = unit.text->statements.lines;
    for (std::size_t at = begin; at < end && at < all.size(); ++at)
      if (!uses_what_is_missing(all[at], project_)) statement(all[at]);
  }

  // All of its names may be used from outside.
  void module(const NeededModule &one, std::size_t number) {
    const Unit &unit = *one.unit;
    const std::vector<Line> &all = unit.text->statements.lines;
    out_.line("module ", module_prefix, number);
    for (std::size_t at = unit.begin + 1; at < unit.body_end && at < all.size(); ++at) {
      const Words &words = all[at].words;
      const bool access = words[0].is("public") || words[0].is("private");
      if (!access && !uses_what_is_missing(all[at], project_)) statement(all[at]);
    }
    const std::vector<ModuleVariable> variables = variables_of(unit);
    if (!one.procedures.empty() || !variables.empty()) out_.line("contains");
    if (!variables.empty()) {
      copied_.push_back(static_cast<int>(number));
      write_copy(out_, variables, static_cast<int>(number));
    }
    for (const Unit *procedure : one.procedures) statements(*procedure, procedure->begin, procedure->end);
    out_.line("end module");
  }

  // Those that a procedure may mean.
  std::vector<ModuleVariable> variables_of(const Unit &module) {
    std::vector<ModuleVariable> out;
    for (const auto &[name, why] : module.unread)
      if (needed_.words.contains(name)) throw Refusal(why);
    for (const auto &[name, symbol] : module.symbols)
      if (!symbol.parameter && needed_.words.contains(name)) out.push_back(variable(symbol, module));
    return out;
  }

  ModuleVariable variable(const Symbol &symbol, const Unit &module) {
    const auto refuse = [&](const std::string &what) {
      Semantics::refuse(module, symbol.file, symbol.line,
                        text("the variable '", symbol.name, "' of module '", module.name, "' ", what));
    };
    ModuleVariable out;
    out.name = symbol.name;
    const Type type = semantics_.type_of(symbol, module);
    if (const auto changed = needed_.changed.find(symbol.name); changed != needed_.changed.end())
      throw Refusal(text(changed->second, ": the variable '", symbol.name, "' of module '", module.name,
                         "' is changed, or passed to a procedure that may do so"));
    if (!symbol.unusable.empty()) refuse(symbol.unusable);
    if (type.base == Type::Base::other) refuse(text("is of type ", name_of(type)));
    out.type = name_of(type);
    out.logical = type.base == Type::Base::logical;
    long size = 1;
    if (symbol.array) {
      const std::optional<std::vector<long>> extents = semantics_.extents(symbol, module);
      if (!extents) refuse("has no constant shape");
      out.extents = *extents;
      for (const long extent : out.extents) size *= extent;
      if (size <= 0 || size > most_elements) refuse(text("has ", size, " elements"));
    }
    out.number = static_cast<int>(kernel_text_.variables.size()) + 1;
    ProgramVariable variable;
    variable.symbol = text("__", module.name, "_MOD_", symbol.name);
    const bool as_int = out.logical && type.kind == 4;
    variable.scalar = as_int ? Scalar::int32 : scalar_of(type);
    variable.dim = static_cast<int>(size);
    kernel_text_.variables.push_back(variable);
    return out;
  }

  const Unit &kernel_;
  const LoopShape &shape_;
  Project &project_;
  Semantics semantics_;
  const Needed needed_;
  CodeWriter out_;
  KernelText kernel_text_;
  std::vector<int> copied_; // numbers of modules
};

} // namespace

RangeText range_text(const std::string &symbol, const LoopShape &shape, Project &project) {
  const QuietFloats quiet; // constants are computed
  return Writer(kernel_unit(symbol, project), shape, project).write();
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
