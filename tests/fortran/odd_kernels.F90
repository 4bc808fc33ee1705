! Kernels of odd.F90: kinds from a module that the kernel itself uses, several statements on a line, a sum of 2 x 2 values.
module odd_kinds
  implicit none
  integer, parameter :: wp = 8
end module odd_kinds

module odd_kernels
  implicit none

contains

  subroutine exchange(a, b) ! in this order: all loops with it are the same only one element after another
    use odd_kinds, only: wp
    real(wp), dimension(3), intent(inout) :: a, b
    a(1) = a(1) + 1.0_wp; b(1) = b(1) + 2.0_wp
    a(2) = a(2) - 1.0_wp
    b(3) = b(3) &
      + 0.5_wp ! goes on
  end subroutine exchange

  subroutine count_all(total, list)
    integer(8), intent(inout) :: total
    integer(4), intent(inout) :: list(2, 2)
    total = total + 1
    list(2, 1) = list(2, 1) + 3
  end subroutine count_all
end module odd_kernels

! SPDX-License-Identifier: MIT
