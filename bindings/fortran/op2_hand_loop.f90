! op2_hand_loop: loops that a program runs itself over the library's rows, see op2/hand_loop.h. args is an array of
! results of op_arg_dat() and similar functions; set is the C handle %setCptr. The rows are on the host; `device` has no
! effect.
module op2_hand_loop
  use, intrinsic :: iso_c_binding
  use op2_types
  use op2_c_data
  implicit none
  private
  public :: op_mpi_halo_exchanges, op_mpi_wait_all, op_mpi_test_all, op_mpi_set_dirtybit, op_mpi_halo_exchanges_grouped, &
    op_mpi_wait_all_grouped, op_mpi_test_all_grouped, op_mpi_halo_exchanges_cuda, op_mpi_wait_all_cuda, &
    op_mpi_set_dirtybit_cuda, op_mpi_reduce_combined, getSetSizeFromOpArg, getMapDimFromOpArg

  integer(c_int), parameter, public :: F_OP_ARG_DAT = 0, F_OP_ARG_GBL = 1

contains

  ! Begins a loop and returns the number of elements that it runs over. Writes the addresses of rows and maps to args.
  ! Collective.
  integer(c_int) function op_mpi_halo_exchanges(set, argsNumber, args)
    type(c_ptr), value :: set
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    op_mpi_halo_exchanges = c_halo_exchanges(set, argsNumber, args)
  end function op_mpi_halo_exchanges

  integer(c_int) function op_mpi_halo_exchanges_grouped(set, argsNumber, args, device)
    type(c_ptr), value :: set
    integer(c_int), value :: argsNumber, device
    type(op_arg), intent(inout) :: args(*)
    op_mpi_halo_exchanges_grouped = c_halo_exchanges(set, argsNumber + 0 * device, args)
  end function op_mpi_halo_exchanges_grouped

  integer(c_int) function op_mpi_halo_exchanges_cuda(set, argsNumber, args)
    type(c_ptr), value :: set
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    op_mpi_halo_exchanges_cuda = c_halo_exchanges(set, argsNumber, args)
  end function op_mpi_halo_exchanges_cuda

  subroutine op_mpi_wait_all(argsNumber, args)
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    call c_wait_all(argsNumber, args)
  end subroutine op_mpi_wait_all

  subroutine op_mpi_wait_all_grouped(argsNumber, args, device)
    integer(c_int), value :: argsNumber, device
    type(op_arg), intent(inout) :: args(*)
    call c_wait_all(argsNumber + 0 * device, args)
  end subroutine op_mpi_wait_all_grouped

  subroutine op_mpi_wait_all_cuda(argsNumber, args)
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    call c_wait_all(argsNumber, args)
  end subroutine op_mpi_wait_all_cuda

  ! Does nothing: the library advances messages without it.
  subroutine op_mpi_test_all(argsNumber, args)
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    if (argsNumber > 0) args(1)%sent = args(1)%sent
  end subroutine op_mpi_test_all

  subroutine op_mpi_test_all_grouped(argsNumber, args)
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    call op_mpi_test_all(argsNumber, args)
  end subroutine op_mpi_test_all_grouped

  ! Ends a loop: the values that it has written on the host are the current ones from now on.
  subroutine op_mpi_set_dirtybit(argsNumber, args)
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    call c_set_dirtybit(argsNumber, args)
  end subroutine op_mpi_set_dirtybit

  subroutine op_mpi_set_dirtybit_cuda(argsNumber, args)
    integer(c_int), value :: argsNumber
    type(op_arg), intent(inout) :: args(*)
    call c_set_dirtybit(argsNumber, args)
  end subroutine op_mpi_set_dirtybit_cuda

  ! Combines the global variables that the loop has changed over all processes. Collective.
  subroutine op_mpi_reduce_combined(args, argsNumber)
    type(op_arg), intent(inout) :: args(*)
    integer(c_int), value :: argsNumber
    call c_reduce_combined(args, argsNumber)
  end subroutine op_mpi_reduce_combined

  ! Number of rows of the dat on this process, with copies of remote rows, rounded up to a multiple of 32; 0 without a
  ! dat.
  integer(c_int) function getSetSizeFromOpArg(arg)
    type(op_arg), intent(in) :: arg
    getSetSizeFromOpArg = f_rows_padded(arg%dat)
  end function getSetSizeFromOpArg

  ! Number of columns of the map; 0 without a map.
  integer(c_int) function getMapDimFromOpArg(arg)
    type(op_arg), intent(in) :: arg
    getMapDimFromOpArg = f_map_dim(arg%map)
  end function getMapDimFromOpArg
end module op2_hand_loop

! SPDX-License-Identifier: MIT
