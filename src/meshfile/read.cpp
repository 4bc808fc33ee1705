#include "meshfile/read.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/packed/unpack.hpp"
#include "meshfile/repeated.hpp"

namespace op2::core {

namespace {

using Reader = MeshFile (*)(Cursor);

struct Format {
  const char *name;
  std::string_view ending, begins; // of the file's name, of its bytes; "" tells nothing
  Reader read;                     // NULL: several files
};

constexpr std::array formats = {
    Format{"gmsh", ".msh", "$", read_gmsh},
    Format{"openfoam", "", "", nullptr},
    Format{"medit", ".mesh", "MeshVersionFormatted", read_medit},
    Format{"medit", ".meshb", std::string_view("\1\0\0\0", 4), read_medit},
    Format{"medit", "", std::string_view("\0\0\0\1", 4), read_medit},
    Format{"su2", ".su2", "", read_su2},
    Format{"vtk", ".vtk", "# vtk DataFile", read_vtk},
    Format{"vtu", ".vtu", "<?xml", read_vtu},
    Format{"vtu", ".pvtu", "", read_vtu},
    Format{"vtu", "", "<VTKFile", read_vtu},
    Format{"airfoil", ".dat", "", read_airfoil},
};

const Format *find_format(std::string_view name) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format &one) { return name == one.name; });
  if (found == formats.end())
    fail(OP_ERR_ARGUMENT, "there is no mesh format '", name, "'; the formats are ", listing(mesh_formats()),
         ", and after op_init() hdf5 and cgns");
  return found;
}

// Editors of Windows may write one before the first letter.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string_view without_mark(std::string_view bytes) {
  return bytes.starts_with(byte_order_mark) ? bytes.substr(byte_order_mark.size()) : bytes;
}

// By its first bytes, since names are often wrong; then by its name.
const Format *guess_format(const std::string &path, std::string_view bytes) {
  bytes = without_mark(bytes);
  const std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  for (const Format &format : formats)
    if (!format.begins.empty() && bytes.substr(begin).starts_with(format.begins)) return &format;
  for (const Format &format : formats)
    if (!format.ending.empty() && path.ends_with(format.ending)) return &format;
  fail(OP_ERR_ARGUMENT, path, ": the format cannot be told from the name or the first bytes; name one of ",
       listing(mesh_formats()));
}

MeshFile finished(MeshFile mesh, const std::string &file) {
  check_numbers(mesh, file);
  note_repeated_faces(mesh);
  return mesh;
}

// The folder polyMesh in or at the path.
std::string openfoam_folder(const std::string &path) {
  for (const char *below : {"", "/polyMesh", "/constant/polyMesh"}) {
    std::error_code ignored;
    for (const char *packed : {"", ".gz"})
      if (std::filesystem::exists(path + below + "/points" + packed, ignored)) return path + below;
  }
  fail(OP_ERR_FILE, path, ": there is no file points here, nor in polyMesh or constant/polyMesh");
}

// One file of an OpenFOAM mesh, which may be compressed.
class FoamBytes {
 public:
  FoamBytes(const std::string &folder, const char *file) : name_(text(folder, "/", file)) {
    std::error_code ignored;
    if (!std::filesystem::exists(name_, ignored) && std::filesystem::exists(name_ + ".gz", ignored)) name_ += ".gz";
    file_.emplace(name_);
    if (!file_->bytes().starts_with("\x1f\x8b")) return;
    need_zlib(name_);
    constexpr std::size_t most_times = 1040; // deflate cannot do more
    const std::string wrong = from_gzip(file_->bytes(), most_times * file_->bytes().size(), unpacked_);
    if (!wrong.empty()) fail(OP_ERR_FILE, name_, ": ", wrong);
    file_.reset();
  }
  Cursor cursor() const { return {without_mark(file_ ? file_->bytes() : std::string_view(unpacked_)), name_}; }

 private:
  std::string name_, unpacked_;
  std::optional<FileBytes> file_;
};

