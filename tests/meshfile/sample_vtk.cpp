// sample_vtk.cpp: the samples in VTK's formats.
#include <functional>

#include "bytes.hpp"
#include "sample.hpp"

namespace meshes {

namespace {

// Sides first, as they stand in the other formats, then cells; their patches as data of cells.
struct VtkArrays {
  std::vector<double> points;
  std::vector<int> nodes, ends, types, patches;

  explicit VtkArrays(const Sample &sample) : points(sample.x) {
    constexpr int numbers[] = {1, 3, 5, 9, 10, 14, 13, 12};
    for (const std::vector<Piece> *pieces : {&sample.sides, &sample.cells})
      for (const Piece &piece : *pieces) {
        nodes.insert(nodes.end(), piece.nodes.begin(), piece.nodes.end());
        ends.push_back(static_cast<int>(nodes.size()));
        types.push_back(numbers[static_cast<int>(piece.kind)]);
        patches.push_back(pieces == &sample.sides ? piece.patch + 1 : 9);
      }
  }
};

template <class Stored, class T>
void put_values(Bytes &out, const std::vector<T> &values, bool binary) {
  for (const T value : values) binary ? out.value<Stored>(value) : out.text(value, " ");
  out.text("\n");
}

std::string base64(const std::string &bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? bytes[i + k] & 255u : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

} // namespace

std::string vtk(const Sample &sample, Form form, bool version5) {
  const VtkArrays arrays(sample);
  const bool binary = form != Form::text;
  const std::size_t cells = arrays.ends.size();
  Bytes out(true); // the most significant byte first
  out.text("# vtk DataFile Version ", version5 ? "5.1" : "2.0", "\na sample\n", binary ? "BINARY" : "ASCII");
  out.text("\nDATASET UNSTRUCTURED_GRID\nPOINTS ", arrays.points.size() / 3, " double\n");
  put_values<double>(out, arrays.points, binary);
  if (version5) {
    std::vector<int> offsets = arrays.ends;
    offsets.insert(offsets.begin(), 0);
    out.text("METADATA\nINFORMATION 0\n\nCELLS ", cells + 1, " ", arrays.nodes.size(), "\nOFFSETS vtktypeint64\n");
    put_values<long long>(out, offsets, binary);
    out.text("CONNECTIVITY vtktypeint64\n");
    put_values<long long>(out, arrays.nodes, binary);
  } else {
    std::vector<int> rows;
    int begin = 0;
    for (const int end : arrays.ends) {
      rows.push_back(end - begin);
      rows.insert(rows.end(), arrays.nodes.begin() + begin, arrays.nodes.begin() + end);
      begin = end;
    }
    out.text("CELLS ", cells, " ", rows.size(), "\n");
    put_values<int>(out, rows, binary);
  }
  out.text("CELL_TYPES ", cells, "\n");
  put_values<int>(out, arrays.types, binary);
  out.text("CELL_DATA ", cells, "\n");
  if (version5)
    out.text("FIELD FieldData 1\npatch 1 ", cells, " int\n");
  else
    out.text("SCALARS patch int 1\nLOOKUP_TABLE default\n");
  put_values<int>(out, arrays.patches, binary);
  return out.all();
}

std::string vtu(const Sample &sample, Encoding encoding, bool wide) {
  const VtkArrays arrays(sample);
  std::string appended;
  const auto array = [&](const char *type, const char *name, const std::string &text, const std::string &bytes) {
    Bytes length;
    wide ? length.value<unsigned long long>(bytes.size()) : length.value<unsigned>(bytes.size());
    const std::string all = length.all() + bytes;
    Bytes out;
    out.text("<DataArray type=\"", type, "\" Name=\"", name, "\" ");
    if (name == std::string("Points")) out.text("NumberOfComponents=\"3\" ");
    if (encoding == Encoding::text) return out.text("format=\"ascii\">\n", text, "</DataArray>\n").all();
    if (encoding == Encoding::base64) return out.text("format=\"binary\">\n", base64(all), "\n</DataArray>\n").all();
    out.text("format=\"appended\" offset=\"", appended.size(), "\"/>\n");
    appended += encoding == Encoding::appended_raw ? all : base64(all);
    return out.all();
  };
  const auto ints = [&](const char *name, const std::vector<int> &values) {
    Bytes text, bytes;
    put_values<int>(text, values, false);
    for (const int value : values) bytes.value<long long>(value);
    return array("Int64", name, text.all(), bytes.all());
  };
  Bytes text, bytes, out;
  put_values<double>(text, arrays.points, false);
  for (const double value : arrays.points) bytes.value<double>(value);
  out.text("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" ",
           "header_type=\"", wide ? "UInt64" : "UInt32", "\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"",
           arrays.points.size() / 3, "\" NumberOfCells=\"", arrays.ends.size(), "\">\n<PointData/>\n<CellData>\n",
           ints("patch", arrays.patches), "</CellData>\n<Points>\n",
           array("Float64", "Points", text.all(), bytes.all()), "</Points>\n<Cells>\n");
  out.text(ints("connectivity", arrays.nodes), ints("offsets", arrays.ends), ints("types", arrays.types));
  out.text("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
  if (!appended.empty())
    out.text("<AppendedData encoding=\"", encoding == Encoding::appended_raw ? "raw" : "base64", "\">\n_", appended,
             "\n</AppendedData>\n");
  return out.text("</VTKFile>\n").all();
}

} // namespace meshes
