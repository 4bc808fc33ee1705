#include "tracer/write_lines.hpp"

#include <array>
#include <cmath>
#include <list>
#include <numeric>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "tracer/facts.hpp"
#include "tracer/write_vtp.hpp"

namespace op2::core::tracer {

namespace {

bool is_vtkhdf(const std::string &file) { return file.ends_with(".vtkhdf"); }

} // namespace

void need_lines_format(const std::string &file) {
  if (!file.ends_with(".vtp") && !is_vtkhdf(file))
    fail(OP_ERR_ARGUMENT, "the name of the file, '", file,
         "', does not end with .vtp or .vtkhdf, the formats of lines");
}

namespace {

// The values of all processes, by rank, on process 0. Collective.
template <class T>
std::vector<T> on_first(Communicator &communicator, const std::vector<T> &own) {
  const int root = 0;
  const std::size_t offset[] = {0, own.size() * sizeof(T)};
  const std::size_t messages = own.empty() ? 0 : 1;
  const SparseMessages received =
      communicator.sparse_exchange(std::span(&root, messages), std::span(offset, messages + 1), own.data());
  const std::span<const T> all = received.all<T>();
  return {all.begin(), all.end()};
}

// Those of this process that have points.
struct Own {
  std::vector<std::int64_t> counts, seeds, ends, steps;
  std::vector<double> times, lengths;
};

Own own_lines(const op_lines_core &lines) {
  Own out;
  const std::size_t each = lines.directions == Directions::both ? 2 : 1;
  for (std::size_t i = 0; i < lines.end.size(); ++i) {
    const std::int64_t points = lines.begin[i + 1] - lines.begin[i];
    if (points == 0) continue;
    out.counts.push_back(points);
    out.seeds.push_back(lines.first_seed + static_cast<std::int64_t>(i / each));
    out.ends.push_back(lines.end[i]);
    out.steps.push_back(lines.steps[i]);
    out.times.push_back(lines.end_time[i]);
    out.lengths.push_back(lines.length[i]);
  }
  return out;
}

std::vector<double> speeds(const std::vector<double> &velocity) {
  std::vector<double> out;
  for (std::size_t i = 0; i + 2 < velocity.size(); i += 3)
    out.push_back(std::hypot(velocity[i], velocity[i + 1], velocity[i + 2]));
  return out;
}

// ---- .vtp

void write_vtp(Communicator &communicator, const op_lines_core &lines, const std::string &file) {
  const Own own = own_lines(lines);
  Polylines all;
  const std::vector<std::int64_t> counts = on_first(communicator, own.counts);
  all.points = on_first(communicator, lines.x);
  std::vector<double> velocity = on_first(communicator, lines.velocity);
  all.at_points.push_back({"speed", 1, speeds(velocity)});
  all.at_points.push_back({"velocity", 3, std::move(velocity)});
  all.at_points.push_back({"time", 1, on_first(communicator, lines.time)});
  all.of_lines.push_back({"end_time", 1, on_first(communicator, own.times)});
  all.of_lines.push_back({"length", 1, on_first(communicator, own.lengths)});
  all.numbers_of_lines.push_back({"seed", 1, on_first(communicator, own.seeds)});
  all.numbers_of_lines.push_back({"end", 1, on_first(communicator, own.ends)});
  all.numbers_of_lines.push_back({"steps", 1, on_first(communicator, own.steps)});
  std::int64_t end = 0;
  for (const std::int64_t count : counts) all.ends.push_back(end += count);
  const std::string bytes = communicator.rank() == 0 ? vtp_bytes(all) : "";
  check(services().write_file(file.c_str(), "lines", bytes.data(), bytes.size()));
}

// ---- .vtkhdf, VTK's format specification, "Poly data": one part, with the lines of process 0 first

// An array of the file, and the rows of this process.
struct FileArray {
  std::string name;
  op_library_array facts;
  op_gindex first, rows;
  const void *data;
};

// Rows of all processes, behind each other. `first`: the row of this process' first one.
template <class T>
FileArray rows_of(const std::string &name, op_type_id type, int dim, const std::vector<T> &own, op_gindex all,
                  op_gindex first) {
  op_library_array facts{};
  facts.size = sizeof facts;
  facts.rows = all;
  facts.dim = dim;
  facts.type = type;
  facts.flat = dim == 1 ? 1 : 0;
  return {name, facts, first, static_cast<op_gindex>(own.size()) / dim, own.data()};
}

// The arrays of one number each, which process 0 writes.
class Numbers {
 public:
  explicit Numbers(bool writes) : writes_(writes) {}
  FileArray array(const std::string &name, op_gindex value) {
    values_.push_back(writes_ ? std::vector{value} : std::vector<op_gindex>{});
    return rows_of(name, OP_TYPE_LL, 1, values_.back(), 1, 0);
  }

