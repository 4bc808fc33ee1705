// VTK's legacy format, text and binary: an unstructured grid, cells in the rows of older versions or the arrays of
// version 5.
#include "meshfile/read.hpp"
#include "meshfile/vtk/vtk_common.hpp"

namespace op2::core {

namespace {

constexpr bool vtk_swaps = little_endian; // the most significant byte stands first

VtkType legacy_type(std::string_view name) {
  struct Named {
    std::string_view name, sized;
    VtkType type;
  };
  constexpr std::array all = {
      Named{"char", "vtktypeint8", VtkType::int8},        Named{"unsigned_char", "vtktypeuint8", VtkType::uint8},
      Named{"short", "vtktypeint16", VtkType::int16},     Named{"unsigned_short", "vtktypeuint16", VtkType::uint16},
      Named{"int", "vtktypeint32", VtkType::int32},       Named{"unsigned_int", "vtktypeuint32", VtkType::uint32},
      Named{"long", "vtktypeint64", VtkType::int64},      Named{"unsigned_long", "vtktypeuint64", VtkType::uint64},
      Named{"vtkIdType", "vtkIdType", VtkType::int32},    Named{"signed_char", "vtktypeint8", VtkType::int8},
      Named{"float", "vtktypefloat32", VtkType::float32}, Named{"double", "vtktypefloat64", VtkType::float64}};
  for (const Named &one : all)
    if (name == one.name || name == one.sized) return one.type;
  return VtkType::none;
}

class VtkReader {
 public:
  explicit VtkReader(Cursor in) : in_(std::move(in)) {}

  MeshFile read() {
    if (!in_.line().starts_with("# vtk DataFile Version")) in_.fail_here("expected '# vtk DataFile Version' before it");
    in_.line();
    const std::string_view form = in_.word("ASCII or BINARY");
    if (form != "ASCII" && form != "BINARY") in_.fail_here("expected ASCII or BINARY");
    binary_ = form == "BINARY";
    in_.expect("DATASET");
    if (in_.word("UNSTRUCTURED_GRID") != "UNSTRUCTURED_GRID") in_.fail_here("only UNSTRUCTURED_GRID can be read");
    bool more = true;
    while (more && !in_.at_end()) more = section(in_.word("a keyword"));
    MeshFile out = vtk_mesh(in_, std::move(grid_), "vtk");
    if (!unknown_.empty())
      out.notes.push_back(text("data of type ", unknown_, " cannot be read, nor what stands behind them"));
    return out;
  }

 private:
  // Whether more may follow that is of use.
  bool section(std::string_view word) {
    if (word == "POINTS") {
      const std::size_t count = in_.count("the number of points", binary_ ? 3 : 6);
      grid_.points = reals(3 * count, type());
    } else if (word == "CELLS") {
      cells();
    } else if (word == "CELL_TYPES") {
      const std::size_t count = in_.count("the number of types", binary_ ? 4 : 2);
      grid_.types = integers(count, VtkType::int32);
    } else if (word == "CELL_DATA" || word == "POINT_DATA") {
      of_cells_ = word == "CELL_DATA";
      rows_ = in_.count("the number of rows", 0);
    } else if (word == "FIELD") {
      in_.word("a name");
      return fields();
    } else if (word == "METADATA") { // up to an empty line
      in_.line();
      while (in_.left() > 0 && !in_.line().empty()) continue;
    } else {
      return attribute(word);
    }
    return true;
  }

  VtkType type() {
    const VtkType out = legacy_type(in_.word("a type of values"));
    if (out == VtkType::none) in_.fail_here("this type of values is unknown");
    return out;
  }

  std::string_view block(std::size_t count, VtkType type) {
    in_.line();
    if (count > in_.left() / vtk_size(type)) in_.fail_here(text("the file ends before ", count, " values"));
    return in_.raw(count * vtk_size(type), "the values");
  }

  std::vector<double> reals(std::size_t count, VtkType type) {
    if (binary_) return vtk_reals(in_, type, block(count, type), vtk_swaps);
    std::vector<double> out(in_.believe(static_cast<long long>(count), "values", 2));
    for (double &value : out) value = in_.real("a value");
    return out;
  }

  std::vector<long long> integers(std::size_t count, VtkType type) {
    if (binary_) return vtk_integers(in_, type, block(count, type), vtk_swaps);
    std::vector<long long> out(in_.believe(static_cast<long long>(count), "values", 2));
    for (long long &value : out) value = in_.whole("a whole number");
    return out;
  }

