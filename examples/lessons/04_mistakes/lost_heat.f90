! lost_heat.f90: lost_heat.cpp in Fortran, with the same mistake.
module plate_kernels
  implicit none
  real(8) :: total                                   ! of all nodes
contains

  subroutine flow(warm1, warm2, gain1, gain2)
    real(8), intent(in) :: warm1, warm2
    real(8), intent(inout) :: gain1, gain2
    real(8) :: heat
    heat = 0.2d0 * (warm1 - warm2)
    gain1 = gain1 - heat
    gain2 = gain2 + heat
  end subroutine flow

  subroutine settle(gain, warm)
    real(8), intent(inout) :: gain, warm
    warm = warm + gain
    gain = 0.0d0
    total = total + warm
  end subroutine settle
end module plate_kernels

program lost_heat
  use op2
  use plate_kernels
  implicit none
  integer, parameter :: row = 41                     ! nodes in a row of the plate
  type(op_set) :: nodes, edges
  type(op_map) :: ends
  type(op_dat) :: warm, gain
  integer :: table(2, 2 * row * (row - 1)), i, j, e, step
  real(8) :: start(row, row)
  character(60) :: line
  logical :: right

  e = 0
  do j = 1, row
    do i = 1, row
      if (i < row) e = e + 1
      if (i < row) table(:, e) = [i + row * (j - 1), i + 1 + row * (j - 1)]
      if (j < row) e = e + 1
      if (j < row) table(:, e) = [i + row * (j - 1), i + row * j]
    end do
  end do
  start = 0.0d0
  start(17:25, 17:25) = 100.0d0                      ! a hot square in the middle

  call op_init(0)
  call op_decl_set(row * row, nodes, 'nodes')
  call op_decl_set(e, edges, 'edges')
  call op_decl_map(edges, nodes, 2, table, ends, 'ends')
  call op_decl_dat(nodes, 1, 'real(8)', start, warm, 'warm')
  call op_decl_dat(nodes, 1, 'real(8)', gain, 'gain')

  do step = 1, 100
    call op_par_loop(flow, 'flow', edges, &
                     op_arg_dat(warm, 1, ends, 1, 'real(8)', OP_READ), op_arg_dat(warm, 2, ends, 1, 'real(8)', OP_READ), &
                     op_arg_dat(gain, 1, ends, 1, 'real(8)', OP_INC), op_arg_dat(gain, 2, ends, 1, 'real(8)', OP_INC))
    total = 0.0d0
    call op_par_loop(settle, 'settle', nodes, &
                     op_arg_dat(gain, -1, OP_ID, 1, 'real(8)', OP_RW), op_arg_dat(warm, -1, OP_ID, 1, 'real(8)', OP_RW))
  end do
  right = abs(total - 8100.0d0) < 1.0d-6
  write (line, '(a, f9.3, a, a)') 'heat', total, ' of 8100: ', trim(merge('PASSED', 'FAILED', right))
  call op_print(trim(line))
  call op_exit()
  if (.not. right) error stop 1, quiet=.true.
end program lost_heat

! SPDX-License-Identifier: MIT
