! Constants of the flow: literals of single precision, as the published answers have them.
module airfoil_constants
  implicit none
  real(8), parameter :: gam = 1.4, gm1 = gam - 1.0, cfl = 0.9, eps = 0.05, mach = 0.4
  real(8), dimension(4), save :: qinf

contains

  subroutine free_stream()
    real(8) :: p, r, u, e
    p = 1.0d0
    r = 1.0d0
    u = sqrt(gam * p / r) * mach
    e = p / (r * gm1) + 0.5d0 * u * u
    qinf = [r, r * u, 0.0d0, r * e]
  end subroutine free_stream
end module airfoil_constants

! SPDX-License-Identifier: MIT
