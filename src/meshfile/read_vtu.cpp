// VTK's XML format for unstructured grids: arrays as text, as base64, or behind the rest of the file.
#include <optional>

#include "meshfile/base64.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk_common.hpp"

namespace op2::core {

namespace {

VtkType xml_type(std::string_view name) {
  constexpr std::array<std::string_view, 11> names = {"",       "Int8",  "UInt8",  "Int16",   "UInt16", "Int32",
                                                      "UInt32", "Int64", "UInt64", "Float32", "Float64"};
  for (std::size_t i = 1; i < names.size(); ++i)
    if (names[i] == name) return static_cast<VtkType>(i);
  return VtkType::none;
}

// A tag and where it stands: name, and what is between it and '>'.
struct XmlTag {
  std::string_view name, rest;
  std::size_t begin = 0, behind = 0;

  // The value of an attribute, "" when there is none.
  std::string_view operator[](std::string_view attribute) const {
    for (std::size_t at = rest.find(attribute); at != rest.npos; at = rest.find(attribute, at + 1)) {
      const std::size_t sign = at + attribute.size();
      if (at == 0 || (rest[at - 1] != ' ' && rest[at - 1] != '\n' && rest[at - 1] != '\t')) continue;
      if (sign + 1 >= rest.size() || rest[sign] != '=' || (rest[sign + 1] != '"' && rest[sign + 1] != '\'')) continue;
      const std::size_t end = rest.find(rest[sign + 1], sign + 2);
      return end == rest.npos ? std::string_view() : rest.substr(sign + 2, end - sign - 2);
    }
    return {};
  }
};

class VtuReader {
 public:
  VtuReader(Cursor in) : in_(std::move(in)), bytes_(in_.raw(in_.left(), "")) { in_.seek(0); }

  MeshFile read() {
    find_appended();
    std::string_view part;
    std::optional<XmlTag> tag = next_tag(0);
    while (tag && tag->name != "AppendedData" && tag->name != "/VTKFile") {
      in_.seek(tag->begin);
      read_tag(*tag, part);
      tag = next_tag(tag->behind);
    }
    in_.seek(bytes_.size());
    if (!known_) in_.fail_here("expected a tag VTKFile of type UnstructuredGrid, but the file ends");
    return vtk_mesh(in_, std::move(grid_), "vtu");
  }

 private:
  std::optional<XmlTag> next_tag(std::size_t at) const {
    XmlTag out;
    out.begin = bytes_.find('<', at);
    if (out.begin == bytes_.npos) return std::nullopt;
    const std::size_t end = bytes_.find('>', out.begin);
    if (end == bytes_.npos) return std::nullopt;
    const std::string_view all = bytes_.substr(out.begin + 1, end - out.begin - 1);
    const std::size_t blank = std::min(all.find_first_of(" \t\r\n"), all.size());
    out.name = all.substr(0, blank);
    out.rest = all.substr(blank);
    if (out.name.ends_with('/')) out.name.remove_suffix(1);
    out.behind = end + 1;
    return out;
  }

  void read_tag(const XmlTag &tag, std::string_view &part) {
    if (tag.name == "VTKFile")
      head(tag);
    else if (tag.name == "Piece" && ++pieces_ > 1)
      in_.fail_here("only files of one piece can be read");
    else if (tag.name == "Points" || tag.name == "Cells" || tag.name == "CellData" || tag.name == "PointData" ||
             tag.name == "FieldData")
      part = tag.rest.ends_with('/') ? "" : tag.name;
    else if (tag.name == "DataArray")
      array(part, tag);
  }

  // Where the arrays behind the rest begin.
  void find_appended() {
    const std::size_t begin = bytes_.find("<AppendedData");
    if (begin == bytes_.npos) return;
    const std::optional<XmlTag> tag = next_tag(begin);
    if (!tag) return;
    const std::size_t mark = bytes_.find('_', tag->behind);
    if (mark == bytes_.npos) return;
    raw_ = (*tag)["encoding"] == "raw";
    appended_ = bytes_.substr(mark + 1);
  }

  void head(const XmlTag &tag) {
    if (tag["type"] != "UnstructuredGrid") in_.fail_here("only files of type UnstructuredGrid can be read");
    if (!tag["compressor"].empty())
      in_.fail_here(
          "the arrays are compressed; write the file again without compression "
          "(in ParaView: Save Data, Compressor Type: None)");
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
    } else if (part == "CellData" && grid_.cell_data.empty() && vtk_whole(xml_type(tag["type"])) &&
               (tag["NumberOfComponents"].empty() || tag["NumberOfComponents"] == "1")) {
      grid_.cell_data = values<long long>(tag);
    }
  }

  template <class T>
  std::vector<T> values(const XmlTag &tag) {
    if (!known_) in_.fail_here("expected the tag VTKFile before all arrays");
    const VtkType type = xml_type(tag["type"]);
    if (type == VtkType::none) in_.fail_here("this type of values is unknown");
    const std::string_view format = tag["format"];
    if (format == "ascii" || format.empty()) return text_values<T>(tag);
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
    if (bytes.size() < length_bytes_) in_.fail_here("the file ends before the length of this array");
    const std::uint64_t out = length_bytes_ == 8 ? Cursor::load<std::uint64_t>(bytes.data(), swap_)
                                                 : Cursor::load<std::uint32_t>(bytes.data(), swap_);
    if (out > bytes_.size()) in_.fail_here(text("the file is too short for this array of ", out, " bytes"));
    return static_cast<std::size_t>(out);
  }

  std::string_view decode(std::string_view from, std::string &into) {
    const std::size_t size = length(from_base64(from, length_bytes_));
    into = from_base64(from, length_bytes_ + size);
    if (into.size() != length_bytes_ + size) in_.fail_here(text("this array is shorter than its ", size, " bytes"));
    return std::string_view(into).substr(length_bytes_);
  }

  std::string_view inline_bytes(const XmlTag &tag, std::string &decoded) {
    return decode(bytes_.substr(tag.behind), decoded);
  }

  std::string_view appended_bytes(const XmlTag &tag, std::string &decoded) {
    const auto offset = static_cast<std::size_t>(Cursor(tag["offset"], in_.file()).whole("the offset of an array"));
    if (offset >= appended_.size()) in_.fail_here(text("the array begins at ", offset, ", behind the end of the file"));
    const std::string_view from = appended_.substr(offset);
    if (!raw_) return decode(from, decoded);
    const std::size_t size = length(from);
    if (size > from.size() - length_bytes_) in_.fail_here("the file ends in this array");
    return from.substr(length_bytes_, size);
  }

  Cursor in_;
  std::string_view bytes_, appended_;
  bool raw_ = false, swap_ = false, known_ = false;
  std::size_t length_bytes_ = 4;
  int pieces_ = 0;
  VtkGrid grid_;
};

} // namespace

MeshFile read_vtu(Cursor in) { return VtuReader(std::move(in)).read(); }

} // namespace op2::core
