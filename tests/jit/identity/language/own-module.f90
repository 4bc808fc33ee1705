module own_module
  implicit none
contains
  real(8) function erf(a)
    real(8), intent(in) :: a
    erf = -a
  end function erf
end module own_module

! SPDX-License-Identifier: MIT
