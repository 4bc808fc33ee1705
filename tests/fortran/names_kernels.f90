! Kernels of names.f90.
module names_kernels
  implicit none

contains

  subroutine add(v, a, b)
    real(8), intent(in) :: v
    real(8), intent(inout) :: a(2), b(2)
    a = a + v
    b = b - 2.0d0 * v
  end subroutine add

  subroutine add_single(v, number, a)
    real(4), intent(in) :: v
    integer(4), intent(in) :: number
    real(4), intent(inout) :: a
    a = a + v * number
  end subroutine add_single

  subroutine sum_gbl(a, total, most, on)
    real(8), intent(in) :: a(2)
    real(8), intent(inout) :: total(2, 1), most
    logical, intent(in) :: on
    if (on) total(:, 1) = total(:, 1) + a
    most = max(most, a(1))
  end subroutine sum_gbl
end module names_kernels

! SPDX-License-Identifier: MIT
