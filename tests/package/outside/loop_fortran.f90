! Somebody else's program: a sum over a line of nodes.
program loop_fortran
  use op2
  implicit none
  type(op_set) :: nodes
  type(op_dat) :: x
  real(8) :: rows(2, 5) = 1.5d0, total = 0.0d0
  call op_init(0)
  call op_decl_set(5, nodes, 'nodes')
  call op_decl_dat(nodes, 2, 'real(8)', rows, x, 'x')
  call op_par_loop(add, 'add', nodes, op_arg_dat(x, -1, OP_ID, 2, 'real(8)', OP_READ), &
                   op_arg_gbl(total, 1, 'real(8)', OP_INC))
  call op_exit()
  if (abs(total - 15.0d0) > 1.0d-12) stop 1
contains
  subroutine add(row, sum)
    real(8), intent(in) :: row(2)
    real(8), intent(inout) :: sum
    sum = sum + row(1) + row(2)
  end subroutine add
end program loop_fortran

! SPDX-License-Identifier: MIT