// Files of OpenFOAM that name parts of the mesh. A fault in one of them is none of the mesh.
void note_parts_of_openfoam(MeshFile &mesh, const std::string &folder) {
  std::error_code ignored;
  for (const char *name : {"cellZones", "faceZones", "pointZones"}) try {
      if (const std::string path = text(folder, "/", name);
          std::filesystem::exists(path, ignored) || std::filesystem::exists(path + ".gz", ignored))
        note_openfoam_zones(mesh, FoamBytes(folder, name).cursor());
    } catch (const Error &error) {
      mesh.notes.push_back(text("zones are left out, and cannot be counted: ", error.what()));
    }
  if (const std::string sets = folder + "/sets"; std::filesystem::is_directory(sets, ignored))
    mesh.notes.push_back("the sets in folder sets are left out");
}

MeshFile read_folder(const std::string &path) {
  const std::string folder = openfoam_folder(path);
  const FoamBytes points(folder, "points"), faces(folder, "faces"), owner(folder, "owner"),
      neighbour(folder, "neighbour"), boundary(folder, "boundary");
  MeshFile mesh = finished(
      read_openfoam({points.cursor(), faces.cursor(), owner.cursor(), neighbour.cursor(), boundary.cursor()}), folder);
  note_parts_of_openfoam(mesh, folder);
  return mesh;
}

// The files that a list of pieces names; they lie where it lies unless it says otherwise.
MeshFile read_pieces(std::string_view list, const std::string &path) {
  const std::vector<std::string> names = pvtu_files(Cursor(list, path));
  std::vector<VtkPiece> pieces;
  for (std::size_t i = 0; i < names.size(); ++i) try {
      const std::string piece = (std::filesystem::path(path).parent_path() / names[i]).string();
      const FileBytes file(piece);
      for (VtkPiece &one : read_vtu_pieces(Cursor(file.bytes(), piece)))
        pieces.push_back({Cursor({}, one.in.file()), std::move(one.grid)}); // the bytes of the file go
    } catch (const Error &error) {
      fail(error.code, path, ": piece ", i, " of ", names.size(), ": ", error.what());
    }
  return finished(join_vtu(path, pieces), path);
}

MeshFile parse_with(const Format &format, std::string_view bytes, const std::string &file) {
  if (!format.read) fail(OP_ERR_ARGUMENT, file, ": format ", format.name, " is a folder of several files");
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
    fail(OP_ERR_FILE, file, ": this is text in UTF-16, which cannot be read; UTF-8 can");
  return finished(format.read(Cursor(without_mark(bytes), file)), file);
}

struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};

} // namespace

FileBytes::FileBytes(const std::string &path) {
  const auto refuse = [&](int error) { fail(OP_ERR_FILE, path, ": ", std::generic_category().message(error)); };
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse(EISDIR);
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse(errno);
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  // One byte more than the file has shows its end at the first reading; a pipe has no size.
  const std::uintmax_t expected = std::filesystem::file_size(path, error);
  std::size_t room = (error ? 0 : static_cast<std::size_t>(expected)) + 4096;
  bytes_ = std::make_unique_for_overwrite<char[]>(room);
  for (;;) {
    const std::size_t got = std::fread(bytes_.get() + size_, 1, room - size_, file.get());
    size_ += got;
    if (got == 0) break;
    if (size_ < room) continue;
    auto larger = std::make_unique_for_overwrite<char[]>(room *= 2);
    std::copy_n(bytes_.get(), size_, larger.get());
    bytes_ = std::move(larger);
  }
  if (std::ferror(file.get())) refuse(errno);
}

std::vector<std::string> mesh_formats() {
  std::vector<std::string> out;
  for (const Format &format : formats)
    if (out.empty() || out.back() != format.name) out.emplace_back(format.name);
  return out;
}

MeshFile read_mesh(const std::string &path, std::string_view format) {
  std::error_code ignored;
  const Format *asked = format.empty() ? nullptr : find_format(format);
  if (asked ? !asked->read : std::filesystem::is_directory(path, ignored)) return read_folder(path);
  const FileBytes file(path);
  if ((!asked || asked->read == read_vtu) && is_pvtu(file.bytes())) return read_pieces(file.bytes(), path);
  return parse_with(asked ? *asked : *guess_format(path, file.bytes()), file.bytes(), path);
}

MeshFile parse_mesh(std::string_view bytes, const std::string &file, std::string_view format) {
  return parse_with(format.empty() ? *guess_format(file, bytes) : *find_format(format), bytes, file);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
