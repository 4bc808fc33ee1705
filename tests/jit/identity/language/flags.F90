! Default kinds, a macro and a condition decide.
module kernels
  implicit none
  real, parameter :: tenth = 0.1
#ifndef MOST
#define MOST 6
#endif
contains
  subroutine limited(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real :: third
    integer :: wide
    y = x
    if (x > MOST - 1 .and. x < 10) then
      third = real(x / 3)
      wide = 2
      y = third + tenth + 1.1 + kind(wide) + 100 * kind(third) + 1000 * MOST
#ifdef STRICT
      y = y + 0.5
#endif
    end if
  end subroutine limited
end module kernels

program flags
  use row_fortran
  use kernels
  implicit none
  call row_start()
  call op_par_loop(limited, 'limited', set, op_arg_dat(dx, -1_4, OP_ID, 1_4, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1_4, OP_ID, 1_4, 'real(8)', OP_WRITE))
  call row_compare('flags', limited)
  call op_exit()
end program flags

! SPDX-License-Identifier: MIT
