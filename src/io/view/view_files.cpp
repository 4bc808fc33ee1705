#include "io/view/view_files.hpp"

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "host/files.hpp"
#include "io/place.hpp"
#include "io/view/array_file.hpp"
#include "io/view/view_arrays.hpp"
#include "io/view/xdmf.hpp"

namespace op2::core {

namespace {

constexpr std::size_t longest_list = std::size_t{1} << 30;

bool is_vtkhdf(const std::string &file) { return end_of(file) == ".vtkhdf" || end_of(file) == ".hdf"; }
bool is_xdmf(const std::string &file) { return end_of(file) == ".xdmf" || end_of(file) == ".xmf"; }

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
  std::vector<ViewArray> all = {arrays.counter("VTKHDF/NumberOfPoints", arrays.nodes()),
                                arrays.counter("VTKHDF/NumberOfCells", arrays.cells()),
                                arrays.counter("VTKHDF/NumberOfConnectivityIds", arrays.entries()),
                                arrays.points("VTKHDF/Points"),
                                arrays.connectivity("VTKHDF/Connectivity"),
                                arrays.offsets("VTKHDF/Offsets"),
                                arrays.types("VTKHDF/Types")};
  for (ViewArrays::Field &field : arrays.fields([](int, const std::string &name, bool nodes) {
         return text(nodes ? "VTKHDF/PointData/" : "VTKHDF/CellData/", name);
       }))
    all.push_back(std::move(field.array));
  if (time) all.push_back(arrays.time("VTKHDF/FieldData/TimeValue", *time));

