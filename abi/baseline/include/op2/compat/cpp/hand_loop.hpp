// hand_loop.hpp: functions for hand-written loops of OP2's programs, in addition to op2/hand_loop.h.
#ifndef OP2_COMPAT_CPP_HAND_LOOP_HPP
#define OP2_COMPAT_CPP_HAND_LOOP_HPP

// The library advances messages without these calls.
inline void op_mpi_test_all(int, op_arg *) {}
inline void op_mpi_test_all_grouped(int, op_arg *, int) {}

// The library always sends all stale dats of a loop in one message per neighbour. The functions work on host rows and
// ignore `device`.
inline int op_mpi_halo_exchanges_grouped(op_set set, int nargs, op_arg *args, int) {
  return op_mpi_halo_exchanges(set, nargs, args);
}
inline void op_mpi_wait_all_grouped(int nargs, op_arg *args, int) { op_hand_loop_wait(nargs, args); }
inline void op_mpi_wait_all_grouped(int nargs, op_arg *args, int, int) { op_hand_loop_wait(nargs, args); }

// OP2's forms for rows on a device; here they work on host rows, too.
inline int op_mpi_halo_exchanges_cuda(op_set set, int nargs, op_arg *args) {
  return op_mpi_halo_exchanges(set, nargs, args);
}
inline void op_mpi_wait_all_cuda(int nargs, op_arg *args) { op_hand_loop_wait(nargs, args); }
inline void op_mpi_test_all_cuda(int, op_arg *) {}
inline void op_mpi_set_dirtybit_cuda(int nargs, op_arg *args) { op_mpi_set_dirtybit(nargs, args); }

// `force`: the call fetches remote rows of dats that are read for direct loops, too.
inline int op_mpi_halo_exchanges_grouped(op_set set, int nargs, op_arg *args, int, int force) {
  for (int i = 0; force != 0 && i < nargs; ++i)
    if (args[i].argtype == OP_ARG_DAT && args[i].opt != 0 && (args[i].acc == OP_READ || args[i].acc == OP_RW))
      op_update_copies(args[i].dat);
  return op_mpi_halo_exchanges(set, nargs, args);
}
inline void op_mpi_set_dirtybit_force_halo_exchange(int nargs, op_arg *args, int) { op_mpi_set_dirtybit(nargs, args); }

// The end of a reduction: the value in *data is the contribution of the process. Types that OP2 does not combine are
// possible, too.
template <class T>
void op_mpi_reduce(op_arg *arg, T *data) {
  op_arg one = *arg;
  one.data = static_cast<char *>(static_cast<void *>(data));
  op_mpi_reduce_combined(&one, 1);
}
inline void op_mpi_reduce_float(op_arg *arg, float *data) { op_mpi_reduce(arg, data); }
inline void op_mpi_reduce_double(op_arg *arg, double *data) { op_mpi_reduce(arg, data); }
inline void op_mpi_reduce_int(op_arg *arg, int *data) { op_mpi_reduce(arg, data); }
inline void op_mpi_reduce_bool(op_arg *arg, bool *data) { op_mpi_reduce(arg, data); }

inline void op_mpi_reset_halos(int, op_arg *) {} // op_mpi_halo_exchanges() does it

// Transfers between host rows and device rows, if there is a device.
inline void op_get_dat_mpi(op_dat dat) { op_dat_sync_host(dat); }
inline void op_put_dat_mpi(op_dat dat) { op_dat_mark_host_new(dat); }
inline void op_download_dat(op_dat dat) { op_dat_sync_host(dat); }
inline void op_upload_dat(op_dat dat) { op_dat_mark_host_new(dat); }
inline void op_upload_all() {
  int count = 0;
  const op_dat *const all = op_all_dats(&count);
  for (int i = 0; i < count; ++i) op_dat_mark_host_new(all[i]);
}

// The library itself handles device rows: the program never waits for them, and every loop may run on a device.
inline void deviceSync() {}
// Reports an error on a GPU, where the library cannot do what OP2 does.
inline void op_disable_device_execution(bool disable) {
  if (disable && std::strstr(op_backend(), "cuda") != NULL)
    op_raise(OP_ERR_UNSUPPORTED, "op_disable_device_execution",
             "loops run where OP2_BACKEND says when the program starts; for the host set OP2_BACKEND=openmp");
}
inline bool op_check_whitelist(const char *) { return true; }
inline void op_check_fallback_mode(const char *) {}

#endif

// SPDX-License-Identifier: MIT
