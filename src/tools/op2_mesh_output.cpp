#include "tools/op2_mesh_output.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Of formats that are not written, though a name promises them.
constexpr std::array<std::string_view, 24> other_endings = {
    ".msh", ".mesh", ".meshb", ".su2", ".vtk", ".dat", ".vtp", ".vtkhdf", ".foam", ".gz",  ".stl", ".obj",
    ".ply", ".unv",  ".inp",   ".cas", ".bdf", ".nas", ".exo", ".xdmf",   ".neu",  ".med", ".grd", ".ugrid"};
constexpr std::array<std::string_view, 3> written_endings = {".vtu", ".pvtu", ".cgns"};

std::string ending_of(const std::string &path) {
  std::string out = fs::path(path).extension().string();
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

template <class All>
bool is_one_of(const std::string &word, const All &all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

// The pieces that a .pvtu names. Its text is searched and not understood: a name too many does no harm.
std::vector<fs::path> pieces_of(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string_view key = "Source=";
  std::vector<fs::path> out;
  for (std::size_t at = bytes.find(key); at != bytes.npos; at = bytes.find(key, at + 1)) {
    const std::size_t begin = at + key.size() + 1;
    if (begin > bytes.size()) break;
    out.push_back(fs::path(path).parent_path() / bytes.substr(begin, bytes.find(bytes[begin - 1], begin) - begin));
  }
  return out;
}

// The files that a mesh is read from; of a folder all that may be meant.
std::vector<fs::path> sources_of(const std::string &in) {
  std::vector<fs::path> out = {in};
  std::error_code error;
  if (fs::is_directory(in, error)) {
    for (const char *below : {"", "polyMesh", "constant/polyMesh"})
      for (fs::directory_iterator file(fs::path(in) / below, error), end; !error && file != end; file.increment(error))
        out.push_back(file->path());
  } else if (ending_of(in) == ".pvtu") {
    for (fs::path &piece : pieces_of(in)) out.push_back(std::move(piece));
  }
  return out;
}

// With the pieces that stand beside a .pvtu.
std::vector<fs::path> outputs_of(const std::string &out, int parts) {
  std::vector<fs::path> all = {out};
  if (!out.ends_with(".pvtu")) return all;
  const std::string stem = fs::path(out).replace_extension().string();
  for (int part = 0; part < std::max(parts, 1); ++part) all.emplace_back(stem + "_" + std::to_string(part) + ".vtu");
  return all;
}

} // namespace

std::string wrong_output(const std::string &in, const std::string &out, int parts) {
  const std::vector<fs::path> sources = sources_of(in);
  for (const fs::path &one : outputs_of(out, parts))
    for (const fs::path &source : sources) {
      std::error_code error; // also where one of them is not there yet
      if (fs::equivalent(one, source, error))
        return "writing " + out + " would overwrite " + source.string() + ", which the mesh is read from";
    }
  const std::string ending = ending_of(out);
  if (is_one_of(ending, other_endings))
    return out + " has the name of a format that is not written; .h5, .vtu, .pvtu and .cgns are";
  if (is_one_of(ending, written_endings) && !out.ends_with(ending))
    return out + " ends otherwise than with " + ending + ", which would make a file of that format";
  return "";
}

const char *written_format(const std::string &out) {
  const std::string ending = ending_of(out);
  return ending == ".cgns" ? "CGNS" : ending == ".vtu" || ending == ".pvtu" ? "VTK" : "HDF5";
}

// SPDX-License-Identifier: MIT
