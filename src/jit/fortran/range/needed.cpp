#include "jit/fortran/range/needed.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "jit/fortran/meaning.hpp"
#include "jit/fortran/parse/words.hpp"
#include "jit/fortran/range/changed_names.hpp"

namespace op2::core::jit::fortran {

namespace {

bool is_compilers(const std::string &module) {
  return module == "iso_c_binding" || module == "iso_fortran_env" || module.starts_with("ieee_") ||
         module == "omp_lib" || module == "omp_lib_kinds";
}

constexpr std::size_t most_words = 20'000; // that are inlined into one loop

// The library's own, of which a kernel needs nothing.
bool is_librarys(const std::string &module) {
  constexpr std::array<std::string_view, 8> names = {"op2",
                                                     "op2_loop",
                                                     "op2_types",
                                                     "op2_fortran_declarations",
                                                     "op2_fortran_hdf5_declarations",
                                                     "op2_fortran_reference",
                                                     "op2_fortran_rt_support",
                                                     "cudaconfigurationparams"};
  return std::find(names.begin(), names.end(), module) != names.end();
}

std::string used_module(const Line &line) {
  const std::size_t at = used_module_at(line);
  return at > 0 ? line.words[at].text : "";
}

const Unit *module_of(const std::string &name, Project &project) {
  return name.empty() || is_compilers(name) || is_librarys(name) ? nullptr : project.module(name);
}

class Gatherer {
 public:
  explicit Gatherer(Project &project) : project_(project) {}

  Needed gather(const Unit &kernel) {
    if (kernel.host)
      module(*kernel.host);
    else
      external(kernel);
    if (kernel.host) procedure(kernel);
    while (grew_) {
      grew_ = false;
      for (std::size_t m = 0; m < out_.modules.size(); ++m)
        for (const std::unique_ptr<Unit> &inside : out_.modules[m].unit->inside)
          if (names_.contains(inside->name)) procedure(*inside);
      for (const std::string &name : std::set<std::string>(called_))
        if (!of_a_module(name))
          if (const Unit *found = project_.external(name)) external(*found);
    }
    for (NeededModule &one : out_.modules)
      for (const std::unique_ptr<Unit> &inside : one.unit->inside)
        if (taken_.contains(inside.get())) one.procedures.push_back(inside.get());
    return std::move(out_);
  }

 private:
  bool of_a_module(const std::string &name) const {
    return std::any_of(out_.modules.begin(), out_.modules.end(), [&](const NeededModule &one) {
      return std::any_of(one.unit->inside.begin(), one.unit->inside.end(),
                         [&](const std::unique_ptr<Unit> &inside) { return inside->name == name; });
    });
  }

  void module(const Unit &unit) {
    if (!taken_.insert(&unit).second) return;
    if (unit.kind != Unit::Kind::module)
      Semantics::refuse(unit, unit.file, unit.line, text("'", unit.name, "' is no module"));
    declared(unit);
    out_.modules.push_back({&unit, {}}); // behind those that it uses
    grew_ = true;
  }

  void procedure(const Unit &unit) {
    if (!taken_.insert(&unit).second) return;
    check(unit, unit.begin, unit.end);
    keeps_nothing(unit);
    executed(unit, {});
    grew_ = true;
  }

  void external(const Unit &unit) {
    if (taken_.contains(&unit)) return;
    procedure(unit);
    out_.externals.push_back(&unit);
  }

  // Values from one call to the next would be others than those of the program's own procedure.
  static void keeps_nothing(const Unit &unit) {
    for (const auto &[name, symbol] : unit.symbols)
      if (!symbol.parameter && (symbol.saved || symbol.value || (unit.saves && !symbol.dummy && name != unit.result)))
        Semantics::refuse(unit, symbol.file, symbol.line, text("'", name, "' keeps its value between calls (save)"));
    for (const std::unique_ptr<Unit> &inside : unit.inside) keeps_nothing(*inside);
  }

  void check(const Unit &unit, std::size_t begin, std::size_t end) {
    const Statements &all = unit.text->statements;
    for (std::size_t at = begin; at < end && at < all.lines.size(); ++at) {
      const Line &line = all.lines[at];
      const Words &words = line.words;
      if (words.size() == 1 && words[0].kind == WordKind::text && words[0].text == "?")
        Semantics::refuse(unit, line.file, line.line, "a line that cannot be read");
      if (words.size() > 1 && words[0].is("common") && !words[1].is("="))
        Semantics::refuse(unit, line.file, line.line, "a common block");
      for (const Word &word : words) {
        if (word.kind != WordKind::name) continue;
        if (word.text.starts_with("op2jit"))
          Semantics::refuse(unit, line.file, line.line, text("the name '", word.text, "'"));
      }
    }
    if (!all.missing.empty()) Semantics::refuse(unit, unit.file, unit.line, all.missing.front());
  }

