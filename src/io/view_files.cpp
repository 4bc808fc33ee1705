#include "io/view_files.hpp"

#include <array>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "host/files.hpp"
#include "io/files.hpp"
#include "io/place.hpp"
#include "io/view_arrays.hpp"
#include "io/xdmf.hpp"

namespace op2::core {

namespace {

constexpr std::size_t longest_list = std::size_t{1} << 30;

bool is_vtkhdf(const std::string &file) { return end_of(file) == ".vtkhdf" || end_of(file) == ".hdf"; }
bool is_xdmf(const std::string &file) { return end_of(file) == ".xdmf" || end_of(file) == ".xmf"; }

// A new file and the arrays in it.
class ViewWriter {
 public:
  ViewWriter(Files &files, const std::string &path) : files_(files), file_(files, path, FileWriter::Way::replace, 0) {}

  void group(const std::string &name) {
    file_.step("groups", [&](OpenFile &file) { file.create_group(name); });
  }
  void mark(const std::string &group, const char *key, std::span<const int> numbers) {
    file_.step("attributes", [&](OpenFile &file) {
      file.write_attribute(group, key, OP_TYPE_INT, static_cast<int>(numbers.size()), numbers.data());
    });
  }
  void mark(const std::string &group, const char *key, const char *word) {
    file_.step("attributes", [&](OpenFile &file) { file.write_text(group, key, word); });
  }
  void array(const ViewArray &array) {
    const ElementType type = builtin_type(array.type);
    file_.step(text("array '", array.name, "'"), [&](OpenFile &file) {
      file.create(array.name, files_.new_array(array.rows, array.dim, type, array.flat ? 1 : 2));
    });
    const std::size_t row = static_cast<std::size_t>(array.dim) * static_cast<std::size_t>(type.size);
    array.put([&](idx_g_t first, idx_g_t rows, const void *data) {
      file_.write_rows(array.name, first, rows, row, array.type, static_cast<const char *>(data));
    });
  }
  void commit() { file_.commit(); }

 private:
  Files &files_;
  FileWriter file_;
};

// A text that is new or replaced as a whole, written by one process.
void write_list(Mesh &mesh, const std::string &path, const std::string &content) {
  mesh.agreement().together(text("file '", path, "'"), [&] {
    if (mesh.communicator().rank() != 0) return 0;
    NewFile file(path);
    if (const std::string problem = write_file(file.path(), content, 0666); !problem.empty())
      fail(OP_ERR_FILE, problem);
    file.finish();
    return 0;
  });
}

// ---- VTKHDF
// ----------------------------------------------------------------------------------------------------------

void write_vtkhdf(Mesh &mesh, Files &files, const op_view_core &view, const std::string &path,
                  std::optional<double> time) {
  ViewArrays arrays(mesh, view);
  ViewWriter file(files, path);
  const std::array<int, 2> version = {1, 0};
  file.group("VTKHDF");
  file.mark("VTKHDF", "Version", version);
  file.mark("VTKHDF", "Type", "UnstructuredGrid");
  file.array(arrays.counter("VTKHDF/NumberOfPoints", arrays.nodes()));
  file.array(arrays.counter("VTKHDF/NumberOfCells", arrays.cells()));
  file.array(arrays.counter("VTKHDF/NumberOfConnectivityIds", arrays.entries()));
  file.array(arrays.points("VTKHDF/Points"));
  file.array(arrays.connectivity("VTKHDF/Connectivity"));
  file.array(arrays.offsets("VTKHDF/Offsets"));
  file.array(arrays.types("VTKHDF/Types"));
  file.group("VTKHDF/CellData");
  file.group("VTKHDF/PointData");
  for (const ViewArrays::Field &field : arrays.fields([](int, const std::string &name, bool nodes) {
         return text(nodes ? "VTKHDF/PointData/" : "VTKHDF/CellData/", name);
       }))
    file.array(field.array);
  if (time) {
    file.group("VTKHDF/FieldData");
    file.array(arrays.time("VTKHDF/FieldData/TimeValue", *time));
  }
  file.commit();
}

// ---- XDMF
// ------------------------------------------------------------------------------------------------------------

// Names in HDF5 that cannot be taken for anything else in "file:/place".
std::string plain(const std::string &name) {
  std::string out = name;
  for (char &c : out) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '.') c = '_';
  }
  return out;
}

XdmfArray described(const std::string &file, const ViewArray &array) {
  return {last_part(file), array.name, array.rows, array.dim, array.type, array.flat};
}

