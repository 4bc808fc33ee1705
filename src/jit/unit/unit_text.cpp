#include "jit/unit/unit_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/packed/unpack.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "jit/unit/fortran_unit.hpp"

namespace op2::core::jit {

namespace {

constexpr std::string_view magic = "op2 unit text 1\n";
constexpr std::size_t longest_text = 64u << 20;

struct Head {
  std::string_view lines;               // between the magic and the body
  std::size_t unpacked = 0, packed = 0; // bytes of the body
};

// The head ends with an empty line, and its last line is "bytes UNPACKED PACKED".
std::optional<Head> head_of(const char *text) {
  if (!is_unit_text(text)) return {};
  const char *const begin = text + magic.size(), *const end = std::strstr(begin, "\n\n");
  if (!end) return {};
  Head out{{begin, static_cast<std::size_t>(end - begin)}};
  const std::size_t last = out.lines.rfind("bytes ");
  if (last == out.lines.npos) return {};
  const char *const number = out.lines.data() + last + 6;
  const auto first = std::from_chars(number, end, out.unpacked);
  if (first.ec != std::errc() || first.ptr == end) return {};
  const auto second = std::from_chars(first.ptr + 1, end, out.packed);
  if (second.ec != std::errc() || second.ptr != end || out.unpacked > longest_text || out.packed > longest_text)
    return {};
  return out;
}

std::string_view body_of(const Head &head) { return {head.lines.data() + head.lines.size() + 2, head.packed}; }

std::string unpacked(const Head &head) {
  const std::string_view body = body_of(head);
  if (head.packed == head.unpacked) return std::string(body);
  std::string out, wrong;
  try {
    need_zlib("the text of a unit");
    wrong = from_zlib(body, head.unpacked, out);
  } catch (const std::exception &error) {
    wrong = error.what();
  }
  if (!wrong.empty() || out.size() != head.unpacked)
    throw Refusal(core::text("the text of its unit cannot be unpacked", wrong.empty() ? "" : ": ", wrong));
  return out;
}

// A line marker: `# 12 "file" 1 3`.
struct Marker {
  int line = 0;
  std::string file;
};
std::optional<Marker> marker_in(std::span<const Lexeme> line) {
  const std::size_t at = line.size() > 1 && line[1].token.is("line") ? 2 : 1;
  if (line.size() < at + 2 || line[at].token.kind != TokenKind::number || line[at + 1].token.kind != TokenKind::literal)
    return {};
  Marker out;
  const std::string &digits = line[at].token.text, &name = line[at + 1].token.text;
  std::from_chars(digits.data(), digits.data() + digits.size(), out.line);
  for (std::size_t n = 1; n + 1 < name.size(); ++n) {
    if (name[n] == '\\' && n + 2 < name.size()) ++n;
    out.file += name[n];
  }
  return out;
}

// What the C library's macros become, as the reader knows it.
const std::map<std::string_view, std::string_view> &spelled_otherwise() {
  static const std::map<std::string_view, std::string_view> words = {{"__null", "nullptr"},
                                                                     {"__builtin_isnan", "isnan"},
                                                                     {"__builtin_isinf", "isinf"},
                                                                     {"__builtin_isinf_sign", "isinf"},
                                                                     {"__builtin_isfinite", "isfinite"},
                                                                     {"__builtin_isnormal", "isnormal"},
                                                                     {"__builtin_signbit", "signbit"}};
  return words;
}

class Reading {
 public:
  // given: by the program for a kernel, without line markers.
  explicit Reading(const std::string &text, bool given = false) : lexemes_(lex(text)), given_(given) {}

  Preprocessed run() {
    file("");
    for (std::size_t begin = 0, end; begin < lexemes_.size(); begin = end) {
      end = begin + 1;
      while (end < lexemes_.size() && !lexemes_[end].starts_line) ++end;
      const std::span<const Lexeme> line = std::span(lexemes_).subspan(begin, end - begin);
      if (line[0].token.is("#"))
        directive(line);
      else
        for (const Lexeme &lexeme : line) add(lexeme.token);
    }
    limits();
    return std::move(out_);
  }

