// Meshes of CGNS files as arrays: 0/points, 0/nodes, 0/ends, 0/types, 0/faces, 0/face_ends, 0/patch of the first zone,
// 1/points, ... of the second, and links; texts zone0, ..., patch1, ... and note0, ... A file to be written gets them
// in the order of their numbers, and is made of all of them at its end. The name keeps the plugin from being asked for
// files of any other kind.
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "grid.hpp"
#include "op2/plugin/io.h"

struct op_io_file_s {
  const op_host_v1 *host = nullptr;
  std::string path; // of one that is written
  bool unwritten = false;
  cgns::Zones zones;
};

namespace cgns {

namespace {

struct Array {
  op_type_id type = OP_TYPE_USER;
  int type_size = 0, dim = 1;
  std::int64_t rows = 0;
  void *data = nullptr;
};

// What with_array() calls to look at an array, and to give it other rows.
struct Look {
  Array &out;
  template <class T>
  void operator()(std::vector<T> &values, op_type_id type, int dim = 1) const {
    out = {type, static_cast<int>(sizeof(T)), dim, static_cast<std::int64_t>(values.size()) / dim, values.data()};
  }
};
struct Resize {
  std::int64_t rows;
  template <class T>
  void operator()(std::vector<T> &values, op_type_id, int dim = 1) const {
    values.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(dim), T());
  }
};

// Calls use(values, type, columns) for the array of this name, if there is one.
template <class Use>
void with_array(Zones &zones, std::string_view path, const Use &use) {
  if (path == "links") return use(zones.links, OP_TYPE_LL, 4);
  std::size_t zone = 0;
  const auto [behind, error] = std::from_chars(path.data(), path.data() + path.size(), zone);
  if (error != std::errc() || behind == path.data() + path.size() || *behind != '/' || zone >= zones.grids.size())
    return;
  Grid &grid = zones.grids[zone];
  const std::string_view name = path.substr(static_cast<std::size_t>(behind - path.data()) + 1);
  if (name == "points") return use(grid.points, OP_TYPE_DOUBLE, 3);
  if (name == "nodes") return use(grid.nodes, OP_TYPE_LL);
  if (name == "ends") return use(grid.ends, OP_TYPE_LL);
  if (name == "faces") return use(grid.faces, OP_TYPE_LL);
  if (name == "face_ends") return use(grid.face_ends, OP_TYPE_LL);
  if (name == "types") return use(grid.types, OP_TYPE_INT);
  if (name == "patch") return use(grid.patch, OP_TYPE_INT);
}

Array find(Zones &zones, std::string_view path) {
  Array out;
  with_array(zones, path, Look{out});
  return out;
}

Array must_find(Zones &zones, const char *name) {
  const Array out = find(zones, name);
  if (out.type == OP_TYPE_USER) throw Failure(OP_ERR_FILE, "there is no such array");
  return out;
}

template <class Body>
op_status guarded(const op_host_v1 *host, Body &&body) noexcept {
  try {
    body();
    return OP_OK;
  } catch (const Failure &failure) {
    return host->fail(host, failure.code, failure.what());
  } catch (const std::bad_alloc &) {
    return host->fail(host, OP_ERR_MEMORY, "no memory");
  } catch (const std::exception &thrown) {
    return host->fail(host, OP_ERR_PLUGIN, thrown.what());
  }
}

op_status open_entry(const op_io_params *params, const char *path, int32_t mode, op_io_file **file) {
  return guarded(params->host, [&] {
    if (mode == OP_IO_UPDATE) throw Failure(OP_ERR_UNSUPPORTED, "CGNS files are read or made anew, not changed");
    if (params->nprocs > 1)
      throw Failure(OP_ERR_UNSUPPORTED, "CGNS files are read by each process, and written by one");
    auto out = std::make_unique<op_io_file>();
    out->host = params->host;
    if (mode == OP_IO_CREATE)
      make_file((out->path = path).c_str()); // at once, so that the library can keep room on the disk behind it
    else
      out->zones = read_zones(path);
    *file = out.release();
  });
}

// Once for all that has come; after a failure there is nothing to be saved.
op_status sync_entry(op_io_file *file) {
  return guarded(file->host, [&] {
    if (std::exchange(file->unwritten, false)) write_zones(file->path.c_str(), file->zones);
  });
}

op_status close_entry(op_io_file *file) {
  const std::unique_ptr<op_io_file> closing(file);
  return sync_entry(file);
}

op_status describe_entry(op_io_file *file, const char *name, op_io_array *array) {
  return guarded(file->host, [&] {
    const Array found = must_find(file->zones, name);
    array->rows = found.rows;
    array->dim = found.dim;
    array->type = found.type;
    array->type_size = found.type_size;
    array->rank = found.dim == 1 ? 1 : 2;
    array->type_name = "";
    array->chunk_rows = 0;
    array->deflate = 0;
  });
}

// Where some rows of an array lie.
struct Block {
  char *data;
  std::size_t bytes;
};
Block rows_of(const Array &array, std::int64_t first, std::int64_t rows, op_type_id type) {
  if (type != array.type) throw Failure(OP_ERR_TYPE, "its values are of another type");
  if (first < 0 || rows < 0 || first > array.rows || rows > array.rows - first)
    throw Failure(OP_ERR_RANGE, "it has fewer rows");
  const std::int64_t row_bytes = std::int64_t{array.type_size} * array.dim;
  return {static_cast<char *>(array.data) + first * row_bytes, static_cast<std::size_t>(rows * row_bytes)};
}

op_status read_rows_entry(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id type,
                          void *data) {
  return guarded(file->host, [&] {
    if (const auto place = rows_of(must_find(file->zones, name), first, rows, type); place.bytes > 0)
      std::memcpy(data, place.data, place.bytes);
  });
}

op_status exists_entry(op_io_file *file, const char *name, int32_t *what) {
  *what = !name[0] ? 2 : find(file->zones, name).type != OP_TYPE_USER ? 1 : 0;
  return OP_OK;
}

// "patch3", "note0"
op_status read_text_entry(op_io_file *file, const char *, const char *key, char *text, int32_t capacity) {
  return guarded(file->host, [&] {
    const std::string_view wanted = key;
    const auto give = [&](const char *word, const std::vector<std::string> &all, std::size_t first) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (wanted == word + std::to_string(i + first)) {
          if (capacity > 0) text[all[i].copy(text, static_cast<std::size_t>(capacity) - 1)] = '\0';
          return true;
        }
      return false;
    };
    const Zones &zones = file->zones;
    if (!give("patch", zones.patches, 1) && !give("note", zones.notes, 0) && !give("zone", zones.names, 0))
      throw Failure(OP_ERR_FILE, "there is no such text");
  });
}

