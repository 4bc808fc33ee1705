// VTK's legacy format, text and binary: an unstructured grid, cells in the rows of older versions or the arrays of
// version 5.
#include "meshfile/read.hpp"
#include "meshfile/vtk_common.hpp"

namespace op2::core {

namespace {

constexpr bool vtk_swaps = little_endian; // the most significant byte stands first

VtkType legacy_type(std::string_view name) {
  if (name == "char") return VtkType::int8;
  if (name == "unsigned_char") return VtkType::uint8;
  if (name == "short") return VtkType::int16;
  if (name == "unsigned_short") return VtkType::uint16;
  if (name == "int" || name == "vtkIdType") return VtkType::int32;
  if (name == "unsigned_int") return VtkType::uint32;
  if (name == "long" || name == "vtktypeint64") return VtkType::int64;
  if (name == "unsigned_long" || name == "vtktypeuint64") return VtkType::uint64;
  if (name == "float") return VtkType::float32;
  if (name == "double") return VtkType::float64;
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
    return vtk_mesh(in_, std::move(grid_), "vtk");
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
    } else if (word == "CELL_DATA") {
      cell_data();
      return false;
    } else if (word == "FIELD") {
      in_.word("a name");
      fields(false);
    } else if (word == "METADATA") { // up to an empty line
      in_.line();
      while (in_.left() > 0 && !in_.line().empty()) continue;
    } else {
      return false; // POINT_DATA
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

  // The first array of one whole number for each cell.
  void cell_data() {
    const std::size_t cells = in_.count("the number of cells", 1);
    if (in_.take("SCALARS")) {
      in_.word("a name");
      const VtkType values = type();
      const std::string_view components = in_.rest_of_line_trimmed();
      if (!vtk_whole(values) || (!components.empty() && components != "1")) return;
      in_.expect("LOOKUP_TABLE");
      in_.word("a name");
      grid_.cell_data = integers(cells, values);
    } else if (in_.take("FIELD")) {
      in_.word("a name");
      fields(true);
    }
  }

  void fields(bool of_cells) {
    const std::size_t count = in_.count("the number of arrays", 8);
    for (std::size_t i = 0; i < count; ++i) {
      in_.word("a name");
      const std::size_t components = in_.count("the number of components", 0);
      const std::size_t rows = in_.count("the number of rows", 0);
      const VtkType values = type();
      if (components > 0 && rows > in_.left() / components) in_.fail_here("the file is too short for this array");
      if (of_cells && components == 1 && vtk_whole(values)) {
        grid_.cell_data = integers(rows, values);
        return;
      }
      reals(components * rows, values);
    }
  }

  Cursor in_;
  VtkGrid grid_;
  bool binary_ = false;
};

} // namespace

MeshFile read_vtk(Cursor in) { return VtkReader(std::move(in)).read(); }

} // namespace op2::core