  // The declarations of a module.
  void declared(const Unit &unit) {
    check(unit, unit.begin + 1, unit.body_end);
    const std::vector<Line> &all = unit.text->statements.lines;
    for (std::size_t at = unit.begin + 1; at < unit.body_end && at < all.size(); ++at) {
      const bool uses = follow(unit, all[at]);
      if (all[at].words[0].is("public") || all[at].words[0].is("private")) continue;
      for (const Word &word : all[at].words) {
        if (word.kind != WordKind::name) continue;
        names_.insert(word.text);
        if (uses) out_.words.insert(word.text);
      }
    }
  }

  // The lines of a procedure without those inside it, then these. own: names of the procedures around it.
  void executed(const Unit &unit, std::set<std::string> own) {
    for (const auto &[name, symbol] : unit.symbols) own.insert(name);
    const std::vector<Line> &all = unit.text->statements.lines;
    std::size_t next = 0;
    for (std::size_t at = unit.begin; at < unit.end && at < all.size(); ++at) {
      while (next < unit.inside.size() && unit.inside[next]->end <= at) ++next;
      if (next < unit.inside.size() && at >= unit.inside[next]->begin) continue;
      line(unit, all[at], own);
    }
    for (const std::unique_ptr<Unit> &inside : unit.inside) executed(*inside, own);
  }

  void line(const Unit &unit, const Line &line, const std::set<std::string> &own) {
    const bool uses = follow(unit, line);
    const Words &words = line.words;
    const std::set<std::size_t> changed = uses ? std::set<std::size_t>() : changed_names_.in(words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].kind != WordKind::name) continue;
      const std::string &name = words[i].text;
      names_.insert(name);
      const bool brackets = i + 1 < words.size() && words[i + 1].is("(");
      const bool called = (i > 0 && words[i - 1].is("call")) || (brackets && may_be_function(unit, name));
      if (called && !is_inside(unit, name)) called_.insert(name);
      if (own.contains(name) || (i > 0 && words[i - 1].is("%"))) continue;
      out_.words.insert(name);
      if (changed.contains(i)) out_.changed.emplace(name, unit.text->place(line.file, line.line));
    }
    length_ += words.size();
    if (length_ > most_words)
      Semantics::refuse(unit, unit.file, unit.line,
                        "the kernel's text is too long to be compiled while the program runs");
  }

  static bool is_inside(const Unit &scope, const std::string &name) {
    for (const Unit *unit = &scope; unit; unit = unit->host)
      for (const std::unique_ptr<Unit> &inside : unit->inside)
        if (inside->name == name) return true;
    return false;
  }

  // An external function has a declared type, unless types are implicit. To look for all others would be to read every
  // text near the program.
  static bool may_be_function(const Unit &scope, const std::string &name) {
    bool implicit = true;
    for (const Unit *unit = &scope; unit; unit = unit->host) {
      const auto symbol = unit->symbols.find(name);
      if (symbol != unit->symbols.end()) return !symbol->second.array;
      implicit = implicit && !unit->implicit_none;
    }
    return implicit;
  }

  const Unit *procedure_of(const std::string &name, bool subroutine) const {
    for (const NeededModule &one : out_.modules)
      for (const std::unique_ptr<Unit> &inside : one.unit->inside)
        if (inside->name == name) return inside.get();
    return subroutine ? project_.external(name) : nullptr;
  }

  // Takes the module of a `use` statement.
  bool follow(const Unit &unit, const Line &line) {
    const std::string used = used_module(line);
    if (used.empty()) return false;
    if (const Unit *other = module_of(used, project_))
      module(*other);
    else if (!is_compilers(used) && !is_librarys(used) && !has_no_mathematics(used))
      Semantics::refuse(unit, line.file, line.line,
                        text("module '", used,
                             "', whose text is not found, may have functions of its own in place of intrinsic ones"));
    return true;
  }

  Project &project_;
  Needed out_;
  std::set<const Unit *> taken_;
  std::set<std::string> names_, called_;
  ChangedNames changed_names_{
      [this](const std::string &name, bool subroutine) { return procedure_of(name, subroutine); }};
  std::size_t length_ = 0; // words of procedures
  bool grew_ = false;
};

} // namespace

// use m; use :: m; use, intrinsic :: m.
std::size_t used_module_at(const Line &line) {
  const Words &words = line.words;
  if (!words[0].is("use") || words.size() < 2 || words[1].is("=") || words[1].is("(") || words[1].is("%")) return 0;
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (words[i].is("::")) return i + 1;
  return words[1].kind == WordKind::name ? 1 : 0;
}

Needed needed_for(const Unit &kernel, Project &project) { return Gatherer(project).gather(kernel); }

bool uses_what_is_missing(const Line &line, Project &project) {
  const std::string name = used_module(line);
  return !name.empty() && !is_compilers(name) && !module_of(name, project);
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
