// The table: from C to what may throw, and back.
#include <exception>
#include <memory>

#include "plugins/io_common/file.hpp"

namespace hdf5 {

Handle common_access_properties() {
  Handle out(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "");
  check(H5Pset_fclose_degree(out.id(), H5F_CLOSE_STRONG), "");
  constexpr hsize_t large = 1 << 16, page = 4096;
  check(H5Pset_alignment(out.id(), large, page), "");
  return out;
}

namespace {

template <class Body>
op_status guarded(const op_host_v1 *host, Body &&body) noexcept {
  try {
    const Silence silence;
    body();
    return OP_OK;
  } catch (const Failure &failure) {
    return host->fail(host, failure.code, failure.message.c_str());
  } catch (const std::bad_alloc &) {
    return host->fail(host, OP_ERR_MEMORY, "no memory");
  } catch (const std::exception &thrown) {
    return host->fail(host, OP_ERR_PLUGIN, thrown.what());
  }
}

Handle opened(const op_io_params &params, const char *path, int32_t mode) {
  const Handle access = access_properties(params);
  if (mode == OP_IO_CREATE)
    return Handle(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose, "cannot be made");
  return Handle(H5Fopen(path, mode == OP_IO_READ ? H5F_ACC_RDONLY : H5F_ACC_RDWR, access.id()), H5Fclose,
                "cannot be opened");
}

op_status open_entry(const op_io_params *params, const char *path, int32_t mode, op_io_file **out) {
  return guarded(params->host, [&] {
    if (params->size < sizeof *params) refuse(OP_ERR_PLUGIN, "this plugin is newer than the library");
    need_processes(*params);
    auto file = std::make_unique<op_io_file>();
    file->host = params->host;
    file->writable = mode != OP_IO_READ;
    file->processes = params->nprocs;
    file->transfer = transfer_properties(*params);
    file->file = opened(*params, path, mode);
    if (params->nprocs > 1) refuse_subfiles(*file);
    *out = file.release();
  });
}

op_status close_entry(op_io_file *file) {
  const std::unique_ptr<op_io_file> closing(file);
  return guarded(file->host, [&] {
    if (!closing->file.reset()) refuse_with_reason("cannot be completed");
  });
}

op_status describe_entry(op_io_file *file, const char *name, op_io_array *array) {
  return guarded(file->host, [&] { describe(*file, name, *array); });
}
op_status create_entry(op_io_file *file, const char *name, const op_io_array *array) {
  return guarded(file->host, [&] { create(*file, name, *array); });
}
op_status read_rows_entry(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id type,
                          void *data) {
  return guarded(file->host, [&] { read_rows(*file, name, first, rows, type, data); });
}
op_status write_rows_entry(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id type,
                           const void *data) {
  return guarded(file->host, [&] { write_rows(*file, name, first, rows, type, data); });
}
op_status read_attribute_entry(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                               void *data) {
  return guarded(file->host, [&] { read_attribute(*file, name, key, type, count, data); });
}
op_status write_attribute_entry(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                                const void *data) {
  return guarded(file->host, [&] { write_attribute(*file, name, key, type, count, data); });
}
op_status exists_entry(op_io_file *file, const char *name, int32_t *what) {
  return guarded(file->host, [&] { *what = exists(*file, name); });
}
op_status create_group_entry(op_io_file *file, const char *name) {
  return guarded(file->host, [&] { create_group(*file, name); });
}
op_status read_text_entry(op_io_file *file, const char *name, const char *key, char *text, int32_t capacity) {
  return guarded(file->host, [&] { read_text(*file, name, key, text, capacity); });
}
op_status write_text_entry(op_io_file *file, const char *name, const char *key, const char *text, int32_t length) {
  return guarded(file->host, [&] { write_text(*file, name, key, text, length); });
}
op_status create_virtual_entry(op_io_file *file, const char *name, const op_io_array *array, int32_t count,
                               const char *const *files, const int64_t *first) {
  return guarded(file->host, [&] { create_virtual(*file, name, *array, count, files, first); });
}
op_status sync_entry(op_io_file *file) {
  return guarded(file->host, [&] {
    check(H5Fflush(file->file.id(), H5F_SCOPE_GLOBAL), "cannot be written");
    sync_to_disk(*file);
  });
}

} // namespace

const op_io_ops_v1 ops = {sizeof(op_io_ops_v1), ".h5 .hdf5 .hdf .he5 .vtkhdf",
                          open_entry,           close_entry,
                          describe_entry,       create_entry,
                          read_rows_entry,      write_rows_entry,
                          read_attribute_entry, write_attribute_entry,
                          exists_entry,         create_group_entry,
                          read_text_entry,      write_text_entry,
                          sync_entry,           H5_VERSION_GE(1, 10, 0) ? create_virtual_entry : nullptr};

} // namespace hdf5

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &hdf5::plugin; }

// SPDX-License-Identifier: MIT