  ArrayFile file(files, path, all);
  const std::array<int, 2> version = {1, 0};
  file.group("VTKHDF");
  file.mark("VTKHDF", "Version", version);
  file.mark("VTKHDF", "Type", "UnstructuredGrid");
  for (const char *const group : {"VTKHDF/CellData", "VTKHDF/PointData"}) file.group(group);
  if (time) file.group("VTKHDF/FieldData");
  for (const ViewArray &array : all) file.array(array);
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

// The names of these files follow from that of the list. So one that the program did not make as such stays.
constexpr const char *mark_of_ours = "op2_view";

void need_ours(Mesh &mesh, Files &files, const std::string &list, const std::string &path) {
  const bool there = mesh.agreement().together(text("file '", path, "', whether it is there"), [&] {
    return mesh.communicator().rank() == 0 && file_is_there(path, true);
  });
  if (mesh.communicator().max(there ? 1 : 0) == 0) return;
  try {
    const std::unique_ptr<OpenFile> file = files.open_to_read(path);
    mesh.agreement().together(text("file '", path, "', its mark"),
                              [&] { return file->read_text("", mark_of_ours).size(); });
  } catch (const Error &error) {
    if (error.code != OP_ERR_FILE) throw;
    fail(OP_ERR_FILE, "file '", path, "': the arrays of '", list,
         "' belong there, and what is there is not the file of a view; move it away, or give the view another name");
  }
}

void write_arrays(Mesh &mesh, Files &files, const std::string &list, const std::string &path,
                  std::span<const ViewArray> all) {
  need_ours(mesh, files, list, path);
  ArrayFile file(files, path, all);
  file.mark("", mark_of_ours, "1");
  for (const ViewArray &array : all) file.array(array);
  file.commit();
}

// Coordinates and cells: adds them to the arrays to be written, and describes them.
std::string xdmf_mesh(ViewArrays &arrays, const std::string &path, std::vector<ViewArray> &all) {
  const bool mixed = arrays.mixed();
  const ViewArray cells = mixed ? arrays.mixed_topology("mesh/cells") : arrays.table("mesh/cells");
  const ViewArray points = arrays.points("mesh/coordinates");
  all.insert(all.end(), {points, cells});
  const ViewShape &shape = arrays.shape();
  const std::string type = mixed ? "TopologyType=\"Mixed\""
                           : shape.any_number
                               ? text("TopologyType=\"", shape.xdmf, "\" NodesPerElement=\"", arrays.cell_nodes(), "\"")
                               : text("TopologyType=\"", shape.xdmf, "\"");
  return text("<Topology ", type, " NumberOfElements=\"", arrays.cells(), "\">", xdmf_data(described(path, cells)),
              "</Topology>\n<Geometry GeometryType=\"XYZ\">", xdmf_data(described(path, points)), "</Geometry>\n");
}

std::string xdmf_fields(ViewArrays &arrays, const std::string &path, std::vector<ViewArray> &all) {
  std::string out;
  for (const ViewArrays::Field &field : arrays.fields([](int number, const std::string &name, bool nodes) {
         return text(nodes ? "nodes/" : "cells/", number, "_", plain(name));
       })) {
    all.push_back(field.array);
    out += xdmf_field(field.name, field.nodes, described(path, field.array));
  }
  return out;
}

void write_xdmf(Mesh &mesh, Files &files, const op_view_core &view, const std::string &path) {
  ViewArrays arrays(mesh, view);
  const std::string data = stem_of(path) + ".h5";
  std::vector<ViewArray> all;
  std::string content = xdmf_mesh(arrays, data, all);
  content += xdmf_fields(arrays, data, all);
  write_arrays(mesh, files, path, data, all);
  write_list(mesh, path, xdmf_single(xdmf_grid(view.name, -1, 0, content)));
}

std::string write_xdmf_step(Mesh &mesh, Files &files, op_view_core &view, const std::string &path, Series &series,
                            const SeriesStep &step) {
  ViewArrays arrays(mesh, view);
  const std::string mesh_path = stem_of(path) + "_mesh.h5", data = step_path(path, step.number, ".h5");
  std::vector<ViewArray> of_mesh, of_step;
  std::string content = xdmf_mesh(arrays, mesh_path, of_mesh);
  content += xdmf_fields(arrays, data, of_step);
  if (!series.mesh_written) write_arrays(mesh, files, path, mesh_path, of_mesh);
  series.mesh_written = true;
  write_arrays(mesh, files, path, data, of_step);
  return xdmf_grid(view.name, step.number, step.time, content);
}

// ---- series
// ----------------------------------------------------------------------------------------------------------

// The list in which a series stands: XDMF is one itself.
std::string list_path(const std::string &file) { return is_xdmf(file) ? file : file + ".series"; }

// What an earlier run has written. One process reads, and all know it. A list that cannot be read is not replaced:
// it may name steps.
Series earlier_series(Mesh &mesh, const std::string &file) {
  const std::string path = list_path(file), title = text("file '", path, "'");
  std::string list;
  const bool mine = mesh.agreement().together(title, [&] {
    if (mesh.communicator().rank() != 0 || !file_is_there(path)) return false;
    std::optional<std::string> found = read_file(path, longest_list);
    if (!found) fail(OP_ERR_FILE, title, ": it is there, but cannot be read");
    list = std::move(*found);
    return true;
  });
  if (mesh.communicator().max(mine ? 1 : 0) == 0) return {};
  if (mesh.several()) list = mesh.communicator().allgather(list).front();
  std::optional<Series> out = is_xdmf(file) ? read_xdmf_series(list) : read_series(list);
  if (!out)
    fail(OP_ERR_FILE, title,
         ": it is no list of steps that a view has written, or not whole; move it away to begin anew");
  return std::move(*out);
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
  const auto list = [&] {
    write_list(mesh, list_path(file), is_xdmf(file) ? xdmf_series(series) : series_text(series, file));
    view.series[file] = series;
  };
  const std::size_t before = series.steps.size();
  SeriesStep step{series.make_room(time), time, ""};
  if (series.steps.size() < before) list(); // before its files are replaced, the list names them no more
  if (is_xdmf(file))
    step.text = write_xdmf_step(mesh, files, view, file, series, step);
  else
    write_vtkhdf(mesh, files, view, step_path(file, step.number, end_of(file)), time);
  series.steps.push_back(std::move(step));
  list();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
