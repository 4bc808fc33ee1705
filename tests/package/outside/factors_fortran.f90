! A module without procedures, of which line tables know nothing.
module factors
  implicit none
  real(8), parameter :: two = 2.0d0
end module factors

! SPDX-License-Identifier: MIT
