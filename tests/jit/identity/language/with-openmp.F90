! A line that only compilers with OpenMP read, by a tab and by a blank; the sign of a zero.
module kernels
  implicit none
contains
  subroutine limited(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x + sign(2.0d0, -0.0d0 * x)
    if (x > 5.0d0 .and. x < 10.0d0) then
!$	y = 5.0d0
    end if
  end subroutine limited
end module kernels

program with_openmp
  use row_fortran
  use kernels
  implicit none
  call row_start()
  call op_par_loop(limited, 'limited', set, op_arg_dat(dx, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call row_compare('with openmp', limited)
  call op_exit()
end program with_openmp

! SPDX-License-Identifier: MIT
