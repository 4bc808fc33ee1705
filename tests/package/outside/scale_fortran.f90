! Somebody else's program with a kernel of a module, whose text the library looks for; its main program is made of lines from another file.
module scaling
  use factors, only: two
  implicit none
contains
  subroutine scale(row, total)
    real(8), intent(inout) :: row(2), total
    row = two * row
    total = total + row(1)
  end subroutine scale
end module scaling

program scale_fortran
  use op2
  use scaling
  implicit none
  type(op_set) :: nodes
  type(op_dat) :: x
  real(8) :: rows(2, 300) = 1.5d0, total = 0.0d0
  call op_init(0)
  call op_decl_set(300, nodes, 'nodes')
  call op_decl_dat(nodes, 2, 'real(8)', rows, x, 'x')
  include 'scale_loop.inc'
  call op_exit()
  if (abs(total - 900.0d0) > 1.0d-12) stop 1
end program scale_fortran

! SPDX-License-Identifier: MIT
