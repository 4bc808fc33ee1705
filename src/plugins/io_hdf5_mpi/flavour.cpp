// Files that all processes of an MPI job read and write together.
#include <mpi.h>

#include "plugins/io_common/file.hpp"

namespace hdf5 {

void need_processes(const op_io_params &params) {
  int running = 0, ended = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&ended);
  if (params.nprocs > 1 && running && !ended) return;
  refuse(OP_ERR_UNSUPPORTED,
         "this driver needs several processes that are connected by the MPI library it was built with");
}

Handle access_properties(const op_io_params &params) {
  Handle out = common_access_properties();
  // HDF5 makes a communicator of its own from it.
  const MPI_Comm communicator = MPI_Comm_f2c(static_cast<MPI_Fint>(params.native_communicator));
  check(H5Pset_fapl_mpio(out.id(), communicator, MPI_INFO_NULL), "");
  check(H5Pset_all_coll_metadata_ops(out.id(), 1), "");
  check(H5Pset_coll_metadata_write(out.id(), 1), "");
  return out;
}

Handle transfer_properties(const op_io_params &) {
  Handle out(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "");
  check(H5Pset_dxpl_mpio(out.id(), H5FD_MPIO_COLLECTIVE), "");
  return out;
}

void sync_to_disk(op_io_file &file) {
  const Handle access(H5Fget_access_plist(file.file.id()), H5Pclose, "");
  void *handle = nullptr;
  check(H5Fget_vfd_handle(file.file.id(), access.id(), &handle), "");
  if (MPI_File_sync(*static_cast<MPI_File *>(handle)) != MPI_SUCCESS)
    refuse(OP_ERR_FILE, "MPI cannot bring it to the disk");
}

namespace {

int score(const op_host_v1 *) { return 10; }

} // namespace

const op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                             OP2_PLUGIN_ABI,
                             OP2_PLUGIN_API,
                             OP_PLUGIN_IO,
                             0,
                             "hdf5_mpi",
                             "HDF5 files, read and written by all processes together",
                             H5_VERS_INFO,
                             nullptr,
                             score,
                             &ops};

} // namespace hdf5

// SPDX-License-Identifier: MIT
