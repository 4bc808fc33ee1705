#include "meshfile/write_vtu.hpp"

#include <algorithm>
#include <map>

#include "meshfile/cursor.hpp"
#include "meshfile/vtk_cells.hpp"

namespace op2::core {

namespace {

constexpr const char *global_ids = "GlobalNodeIds";
constexpr int vtk_line = 3, vtk_triangle = 5, vtk_quadrangle = 9;
constexpr std::array vtk_types = {5, 9, 10, 14, 13, 12, vtk_polyhedron, vtk_polygon}; // as CellType counts

// Arrays behind the rest of the file: their tags, and their bytes with a length before each.
class Appended {
 public:
  template <class T>
  std::string array(const char *type, const char *name, int components, const std::vector<T> &values) {
    const std::size_t offset = bytes_.size();
    const std::uint64_t length = values.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char *>(&length), sizeof length);
    bytes_.append(reinterpret_cast<const char *>(values.data()), static_cast<std::size_t>(length));
    return text("<DataArray type=\"", type, "\" Name=\"", name, "\" NumberOfComponents=\"", components,
                "\" format=\"appended\" offset=\"", offset, "\"/>\n");
  }
  const std::string &bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// The faces of each cell that is given by its faces only.
class FacesOfCells {
 public:
  explicit FacesOfCells(const MeshModel &model) : connectivity_(model.faces()) {
    const MeshFile &file = model.file();
    wanted_.resize(static_cast<std::size_t>(file.cells));
    for (const CellType type : {CellType::polyhedron, CellType::polygon})
      for (const int cell : file.block(type).cells) wanted_[static_cast<std::size_t>(cell)] = true;
    for (std::size_t i = 0; i < connectivity_.face_cells.size(); ++i)
      add(connectivity_.face_cells[i], static_cast<int>(i / 2), false, i % 2 == 1);
    for (std::size_t i = 0; i < connectivity_.boundary_cell.size(); ++i)
      add(connectivity_.boundary_cell[i], static_cast<int>(i), true, false);
  }

  // Each as nodes that make a normal out of the cell.
  std::vector<std::vector<int>> faces(int cell) const {
    std::vector<std::vector<int>> out;
    const auto found = faces_.find(cell);
    if (found == faces_.end()) return out;
    for (const Face &face : found->second) {
      const std::span<const int> row = face_row(face.boundary ? connectivity_.boundary_nodes : connectivity_.face_nodes,
                                                connectivity_.arity, face.number);
      out.emplace_back(row.begin(), row.end());
      if (face.turned) std::reverse(out.back().begin(), out.back().end());
    }
    return out;
  }

 private:
  struct Face {
    int number;
    bool boundary, turned;
  };
  void add(int cell, int number, bool boundary, bool turned) {
    if (wanted_[static_cast<std::size_t>(cell)]) faces_[cell].push_back({number, boundary, turned});
  }

  const Connectivity &connectivity_;
  std::vector<bool> wanted_;
  std::map<int, std::vector<Face>> faces_;
};

// The nodes around a polygon, from its edges, each of which leads to the next.
std::vector<int> ring(const std::vector<std::vector<int>> &edges, int cell) {
  std::map<int, int> next;
  for (const std::vector<int> &edge : edges) next[edge.front()] = edge.back();
  std::vector<int> out;
  for (int node = edges.empty() ? -1 : edges.front().front(); out.size() < edges.size(); node = next[node]) {
    if (next.count(node) == 0 || (!out.empty() && node == out.front())) break;
    out.push_back(node);
  }
  if (out.empty() || out.size() != edges.size() || next[out.back()] != out.front())
    fail(OP_ERR_UNSUPPORTED, "cell ", cell,
         " is a polygon whose edges are not one ring; VTK's files have no such cells");
  return out;
}

class Writer {
 public:
  Writer(const MeshModel &model, int part)
      : model_(model), part_(part), place_(static_cast<std::size_t>(model.file().nodes()), -1), by_faces_(model) {}

  std::string run() {
    for (std::size_t i = 0; part_ < 0 && i < place_.size(); ++i) point(static_cast<int>(i)); // in their own order
    cells();
    boundary();
    return file();
  }

 private:
  bool has(int cell) const { return part_ < 0 || model_.part()[static_cast<std::size_t>(cell)] == part_; }

  std::int64_t point(int node) {
    int &place = place_[static_cast<std::size_t>(node)];
    if (place >= 0) return place;
    place = static_cast<int>(ids_.size());
    ids_.push_back(node);
    return place;
  }

  void cells() {
    const MeshFile &file = model_.file();
    struct Row {
      int type = 0, row = 0;
    };
    std::vector<Row> rows(static_cast<std::size_t>(file.cells));
    for (int type = 0; type < cell_types; ++type) {
      const CellBlock &block = file.blocks[static_cast<std::size_t>(type)];
      for (int i = 0; i < block.size(); ++i)
        rows[static_cast<std::size_t>(block.cells[static_cast<std::size_t>(i)])] = {type, i};
    }
    for (int cell = 0; cell < file.cells; ++cell) {
      if (!has(cell)) continue;
      const auto [type, row] = rows[static_cast<std::size_t>(cell)];
      const int width = shape(static_cast<CellType>(type)).nodes;
      if (width > 0)
        nodes(std::span(file.blocks[static_cast<std::size_t>(type)].nodes)
                  .subspan(static_cast<std::size_t>(row) * static_cast<std::size_t>(width),
                           static_cast<std::size_t>(width)));
      else if (static_cast<CellType>(type) == CellType::polygon)
        nodes(ring(by_faces_.faces(cell), cell));
      else
        polyhedron(by_faces_.faces(cell));
      close(vtk_types[static_cast<std::size_t>(type)], no_patch, cell);
    }
  }

