// preprocess.cpp: see preprocess.hpp.
#include "jit/preprocess/preprocess.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "jit/preprocess/condition.hpp"

namespace op2::core::jit {

namespace {

constexpr int deepest_include = 60, most_includes = 3000;
constexpr std::size_t most_text_tokens = 8'000'000;

using Lexemes = std::span<const Lexeme>;

std::string spelled(Lexemes line) {
  std::string out;
  for (const Lexeme &lexeme : line) out += (lexeme.after_blank && !out.empty() ? " " : "") + lexeme.token.text;
  return out;
}

// One #if ... #endif.
struct Group {
  bool live, taken = false, certain = true, has_else = false; // live: now; taken: a branch certainly was
  bool outer_live;
  int doubt, outer_doubt;
  int line;
  std::string condition;             // of the branch, for #else of the one before
  std::vector<std::size_t> branches; // where in the output each one begins
};

class Preprocessor {
 public:
  Preprocessor(Preprocessed &out, int line, bool cpp, SourceFiles &files)
      : out_(out), line_(line), cpp_(cpp), files_(files) {}

  void file(const std::string &path, std::string_view text, int doubt, int depth) {
    if (depth > deepest_include || ++includes_ > most_includes)
      throw Refusal(core::text(path, " includes itself, or too many files"));
    const int number = static_cast<int>(out_.files.size());
    out_.files.push_back(path);
    const std::vector<Lexeme> lexemes = read(path, text);
    File state{number, depth, doubt, guards_in(lexemes), {}, {}};
    for (std::size_t begin = 0, end; begin < lexemes.size(); begin = end) {
      end = begin + 1;
      while (end < lexemes.size() && !lexemes[end].starts_line) ++end;
      line(state, Lexemes(lexemes).subspan(begin, end - begin));
    }
    flush(state);
    if (!state.groups.empty()) throw Refusal(core::text(path, ":", state.groups.back().line, ": #if without #endif"));
    if (depth == 0 && !remembered_) out_.macros = macros_;
  }

 private:
  struct File {
    int number, depth, doubt; // doubt: of the #include
    std::set<int> guards;     // their lines
    SourceTokens waiting;     // lines not yet expanded: a macro's arguments may go over several
    std::vector<Group> groups;

    bool live() const { return groups.empty() || groups.back().live; }
    int doubt_here() const { return groups.empty() ? doubt : groups.back().doubt; }
  };

  static std::vector<Lexeme> read(const std::string &path, std::string_view text) {
    try {
      return lex(text);
    } catch (const Refusal &refusal) {
      throw Refusal(core::text(path.empty() ? "the kernel's text" : path, ": ", refusal.what()));
    }
  }

  // Lines with "#ifndef X" or "#if !defined(X)" in front of a line "#define X", which are guards if the definition is
  // empty or the condition stands around the whole file. No compiler's command line defines such a name.
  static std::set<int> guards_in(std::span<const Lexeme> all) {
    std::set<int> out;
    const auto is = [&](std::size_t n, const char *word) { return n < all.size() && all[n].token.is(word); };
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (!all[n].starts_line || !is(n, "#")) continue;
      const bool negation = is(n + 1, "if") && is(n + 2, "!") && is(n + 3, "defined"), brackets = is(n + 4, "(");
      if (!is(n + 1, "ifndef") && !(negation && (!brackets || is(n + 6, ")")))) continue;
      const std::size_t name = n + (!negation ? 2 : brackets ? 5 : 4), next = name + (negation && brackets ? 2 : 1);
      if (!is(next, "#") || !all[next].starts_line || !is(next + 1, "define") || next + 2 >= all.size() ||
          all[next + 2].token.text != all[name].token.text)
        continue;
      const bool empty = next + 3 == all.size() || all[next + 3].starts_line;
      if (empty || (n == 0 && goes_to_the_end(all))) out.insert(all[n].token.line);
    }
    return out;
  }

  // The file's first condition has no other branch, and nothing follows its end.
  static bool goes_to_the_end(std::span<const Lexeme> all) {
    const auto is = [&](std::size_t n, const char *word) { return n < all.size() && all[n].token.is(word); };
    int depth = 0;
    for (std::size_t n = 0; n + 1 < all.size(); ++n) {
      if (!all[n].starts_line || !is(n, "#")) continue;
      if (is(n + 1, "if") || is(n + 1, "ifdef") || is(n + 1, "ifndef")) ++depth;
      if (depth == 1 && (is(n + 1, "else") || is(n + 1, "elif"))) return false;
      if (is(n + 1, "endif") && --depth == 0) return n + 2 == all.size();
    }
    return false;
  }