void need_new(op_io_file *file) {
  if (file->path.empty()) throw Failure(OP_ERR_UNSUPPORTED, "the file was opened to be read");
  file->unwritten = true;
}

op_status create_entry(op_io_file *file, const char *name, const op_io_array *array) {
  return guarded(file->host, [&] {
    need_new(file);
    std::vector<Grid> &grids = file->zones.grids;
    if (std::string_view(name).starts_with(std::to_string(grids.size()) + "/")) grids.emplace_back();
    const Array wanted = must_find(file->zones, name);
    if (array->type != wanted.type || array->dim != wanted.dim || array->rows < 0)
      throw Failure(OP_ERR_TYPE, "such arrays have " + std::to_string(wanted.dim) + " columns of another type");
    with_array(file->zones, name, Resize{array->rows});
  });
}

op_status write_rows_entry(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id type,
                           const void *data) {
  return guarded(file->host, [&] {
    need_new(file);
    if (const auto place = rows_of(must_find(file->zones, name), first, rows, type); place.bytes > 0)
      std::memcpy(place.data, data, place.bytes);
  });
}

// "zone0", "patch1", each when those before it are there.
op_status write_text_entry(op_io_file *file, const char *, const char *key, const char *text, int32_t) {
  return guarded(file->host, [&] {
    need_new(file);
    Zones &zones = file->zones;
    if (key == "zone" + std::to_string(zones.names.size()))
      zones.names.emplace_back(text);
    else if (key == "patch" + std::to_string(zones.patches.size() + 1))
      zones.patches.emplace_back(text);
    else
      throw Failure(OP_ERR_UNSUPPORTED, "such files have no text of this name, or not yet");
  });
}

op_status refuse_entry(op_io_file *file) {
  return file->host->fail(file->host, OP_ERR_UNSUPPORTED, "CGNS files have no such thing");
}
op_status read_attribute_entry(op_io_file *file, const char *, const char *, op_type_id, int32_t, void *) {
  return refuse_entry(file);
}
op_status write_attribute_entry(op_io_file *file, const char *, const char *, op_type_id, int32_t, const void *) {
  return refuse_entry(file);
}
op_status create_group_entry(op_io_file *file, const char *) { return refuse_entry(file); }

int score(const op_host_v1 *) { return 10; }

const op_io_ops_v1 ops = {sizeof(op_io_ops_v1), "",
                          open_entry,           close_entry,
                          describe_entry,       create_entry,
                          read_rows_entry,      write_rows_entry,
                          read_attribute_entry, write_attribute_entry,
                          exists_entry,         create_group_entry,
                          read_text_entry,      write_text_entry,
                          sync_entry,           nullptr};

const op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                             OP2_PLUGIN_ABI,
                             OP2_PLUGIN_API,
                             OP_PLUGIN_IO,
                             0,
                             "mesh_cgns",
                             "meshes of CGNS files, for op_mesh_read and op_mesh_dump",
                             "CGNS " OP2_CGNS_VERSION,
                             nullptr,
                             score,
                             &ops};

} // namespace

} // namespace cgns

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &cgns::plugin; }

// SPDX-License-Identifier: MIT