  void cells() {
    const std::size_t rows = in_.count("the number of cells", 2), size = in_.count("the size of the list of cells", 2);
    const std::size_t here = in_.at();
    if (!in_.take("OFFSETS")) {
      in_.seek(here); // a blank may be the first byte of a number
      row_cells(rows, integers(size, VtkType::int32));
      return;
    }
    grid_.ends = integers(rows, type());
    if (grid_.ends.empty() || grid_.ends.front() != 0) in_.fail_here("the offsets of cells do not begin with 0");
    grid_.ends.erase(grid_.ends.begin());
    in_.expect("CONNECTIVITY");
    grid_.nodes = integers(size, type());
  }

  // Each row begins with its length.
  void row_cells(std::size_t rows, const std::vector<long long> &list) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const long long length = at < list.size() ? list[at] : -1;
      if (length < 0 || static_cast<std::size_t>(length) > list.size() - at - 1)
        in_.fail_here(text("the list of cells ends in cell ", i));
      ++at;
      for (long long k = 0; k < length; ++k) grid_.nodes.push_back(list[at++]);
      grid_.ends.push_back(static_cast<long long>(grid_.nodes.size()));
    }
  }

  // Data of points or cells. Whether more may follow.
  bool attribute(std::string_view word) {
    if (word == "LOOKUP_TABLE" || word == "COLOR_SCALARS") { // bytes, or in text real numbers
      in_.word("a name");
      const std::size_t number = in_.count("a number", 0);
      const bool table = word == "LOOKUP_TABLE";
      return array("unsigned_char", table ? 4 : number, table ? number : rows_, false);
    }
    std::size_t values = word == "SCALARS" || word == "GLOBAL_IDS" || word == "PEDIGREE_IDS" ? 1
                         : word == "VECTORS" || word == "NORMALS"                            ? 3
                         : word == "TENSORS6"                                                ? 6
                         : word == "TENSORS"                                                 ? 9
                                                                                             : 0;
    const bool texture = word == "TEXTURE_COORDINATES";
    if (values == 0 && !texture) return false;
    in_.word("a name");
    if (texture) values = in_.count("the number of coordinates", 0);
    const std::string_view kind = in_.word("a type of values");
    if (word == "SCALARS") {
      if (const std::string_view more = in_.rest_of_line_trimmed(); !more.empty())
        values = static_cast<std::size_t>(Cursor(more, in_.file()).number("the number of components", 1, 4));
      in_.expect("LOOKUP_TABLE");
      in_.word("a name");
    }
    return array(kind, values, rows_, word == "SCALARS");
  }

  bool fields() {
    const std::size_t count = in_.count("the number of arrays", 8);
    for (std::size_t i = 0; i < count; ++i) {
      std::string_view name = in_.word("a name");
      while (name == "METADATA") { // of the array before
        section(name);
        name = in_.word("a name");
      }
      const std::size_t components = in_.count("the number of components", 0);
      const std::size_t rows = in_.count("the number of rows", 0);
      if (!array(in_.word("a type of values"), components, rows, true)) return false;
    }
    return true;
  }

  // The first one of one whole number for each cell is kept. Whether more may follow: not behind what is unknown.
  bool array(std::string_view kind, std::size_t components, std::size_t rows, bool wanted) {
    if (components > 0 && rows > 8 * in_.left() / components) in_.fail_here("the file is too short for this array");
    const std::size_t count = components * rows;
    const VtkType values = legacy_type(kind);
    if (wanted && of_cells_ && components == 1 && vtk_whole(values) && grid_.cell_data.empty())
      grid_.cell_data = integers(rows, values);
    else if (kind == "string" || kind == "utf8_string")
      skip_texts(count);
    else if (values == VtkType::none && kind != "bit")
      unknown_ = kind;
    else if (!binary_)
      for (std::size_t i = 0; i < count; ++i) in_.word("a value");
    else if (kind == "bit")
      block((count + 7) / 8, VtkType::uint8);
    else
      block(count, values);
    return unknown_.empty();
  }

  // One in each line; in binary files behind their lengths, whose first two bits tell how long those are.
  void skip_texts(std::size_t count) {
    in_.line();
    for (std::size_t i = 0; i < count; ++i) {
      if (in_.left() == 0) in_.fail_here("the file ends in an array of texts");
      if (!binary_) {
        in_.line();
        continue;
      }
      unsigned long long length = in_.value<std::uint8_t>(false, "the length of a text");
      constexpr std::array more = {7, 3, 1, 0};
      const int bytes = more[length >> 6];
      length &= 63;
      for (int k = 0; k < bytes; ++k) length = length << 8 | in_.value<std::uint8_t>(false, "the length of a text");
      if (length > in_.left()) in_.fail_here("the file ends in an array of texts");
      in_.raw(static_cast<std::size_t>(length), "a text");
    }
  }

  Cursor in_;
  VtkGrid grid_;
  bool binary_ = false, of_cells_ = false;
  std::string_view unknown_; // a type of values
  std::size_t rows_ = 0;     // of the data of points or cells
};

} // namespace

MeshFile read_vtk(Cursor in) { return VtkReader(std::move(in)).read(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
