// A preprocessor for the text of users: follows #include "...", expands macros, and marks text that depends on unknown
// conditions (-D options, compilers) as doubtful.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jit/preprocess/macros.hpp"
#include "jit/preprocess/source_files.hpp"

namespace op2::core::jit {

struct Preprocessed {
  SourceTokens tokens;                  // both branches of an unknown condition, doubtful
  std::vector<std::string> files;       // by SourceToken::file; "" for text that the program gave
  std::vector<std::string> doubts;      // by SourceToken::doubt: "the condition '#ifdef X' (k.h:12)"
  std::vector<std::string> missing;     // names of #include "..." that were not found
  std::vector<std::string> headers;     // names of #include <...>, which are not followed
  std::vector<std::string> nested;      // names of headers that these include; known of units only
  Macros macros;                        // as defined at the requested line
  std::vector<int> directives;          // the lines of the first file with one, ascending
  bool packed = false;                  // #pragma pack was seen
  bool computes_otherwise = false;      // a pragma changes how some functions compute
  std::vector<std::string> replaceable; // names in #pragma weak: another file may define them

  std::string place(const SourceToken &token) const; // "k.h:12"
};

// `line`: of the first file, at which `macros` are saved. cpp: __cplusplus is defined. Throws Refusal for text that
// cannot be read: unterminated conditions, files that may not be used.
Preprocessed preprocess(const std::string &file, std::string_view text, int line, bool cpp, SourceFiles &files);

// What was made of a program's files so far: loops of one file share it.
class PreprocessedFiles {
 public:
  // As preprocess() of a file on disk or embedded one, of which `files` returns always the same text.
  Preprocessed get(const SourceFile &file, int line, bool cpp, SourceFiles &files);

 private:
  std::map<std::pair<std::string, bool>, std::vector<std::pair<int, Preprocessed>>> known_; // by file; by line
};

} // namespace op2::core::jit
