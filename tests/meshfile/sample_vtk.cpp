// sample_vtk.cpp: the samples in VTK's formats.
#include <functional>

#include "bytes.hpp"
#include "meshfile/mesh_file.hpp"
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
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
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

std::string vtk_polyhedra(const Sample &sample) {
  Bytes rows, types, patches;
  std::size_t values = 0, cells = sample.sides.size() + sample.cells.size();
  for (const Piece &piece : sample.sides) {
    rows.text(piece.nodes.size(), " ");
    for (const int node : piece.nodes) rows.text(node, " ");
    values += piece.nodes.size() + 1;
    types.text(piece.nodes.size() == 3 ? "5 " : "9 ");
    patches.text(piece.patch + 1, " ");
  }
  bool turned = false;
  for (const Piece &piece : sample.cells) {
    const auto type = static_cast<op2::core::CellType>(static_cast<int>(piece.kind) - 2);
    std::vector<std::size_t> list = {shape(type).sides.size()};
    for (const op2::core::CellSide &side : shape(type).sides) {
      list.push_back(static_cast<std::size_t>(side.nodes));
      for (int k = 0; k < side.nodes; ++k) {
        const int at = turned ? side.nodes - 1 - k : k;
        list.push_back(
            static_cast<std::size_t>(piece.nodes[static_cast<std::size_t>(side.node[static_cast<std::size_t>(at)])]));
      }
      turned = !turned;
    }
    rows.text(list.size(), " ");
    for (const std::size_t value : list) rows.text(value, " ");
    values += list.size() + 1;
    types.text("42 ");
    patches.text("9 ");
  }
  Bytes out;
  out.text("# vtk DataFile Version 4.2\na sample\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS ", sample.x.size() / 3,
           " double\n");
  put_values<double>(out, sample.x, false);
  out.text("CELLS ", cells, " ", values, "\n", rows.all(), "\nCELL_TYPES ", cells, "\n", types.all());
  out.text("\nCELL_DATA ", cells, "\nSCALARS patch int 1\nLOOKUP_TABLE default\n", patches.all(), "\n");
  return out.all();
}

namespace {

// One block of deflate that is not compressed, with zlib's head and checksum.
std::string zlib_stored(const std::string &bytes) {
  unsigned a = 1, b = 0;
  for (const char c : bytes) b = (b + (a = (a + static_cast<unsigned char>(c)) % 65521)) % 65521;
  Bytes out, sum(true);
  out.text("\x78\x01\x01").value<unsigned short>(bytes.size()).value<unsigned short>(~bytes.size());
  return out.text(bytes, sum.value<unsigned>(b << 16 | a).all()).all();
}

} // namespace

std::string vtu(const Sample &sample, Encoding encoding, bool wide, bool packed, bool swapped) {
  const VtkArrays arrays(sample);
  std::string appended;
  const auto number = [&](Bytes &to, std::size_t value) {
    wide ? to.value<unsigned long long>(value) : to.value<unsigned>(value);
  };
  const auto blocks = [&](const std::string &bytes) { // of 100 bytes
    Bytes head(swapped);
    std::string data;
    number(head, (bytes.size() + 99) / 100);
    number(head, 100);
    number(head, bytes.size() % 100);
    for (std::size_t at = 0; at < bytes.size(); at += 100) {
      const std::string block = zlib_stored(bytes.substr(at, 100));
      number(head, block.size());
      data += block;
    }
    return encoding == Encoding::appended_raw ? head.all() + data : base64(head.all()) + base64(data);
  };
  const auto array = [&](const char *type, const char *name, const std::string &text, const std::string &bytes) {
    Bytes length(swapped), out;
    number(length, bytes.size());
    const std::string plain = length.all() + bytes;
    const std::string all = packed ? blocks(bytes) : encoding == Encoding::appended_raw ? plain : base64(plain);
    out.text("<DataArray type=\"", type, "\" Name=\"", name, "\" ");
    if (name == std::string("Points")) out.text("NumberOfComponents=\"3\" ");
    if (encoding == Encoding::text) return out.text("format=\"ascii\">\n", text, "</DataArray>\n").all();
    if (encoding == Encoding::base64) return out.text("format=\"binary\">\n", all, "\n</DataArray>\n").all();
    out.text("format=\"appended\" offset=\"", appended.size(), "\"/>\n");
    appended += all;
    return out.all();
  };
  const auto ints = [&](const char *name, const std::vector<int> &values) {
    Bytes text, bytes(swapped);
    put_values<int>(text, values, false);
    for (const int value : values) bytes.value<long long>(value);
    return array("Int64", name, text.all(), bytes.all());
  };
  Bytes text, bytes(swapped), out;
  put_values<double>(text, arrays.points, false);
  for (const double value : arrays.points) bytes.value<double>(value);
  out.text("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"",
           swapped ? "BigEndian" : "LittleEndian", packed ? "\" compressor=\"vtkZLibDataCompressor" : "",
           "\" header_type=\"", wide ? "UInt64" : "UInt32", "\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"",
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

// SPDX-License-Identifier: MIT
