#include "tools/text/unit_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <set>
#include <utility>

#ifdef OP2_HAVE_ZLIB
#include <zlib.h>
#endif

namespace op2::text {

namespace {

// Headers of C, C++ and POSIX. What kernels use of them the library knows.
constexpr std::string_view languages =
    " algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono "
    "cinttypes"
    " ciso646 climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal "
    "cstdalign"
    " cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype deque exception "
    "execution"
    " expected filesystem format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream "
    "istream"
    " iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue "
    "random"
    " ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept "
    "stop_token"
    " streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo"
    " unordered_map unordered_set utility valarray variant vector version bits/stdc++.h"
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h"
    " stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h "
    "tgmath.h"
    " threads.h time.h uchar.h wchar.h wctype.h stdc-predef.h unistd.h fcntl.h getopt.h dirent.h dlfcn.h libgen.h "
    "pthread.h"
    " sched.h sys/mman.h sys/resource.h sys/stat.h sys/time.h sys/types.h sys/wait.h malloc.h omp.h mpi.h hdf5.h ";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) out += part;
  return out;
}

bool is_language_header(std::string_view name) {
  return languages.find(joined({" ", name, " "})) != std::string_view::npos;
}

bool is_version(std::string_view part) {
  return !part.empty() &&
         std::all_of(part.begin(), part.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}
std::string_view last_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool exists(std::initializer_list<std::string_view> parts) { return access(joined(parts).c_str(), F_OK) == 0; }

// Whether compilers have their headers there, and not a program that calls its folders alike: /usr/include,
// /usr/include/x86_64-linux-gnu, .../include/c++/12, /usr/lib/gcc/x86_64-linux-gnu/12/include,
// /usr/lib/llvm-14/lib/clang/14.0.6/include.
bool is_compilers_folder(std::string_view folder) {
  if (folder == "/usr/include" || folder == "/usr/local/include") return true;
  if (folder_of(folder) == "/usr/include" && folder.ends_with("-linux-gnu")) return true;
  if (folder.ends_with("/c++/v1")) return exists({folder, "/__config"});
  if (is_version(last_of(folder)) && folder_of(folder).ends_with("/c++"))
    return exists({folder, "/bits/stl_algobase.h"});
  const std::string_view above = folder_of(folder);
  const bool of_version =
      (last_of(folder) == "include" || last_of(folder) == "include-fixed") && is_version(last_of(above));
  return of_version && (folder.find("/gcc/") != folder.npos || folder.find("/clang/") != folder.npos) &&
         exists({above, "/include/stddef.h"}) && exists({above, "/include/stdarg.h"});
}

// The name in #include <...> of a header that is left out; "" for others. MPI and HDF5 lie in folders of their own.
std::string language_header(std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != path.npos && slash > 0; slash = path.rfind('/', slash - 1)) {
    const std::string_view name = path.substr(slash + 1);
    if (std::count(name.begin(), name.end(), '/') > 1) break;
    if (!is_language_header(name)) continue;
    const bool of_a_library = (name == "mpi.h" || name == "hdf5.h") && path.starts_with("/usr/");
    if (of_a_library || is_compilers_folder(path.substr(0, slash))) return std::string(name);
  }
  return {};
}

// Whether the library's include folder, or that of OP2's names, is there: programs may have headers of the same names.
bool is_own_folder(std::string_view folder, std::string_view name) {
  if (name.starts_with("op2/")) return exists({folder, "/op2/op2.h"}) && exists({folder, "/op2/compat"});
  return folder.ends_with("/op2/compat") && exists({folder, "/../op2.h"});
}

// The headers of this library: OP2_HEADERS lists them relative to its include folder, " op2/loop.h ... ".
std::string own_header(std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != path.npos && slash > 0; slash = path.rfind('/', slash - 1)) {
    const std::string name(path.substr(slash + 1));
    const bool listed = std::string_view(OP2_HEADERS).find(joined({" ", name, " "})) != std::string_view::npos;
    if (listed && is_own_folder(path.substr(0, slash), name)) return name;
  }
  return {};
}

struct Marker {
  std::string file;
  int line = 0;
  bool enters = false, returns = false, of_system = false;
};