  void line(File &file, Lexemes line) {
    const Token &first = line[0].token;
    if (file.depth == 0 && !remembered_ && first.line >= line_) {
      out_.macros = macros_;
      remembered_ = true;
    }
    if (first.is("#") && file.depth == 0) out_.directives.push_back(first.line);
    if (first.is("#")) return directive(file, line);
    if (!file.live()) return;
    for (const Lexeme &lexeme : line) file.waiting.push_back({lexeme.token, file.number, file.doubt_here()});
  }

  std::string place(const File &file, Lexemes line) const {
    return core::text(out_.files[static_cast<std::size_t>(file.number)], ":", line[0].token.line);
  }

  int doubt(std::string reason) {
    out_.doubts.push_back(std::move(reason));
    return static_cast<int>(out_.doubts.size()) - 1;
  }

  void flush(File &file) {
    SourceTokens expanded = macros_.expand(file.waiting);
    file.waiting.clear();
    if (out_.tokens.size() + expanded.size() > most_text_tokens) throw Refusal("the program's text is too long");
    std::move(expanded.begin(), expanded.end(), std::back_inserter(out_.tokens));
  }

  void directive(File &file, Lexemes line) {
    const std::string word = line.size() > 1 ? line[1].token.text : "";
    const Lexemes rest = line.size() > 1 ? line.subspan(2) : Lexemes();
    if (word == "pragma") return pragma(file, rest);
    flush(file);
    if (word == "if" || word == "ifdef" || word == "ifndef") return open(file, line, word, rest);
    if (word == "elif" || word == "elifdef" || word == "elifndef" || word == "else")
      return branch(file, line, word, rest);
    if (word == "endif") return close(file, line);
    if (!file.live()) return;
    if (word == "define") return define(file, line, rest);
    if (word == "undef" && !rest.empty()) return macros_.undefine(rest[0].token.text, file.doubt_here());
    if (word == "include" || word == "include_next" || word == "import") return include(file, line, rest);
    if (word == "line") throw Refusal(place(file, line) + ": after #line nobody knows which line a loop is in");
    if (word == "error" && file.doubt_here() < 0) throw Refusal(place(file, line) + ": " + spelled(line));
  }

  void pragma(File &file, Lexemes rest) {
    if (!file.live() || rest.empty()) return;
    if (rest[0].token.is("once") && file.doubt_here() < 0)
      once_.insert(out_.files[static_cast<std::size_t>(file.number)]);
    if (rest[0].token.is("pack")) out_.packed = true;
    if (rest[0].token.is("weak") && rest.size() > 1) out_.replaceable.push_back(rest[1].token.text);
    if (rest[0].token.is("STDC") || rest[0].token.is("float_control") ||
        (rest[0].token.is("GCC") && rest.size() > 1 &&
         (rest[1].token.is("optimize") || rest[1].token.is("push_options"))))
      out_.computes_otherwise = true;
    if ((rest[0].token.is("push_macro") || rest[0].token.is("pop_macro")) && rest.size() > 2 &&
        rest[2].token.text.size() > 2) {
      flush(file);
      const std::string &quoted = rest[2].token.text;
      macros_.define(quoted.substr(1, quoted.size() - 2), unusable(file, rest, "#pragma " + spelled(rest)));
    }
  }

  Macro unusable(const File &file, Lexemes line, const std::string &what) {
    Macro macro;
    macro.doubt = doubt(core::text(what, " (", place(file, line), ")"));
    return macro;
  }

  void open(File &file, Lexemes line, const std::string &word, Lexemes rest) {
    Group group{};
    group.certain = true;
    group.outer_live = file.live();
    group.outer_doubt = file.doubt_here();
    group.line = line[0].token.line;
    file.groups.push_back(group);
    choose(file, line, condition(file, word, rest));
  }

  // The X of "#ifndef X", "#if !defined X" and "#if !defined(X)".
  static std::string guarded(const std::string &word, Lexemes rest) {
    const std::size_t at = word == "ifndef" ? 0 : rest.size() > 2 && rest[2].token.is("(") ? 3 : 2;
    return at < rest.size() ? rest[at].token.text : "";
  }

