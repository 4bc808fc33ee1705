! op2_c_data: as op2_c, for sizes, data, files, measurements and hand-written loops.
module op2_c_data
  use, intrinsic :: iso_c_binding
  use op2_types
  implicit none
  public

  interface
    function c_get_size(set) bind(c, name='op_get_size') result(size)
      import :: c_ptr, c_long_long
      type(c_ptr), value :: set
      integer(c_long_long) :: size
    end function c_get_size
    function c_get_global_set_offset(set) bind(c, name='op_get_global_set_offset') result(offset)
      import :: c_ptr, c_long_long
      type(c_ptr), value :: set
      integer(c_long_long) :: offset
    end function c_get_global_set_offset
    function c_get_size_declared(set) bind(c, name='op_get_size_declared') result(size)
      import :: c_ptr, c_int
      type(c_ptr), value :: set
      integer(c_int) :: size
    end function c_get_size_declared
    function c_get_size_local(set) bind(c, name='op_get_size_local') result(size)
      import :: c_ptr, c_int
      type(c_ptr), value :: set
      integer(c_int) :: size
    end function c_get_size_local
    function c_get_size_local_core(set) bind(c, name='op_get_size_local_core') result(size)
      import :: c_ptr, c_int
      type(c_ptr), value :: set
      integer(c_int) :: size
    end function c_get_size_local_core
    function c_get_size_local_exec(set) bind(c, name='op_get_size_local_exec') result(size)
      import :: c_ptr, c_int
      type(c_ptr), value :: set
      integer(c_int) :: size
    end function c_get_size_local_exec
    function c_get_size_local_full(set) bind(c, name='op_get_size_local_full') result(size)
      import :: c_ptr, c_int
      type(c_ptr), value :: set
      integer(c_int) :: size
    end function c_get_size_local_full
    subroutine c_get_dat(dat) bind(c, name='op_dat_sync_host')
      import :: c_ptr
      type(c_ptr), value :: dat
    end subroutine c_get_dat
    subroutine c_put_dat(dat) bind(c, name='op_dat_mark_host_new')
      import :: c_ptr
      type(c_ptr), value :: dat
    end subroutine c_put_dat
    subroutine c_dat_set_storage(dat, storage) bind(c, name='op_dat_set_storage')
      import :: c_ptr, c_int
      type(c_ptr), value :: dat
      integer(c_int), value :: storage
    end subroutine c_dat_set_storage

    subroutine f_fetch(dat, data, type, room, part) bind(c, name='op2f_fetch')
      import :: c_ptr, c_char, c_long_long, c_int
      type(c_ptr), value :: dat, data
      character(kind=c_char), intent(in) :: type(*)
      integer(c_long_long), value :: room
      integer(c_int), value :: part
    end subroutine f_fetch
    subroutine f_fetch_idx(dat, data, type, room, low, high) bind(c, name='op2f_fetch_idx')
      import :: c_ptr, c_char, c_long_long
      type(c_ptr), value :: dat, data
      character(kind=c_char), intent(in) :: type(*)
      integer(c_long_long), value :: room, low, high
    end subroutine f_fetch_idx
    subroutine f_put(dat, data, type, room, whole) bind(c, name='op2f_put')
      import :: c_ptr, c_char, c_long_long, c_int
      type(c_ptr), value :: dat, data
      character(kind=c_char), intent(in) :: type(*)
      integer(c_long_long), value :: room
      integer(c_int), value :: whole
    end subroutine f_put
    function f_get_g_index(set, first, count) bind(c, name='op2f_get_g_index') result(numbers)
      import :: c_ptr, c_int
      type(c_ptr), value :: set
      integer(c_int), value :: first
      integer(c_int), intent(out) :: count
      type(c_ptr) :: numbers
    end function f_get_g_index
    function f_data_of(dat) bind(c, name='op2f_data_of') result(rows)
      import :: c_ptr
      type(c_ptr), value :: dat
      type(c_ptr) :: rows
    end function f_data_of
    function f_table_of(map) bind(c, name='op2f_table_of') result(table)
      import :: c_ptr
      type(c_ptr), value :: map
      type(c_ptr) :: table
    end function f_table_of
    function f_copy_of(dat) bind(c, name='op2f_copy_of') result(copy)
      import :: c_ptr
      type(c_ptr), value :: dat
      type(c_ptr) :: copy
    end function f_copy_of
    subroutine f_free_copy(copy) bind(c, name='op2f_free_copy')
      import :: c_ptr
      type(c_ptr), value :: copy
    end subroutine f_free_copy
    subroutine f_put_rows(dat, data, type, room, rows) bind(c, name='op2f_put_rows')
      import :: c_ptr, c_char, c_long_long
      type(c_ptr), value :: dat, data
      character(kind=c_char), intent(in) :: type(*)
      integer(c_long_long), value :: room, rows
    end subroutine f_put_rows
    function f_reset_data(dat, mode) bind(c, name='op2f_reset_data') result(rows)
      import :: c_ptr, c_int
      type(c_ptr), value :: dat
      integer(c_int), value :: mode
      type(c_ptr) :: rows
    end function f_reset_data
    function f_reset_map(map) bind(c, name='op2f_reset_map') result(table)
      import :: c_ptr
      type(c_ptr), value :: map
      type(c_ptr) :: table
    end function f_reset_map
    function f_copy_map(map) bind(c, name='op2f_copy_map') result(table)
      import :: c_ptr
      type(c_ptr), value :: map
      type(c_ptr) :: table
    end function f_copy_map
    subroutine f_write_index(set, dat) bind(c, name='op2f_write_index')
      import :: c_ptr
      type(c_ptr), value :: set, dat
    end subroutine f_write_index
    subroutine f_probe(set, in, rank, out) bind(c, name='op2f_probe_halo_index')
      import :: c_ptr, c_int
      type(c_ptr), value :: set
      integer(c_int), value :: in
      integer(c_int), intent(out) :: rank, out
    end subroutine f_probe
    function f_rows_of(dat) bind(c, name='op2f_rows_of') result(rows)
      import :: c_ptr, c_int
      type(c_ptr), value :: dat
      integer(c_int) :: rows
    end function f_rows_of
    subroutine f_dump_map(map, file) bind(c, name='op2f_dump_map')
      import :: c_ptr, c_char
      type(c_ptr), value :: map
      character(kind=c_char), intent(in) :: file(*)
    end subroutine f_dump_map
    subroutine f_renumber(map) bind(c, name='op2f_renumber')
      import :: c_ptr
      type(c_ptr), value :: map
    end subroutine f_renumber
    subroutine f_upload_all() bind(c, name='op2f_upload_all')
    end subroutine f_upload_all
    subroutine f_partition(library, routine, set, map, dat) bind(c, name='op2f_partition')
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: library(*), routine(*)
      type(c_ptr), value :: set, map, dat
    end subroutine f_partition
    subroutine f_partition2(library, routine, set, map, data) bind(c, name='op2f_partition2')
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: library(*), routine(*)
      type(c_ptr), value :: set, map, data
    end subroutine f_partition2
    function f_repartition(weights, coordinates, always) bind(c, name='op2f_repartition') result(moved)
      import :: c_ptr, c_int
      type(c_ptr), value :: weights, coordinates
      integer(c_int), value :: always
      integer(c_int) :: moved
    end function f_repartition
    subroutine f_exchange(name, set, nargs, args) bind(c, name='op2f_exchange')
      import :: c_ptr, c_char, c_int, op_arg
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: set
      integer(c_int), value :: nargs
      type(op_arg), intent(in) :: args(*)
    end subroutine f_exchange

    ! ---- files
    function c_decl_set_hdf5(file, name) bind(c, name='op_decl_set_hdf5') result(set)
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: file(*), name(*)
      type(c_ptr) :: set
    end function c_decl_set_hdf5
    function c_decl_map_hdf5(from, to, dim, file, name) bind(c, name='op_decl_map_hdf5') result(map)
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: from, to
      integer(c_int), value :: dim
      character(kind=c_char), intent(in) :: file(*), name(*)
      type(c_ptr) :: map
    end function c_decl_map_hdf5
    function f_decl_dat_hdf5(set, dim, type, length, file, name) bind(c, name='op2f_decl_dat_hdf5') result(dat)
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: set
      integer(c_int), value :: dim, length
      character(kind=c_char), intent(in) :: type(*), file(*), name(*)
      type(c_ptr) :: dat
    end function f_decl_dat_hdf5
    subroutine c_dump_to_hdf5(file) bind(c, name='op_dump_to_hdf5')
      import :: c_char
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_dump_to_hdf5
    subroutine c_fetch_data_hdf5_file(dat, file) bind(c, name='op_fetch_data_hdf5_file')
      import :: c_ptr, c_char
      type(c_ptr), value :: dat
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_fetch_data_hdf5_file
    subroutine c_fetch_data_hdf5_file_path(dat, file, path) bind(c, name='op_fetch_data_hdf5_file_path')
      import :: c_ptr, c_char
      type(c_ptr), value :: dat
      character(kind=c_char), intent(in) :: file(*), path(*)
    end subroutine c_fetch_data_hdf5_file_path
    subroutine c_fetch_data_hdf5_file_async(dat, file) bind(c, name='op_fetch_data_hdf5_file_async')
      import :: c_ptr, c_char
      type(c_ptr), value :: dat
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_fetch_data_hdf5_file_async
    subroutine c_io_wait(file) bind(c, name='op_io_wait')
      import :: c_ptr
      type(c_ptr), value :: file
    end subroutine c_io_wait
    subroutine f_get_const_hdf5(name, dim, type, data, file) bind(c, name='op_get_const_hdf5')
      import :: c_ptr, c_char, c_int
      character(kind=c_char), intent(in) :: name(*), type(*), file(*)
      integer(c_int), value :: dim
      type(c_ptr), value :: data
    end subroutine f_get_const_hdf5
    subroutine f_write_const_hdf5(name, dim, type, data, file) bind(c, name='op_write_const_hdf5')
      import :: c_ptr, c_char, c_int
      character(kind=c_char), intent(in) :: name(*), type(*), file(*)
      integer(c_int), value :: dim
      type(c_ptr), value :: data
    end subroutine f_write_const_hdf5
    subroutine c_print_dat_to_txtfile(dat, file) bind(c, name='op_print_dat_to_txtfile')
      import :: c_ptr, c_char
      type(c_ptr), value :: dat
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_print_dat_to_txtfile
    subroutine c_print_dat_to_binfile(dat, file) bind(c, name='op_print_dat_to_binfile')
      import :: c_ptr, c_char
      type(c_ptr), value :: dat
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_print_dat_to_binfile
    subroutine c_checkpoint(file) bind(c, name='op_checkpoint')
      import :: c_char
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_checkpoint
    subroutine c_restart(file) bind(c, name='op_restart')
      import :: c_char
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_restart
    subroutine c_checkpoint_if_due(stem, seconds, keep) bind(c, name='op_checkpoint_if_due')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: stem(*)
      real(c_double), value :: seconds
      integer(c_int), value :: keep
    end subroutine c_checkpoint_if_due
    subroutine c_restart_latest(stem, found) bind(c, name='op_restart_latest')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: stem(*)
      integer(c_int), intent(out) :: found
    end subroutine c_restart_latest
    subroutine c_checkpoint_value(name, type, count, address) bind(c, name='op_checkpoint_value')
      import :: c_char, c_int, c_ptr
      character(kind=c_char), intent(in) :: name(*), type(*)
      integer(c_int), value :: count
      type(c_ptr), value :: address
    end subroutine c_checkpoint_value

    ! ---- measurements
    subroutine c_timers(cpu, et) bind(c, name='op_timers')
      import :: c_ptr, c_double
      type(c_ptr), value :: cpu
      real(c_double), intent(out) :: et
    end subroutine c_timers
    subroutine c_timers_core(cpu, et) bind(c, name='op_timers_core')
      import :: c_ptr, c_double
      type(c_ptr), value :: cpu
      real(c_double), intent(out) :: et
    end subroutine c_timers_core
    subroutine c_timing_output() bind(c, name='op_timing_output')
    end subroutine c_timing_output
    subroutine c_timing_write(format, file) bind(c, name='op_timing_write')
      import :: c_char
      character(kind=c_char), intent(in) :: format(*)
      character(kind=c_char), intent(in), optional :: file(*)
    end subroutine c_timing_write
    subroutine c_timing_reset() bind(c, name='op_timing_reset')
    end subroutine c_timing_reset
    subroutine c_timings_to_csv(file) bind(c, name='op_timings_to_csv')
      import :: c_char
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_timings_to_csv
    subroutine c_diagnostic_output() bind(c, name='op_diagnostic_output')
    end subroutine c_diagnostic_output
    subroutine f_profile(what, name) bind(c, name='op2f_profile')
      import :: c_char, c_int
      integer(c_int), value :: what
      character(kind=c_char), intent(in) :: name(*)
    end subroutine f_profile
    subroutine f_profile_kernel(name, target, variant) bind(c, name='op2f_profile_kernel')
      import :: c_char
      character(kind=c_char), intent(in) :: name(*), target(*), variant(*)
    end subroutine f_profile_kernel

    ! ---- hand-written loops
    function c_halo_exchanges(set, nargs, args) bind(c, name='op_mpi_halo_exchanges') result(count)
      import :: c_ptr, c_int, op_arg
      type(c_ptr), value :: set
      integer(c_int), value :: nargs
      type(op_arg), intent(inout) :: args(*)
      integer(c_int) :: count
    end function c_halo_exchanges
    subroutine c_wait_all(nargs, args) bind(c, name='op_hand_loop_wait')
      import :: c_int, op_arg
      integer(c_int), value :: nargs
      type(op_arg), intent(inout) :: args(*)
    end subroutine c_wait_all
    subroutine c_set_dirtybit(nargs, args) bind(c, name='op_mpi_set_dirtybit')
      import :: c_int, op_arg
      integer(c_int), value :: nargs
      type(op_arg), intent(inout) :: args(*)
    end subroutine c_set_dirtybit
    subroutine c_reduce_combined(args, nargs) bind(c, name='op_mpi_reduce_combined')
      import :: c_int, op_arg
      type(op_arg), intent(inout) :: args(*)
      integer(c_int), value :: nargs
    end subroutine c_reduce_combined
    function f_rows_padded(dat) bind(c, name='op2f_rows_padded') result(rows)
      import :: c_ptr, c_int
      type(c_ptr), value :: dat
      integer(c_int) :: rows
    end function f_rows_padded
    function f_map_dim(map) bind(c, name='op2f_map_dim') result(dim)
      import :: c_ptr, c_int
      type(c_ptr), value :: map
      integer(c_int) :: dim
    end function f_map_dim
  end interface
end module op2_c_data

! SPDX-License-Identifier: MIT