// Coordinates and cells: writes them where a file is given, and describes them.
std::string xdmf_mesh(ViewArrays &arrays, const std::string &path, ViewWriter *file) {
  const bool mixed = arrays.mixed();
  const ViewArray cells = mixed ? arrays.mixed_topology("mesh/cells") : arrays.table("mesh/cells");
  const ViewArray points = arrays.points("mesh/coordinates");
  if (file) {
    file->array(points);
    file->array(cells);
  }
  const ViewShape &shape = arrays.shape();
  const std::string type = mixed ? "TopologyType=\"Mixed\""
                           : shape.nodes <= 2
                               ? text("TopologyType=\"", shape.xdmf, "\" NodesPerElement=\"", shape.nodes, "\"")
                               : text("TopologyType=\"", shape.xdmf, "\"");
  return text("<Topology ", type, " NumberOfElements=\"", arrays.cells(), "\">", xdmf_data(described(path, cells)),
              "</Topology>\n<Geometry GeometryType=\"XYZ\">", xdmf_data(described(path, points)), "</Geometry>\n");
}

std::string xdmf_fields(ViewArrays &arrays, const std::string &path, ViewWriter &file) {
  std::string out;
  for (const ViewArrays::Field &field : arrays.fields([](int number, const std::string &name, bool nodes) {
         return text(nodes ? "nodes/" : "cells/", number, "_", plain(name));
       })) {
    file.array(field.array);
    out += xdmf_field(field.name, field.nodes, described(path, field.array));
  }
  return out;
}

void write_xdmf(Mesh &mesh, Files &files, const op_view_core &view, const std::string &path) {
  ViewArrays arrays(mesh, view);
  const std::string data = stem_of(path) + ".h5";
  ViewWriter file(files, data);
  const std::string content = xdmf_mesh(arrays, data, &file) + xdmf_fields(arrays, data, file);
  file.commit();
  write_list(mesh, path, xdmf_single(xdmf_grid(view.name, -1, 0, content)));
}

std::string write_xdmf_step(Mesh &mesh, Files &files, op_view_core &view, const std::string &path, Series &series,
                            const SeriesStep &step) {
  ViewArrays arrays(mesh, view);
  const std::string mesh_path = stem_of(path) + "_mesh.h5", data = step_path(path, step.number, ".h5");
  std::string content;
  if (!series.mesh_written) {
    ViewWriter file(files, mesh_path);
    content = xdmf_mesh(arrays, mesh_path, &file);
    file.commit();
    series.mesh_written = true;
  } else {
    content = xdmf_mesh(arrays, mesh_path, nullptr);
  }
  ViewWriter file(files, data);
  content += xdmf_fields(arrays, data, file);
  file.commit();
  return xdmf_grid(view.name, step.number, step.time, content);
}

// ---- series
// ----------------------------------------------------------------------------------------------------------

// The list in which a series stands: XDMF is one itself.
std::string list_path(const std::string &file) { return is_xdmf(file) ? file : file + ".series"; }

// What an earlier run has written. One process reads, and all know it.
Series earlier_series(Mesh &mesh, const std::string &file) {
  std::string list;
  if (mesh.communicator().rank() == 0) list = read_file(list_path(file), longest_list).value_or("");
  if (mesh.several()) list = mesh.communicator().allgather(list).front();
  return is_xdmf(file) ? read_xdmf_series(list) : read_series(list);
}

} // namespace

void need_view_format(const std::string &file) {
  if (!is_vtkhdf(file) && !is_xdmf(file))
    fail(OP_ERR_ARGUMENT, "the end of '", file,
         "' names no format; views are written as .vtkhdf (or .hdf) and .xdmf (or .xmf)");
}

void write_view(Mesh &mesh, Files &files, const op_view_core &view, const std::string &file) {
  if (is_xdmf(file))
    write_xdmf(mesh, files, view, file);
  else
    write_vtkhdf(mesh, files, view, file, {});
}

void write_view_step(Mesh &mesh, Files &files, op_view_core &view, const std::string &file, double time) {
  const auto known = view.series.find(file);
  Series series = known == view.series.end() ? earlier_series(mesh, file) : known->second;
  SeriesStep step{series.make_room(time), time, ""};
  if (is_xdmf(file))
    step.text = write_xdmf_step(mesh, files, view, file, series, step);
  else
    write_vtkhdf(mesh, files, view, step_path(file, step.number, end_of(file)), time);
  series.steps.push_back(std::move(step));
  write_list(mesh, list_path(file), is_xdmf(file) ? xdmf_series(series) : series_text(series, file));
  view.series[file] = std::move(series);
}

} // namespace op2::core
