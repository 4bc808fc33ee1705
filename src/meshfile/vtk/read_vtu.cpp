// VTK's XML format for unstructured grids: arrays as text, as base64, or behind the rest of the file; compressed or
// not.
#include <optional>

#include "meshfile/join.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk/base64.hpp"
#include "base/packed/unpack.hpp"
#include "meshfile/vtk/vtk_common.hpp"
#include "meshfile/vtk/xml_tags.hpp"

namespace op2::core {

namespace {

VtkType xml_type(std::string_view name) {
  constexpr std::array<std::string_view, 11> names = {"",       "Int8",  "UInt8",  "Int16",   "UInt16", "Int32",
                                                      "UInt32", "Int64", "UInt64", "Float32", "Float64"};
  for (std::size_t i = 1; i < names.size(); ++i)
    if (names[i] == name) return static_cast<VtkType>(i);
  return VtkType::none;
}

class VtuReader {
 public:
  VtuReader(Cursor in) : in_(std::move(in)), bytes_(in_.raw(in_.left(), "")) { in_.seek(0); }

  std::vector<VtkPiece> read() {
    find_appended();
    std::string_view part;
    std::optional<XmlTag> tag = next_tag(bytes_, 0);
    while (tag && tag->name != "AppendedData" && tag->name != "/VTKFile") {
      in_.seek(tag->begin);
      read_tag(*tag, part);
      tag = next_tag(bytes_, tag->behind);
    }
    in_.seek(bytes_.size());
    if (!known_) in_.fail_here("expected a tag VTKFile of type UnstructuredGrid, but the file ends");
    if (!tag) in_.fail_here("the file ends before its tag /VTKFile");
    finish_piece();
    if (pieces_.size() > 1)
      for (std::size_t i = 0; i < pieces_.size(); ++i) pieces_[i].in = Cursor({}, text(in_.file(), ", piece ", i));
    return std::move(pieces_);
  }

 private:
  void read_tag(const XmlTag &tag, std::string_view &part) {
    if (tag.name == "VTKFile")
      head(tag);
    else if (tag.name == "Piece" && pieces_begun_++ > 0)
      finish_piece();
    else if (tag.name == "Points" || tag.name == "Cells" || tag.name == "CellData" || tag.name == "PointData" ||
             tag.name == "FieldData")
      enter(tag, part);
    else if (tag.name == "DataArray")
      array(part, tag);
  }

  // Data of points or cells may say which array has their global numbers.
  void enter(const XmlTag &tag, std::string_view &part) {
    part = tag.rest.ends_with('/') ? "" : tag.name;
    if (tag.name == "PointData") point_ids_ = tag["GlobalIds"];
    if (tag.name == "CellData") cell_ids_ = tag["GlobalIds"];
  }

  void finish_piece() {
    gather_polyhedra();
    if (grid_.face_ends.empty()) grid_.face_ends = {-1}; // no polyhedra
    pieces_.push_back({in_, std::move(grid_)});
    grid_ = {};
    for (std::vector<long long> *list : {&face_nodes_, &face_node_ends_, &cell_faces_, &cell_face_ends_}) list->clear();
  }

  // Files since VTK 9.4 list faces once and let polyhedra name theirs.
  void gather_polyhedra() {
    const auto range = [&](const std::vector<long long> &ends, std::size_t i, std::size_t most) {
      const long long begin = i > 0 ? ends[i - 1] : 0;
      if (begin < 0 || ends[i] < begin || static_cast<unsigned long long>(ends[i]) > most)
        in_.fail_here(text("the faces of polyhedra: entry ", i, " ends at ", ends[i], ", which is not possible"));
      return std::pair{static_cast<std::size_t>(begin), static_cast<std::size_t>(ends[i])};
    };
    for (std::size_t i = 0; i < cell_face_ends_.size(); ++i) {
      const auto [first, behind] = range(cell_face_ends_, i, cell_faces_.size());
      if (behind > first) grid_.faces.push_back(static_cast<long long>(behind - first));
      for (std::size_t k = first; k < behind; ++k) {
        const long long face = cell_faces_[k];
        if (face < 0 || static_cast<unsigned long long>(face) >= face_node_ends_.size())
          in_.fail_here(text("cell ", i, " has face ", face, " of ", face_node_ends_.size()));
        const auto [from, to] = range(face_node_ends_, static_cast<std::size_t>(face), face_nodes_.size());
        grid_.faces.push_back(static_cast<long long>(to - from));
        for (std::size_t node = from; node < to; ++node) grid_.faces.push_back(face_nodes_[node]);
        // Cells may name a face again and again.
        if (grid_.faces.size() > 100 * (face_nodes_.size() + cell_faces_.size()))
          in_.fail_here("the faces of polyhedra have too many nodes");
      }
      grid_.face_ends.push_back(static_cast<long long>(grid_.faces.size()));
    }
  }

