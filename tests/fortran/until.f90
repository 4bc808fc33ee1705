! Loops that stop early, beside a plain loop: edges of the grid lay values onto cells until one exceeds a limit. Every
! process declares the whole grid.
module until_kernels
  implicit none

contains

  subroutine lay(value, limit, left, right, total, stop_here)
    real(8), intent(in) :: value, limit
    real(8), intent(inout) :: left, right, total
    integer(4), intent(inout) :: stop_here
    left = left + 0.3d0 * value
    right = right - value
    total = total + value
    if (value > limit) stop_here = 1
  end subroutine lay
end module until_kernels

program until
  use op2
  use grid
  use until_kernels
  implicit none
  type(op_set) :: cells, edges
  type(op_map) :: pecell
  type(op_dat) :: p_value, p_sum
  real(8) :: value(nedge), sums(ncell), fetched(ncell)
  integer(4) :: i

  call op_init(0)
  call make_grid()
  do i = 1, nedge
    value(i) = 0.1d0 * mod(7 * i, 113)
  end do
  sums = 0
  call op_decl_set(ncell, cells, 'cells')
  call op_decl_set(nedge, edges, 'edges')
  call op_decl_map(edges, cells, 2, ecell, pecell, 'pecell')
  call op_decl_dat(edges, 1, 'real(8)', value, p_value, 'p_value')
  call op_decl_dat(cells, 1, 'real(8)', sums, p_sum, 'p_sum')
  call one_loop(100.0d0)
  call one_loop(11.1d0)
  call one_loop(0.6d0)
  call one_loop(0.0d0)
  call op_exit()
  if (failures > 0) stop 1

contains

  subroutine one_loop(limit)
    real(8), intent(in) :: limit
    integer(4) :: e, stop_here
    integer(8) :: last, found
    real(8) :: total, wanted, read_limit
    total = 0.25d0
    wanted = total
    found = -7
    read_limit = limit
    call op_par_loop_until(lay, 'lay', edges, op_arg_dat(p_value, -1, OP_ID, 1, 'real(8)', OP_READ), &
                           op_arg_gbl(read_limit, 1, 'real(8)', OP_READ), &
                           op_arg_dat(p_sum, 1, pecell, 1, 'real(8)', OP_INC), &
                           op_arg_dat(p_sum, 2, pecell, 1, 'real(8)', OP_INC), &
                           op_arg_gbl(total, 1, 'real(8)', OP_INC), op_arg_stop(found))
    last = 0
    do e = 1, nedge
      stop_here = 0
      call lay(value(e), limit, sums(ecell(1, e)), sums(ecell(2, e)), wanted, stop_here)
      if (stop_here == 0) cycle
      last = e
      exit
    end do
    call op_fetch_data_all(p_sum, fetched)
    call check(op_last_status() == OP_OK, 'the loop: ' // op_last_error())
    call check(found == last, 'the number of the last edge')
    call check(all(transfer(fetched, [1_8]) == transfer(sums, [1_8])), 'the sums of cells')
    call check(transfer(total, 1_8) == transfer(wanted, 1_8), 'the sum of edges')
  end subroutine one_loop
end program until
! SPDX-License-Identifier: MIT