 private:
  bool writes_;
  std::list<std::vector<op_gindex>> values_;
};

// All but Connectivity and Offsets of a kind of cells.
void add_counts(Numbers &numbers, const std::string &kind, op_gindex cells, op_gindex points,
                std::vector<FileArray> &to) {
  to.push_back(numbers.array(kind + "/NumberOfCells", cells));
  to.push_back(numbers.array(kind + "/NumberOfConnectivityIds", points));
}

// A file of these arrays. All calls are collective. Without commit() the file does not appear.
class LinesFile {
 public:
  LinesFile(const std::string &path, std::vector<FileArray> arrays) : arrays_(std::move(arrays)) {
    std::vector<op_library_array> facts;
    for (FileArray &array : arrays_) {
      array.facts.name = array.name.c_str();
      facts.push_back(array.facts);
    }
    check(services().open_file(path.c_str(), static_cast<int>(facts.size()), facts.data(), &file_));
  }
  ~LinesFile() { services().close_file(file_); }
  LinesFile(const LinesFile &) = delete;
  LinesFile &operator=(const LinesFile &) = delete;

  void group(const std::string &name) { check(services().file_group(file_, name.c_str())); }
  void mark(const char *key, std::span<const int> numbers) {
    check(services().file_numbers(file_, "VTKHDF", key, static_cast<int>(numbers.size()), numbers.data()));
  }
  void mark(const char *key, const char *word) { check(services().file_word(file_, "VTKHDF", key, word)); }
  void write_arrays() {
    for (const FileArray &array : arrays_)
      check(services().file_array(file_, &array.facts, array.first, array.rows, array.data));
  }
  void commit() { check(services().commit_file(file_)); }

 private:
  std::vector<FileArray> arrays_;
  op_library_file *file_ = nullptr;
};

void write_vtkhdf(Communicator &communicator, const op_lines_core &lines, const std::string &file) {
  const Own own = own_lines(lines);
  const auto own_points = static_cast<std::int64_t>(lines.time.size()),
             own_cells = static_cast<std::int64_t>(own.counts.size());
  const op_gindex points = communicator.sum(own_points), cells = communicator.sum(own_cells),
                  first_point = communicator.sum_before(own_points), first_cell = communicator.sum_before(own_cells);
  std::vector<op_gindex> connectivity(lines.time.size()), offsets;
  std::iota(connectivity.begin(), connectivity.end(), first_point);
  const bool begins = communicator.rank() == 0; // the offsets, which are one more than lines
  if (begins) offsets.push_back(0);
  op_gindex end = first_point;
  for (const std::int64_t count : own.counts) offsets.push_back(end += count);
  const std::vector<double> speed = speeds(lines.velocity);
  const std::vector<op_gindex> nothing, zero(begins ? 1 : 0, 0);

  Numbers numbers(begins);
  std::vector<FileArray> all;
  all.push_back(numbers.array("VTKHDF/NumberOfPoints", points));
  all.push_back(rows_of("VTKHDF/Points", OP_TYPE_DOUBLE, 3, lines.x, points, first_point));
  add_counts(numbers, "VTKHDF/Lines", cells, points, all);
  all.push_back(rows_of("VTKHDF/Lines/Connectivity", OP_TYPE_LL, 1, connectivity, points, first_point));
  all.push_back(rows_of("VTKHDF/Lines/Offsets", OP_TYPE_LL, 1, offsets, cells + 1, begins ? 0 : first_cell + 1));
  for (const char *const kind : {"VTKHDF/Vertices", "VTKHDF/Polygons", "VTKHDF/Strips"}) { // there are none
    add_counts(numbers, kind, 0, 0, all);
    all.push_back(rows_of(text(kind, "/Connectivity"), OP_TYPE_LL, 1, nothing, 0, 0));
    all.push_back(rows_of(text(kind, "/Offsets"), OP_TYPE_LL, 1, zero, 1, begins ? 0 : 1));
  }
  const std::string at_points = "VTKHDF/PointData/", of_lines = "VTKHDF/CellData/";
  all.push_back(rows_of(at_points + "speed", OP_TYPE_DOUBLE, 1, speed, points, first_point));
  all.push_back(rows_of(at_points + "velocity", OP_TYPE_DOUBLE, 3, lines.velocity, points, first_point));
  all.push_back(rows_of(at_points + "time", OP_TYPE_DOUBLE, 1, lines.time, points, first_point));
  all.push_back(rows_of(of_lines + "end_time", OP_TYPE_DOUBLE, 1, own.times, cells, first_cell));
  all.push_back(rows_of(of_lines + "length", OP_TYPE_DOUBLE, 1, own.lengths, cells, first_cell));
  all.push_back(rows_of(of_lines + "seed", OP_TYPE_LL, 1, own.seeds, cells, first_cell));
  all.push_back(rows_of(of_lines + "end", OP_TYPE_LL, 1, own.ends, cells, first_cell));
  all.push_back(rows_of(of_lines + "steps", OP_TYPE_LL, 1, own.steps, cells, first_cell));

  LinesFile out(file, std::move(all));
  constexpr std::array<int, 2> version = {2, 0}; // the first one with PolyData
  out.group("VTKHDF");
  out.mark("Version", version);
  out.mark("Type", "PolyData");
  for (const char *const group : {"Vertices", "Lines", "Polygons", "Strips", "PointData", "CellData"})
    out.group(text("VTKHDF/", group));
  out.write_arrays();
  out.commit();
}

} // namespace

void write_lines(Communicator &communicator, const op_lines_core &lines, const std::string &file) {
  is_vtkhdf(file) ? write_vtkhdf(communicator, lines, file) : write_vtp(communicator, lines, file);
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