  // Where the arrays behind the rest begin.
  void find_appended() {
    const std::size_t begin = bytes_.find("<AppendedData");
    if (begin == bytes_.npos) return;
    const std::optional<XmlTag> tag = next_tag(bytes_, begin);
    if (!tag) return;
    const std::size_t mark = bytes_.find('_', tag->behind);
    if (mark == bytes_.npos) return;
    raw_ = (*tag)["encoding"] == "raw";
    appended_ = bytes_.substr(mark + 1);
  }

  void head(const XmlTag &tag) {
    if (tag["type"] == "PUnstructuredGrid")
      in_.fail_here("this is a list of pieces, which are in other files; they are found only from the file itself");
    if (tag["type"] != "UnstructuredGrid") in_.fail_here("only files of type UnstructuredGrid can be read");
    compressor_ = tag["compressor"];
    swap_ = (tag["byte_order"] == "BigEndian") == little_endian;
    length_bytes_ = tag["header_type"] == "UInt64" ? 8 : 4;
    known_ = true;
  }

  void array(std::string_view part, const XmlTag &tag) {
    const std::string_view name = tag["Name"];
    if (part == "Points") {
      grid_.points = values<double>(tag);
    } else if (part == "Cells") {
      if (name == "connectivity")
        grid_.nodes = values<long long>(tag);
      else if (name == "offsets")
        grid_.ends = values<long long>(tag);
      else if (name == "types")
        grid_.types = values<long long>(tag);
      else if (name == "faces")
        grid_.faces = values<long long>(tag);
      else if (name == "faceoffsets")
        grid_.face_ends = values<long long>(tag);
      else if (name == "face_connectivity")
        face_nodes_ = values<long long>(tag);
      else if (name == "face_offsets")
        face_node_ends_ = values<long long>(tag);
      else if (name == "polyhedron_to_faces")
        cell_faces_ = values<long long>(tag);
      else if (name == "polyhedron_offsets")
        cell_face_ends_ = values<long long>(tag);
    } else if (vtk_whole(xml_type(tag["type"])) &&
               (tag["NumberOfComponents"].empty() || tag["NumberOfComponents"] == "1")) {
      whole_numbers(part, name, tag);
    }
  }

  // Patches are the first whole numbers of cells that VTK does not mean something by.
  void whole_numbers(std::string_view part, std::string_view name, const XmlTag &tag) {
    if (part == "PointData" && !name.empty() && name == point_ids_) grid_.ids = values<long long>(tag);
    if (part != "CellData" || (!name.empty() && name == cell_ids_)) return;
    if (name == "vtkGhostType" || name == "vtkGhostLevels") {
      grid_.ghosts = values<long long>(tag);
      if (name == "vtkGhostType") // bits, of which the first is for cells of other pieces
        for (long long &ghost : grid_.ghosts) ghost &= 1;
    } else if (grid_.cell_data.empty() && grid_.data_name.empty() && !name.starts_with("vtk")) {
      grid_.cell_data = values<long long>(tag);
      grid_.data_name = name;
    }
  }

  template <class T>
  std::vector<T> values(const XmlTag &tag) {
    if (!known_) in_.fail_here("expected the tag VTKFile before all arrays");
    const VtkType type = xml_type(tag["type"]);
    if (type == VtkType::none) in_.fail_here("this type of values is unknown");
    const std::string_view format = tag["format"];
    if (format == "ascii" || format.empty()) return text_values<T>(tag);
    if (!compressor_.empty() && compressor_ != "vtkZLibDataCompressor")
      in_.fail_here(text("the arrays are compressed by ", compressor_, "; write the file again with zlib or without ",
                         "compression (in ParaView: Save Data, Compressor Type)"));
    if (!compressor_.empty()) need_zlib(in_.file());
    std::string decoded;
    const std::string_view bytes = format == "appended" ? appended_bytes(tag, decoded) : inline_bytes(tag, decoded);
    if constexpr (std::is_same_v<T, double>)
      return vtk_reals(in_, type, bytes, swap_);
    else
      return vtk_integers(in_, type, bytes, swap_);
  }

  template <class T>
  std::vector<T> text_values(const XmlTag &tag) {
    std::vector<T> out;
    in_.seek(tag.behind);
    while (in_.peek() != '<' && in_.peek() != 0) {
      if constexpr (std::is_same_v<T, double>)
        out.push_back(in_.real("a value"));
      else
        out.push_back(in_.whole("a whole number"));
    }
    return out;
  }

