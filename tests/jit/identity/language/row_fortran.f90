! What the programs in Fortran share; see row.hpp. x: 1 and 20 in turn, and 7 at five cells.
module row_fortran
  use op2
  implicit none
  integer, parameter :: cells = 5000, first_telling = 1731
  type(op_set) :: set
  type(op_dat) :: dx, dy
  real(8) :: x(cells), y(cells)
contains
  subroutine row_start()
    integer :: n
    call op_init(0)
    x = [(merge(1.0d0, 20.0d0, mod(n, 2) == 0), n = 1, cells)]
    x(first_telling:first_telling + 4) = 7.0d0
    y = 0
    call op_decl_set(cells, set, 'cells')
    call op_decl_dat(set, 1, 'real(8)', x, dx, 'x')
    call op_decl_dat(set, 1, 'real(8)', y, dy, 'y')
  end subroutine row_start

  subroutine row_compare(what, kernel)
    character(*), intent(in) :: what
    interface
      subroutine kernel(x, y)
        real(8), intent(in) :: x
        real(8), intent(out) :: y
      end subroutine kernel
    end interface
    real(8) :: want(cells)
    integer :: n
    call op_fetch_data(dy, y)
    do n = 1, cells
      call kernel(x(n), want(n))
    end do
    write (*, '(a, a, g0, a, g0, a)') what, ': op_par_loop ', y(first_telling), ', the compiled kernel ', want(first_telling), &
      merge('   same ', '   WRONG', all(abs(y - want) <= 0.0d0))
  end subroutine row_compare
end module row_fortran

! SPDX-License-Identifier: MIT