// `# 12 "file" 1 3` and `#line 12 "file"`.
std::optional<Marker> marker_in(std::string_view line) {
  if (line.starts_with("#line ")) line.remove_prefix(4);
  if (line.size() < 4 || line.substr(0, line[0] == '#' ? 2 : 1).back() != ' ') return {};
  std::size_t at = line.find_first_of("0123456789");
  if (at == line.npos || at > 2) return {};
  Marker out;
  for (; at < line.size() && line[at] >= '0' && line[at] <= '9'; ++at) out.line = out.line * 10 + (line[at] - '0');
  if (at + 1 >= line.size() || line[at] != ' ' || line[at + 1] != '"') return {};
  for (at += 2; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size()) ++at;
    out.file += line[at];
  }
  for (; at < line.size(); ++at) {
    out.enters = out.enters || line[at] == '1';
    out.returns = out.returns || line[at] == '2';
    out.of_system = out.of_system || line[at] == '3';
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// What ends the raw string literal that is open behind the line, such as `)"`; "" = none is. end: the same before the
// line.
std::string open_raw_string(std::string_view line, const std::string &end) {
  std::size_t at = 0;
  if (!end.empty()) {
    at = line.find(end);
    if (at == line.npos) return end;
    at += end.size();
  }
  for (; at < line.size(); ++at) {
    if (line[at] != '"' && line[at] != '\'') continue;
    std::size_t begin = at;
    while (begin > 0 && is_letter(line[begin - 1])) --begin;
    const std::string_view prefix = line.substr(begin, at - begin);
    if (line[at] == '\'' && !prefix.empty() && prefix != "u8" && prefix != "u" && prefix != "U" && prefix != "L")
      continue; // 1'000
    const std::size_t open = line.find('(', at);
    const bool raw =
        line[at] == '"' && (prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R");
    if (raw && open != line.npos) {
      const std::string close = joined({")", line.substr(at + 1, open - at - 1), "\""});
      at = line.find(close, open);
      if (at == line.npos) return close;
      at += close.size() - 1;
      continue;
    }
    const char quote = line[at];
    for (++at; at < line.size() && line[at] != quote; ++at)
      if (line[at] == '\\') ++at;
  }
  return {};
}

class Reducer {
 public:
  std::string run(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1);
      line(text.substr(0, end + 1));
      text.remove_prefix(end + 1);
    }
    return std::move(out_);
  }

 private:
  struct File {
    std::string name;
    bool kept, own; // own: of this library
  };

  void line(std::string_view whole) {
    if (!raw_end_.empty()) { // each byte of it counts
      raw_end_ = open_raw_string(whole, raw_end_);
      out_ += whole;
      ++line_;
      return;
    }
    const std::string_view bare = whole.substr(0, whole.find_last_not_of("\r\n") + 1);
    if (!bare.empty() && bare[0] == '#')
      if (const std::optional<Marker> marker = marker_in(bare)) return move(*marker);
    if (!files_.empty() && !files_.back().kept) return;
    const bool blank = bare.find_first_not_of(" \t\f\v") == bare.npos;
    if (blank) {
      ++waiting_;
      return;
    }
    place();
    raw_end_ = open_raw_string(whole, "");
    out_ += raw_end_.empty() ? joined({bare, "\n"}) : whole;
    ++line_;
  }

  void move(const Marker &marker) {
    waiting_ = 0;
    if (marker.enters) {
      enter(marker);
    } else if (marker.returns && files_.size() > 1) {
      files_.pop_back();
    } else if (files_.empty()) {
      files_.push_back({marker.file, true, false});
    }
    files_.back().name = marker.file; // #line may call it otherwise
    line_ = marker.line;
    moved_ = true;
  }

  void enter(const Marker &marker) {
    const bool inside_kept = files_.empty() || files_.back().kept;
    const std::string own = own_header(marker.file), language = own.empty() ? language_header(marker.file) : "";
    const bool left_out = !own.empty() || !language.empty() || (!inside_kept && marker.of_system);
    // A header that others have included before is not read again, so each is named where it is met first: as the
    // program's own, or (include_next) as one that a header of the languages includes.
    const bool named = inside_kept || files_.back().own;
    const std::string name = joined({named ? "#include <" : "#include_next <", own.empty() ? language : own, ">\n"});
    if (left_out && (!own.empty() || !language.empty()) && (inside_kept || named_.insert(name).second)) {
      place();
      out_ += name;
    }
    files_.push_back({marker.file, !left_out, !own.empty()});
  }

  // Writes where the next line is, if it does not follow the last one.
  void place() {
    constexpr int most_blank = 8;
    if (!moved_ && waiting_ <= most_blank) {
      out_.append(static_cast<std::size_t>(waiting_), '\n');
    } else if (!files_.empty()) {
      out_ += joined({"# ", std::to_string(line_ + waiting_), " ", quoted(files_.back().name), "\n"});
    }
    line_ += waiting_;
    waiting_ = 0;
    moved_ = false;
  }

  std::vector<File> files_;
  std::set<std::string> named_;
  std::string out_, raw_end_;
  int line_ = 1, waiting_ = 0; // waiting_: blank lines that are not written yet
  bool moved_ = true;
};

