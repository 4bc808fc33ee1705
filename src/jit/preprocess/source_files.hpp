// The program's own text: files embedded in it, and files on disk as long as they are no newer than the program.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace op2::core::jit {

struct SourceFile {
  std::string path; // for messages, and for its relative #include "..."
  std::string text;
};

class SourceFiles {
 public:
  using Time = std::filesystem::file_time_type;

  // A file on disk that changed after `not_newer_than` (when the program was linked) is refused: it is not the text the
  // program was compiled from. Relative paths are tried in the current folder, then in `folders`.
  explicit SourceFiles(std::optional<Time> not_newer_than = {}, std::vector<std::string> folders = {});
  // No file on disk: embedded text only.
  static SourceFiles embedded_only();

  // Adds text embedded in the program, which is preferred to files on disk. The last text for a path counts.
  void embed(const std::string &path, std::string text);

  // The embedded text with this path, else the embedded text whose path has the longest common end ("src/k.h" for
  // "/home/me/src/k.h" and vice versa), else the file; NULL if there is none. Throws Refusal for a file that may not be
  // used.
  const SourceFile *find(const std::string &path);

  // The file that #include "name" in the file `from` names, or NULL.
  const SourceFile *find_included(const std::string &name, const std::string &from);
  // The same if the compiler had -I options: the only file of that name on disk below the folder of `from` or its
  // parent. NULL if there are none or several that differ.
  const SourceFile *find_near(const std::string &name, const std::string &from);

  // All files in a folder and the folders in it, three levels deep; none where there are too many to be one program's.
  const std::vector<std::string> &files_below(const std::string &folder);
  // Names of all embedded texts; the text of one under its very name, or NULL.
  std::vector<std::string> all_embedded() const;
  bool embedded_any() const { return !embedded_.empty(); }
  const SourceFile *embedded(const std::string &path) const;

  // A file on disk by the name that find() would take; "" if there is none.
  std::string on_disk(const std::string &path) const;

  // All files on disk that were looked for so far, and what they were: a line for each.
  std::string state() const;
  static bool is_state(const std::string &state); // whether they are so now

 private:
  const SourceFile *find_embedded(const std::string &path) const;
  const SourceFile *find_on_disk(const std::string &path);

  bool reads_disk_ = true;
  std::optional<Time> not_newer_than_;
  std::vector<std::string> folders_;
  std::map<std::string, std::unique_ptr<SourceFile>> embedded_, read_;
  std::set<std::string> looked_for_;                      // on disk
  std::map<std::string, std::vector<std::string>> below_; // files of each searched folder
};

} // namespace op2::core::jit