  void boundary() {
    const Connectivity &faces = model_.faces();
    for (int i = 0; i < faces.boundary_faces(); ++i) {
      const int cell = faces.boundary_cell[static_cast<std::size_t>(i)],
                patch = faces.boundary_patch[static_cast<std::size_t>(i)];
      if (!has(cell) || patch == no_patch) continue;
      const std::span<const int> row = face_row(faces.boundary_nodes, faces.arity, i);
      nodes(row);
      close(row.size() == 2   ? vtk_line
            : row.size() == 3 ? vtk_triangle
            : row.size() == 4 ? vtk_quadrangle
                              : vtk_polygon,
            patch, cell);
    }
  }

  void nodes(std::span<const int> row) {
    for (const int node : row) connectivity_.push_back(point(node));
  }

  void polyhedron(const std::vector<std::vector<int>> &sides) {
    const std::size_t begin = connectivity_.size();
    faces_.push_back(static_cast<std::int64_t>(sides.size()));
    for (const std::vector<int> &side : sides) {
      faces_.push_back(static_cast<std::int64_t>(side.size()));
      for (const int node : side) {
        faces_.push_back(point(node));
        connectivity_.push_back(point(node));
      }
    }
    const auto first = connectivity_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, connectivity_.end());
    connectivity_.erase(std::unique(first, connectivity_.end()), connectivity_.end());
  }

  void close(int type, int patch, int cell) {
    offsets_.push_back(static_cast<std::int64_t>(connectivity_.size()));
    types_.push_back(static_cast<std::uint8_t>(type));
    face_offsets_.push_back(type == vtk_polyhedron ? static_cast<std::int64_t>(faces_.size()) : -1);
    patches_.push_back(patch);
    if (model_.parts() > 0) parts_.push_back(model_.part()[static_cast<std::size_t>(cell)]);
  }

  std::vector<double> coordinates() const {
    const MeshFile &file = model_.file();
    const auto dim = static_cast<std::size_t>(file.dim);
    std::vector<double> out(3 * ids_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i)
      for (std::size_t k = 0; k < dim; ++k) out[3 * i + k] = file.x[static_cast<std::size_t>(ids_[i]) * dim + k];
    return out;
  }

  std::string file() {
    Appended arrays;
    std::string out = text("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"",
                           little_endian ? "LittleEndian" : "BigEndian",
                           "\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"", ids_.size(),
                           "\" NumberOfCells=\"", types_.size(), "\">\n");
    if (part_ >= 0)
      out += text("<PointData GlobalIds=\"", global_ids, "\">\n", arrays.array("Int64", global_ids, 1, ids_),
                  "</PointData>\n");
    out += text("<CellData>\n", arrays.array("Int32", "patch", 1, patches_));
    if (model_.parts() > 0) out += arrays.array("Int32", "part", 1, parts_);
    out += text("</CellData>\n<Points>\n", arrays.array("Float64", "Points", 3, coordinates()), "</Points>\n<Cells>\n",
                arrays.array("Int64", "connectivity", 1, connectivity_), arrays.array("Int64", "offsets", 1, offsets_),
                arrays.array("UInt8", "types", 1, types_));
    if (!faces_.empty())
      out += arrays.array("Int64", "faces", 1, faces_) + arrays.array("Int64", "faceoffsets", 1, face_offsets_);
    out += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    return out + arrays.bytes() + "\n</AppendedData>\n</VTKFile>\n";
  }

  const MeshModel &model_;
  const int part_;
  std::vector<int> place_; // of each node among the points of the file, -1: not there
  FacesOfCells by_faces_;
  std::vector<std::int64_t> ids_; // of each point
  std::vector<std::int64_t> connectivity_, offsets_, faces_, face_offsets_;
  std::vector<std::uint8_t> types_;
  std::vector<std::int32_t> patches_, parts_;
};

} // namespace

std::string vtu_bytes(const MeshModel &model, int part) { return Writer(model, part).run(); }

std::string pvtu_bytes(const std::vector<std::string> &files, bool parts) {
  std::string out = text("<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"",
                         little_endian ? "LittleEndian" : "BigEndian",
                         "\" header_type=\"UInt64\">\n<PUnstructuredGrid GhostLevel=\"0\">\n");
  if (parts)
    out += text("<PPointData GlobalIds=\"", global_ids, "\">\n<PDataArray type=\"Int64\" Name=\"", global_ids,
                "\"/>\n</PPointData>\n");
  out += text("<PCellData>\n<PDataArray type=\"Int32\" Name=\"patch\"/>\n",
              parts ? "<PDataArray type=\"Int32\" Name=\"part\"/>\n" : "",
              "</PCellData>\n<PPoints>\n<PDataArray type=\"Float64\" Name=\"Points\" "
              "NumberOfComponents=\"3\"/>\n</PPoints>\n");
  for (const std::string &file : files) out += text("<Piece Source=\"", file, "\"/>\n");
  return out + "</PUnstructuredGrid>\n</VTKFile>\n";
}

} // namespace op2::core