  Truth condition(const File &file, const std::string &word, Lexemes rest) {
    if (word == "else") return Truth::yes;
    if (!file.groups.back().outer_live || file.groups.back().taken) return Truth::no;
    const std::string name = rest.empty() ? "" : rest[0].token.text;
    // A guard: the first time it is met its macro is not defined.
    if (file.guards.count(file.groups.back().line) != 0 && file.groups.back().branches.empty() &&
        !macros_.find(guarded(word, rest)))
      return Truth::yes;
    if (word == "if" || word == "elif") {
      SourceTokens tokens;
      for (const Lexeme &lexeme : rest) tokens.push_back({lexeme.token, file.number, -1});
      return evaluate(tokens, macros_, cpp_);
    }
    const Truth defined = is_defined(name, macros_, cpp_);
    if (word == "ifdef" || word == "elifdef" || defined == Truth::uncertain) return defined;
    return defined == Truth::yes ? Truth::no : Truth::yes;
  }

  // The branch that begins at `line`.
  void choose(File &file, Lexemes line, Truth truth) {
    Group &group = file.groups.back();
    group.branches.push_back(out_.tokens.size());
    if (group.branches.size() == 1 || line.size() > 2)
      group.condition = core::text("the condition '", spelled(line), "' (", place(file, line), ")");
    group.live = group.outer_live && !group.taken && truth != Truth::no;
    group.doubt = group.outer_doubt;
    if (!group.live) return;
    if (truth == Truth::yes) group.taken = true;
    if (truth == Truth::uncertain) group.certain = false;
    if (!group.certain && group.doubt < 0) group.doubt = doubt(group.condition);
  }

  void branch(File &file, Lexemes line, const std::string &word, Lexemes rest) {
    if (file.groups.empty() || file.groups.back().has_else)
      throw Refusal(core::text(place(file, line), ": #", word, " without #if"));
    if (word == "else") file.groups.back().has_else = true;
    choose(file, line, condition(file, word, rest));
  }

  void close(File &file, Lexemes line) {
    if (file.groups.empty()) throw Refusal(core::text(place(file, line), ": #endif without #if"));
    if (!file.groups.back().certain) balance(file, file.groups.back());
    file.groups.pop_back();
  }

  // What an unknown condition switches may open or close braces. One branch, or none, is kept then, so that the text
  // behind it is still understood, and a mark without text says that something is missing here.
  void balance(const File &file, const Group &group) {
    SourceTokens &tokens = out_.tokens;
    std::vector<int> nets;
    for (std::size_t n = 0; n < group.branches.size(); ++n) {
      const std::size_t end = n + 1 < group.branches.size() ? group.branches[n + 1] : tokens.size();
      nets.push_back(net(std::span(tokens).subspan(group.branches[n], end - group.branches[n])));
    }
    if (std::all_of(nets.begin(), nets.end(), [](int net) { return net == 0; })) return;
    const bool equal = std::all_of(nets.begin(), nets.end(), [&](int net) { return net == nets[0]; });
    const std::size_t keep = equal && group.has_else ? group.branches[1] : group.branches[0];
    SourceToken mark;
    mark.token.line = group.line;
    mark.file = file.number;
    mark.doubt = doubt(group.condition);
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(keep), tokens.end());
    tokens.push_back(std::move(mark));
  }
  // Braces opened minus closed; something else than 0 also when they are closed before they are opened.
  static int net(std::span<const SourceToken> tokens) {
    int depth = 0, lowest = 0;
    for (const SourceToken &token : tokens) {
      depth += token.token.is("{") || token.token.is("(") ? 1 : token.token.is("}") || token.token.is(")") ? -1 : 0;
      lowest = std::min(lowest, depth);
    }
    return depth != 0 ? depth : lowest;
  }

  void define(File &file, Lexemes line, Lexemes rest) {
    if (rest.empty()) return;
    const std::string name = rest[0].token.text;
    Macro macro;
    macro.doubt = file.doubt_here();
    std::size_t body = 1;
    bool strange = false;
    if (rest.size() > 1 && rest[1].token.is("(") && !rest[1].after_blank) {
      macro.function = true;
      for (body = 2; body < rest.size() && !rest[body].token.is(")"); ++body) {
        if (rest[body].token.kind == TokenKind::identifier)
          macro.parameters.push_back(rest[body].token.text);
        else if (!rest[body].token.is(","))
          strange = true; // "..."
      }
      ++body;
    }
    for (; body < rest.size(); ++body) {
      strange = strange || rest[body].token.is("#") || rest[body].token.is("##");
      macro.body.push_back(rest[body].token);
    }
    if (macro.doubt < 0 && strange)
      macro.doubt = doubt(core::text("the macro '", name, "' (", place(file, line), "), which uses #, ## or '...'"));
    if (macro.function)
      macro.misuse = doubt(core::text("a call of the macro '", name, "' (", place(file, line),
                                      ") that does not end or has another number of arguments"));
    macros_.define(name, std::move(macro));
  }

