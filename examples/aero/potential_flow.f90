! potential_flow.f90: the kernels of the aero solver in Fortran.
!
! 2-D compressible potential flow: div(rho grad phi) = 0, where rho follows from |grad phi| by Bernoulli's equation. Bilinear
! finite elements with 2 x 2 Gauss points; the linear systems of the iteration are solved by conjugate gradients. Corners of a
! cell come in the order (0,0), (1,0), (0,1), (1,1) of the unit square.
module potential_flow
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: res_calc, dirichlet, init_cg, spmv, dot_pv, update_ur, dot_r, update_p, update

  integer, parameter, public :: wp = real64
  real(wp), parameter, public :: minf = 0.1_wp ! Mach number of the free stream

  real(wp), parameter :: gm1 = 1.4_wp - 1.0_wp ! ratio of specific heats less 1
  real(wp), parameter :: m2 = minf * minf
  real(wp), parameter :: weight = 0.25_wp ! of each Gauss point
  real(wp), parameter :: low = 0.5_wp - sqrt(1.0_wp / 12.0_wp), high = 0.5_wp + sqrt(1.0_wp / 12.0_wp)
  real(wp), parameter :: xi(4) = [low, high, low, high], eta(4) = [low, low, high, high]

contains

  ! Cells: the residual of the flow equation, added to the corners, and the cell's part k of the matrix of Newton's method, kept
  ! for spmv.
  subroutine res_calc(x1, x2, x3, x4, phi1, phi2, phi3, phi4, k, res1, res2, res3, res4)
    real(wp), intent(in) :: x1(2), x2(2), x3(2), x4(2), phi1, phi2, phi3, phi4
    real(wp), intent(out) :: k(4, 4)
    real(wp), intent(inout) :: res1, res2, res3, res4
    real(wp) :: phi(4), r(4)
    real(wp) :: a(4), b(4)       ! derivatives of the shape functions along xi and eta
    real(wp) :: x_xi(2), x_eta(2), det, gx(4), gy(4), u, v, d, w_rho, w_drho, along(4)
    integer :: g, j
    phi = [phi1, phi2, phi3, phi4]
    r = 0.0_wp
    k = 0.0_wp
    do g = 1, 4
      a = [eta(g) - 1.0_wp, 1.0_wp - eta(g), -eta(g), eta(g)]
      b = [xi(g) - 1.0_wp, -xi(g), 1.0_wp - xi(g), xi(g)]
      ! the mapping from the unit square, and gradients by its inverse
      x_xi = a(1) * x1 + a(2) * x2 + a(3) * x3 + a(4) * x4
      x_eta = b(1) * x1 + b(2) * x2 + b(3) * x3 + b(4) * x4
      det = x_xi(1) * x_eta(2) - x_eta(1) * x_xi(2)
      gx = (1.0_wp / det) * (x_eta(2) * a - x_xi(2) * b)
      gy = (1.0_wp / det) * (x_xi(1) * b - x_eta(1) * a)
      u = dot_product(gx, phi)
      v = dot_product(gy, phi)
      d = 1.0_wp + 0.5_wp * gm1 * (m2 - (u * u + v * v))
      w_rho = weight * det * d**(1.0_wp / gm1)
      w_drho = w_rho / d
      along = u * gx + v * gy
      r = r + w_rho * along
      do j = 1, 4
        k(:, j) = k(:, j) + w_rho * (gx(j) * gx + gy(j) * gy) - w_drho * along(j) * along
      end do
    end do
    res1 = res1 + r(1)
    res2 = res2 + r(2)
    res3 = res3 + r(3)
    res4 = res4 + r(4)
  end subroutine res_calc

  ! Far-field nodes: the potential is known there, nothing is left to solve.
  subroutine dirichlet(res)
    real(wp), intent(out) :: res
    res = 0.0_wp
  end subroutine dirichlet

  ! Nodes: begin of conjugate gradients with u = 0.
  subroutine init_cg(r, rr, u, v, p)
    real(wp), intent(in) :: r
    real(wp), intent(inout) :: rr
    real(wp), intent(out) :: u, v, p
    rr = rr + r * r
    u = 0.0_wp
    v = 0.0_wp
    p = r
  end subroutine init_cg

  ! Cells: v = v + k p, with the values at the four corners.
  subroutine spmv(v1, v2, v3, v4, k, p1, p2, p3, p4)
    real(wp), intent(inout) :: v1, v2, v3, v4
    real(wp), intent(in) :: k(4, 4), p1, p2, p3, p4
    real(wp) :: v(4)
    v = matmul(k, [p1, p2, p3, p4])
    v1 = v1 + v(1)
    v2 = v2 + v(2)
    v3 = v3 + v(3)
    v4 = v4 + v(4)
  end subroutine spmv

  ! Nodes: pv = p . v
  subroutine dot_pv(p, v, pv)
    real(wp), intent(in) :: p, v
    real(wp), intent(inout) :: pv
    pv = pv + p * v
  end subroutine dot_pv

  ! Nodes: a step of length alpha along p.
  subroutine update_ur(u, r, p, v, alpha)
    real(wp), intent(inout) :: u, r, v
    real(wp), intent(in) :: p, alpha
    u = u + alpha * p
    r = r - alpha * v
    v = 0.0_wp
  end subroutine update_ur

  ! Nodes: rr = r . r
  subroutine dot_r(r, rr)
    real(wp), intent(in) :: r
    real(wp), intent(inout) :: rr
    rr = rr + r * r
  end subroutine dot_r

  ! Nodes: the next direction.
  subroutine update_p(r, p, beta)
    real(wp), intent(in) :: r, beta
    real(wp), intent(inout) :: p
    p = r + beta * p
  end subroutine update_p

  ! Nodes: one step of Newton's method.
  subroutine update(phi, res, u, rms)
    real(wp), intent(inout) :: phi, rms
    real(wp), intent(out) :: res
    real(wp), intent(in) :: u
    phi = phi - u
    res = 0.0_wp
    rms = rms + u * u
  end subroutine update
end module potential_flow

! SPDX-License-Identifier: MIT