 private:
  void file(const std::string &name) {
    const auto [known, fresh] = numbers_.try_emplace(name, static_cast<int>(out_.files.size()));
    if (fresh) out_.files.push_back(name);
    file_ = known->second;
  }

  void add(Token token) {
    token.line += shift_;
    if (token.kind == TokenKind::identifier)
      if (const auto known = spelled_otherwise().find(token.text); known != spelled_otherwise().end())
        token.text = known->second;
    out_.tokens.push_back({std::move(token), file_});
  }

  void directive(std::span<const Lexeme> line) {
    if (given_) check(line);
    if (const std::optional<Marker> marker = marker_in(line)) {
      file(marker->file);
      shift_ = marker->line - (line[0].token.line + 1);
    } else if (line.size() > 1 && (line[1].token.is("include") || line[1].token.is("include_next"))) {
      std::string name;
      for (const Lexeme &lexeme : line.subspan(2)) name += lexeme.token.text;
      (line[1].token.is("include") ? out_.headers : out_.nested).push_back(name);
      if (name.find("op_seq.h") != name.npos || name.find("op_lib_") != name.npos) names_of_op2();
    } else if (line.size() > 1 && line[1].token.is("pragma")) {
      pragma(line.subspan(2));
    }
  }

  static void check(std::span<const Lexeme> line) {
    const auto is = [&](std::size_t n, const char *word) { return n < line.size() && line[n].token.is(word); };
    if (is(1, "pragma") || (is(1, "include") && is(2, "<"))) return;
    std::string all;
    for (const Lexeme &lexeme : line) all += (lexeme.after_blank && !all.empty() ? " " : "") + lexeme.token.text;
    throw Refusal(core::text("the kernel's text:", line[0].token.line, ": ", all,
                             ": a text that the program gives has no lines of the preprocessor but #include <...> and "
                             "#pragma; give what c++ -E -P leaves of it"));
  }

  void pragma(std::span<const Lexeme> rest) {
    const auto is = [&](std::size_t n, const char *word) { return n < rest.size() && rest[n].token.is(word); };
    if (is(0, "pack")) out_.packed = true;
    if (is(0, "weak") && rest.size() > 1) out_.replaceable.push_back(rest[1].token.text);
    const bool computes_otherwise = (is(0, "GCC") && (is(1, "optimize") || is(1, "push_options") || is(1, "target"))) ||
                                    (is(0, "clang") && is(1, "fp")) || is(0, "float_control") || is(0, "STDC");
    if (computes_otherwise) out_.computes_otherwise = true;
  }

  // The types that OP2's headers declare, which are left out of the text.
  void names_of_op2() {
    if (std::exchange(op2_named_, true)) return;
    for (Token &token : tokenize("typedef unsigned int uint; typedef long long ll; typedef unsigned long long ull;"))
      out_.tokens.push_back({std::move(token), file_});
  }

  // DBL_MAX is double(1.79...e+308L) in C++, ((double)1.79...e+308L) in C: the number, rounded to double, is that of
  // double.
  void limits() {
    SourceTokens &tokens = out_.tokens;
    const auto is = [&](std::size_t n, const char *word) { return n < tokens.size() && tokens[n].token.is(word); };
    for (std::size_t n = 2; n < tokens.size(); ++n) {
      std::string &digits = tokens[n].token.text;
      if (tokens[n].token.kind != TokenKind::number || digits.back() != 'L' || digits.find('.') == digits.npos)
        continue;
      const bool call = is(n - 1, "(") && is(n - 2, "double") && is(n + 1, ")");
      const bool cast = n > 2 && is(n - 1, ")") && is(n - 2, "double") && is(n - 3, "(");
      static const std::map<std::string_view, std::string_view> values = {
          {"1.79769313486231570814527423731704357e+308L", "1.7976931348623157e+308"},
          {"2.22507385850720138309023271733240406e-308L", "2.2250738585072014e-308"},
          {"2.22044604925031308084726333618164062e-16L", "2.2204460492503131e-16"},
          {"4.94065645841246544176568792868221372e-324L", "4.9406564584124654e-324"}};
      if (const auto known = values.find(digits); (call || cast) && known != values.end()) digits = known->second;
    }
  }