  // The length that stands before an array.
  std::size_t length(std::string_view bytes) {
    const std::size_t out = any_length(bytes);
    if (out > bytes_.size()) in_.fail_here(text("the file is too short for this array of ", out, " bytes"));
    return out;
  }
  std::size_t any_length(std::string_view bytes) {
    if (bytes.size() < length_bytes_) in_.fail_here("the file ends before the length of this array");
    return length_bytes_ == 8 ? Cursor::load<std::uint64_t>(bytes.data(), swap_)
                              : Cursor::load<std::uint32_t>(bytes.data(), swap_);
  }

  std::string_view decode(std::string_view from, std::string &into) {
    const std::size_t size = length(from_base64(from, length_bytes_));
    into = from_base64(from, length_bytes_ + size);
    if (into.size() != length_bytes_ + size) in_.fail_here(text("this array is shorter than its ", size, " bytes"));
    return std::string_view(into).substr(length_bytes_);
  }

  // So many bytes, from base64 or as they are.
  std::string_view some_bytes(std::string_view from, bool base64, std::size_t size, std::string &into) {
    if (base64) into = from_base64(from, size);
    const std::string_view out = base64 ? std::string_view(into) : from.substr(0, size);
    if (out.size() != size) in_.fail_here(text("the file ends in this array, which has ", size, " bytes at least"));
    return out;
  }

  // A compressed array: how many blocks, bytes of a block, of the last one (0: as the others), packed bytes of each.
  std::string_view unpack(std::string_view from, bool base64, std::string &out) {
    std::string kept;
    std::string_view head = some_bytes(from, base64, length_bytes_, kept);
    const std::size_t blocks = length(head);
    if (blocks == 0) return {};
    if (blocks > bytes_.size() / length_bytes_) in_.fail_here(text("the file is too short for ", blocks, " blocks"));
    const std::size_t head_size = (3 + blocks) * length_bytes_;
    head = some_bytes(from, base64, head_size, kept);
    const auto number = [&](std::size_t i) { return length(head.substr(i * length_bytes_)); };
    std::vector<std::size_t> packed;
    std::size_t total = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
      packed.push_back(number(3 + i));
      total += packed.back();
      if (total > bytes_.size()) in_.fail_here("the file is too short for this array");
    }
    const std::size_t block = any_length(head.substr(length_bytes_)), last = any_length(head.substr(2 * length_bytes_));
    std::string_view data = some_bytes(from, base64, head_size + total, kept).substr(head_size);
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::size_t wanted = i + 1 == blocks && last > 0 ? last : block, before = out.size();
      if (const std::string wrong = from_zlib(data.substr(0, packed[i]), wanted, out); !wrong.empty())
        in_.fail_here(text("block ", i, " of this array: ", wrong));
      if (out.size() - before != wanted)
        in_.fail_here(text("block ", i, " of this array has ", out.size() - before, " bytes instead of ", wanted));
      data.remove_prefix(packed[i]);
    }
    return out;
  }

  std::string_view inline_bytes(const XmlTag &tag, std::string &decoded) {
    const std::string_view from = bytes_.substr(tag.behind);
    return compressor_.empty() ? decode(from, decoded) : unpack(from, true, decoded);
  }

  std::string_view appended_bytes(const XmlTag &tag, std::string &decoded) {
    const auto offset = static_cast<std::size_t>(Cursor(tag["offset"], in_.file()).whole("the offset of an array"));
    if (offset >= appended_.size()) in_.fail_here(text("the array begins at ", offset, ", behind the end of the file"));
    const std::string_view from = appended_.substr(offset);
    if (!compressor_.empty()) return unpack(from, !raw_, decoded);
    if (!raw_) return decode(from, decoded);
    const std::size_t size = length(from);
    if (size > from.size() - length_bytes_) in_.fail_here("the file ends in this array");
    return from.substr(length_bytes_, size);
  }

  Cursor in_;
  std::string_view bytes_, appended_, compressor_;
  std::string_view point_ids_, cell_ids_; // names of arrays
  std::vector<long long> face_nodes_, face_node_ends_, cell_faces_, cell_face_ends_;
  bool raw_ = false, swap_ = false, known_ = false;
  std::size_t length_bytes_ = 4;
  int pieces_begun_ = 0;
  VtkGrid grid_; // of the piece that is being read
  std::vector<VtkPiece> pieces_;
};

} // namespace

std::vector<VtkPiece> read_vtu_pieces(Cursor in) { return VtuReader(std::move(in)).read(); }

MeshFile read_vtu(Cursor in) {
  const std::string file = in.file();
  std::vector<VtkPiece> pieces = read_vtu_pieces(std::move(in));
  return join_vtu(file, pieces);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