  void include(File &file, Lexemes line, Lexemes rest) {
    SourceTokens tokens;
    for (const Lexeme &lexeme : rest) tokens.push_back({lexeme.token, file.number, -1});
    if (!tokens.empty() && tokens[0].token.kind == TokenKind::identifier) tokens = macros_.expand(tokens);
    if (tokens.empty()) return;
    const std::string &name = tokens[0].token.text;
    if (tokens[0].token.kind == TokenKind::literal && name.size() > 2 && name[0] == '"' && tokens[0].doubt < 0)
      return follow(file, line, name.substr(1, name.size() - 2));
    std::string all;
    for (const SourceToken &token : tokens) all += token.token.text;
    if (all.size() > 2 && all.starts_with("<") && take_from_op2(file, all.substr(1, all.size() - 2))) return;
    (all.starts_with("<") ? out_.headers : out_.missing).push_back(all);
  }

  // OP2's headers lie in no folder of the program's. What kernels use of them is known, and the same in all of them, so
  // that no condition around one matters: a program includes at least one. What it has defined before stays.
  bool take_from_op2(File &file, const std::string &name) {
    static const std::set<std::string> headers = {"op_seq.h",     "op_lib_cpp.h",   "op_lib_c.h", "op_lib_core.h",
                                                  "op_lib_mpi.h", "op_mpi_core.h",  "op_hdf5.h",  "op_profile.h",
                                                  "op_util.h",    "op_rt_support.h"};
    if (!headers.count(name)) return false;
    if (!once_.insert("OP2's headers").second) return true;
    std::string text = "typedef unsigned int uint;\ntypedef long long ll;\ntypedef unsigned long long ull;\n";
    for (const auto &[macro, definition] :
         std::map<std::string, std::string>{{"MIN", "MIN(a, b) ((a) < (b) ? (a) : (b))"},
                                            {"MAX", "MAX(a, b) ((a) > (b) ? (a) : (b))"},
                                            {"OP2_ALIGNMENT", "OP2_ALIGNMENT 64"},
                                            {"ROUND_UP", "ROUND_UP(bytes) (((bytes) + 15) & ~15)"},
                                            {"ROUND_UP_64", "ROUND_UP_64(bytes) (((bytes) + 63) & ~63)"},
                                            {"OP2_STRIDE", "OP2_STRIDE(array, index) (array)[index]"}})
      if (!macros_.find(macro)) text += "#define " + definition + "\n";
    this->file(name, text, -1, file.depth + 1);
    user_types(file);
    return true;
  }

  // OP2's headers include it after such a definition, which may stand in the compiler's options, too.
  void user_types(File &file) {
    const std::string name = "op_user_datatypes.h", &from = out_.files[static_cast<std::size_t>(file.number)];
    const SourceFile *const found = files_.find_included(name, from);
    if (found && !once_.count(found->path)) this->file(found->path, found->text, -1, file.depth + 1);
  }

  void follow(File &file, Lexemes line, const std::string &name) {
    const SourceFile *const found = files_.find_included(name, out_.files[static_cast<std::size_t>(file.number)]);
    if (!found && take_from_op2(file, name)) return;
    if (!found) {
      out_.missing.push_back(core::text("\"", name, "\" (", place(file, line), ")"));
      return;
    }
    if (!once_.count(found->path)) this->file(found->path, found->text, file.doubt_here(), file.depth + 1);
  }

  Preprocessed &out_;
  int line_;
  bool cpp_;
  SourceFiles &files_;
  Macros macros_;
  std::set<std::string> once_;
  int includes_ = 0;
  bool remembered_ = false;
};

} // namespace

std::string Preprocessed::place(const SourceToken &token) const {
  const std::string &file = files[static_cast<std::size_t>(token.file)];
  return core::text(file.empty() ? "the kernel's text" : file, ":", token.token.line);
}

Preprocessed preprocess(const std::string &file, std::string_view text, int line, bool cpp, SourceFiles &files) {
  Preprocessed out;
  Preprocessor(out, line > 0 ? line : std::numeric_limits<int>::max(), cpp, files).file(file, text, -1, 0);
  return out;
}

Preprocessed PreprocessedFiles::get(const SourceFile &file, int line, bool cpp, SourceFiles &files) {
  if (line <= 0) line = std::numeric_limits<int>::max();
  auto &known = known_[{file.path, cpp}];
  for (const auto &[other, text] : known) { // the same macros are defined at both lines
    const auto before = [&directives = text.directives](int at) {
      return std::lower_bound(directives.begin(), directives.end(), at);
    };
    if (before(other) == before(line)) return text;
  }
  return known.emplace_back(line, preprocess(file.path, file.text, line, cpp, files)).second;
}

} // namespace op2::core::jit
