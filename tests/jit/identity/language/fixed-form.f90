program fixed_form
  use row_fortran
  implicit none
  interface
    subroutine fixedk(x, y)
      real(8), intent(in) :: x
      real(8), intent(out) :: y
    end subroutine fixedk
  end interface
  call row_start()
  call op_par_loop(fixedk, 'fixedk', set, op_arg_dat(dx, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call row_compare('fixed form', fixedk)
  call op_exit()
end program fixed_form

! SPDX-License-Identifier: MIT
