! Default kinds, which flags change, decide.
module kernels
  implicit none
  real, parameter :: tenth = 0.1
contains
  subroutine limited(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real :: third
    y = x
    if (x > 5.0d0 .and. x < 10.0d0) then
      third = real(x / 3)
      y = third + tenth + 1.1 + kind(1) + 100 * kind(third)
    end if
  end subroutine limited
end module kernels

program kinds
  use row_fortran
  use kernels
  implicit none
  call row_start()
  call op_par_loop(limited, 'limited', set, op_arg_dat(dx, -1_4, OP_ID, 1_4, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1_4, OP_ID, 1_4, 'real(8)', OP_WRITE))
  call row_compare('kinds', limited)
  call op_exit()
end program kinds

! SPDX-License-Identifier: MIT
