// hand_loop.hpp: what OP2's programs use in loops of their own, besides the functions of op2/hand_loop.h.
#ifndef OP2_COMPAT_CPP_HAND_LOOP_HPP
#define OP2_COMPAT_CPP_HAND_LOOP_HPP

// Messages move on by themselves.
inline void op_mpi_test_all(int, op_arg *) {}
inline void op_mpi_test_all_grouped(int, op_arg *, int) {}

// All stale dats of a loop go in one message in any case. Rows are those of the host, whatever `device` says.
inline int op_mpi_halo_exchanges_grouped(op_set set, int nargs, op_arg *args, int) {
  return op_mpi_halo_exchanges(set, nargs, args);
}
inline void op_mpi_wait_all_grouped(int nargs, op_arg *args, int) { op_mpi_wait_all(nargs, args); }
inline void op_mpi_wait_all_grouped(int nargs, op_arg *args, int, int) { op_mpi_wait_all(nargs, args); }

// The forms for a device's rows: here, too, rows are those of the host.
inline int op_mpi_halo_exchanges_cuda(op_set set, int nargs, op_arg *args) {
  return op_mpi_halo_exchanges(set, nargs, args);
}
inline void op_mpi_wait_all_cuda(int nargs, op_arg *args) { op_mpi_wait_all(nargs, args); }
inline void op_mpi_test_all_cuda(int, op_arg *) {}
inline void op_mpi_set_dirtybit_cuda(int nargs, op_arg *args) { op_mpi_set_dirtybit(nargs, args); }

// `force`: others' rows of dats that are read come in a direct loop as well.
inline int op_mpi_halo_exchanges_grouped(op_set set, int nargs, op_arg *args, int, int force) {
  for (int i = 0; force != 0 && i < nargs; ++i)
    if (args[i].argtype == OP_ARG_DAT && args[i].opt != 0 && (args[i].acc == OP_READ || args[i].acc == OP_RW))
      op_update_copies(args[i].dat);
  return op_mpi_halo_exchanges(set, nargs, args);
}
inline void op_mpi_set_dirtybit_force_halo_exchange(int nargs, op_arg *args, int) { op_mpi_set_dirtybit(nargs, args); }

// The end of a reduction: what each process has in *data is its contribution. Other types than OP2 combines are, too.
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

inline void op_mpi_reset_halos(int, op_arg *) {} // op_mpi_halo_exchanges() does so

// Between the host's rows and a device's, where there is one.
inline void op_get_dat_mpi(op_dat dat) { op_get_dat(dat); }
inline void op_put_dat_mpi(op_dat dat) { op_put_dat(dat); }
inline void op_download_dat(op_dat dat) { op_get_dat(dat); }
inline void op_upload_dat(op_dat dat) { op_put_dat(dat); }
inline void op_upload_all() {
  int count = 0;
  const op_dat *const all = op_all_dats(&count);
  for (int i = 0; i < count; ++i) op_put_dat(all[i]);
}

// Rows of a device are the library's matter: nothing to wait for, and no loop that needs leave to run on one.
inline void deviceSync() {}
// An error where it would change something.
inline void op_disable_device_execution(bool disable) {
  if (disable && std::strstr(op_backend(), "cuda") != NULL)
    op_raise(OP_ERR_UNSUPPORTED, "op_disable_device_execution",
             "loops run where OP2_BACKEND says when the program starts; for the host set OP2_BACKEND=openmp");
}
inline bool op_check_whitelist(const char *) { return true; }
inline void op_check_fallback_mode(const char *) {}

#endif