// As a string literal: digits behind an octal escape belong to nothing else, since it has three.
std::string literal_of(std::string_view bytes) {
  constexpr std::size_t per_line = 100;
  std::string out;
  out.reserve(bytes.size() * 2);
  std::size_t column = 0;
  for (const char c : bytes) {
    if (column++ % per_line == 0) out += column > 1 ? "\"\n\"" : "\"";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte < 127 && c != '"' && c != '\\' && c != '?') {
      out += c;
    } else {
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
    }
  }
  return out + (column > 0 ? "\"" : "\"\"");
}

std::string packed(std::string_view text) {
#ifdef OP2_HAVE_ZLIB
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef *>(out.data()), &size, reinterpret_cast<const Bytef *>(text.data()),
                static_cast<uLong>(text.size()), Z_BEST_COMPRESSION) == Z_OK) {
    out.resize(size);
    return out;
  }
#endif
  return std::string(text);
}

} // namespace

std::string reduced(std::string_view preprocessed) { return Reducer().run(preprocessed); }

bool has_loops(std::string_view reduced) { return reduced.find(name_of_text) != reduced.npos; }

std::string header_of(std::string_view reduced, const std::string &compiler, const std::string &language,
                      const std::vector<std::string> &options) {
  const std::string body = packed(reduced);
  std::string head = joined({"op2 unit text 1\ncompiler ", compiler, "\nlanguage ", language, "\n"});
  for (const std::string &option : options) head += joined({"option ", option, "\n"});
  head += joined({"bytes ", std::to_string(reduced.size()), " ", std::to_string(body.size()), "\n\n"});
  return "#line 1 \"op2_unit_text\"\n" // the same in each build
         "#pragma GCC system_header\n" // no warnings about long literals
         "static const char " +
         std::string(name_of_text) + "[] __attribute__((unused)) =\n" + literal_of(head + body) +
         joined({";\n"
                 "#undef OP_UNIT_TEXT\n"
                 "#define OP_UNIT_TEXT ",
                 name_of_text, "\n"});
}

std::string note_of(const std::vector<FortranFile> &files, const std::string &compiler,
                    const std::vector<std::string> &options) {
  std::string whole, head = joined({"op2 unit text 1\ncompiler ", compiler, "\nlanguage fortran\n"});
  for (const FortranFile &file : files) {
    head += joined({"file ", std::to_string(file.text.size()), " ", file.path, "\n"});
    whole += file.text;
  }
  for (const std::string &option : options) head += joined({"option ", option, "\n"});
  const std::string body = packed(whole);
  head += joined({"bytes ", std::to_string(whole.size()), " ", std::to_string(body.size()), "\n\n"});
  constexpr std::size_t per_line = 100;
  std::string out = "\t.section .note.op2,\"a\",@note\n\t.balign 4\n\t.long 4, 2f - 1f, 1\n\t.asciz \"op2\"\n1:\n";
  const std::string all = head + body;
  for (std::size_t at = 0; at < all.size(); at += per_line) {
    out += "\t.ascii \"";
    for (const char c : std::string_view(all).substr(at, per_line)) {
      const auto byte = static_cast<unsigned char>(c);
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
    }
    out += "\"\n";
  }
  return out + "2:\n\t.balign 4\n\t.previous\n";
}

} // namespace op2::text

// SPDX-License-Identifier: MIT