  std::vector<Lexeme> lexemes_;
  bool given_;
  Preprocessed out_;
  std::map<std::string, int> numbers_;
  int file_ = 0, shift_ = 0;
  bool op2_named_ = false;
};

} // namespace

bool is_unit_text(const char *text) { return text && std::strncmp(text, magic.data(), magic.size()) == 0; }

std::string digest_of_unit(const char *text) {
  const std::optional<Head> head = head_of(text);
  if (!head) return {};
  return hex(Sha256().add_field(head->lines).add_field(body_of(*head)).digest());
}

UnitText read_unit(const char *text) {
  const std::optional<Head> head = head_of(text);
  if (!head)
    throw Refusal("the text that its compiler kept in the program is of another version of the library, or damaged");
  UnitText out;
  for (const std::string &line : split(std::string(head->lines), '\n')) {
    if (line.starts_with("compiler ")) out.compiler = line.substr(9);
    if (line.starts_with("language ")) out.c_language = line.substr(9) == "c";
    if (line.starts_with("option ")) out.options.push_back(line.substr(7));
  }
  out.text = unpacked(*head);
  return out;
}

namespace {

// `!$ x = 1`, in fixed form also with c or * in the first column: a line for OpenMP alone. `!$omp` is a directive.
bool has_conditional_line(const std::string &text) {
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    if (at == 0 || std::string_view("!cC*").find(text[at - 1]) == std::string_view::npos) continue;
    const std::size_t begin = text.find_last_of('\n', at) + 1, first = text.find_first_not_of(" \t", begin);
    const char next = at + 1 < text.size() ? text[at + 1] : '\n';
    if (first == at - 1 && std::string_view(" \t&0123456789").find(next) != std::string_view::npos) return true;
  }
  return false;
}

} // namespace

const SourceFile *FortranUnit::included(const std::string &name, const std::string &from) const {
  const std::string path = (std::filesystem::path(from).parent_path() / name).lexically_normal().generic_string();
  const auto found = std::find_if(files.begin(), files.end(), [&](const SourceFile &one) { return one.path == path; });
  return found == files.end() ? nullptr : &*found;
}

FortranUnit read_fortran_unit(const std::string &note) {
  const std::optional<Head> head = head_of(note.c_str());
  if (!head || body_of(*head).data() + head->packed > note.data() + note.size())
    throw Refusal("a text in the program is of another version of the library, or damaged");
  const std::string body = unpacked(*head);
  FortranUnit out;
  std::size_t at = 0;
  std::string other; // an option that changes what the text means
  bool openmp = false;
  for (const std::string &line : split(std::string(head->lines), '\n')) {
    static constexpr std::array changing = {"-fdefault-",     "-freal-",  "-finteger-",       "-fbackslash",
                                            "-fdec",          "-finit-",  "-fd-lines",        "-ffixed-line",
                                            "-ffree-line-",   "-fcray",   "-fmodule-private", "-fno-underscoring",
                                            "-fno-sign-zero", "-std=f95", "-std=f2003"};
    if (line.starts_with("option ")) {
      const std::string option = line.substr(7);
      openmp = openmp || option == "-fopenmp" || option == "-fopenmp-simd" || option == "-fopenacc";
      const bool whole_lines = option == "-ffree-line-length-none" || option == "-ffree-line-length-0";
      if (!whole_lines &&
          std::any_of(changing.begin(), changing.end(), [&](const char *one) { return option.starts_with(one); }))
        other = option;
    }
    if (!line.starts_with("file ")) continue;
    std::size_t bytes = 0;
    const char *const number = line.data() + 5, *const end = line.data() + line.size();
    const char *const blank = std::from_chars(number, end, bytes).ptr;
    if (blank == end || bytes > body.size() - at) throw Refusal("a text in the program is damaged");
    out.files.push_back({std::string(blank + 1, end), body.substr(at, bytes)});
    at += bytes;
  }
  const std::string name = out.files.empty() ? "a unit" : out.files[0].path;
  const std::string end = name.substr(std::min(name.rfind('.'), name.size()));
  const bool fixed = end == ".f" || end == ".F" || end == ".for" || end == ".FOR" || end == ".ftn" || end == ".FTN";
  for (const std::string &line : split(std::string(head->lines), '\n')) // the form is that of the name
    if (line == (fixed ? "option -ffree-form" : "option -ffixed-form")) other = line.substr(7);
  if (!other.empty())
    throw Refusal(core::text(name, " was compiled with ", other, ", which changes what its text means"));
  if (openmp && has_conditional_line(body)) throw Refusal(core::text(name, " has lines for OpenMP alone (!$)"));
  return out;
}

