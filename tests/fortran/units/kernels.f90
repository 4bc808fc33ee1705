! Kernels of the solver in units/.
module unit_kernels
  implicit none

contains

  pure subroutine weigh(a, b, w)
    real(8), intent(in) :: a(2), b(2)
    real(8), intent(out) :: w
    w = hypot(a(1) - b(1), a(2) - b(2))
  end subroutine weigh

  subroutine gather(w, a, b)
    real(8), intent(in) :: w
    real(8), intent(inout) :: a, b
    a = a + w
    b = b + w
  end subroutine gather
end module unit_kernels

! SPDX-License-Identifier: MIT
