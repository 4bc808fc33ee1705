! What the kernels of collection.F90 use of another module.
module flow_constants
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  integer :: i
  integer, parameter, public :: wp = real64, dim = 3
  real(wp), parameter, public :: gamma = 1.4_wp, gm1 = gamma - 1.0_wp, pi = 4.0_wp * atan(1.0_wp)
  real(wp), parameter, public :: half_of(2:4) = [(0.5_wp * i, i = 2, 4)]
  real(wp), parameter, public :: weight(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  integer, parameter, public :: next(4) = (/ 2, 3, 4, 1 /)
  real, parameter, public :: third = 1.0 / 3.0
  real(wp) :: secret = 2.0_wp
  public :: pressure, swap_sides, larger

contains

  pure function pressure(q) result(p)
    real(wp), intent(in) :: q(5)
    real(wp) :: p
    p = gm1 * (q(5) - 0.5_wp * (q(2)**2 + q(3)**2 + q(4)**2) / q(1))
  end function pressure

  subroutine swap_sides(a, b)
    real(wp), intent(inout) :: a, b
    real(wp) :: c
    c = a
    a = b
    b = c
  end subroutine swap_sides

  elemental real(wp) function larger(a, b)
    real(wp), intent(in) :: a, b
    larger = merge(a, b, abs(a) > abs(b))
  end function larger
end module flow_constants

! SPDX-License-Identifier: MIT