std::string Preprocessed::place(const SourceToken &token) const {
  const std::string &file = files[static_cast<std::size_t>(token.file)];
  return core::text(file.empty() ? "the kernel's text" : file, ":", token.token.line);
}

Preprocessed tokens_of(const UnitText &unit) { return Reading(unit.text).run(); }

Preprocessed tokens_of_given(const std::string &text) { return Reading(text, true).run(); }

void check_options(const UnitText &unit) {
  static constexpr std::array refused = {"-fsingle-precision-constant",
                                         "-ftrapv",
                                         "-frounding-math",
                                         "-fshort-enums",
                                         "-fpack-struct",
                                         "-fwrapv",
                                         "-fshort-wchar",
                                         "-funsigned-char",
                                         "-fno-signed-char",
                                         "-fno-strict-overflow",
                                         "-fno-signed-bitfields",
                                         "-fsso-struct",
                                         "-fno-elide-constructors",
                                         "-fno-char8_t",
                                         "-fchar8_t",
                                         "-fsignaling-nans",
                                         "-fpermitted-flt-eval-methods",
                                         "-mms-bitfields",
                                         "-malign-double",
                                         "-m96bit-long-double",
                                         "-m128bit-long-double",
                                         "-fsanitize=signed-integer",
                                         "-fshort-double",
                                         "-funsigned-bitfields",
                                         "-fexec-charset",
                                         "-fwide-exec-charset",
                                         "-mlong-double",
                                         "-mfpmath=387",
                                         "-mfpmath=both",
                                         "-mfpmath=sse+387",
                                         "-mpc32",
                                         "-mpc64",
                                         "-fexcess-precision",
                                         "-ffloat-store"};
  for (const std::string &option : unit.options)
    if (std::any_of(refused.begin(), refused.end(), [&](const char *one) { return option.starts_with(one); }))
      throw Refusal(core::text("its unit was compiled with ", option, ", which generated code does not follow"));
}

namespace {

bool assumes_finite(const UnitText &unit) {
  bool out = false;
  for (const std::string &option : unit.options) {
    out = out || option == "-Ofast" || option == "-ffast-math" || option == "-ffinite-math-only";
    if (option == "-fno-fast-math" || option == "-fno-finite-math-only") out = false;
  }
  return out;
}

// isnan(x), and x != x.
bool asks_for_nan(std::span<const Token> body) {
  for (std::size_t n = 0; n < body.size(); ++n) {
    for (const char *name : {"isnan", "isinf", "isfinite", "isnormal", "fpclassify"})
      if (body[n].is(name)) return true;
    const bool compares = body[n].is("!=") || body[n].is("==");
    if (compares && n > 0 && n + 1 < body.size() && body[n - 1].kind == TokenKind::identifier &&
        (body[n + 1].text == body[n - 1].text ||
         (body[n + 1].is("*") && n + 2 < body.size() && body[n + 2].text == body[n - 1].text)))
      return true;
  }
  return false;
}

} // namespace

void check_options_of(const UnitText &unit, const KernelText &kernel) {
  if (!assumes_finite(unit)) return;
  bool asks = asks_for_nan(kernel.kernel.body) || asks_for_nan(tokenize(kernel.excerpt));
  for (const Function &helper : kernel.helpers) asks = asks || asks_for_nan(helper.body);
  if (asks)
    throw Refusal(
        "it asks whether a number is finite, and its unit was compiled for numbers that all are (-ffinite-math-only)");
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
