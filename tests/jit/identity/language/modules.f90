! Two modules have a procedure, a helper and a parameter of the same names.
module first_order
  implicit none
  real(8), parameter :: most = 20.0d0
contains
  subroutine limited(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = limit(x)
  end subroutine limited
  function limit(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = min(x, most)
  end function limit
end module first_order

module second_order
  implicit none
  real(8), parameter :: most = 5.0d0
contains
  subroutine limited(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = limit(x)
  end subroutine limited
  function limit(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x
    if (x > most .and. x < 10.0d0) r = most
  end function limit
end module second_order

program modules
  use row_fortran
  use first_order, only: other => limited
  use second_order, only: limited
  implicit none
  call row_start()
  call op_par_loop(limited, 'limited', set, op_arg_dat(dx, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call row_compare('second', limited)
  call op_par_loop(other, 'other', set, op_arg_dat(dx, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call row_compare('first', other)
  call op_exit()
end program modules

! SPDX-License-Identifier: MIT
