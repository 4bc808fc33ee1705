// Meshes of CGNS files as arrays: 0/points, 0/nodes, 0/ends, 0/types, 0/faces, 0/face_ends, 0/patch of the first zone,
// 1/points, ... of the second, and links; texts zone0, ..., patch1, ... and note0, ... Read only. The name keeps it
// from being asked for files of any other kind.
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>

#include "grid.hpp"
#include "op2/plugin/io.h"

struct op_io_file_s {
  const op_host_v1 *host = nullptr;
  cgns::Zones zones;
};

namespace cgns {

namespace {

struct Array {
  op_type_id type = OP_TYPE_USER;
  int type_size = 0, dim = 1;
  std::int64_t rows = 0;
  const void *data = nullptr;
};

template <class T>
Array array_of(const std::vector<T> &values, op_type_id type, int dim = 1) {
  return {type, static_cast<int>(sizeof(T)), dim, static_cast<std::int64_t>(values.size()) / dim, values.data()};
}

Array find(const Zones &zones, std::string_view path) {
  if (path == "links") return array_of(zones.links, OP_TYPE_LL, 4);
  std::size_t zone = 0;
  const auto [behind, error] = std::from_chars(path.data(), path.data() + path.size(), zone);
  if (error != std::errc() || behind == path.data() + path.size() || *behind != '/' || zone >= zones.grids.size())
    return {};
  const Grid &grid = zones.grids[zone];
  const std::string_view name = path.substr(static_cast<std::size_t>(behind - path.data()) + 1);
  if (name == "points") return array_of(grid.points, OP_TYPE_DOUBLE, 3);
  if (name == "nodes") return array_of(grid.nodes, OP_TYPE_LL);
  if (name == "ends") return array_of(grid.ends, OP_TYPE_LL);
  if (name == "faces") return array_of(grid.faces, OP_TYPE_LL);
  if (name == "face_ends") return array_of(grid.face_ends, OP_TYPE_LL);
  if (name == "types") return array_of(grid.types, OP_TYPE_INT);
  if (name == "patch") return array_of(grid.patch, OP_TYPE_INT);
  return {};
}

Array must_find(const Zones &zones, const char *name) {
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
    if (mode != OP_IO_READ) throw Failure(OP_ERR_UNSUPPORTED, "CGNS files are read, not written");
    if (params->nprocs > 1) throw Failure(OP_ERR_UNSUPPORTED, "CGNS files are read by each process");
    auto out = std::make_unique<op_io_file>();
    out->host = params->host;
    out->zones = read_zones(path);
    *file = out.release();
  });
}

op_status close_entry(op_io_file *file) {
  const std::unique_ptr<op_io_file> closing(file);
  return OP_OK;
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

op_status read_rows_entry(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id type,
                          void *data) {
  return guarded(file->host, [&] {
    const Array found = must_find(file->zones, name);
    if (type != found.type) throw Failure(OP_ERR_TYPE, "its values are of another type");
    if (first < 0 || rows < 0 || first > found.rows || rows > found.rows - first)
      throw Failure(OP_ERR_RANGE, "it has fewer rows");
    const std::int64_t row_bytes = std::int64_t{found.type_size} * found.dim;
    if (rows > 0)
      std::memcpy(data, static_cast<const char *>(found.data) + first * row_bytes,
                  static_cast<std::size_t>(rows * row_bytes));
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

op_status refuse_entry(op_io_file *file) {
  return file->host->fail(file->host, OP_ERR_UNSUPPORTED, "CGNS files have no such thing, or cannot be written");
}
op_status create_entry(op_io_file *file, const char *, const op_io_array *) { return refuse_entry(file); }
op_status write_rows_entry(op_io_file *file, const char *, int64_t, int64_t, op_type_id, const void *) {
  return refuse_entry(file);
}
op_status read_attribute_entry(op_io_file *file, const char *, const char *, op_type_id, int32_t, void *) {
  return refuse_entry(file);
}
op_status write_attribute_entry(op_io_file *file, const char *, const char *, op_type_id, int32_t, const void *) {
  return refuse_entry(file);
}
op_status create_group_entry(op_io_file *file, const char *) { return refuse_entry(file); }
op_status write_text_entry(op_io_file *file, const char *, const char *, const char *, int32_t) {
  return refuse_entry(file);
}
op_status sync_entry(op_io_file *) { return OP_OK; }

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
                             "meshes of CGNS files, for op_mesh_read",
                             "CGNS " OP2_CGNS_VERSION,
                             nullptr,
                             score,
                             &ops};

} // namespace

} // namespace cgns

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &cgns::plugin; }
