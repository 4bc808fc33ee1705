// Files of one process.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "plugins/io_common/file.hpp"

namespace hdf5 {

void need_processes(const op_io_params &params) {
  if (params.nprocs > 1) refuse(OP_ERR_UNSUPPORTED, "this build of HDF5 serves one process");
}

Handle access_properties(const op_io_params &) {
  Handle out = common_access_properties();
#if H5_VERSION_GE(1, 10, 7)
  // Where the file system has no locks, there are none.
  check(H5Pset_file_locking(out.id(), 1, 1), "");
#endif
  return out;
}

Handle transfer_properties(const op_io_params &) { return Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose, ""); }

void sync_to_disk(op_io_file &file) {
  const Handle access(H5Fget_access_plist(file.file.id()), H5Pclose, "");
  void *descriptor = nullptr;
  check(H5Fget_vfd_handle(file.file.id(), access.id(), &descriptor), "");
  if (fsync(*static_cast<int *>(descriptor)) != 0) refuse(OP_ERR_FILE, std::strerror(errno));
}

namespace {

int score(const op_host_v1 *) { return 10; }

} // namespace

const op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                             OP2_PLUGIN_ABI,
                             OP2_PLUGIN_API,
                             OP_PLUGIN_IO,
                             0,
                             "hdf5",
                             "HDF5 files, read by each process, written by one",
                             H5_VERS_INFO,
                             nullptr,
                             score,
                             &ops};

} // namespace hdf5

// SPDX-License-Identifier: MIT
