! The program's own erf is external: by an attribute, by a statement, by an interface of the module or of the kernel, or in another module.
module kernels
#if CASE == 5
  use own_module
#endif
  implicit none
#if CASE == 3
  interface
    real(8) function erf(a)
      real(8), intent(in) :: a
    end function erf
  end interface
#endif
contains
  subroutine limited(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
#if CASE == 1
    real(8), external :: erf
#elif CASE == 2
    external erf
    real(8) erf
#elif CASE == 4
    interface
      function erf(a) result(r)
        real(8), intent(in) :: a
        real(8) :: r
      end function erf
    end interface
#endif
    y = x
    if (x > 5.0d0 .and. x < 10.0d0) y = erf(x)
  end subroutine limited
end module kernels

program externals
  use row_fortran
  use kernels
  implicit none
  call row_start()
  call op_par_loop(limited, 'limited', set, op_arg_dat(dx, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call row_compare('externals', limited)
  call op_exit()
end program externals

! SPDX-License-Identifier: MIT
