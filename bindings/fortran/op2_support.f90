! op2_support: partitioning the mesh, hand-written loops, measurements.
module op2_support
  use, intrinsic :: iso_c_binding
  use op2_c
  use op2_c_data
  use op2_session, only: op_backend
  use op2_text
  implicit none
  private
  public :: op_partition, op_partition2, op_repartition, op_trigger_halo_exchanges, op_timers, op_timers_core, op_timing_output, &
    op_timing_reset, op_timings_to_csv, op_diagnostic_output, op_profile_start, op_profile_enter, &
    op_profile_enter_kernel, op_profile_next, op_profile_exit, op_profile_end, op_profile_output, op_profile_output_json, &
    op_timing2_start, op_timing2_enter, op_timing2_enter_kernel, op_timing2_next, op_timing2_exit, op_timing2_finish, &
    op_timing2_output, op_timing2_output_json, op_disable_device_execution, op_disable_mpi_reductions, &
    op_check_whitelist, op_check_fallback_mode

contains

  subroutine op_partition(lib_name, lib_routine, prime_set, prime_map, coords)
    character(*), intent(in) :: lib_name, lib_routine
    type(op_set), intent(in), optional :: prime_set
    type(op_map), intent(in), optional :: prime_map
    type(op_dat), intent(in), optional :: coords
    type(c_ptr) :: c_set, c_map, c_dat
    c_set = c_null_ptr
    c_map = c_null_ptr
    c_dat = c_null_ptr
    if (present(prime_set)) c_set = prime_set%setCptr
    if (present(prime_map)) c_map = prime_map%mapCptr
    if (present(coords)) c_dat = coords%dataCptr
    call f_partition(c_text(lib_name), c_text(lib_routine), c_set, c_map, c_dat)
  end subroutine op_partition

  ! Map and coordinates are named by the arrays that they were declared from.
  subroutine op_partition2(lib_name, lib_routine, prime_set, prime_map, coords)
    character(*), intent(in) :: lib_name, lib_routine
    type(op_set), intent(in) :: prime_set
    integer(4), dimension(..), intent(in), target :: prime_map
    real(8), dimension(..), intent(in), target :: coords
    type(c_ptr) :: table
    table = c_loc(prime_map)
    if (c_associated(table, c_loc(OP_ID))) table = c_null_ptr
    call f_partition2(c_text(lib_name), c_text(lib_routine), prime_set%setCptr, table, c_loc(coords))
  end subroutine op_partition2

  ! As op_repartition() of op2/partition.h. moved: whether rows have moved to other processes. Collective.
  subroutine op_repartition(weights, coordinates, always, moved)
    type(op_dat), intent(in), optional :: weights, coordinates
    logical, intent(in), optional :: always
    logical, intent(out), optional :: moved
    type(c_ptr) :: c_weights, c_coordinates
    integer :: c_always, c_moved
    c_weights = c_null_ptr
    c_coordinates = c_null_ptr
    c_always = 0
    if (present(weights)) c_weights = weights%dataCptr
    if (present(coordinates)) c_coordinates = coordinates%dataCptr
    if (present(always)) c_always = merge(1, 0, always)
    c_moved = f_repartition(c_weights, c_coordinates, c_always)
    if (present(moved)) moved = c_moved /= 0
  end subroutine op_repartition

  ! Updates the remote rows that a loop with these arguments reads. The rows are on the host; `device` has no effect.
  ! Collective.
  subroutine op_trigger_halo_exchanges(device, name, set, arg1, arg2, arg3, arg4, arg5)
    integer(4), intent(in) :: device
    character(*), intent(in) :: name
    type(op_set), intent(in) :: set
    type(op_arg), intent(in) :: arg1
    type(op_arg), intent(in), optional :: arg2, arg3, arg4, arg5
    type(op_arg) :: args(5)
    integer :: n
    n = 1 + 0 * device
    args(1) = arg1
    call add(arg2)
    call add(arg3)
    call add(arg4)
    call add(arg5)
    call f_exchange(c_text(name), set%setCptr, n, args)
  contains
    subroutine add(arg)
      type(op_arg), intent(in), optional :: arg
      if (.not. present(arg)) return
      n = n + 1
      args(n) = arg
    end subroutine add
  end subroutine op_trigger_halo_exchanges

  subroutine op_timers(et)
    real(8), intent(out) :: et
    call c_timers(c_null_ptr, et)
  end subroutine op_timers

  subroutine op_timers_core(et)
    real(8), intent(out) :: et
    call c_timers_core(c_null_ptr, et)
  end subroutine op_timers_core

  subroutine op_timing_output()
    call c_timing_output()
  end subroutine op_timing_output

  subroutine op_timing_reset()
    call c_timing_reset()
  end subroutine op_timing_reset

  subroutine op_timings_to_csv(file)
    character(*), intent(in) :: file
    call c_timings_to_csv(c_text(file))
  end subroutine op_timings_to_csv

  subroutine op_diagnostic_output()
    call c_diagnostic_output()
  end subroutine op_diagnostic_output

  subroutine op_profile_start(name)
    character(*), intent(in) :: name
    call f_profile(0, c_text(name))
  end subroutine op_profile_start

  subroutine op_profile_enter(name)
    character(*), intent(in) :: name
    call f_profile(1, c_text(name))
  end subroutine op_profile_enter

  ! As op_profile_enter(), with the target and the variant of a loop in the name.
  subroutine op_profile_enter_kernel(name, target, variant)
    character(*), intent(in) :: name, target, variant
    call f_profile_kernel(c_text(name), c_text(target), c_text(variant))
  end subroutine op_profile_enter_kernel

  subroutine op_profile_next(name)
    character(*), intent(in) :: name
    call f_profile(2, c_text(name))
  end subroutine op_profile_next

  subroutine op_profile_exit()
    call f_profile(3, c_text())
  end subroutine op_profile_exit

  subroutine op_profile_end()
    call f_profile(4, c_text())
  end subroutine op_profile_end

  subroutine op_profile_output()
    call f_profile(5, c_text())
  end subroutine op_profile_output

  subroutine op_profile_output_json(filename)
    character(*), intent(in) :: filename
    call f_profile(6, c_text(filename))
  end subroutine op_profile_output_json

  ! The same timer under its older names.
  subroutine op_timing2_start(name)
    character(*), intent(in) :: name
    call op_profile_start(name)
  end subroutine op_timing2_start

  subroutine op_timing2_enter(name)
    character(*), intent(in) :: name
    call op_profile_enter(name)
  end subroutine op_timing2_enter

  subroutine op_timing2_enter_kernel(name, target, variant)
    character(*), intent(in) :: name, target, variant
    call op_profile_enter_kernel(name, target, variant)
  end subroutine op_timing2_enter_kernel

  subroutine op_timing2_next(name)
    character(*), intent(in) :: name
    call op_profile_next(name)
  end subroutine op_timing2_next

  subroutine op_timing2_exit()
    call op_profile_exit()
  end subroutine op_timing2_exit

  subroutine op_timing2_finish()
    call op_profile_end()
  end subroutine op_timing2_finish

  subroutine op_timing2_output()
    call op_profile_output()
  end subroutine op_timing2_output

  subroutine op_timing2_output_json(filename)
    character(*), intent(in) :: filename
    call op_profile_output_json(filename)
  end subroutine op_timing2_output_json

  ! Report an error where the library cannot do what OP2 does.
  subroutine op_disable_device_execution(disable)
    logical, intent(in) :: disable
    logical :: on_device
    on_device = index(op_backend(), 'cuda') > 0
    if (disable .and. on_device) call f_raise(OP_ERR_UNSUPPORTED, c_text('op_disable_device_execution'), &
      c_text('loops run where OP2_BACKEND says when the program starts; for the host set OP2_BACKEND=openmp'))
  end subroutine op_disable_device_execution

  subroutine op_disable_mpi_reductions(disable)
    logical, intent(in) :: disable
    integer(c_int) :: processes
    processes = c_comm_size()
    if (disable .and. processes > 1) call f_raise(OP_ERR_UNSUPPORTED, c_text('op_disable_mpi_reductions'), &
      c_text('a reduction always holds the contributions of all processes; keep values of one process in a dat'))
  end subroutine op_disable_mpi_reductions

  ! .true.: every loop may run on a device; the setting OP2_FALLBACK decides about loops that cannot.
  logical function op_check_whitelist(name)
    character(*), intent(in) :: name
    op_check_whitelist = len(name) >= 0
  end function op_check_whitelist

  subroutine op_check_fallback_mode(name)
    character(*), intent(in) :: name
    if (len(name) < 0) return
  end subroutine op_check_fallback_mode
end module op2_support

! SPDX-License-Identifier: MIT
