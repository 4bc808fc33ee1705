! Kernels of aero.f90: bilinear finite elements for - div grad phi = source, and conjugate gradients.
module aero_kernels
  implicit none
  real(8), parameter :: source = 0.25d0, far_value = 3.0d0
  real(8), parameter :: place(2) = [0.211324865405187d0, 0.788675134594813d0] ! Gauss points of [0, 1]

contains

  ! The matrix of a cell with these corners, and its load.
  pure subroutine element(x, k, load)
    real(8), intent(in) :: x(2, 4)
    real(8), intent(out) :: k(4, 4), load(4)
    real(8) :: s, t, shape(4), ds(4), dt(4), det, g(4, 2), along(2), across(2)
    integer :: a, b, i, j
    k = 0.0d0
    load = 0.0d0
    do a = 1, 2
      do b = 1, 2
        s = place(a)
        t = place(b)
        shape = [(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t]
        ds = [t - 1, 1 - t, t, -t]
        dt = [s - 1, -s, s, 1 - s]
        along = matmul(x, ds)
        across = matmul(x, dt)
        det = along(1) * across(2) - across(1) * along(2)
        g(:, 1) = (ds * across(2) - dt * along(2)) / det
        g(:, 2) = (dt * along(1) - ds * across(1)) / det
        do j = 1, 4
          load(j) = load(j) + 0.25d0 * det * source * shape(j)
          do i = 1, 4
            k(i, j) = k(i, j) + 0.25d0 * det * dot_product(g(i, :), g(j, :))
          end do
        end do
      end do
    end do
  end subroutine element

  subroutine res_calc(x1, x2, x3, x4, phi1, phi2, phi3, phi4, k, res1, res2, res3, res4)
    real(8), intent(in) :: x1(2), x2(2), x3(2), x4(2), phi1, phi2, phi3, phi4
    real(8), intent(out) :: k(16)
    real(8), intent(inout) :: res1, res2, res3, res4
    real(8) :: matrix(4, 4), load(4), r(4)
    call element(reshape([x1, x2, x3, x4], [2, 4]), matrix, load)
    r = matmul(matrix, [phi1, phi2, phi3, phi4]) - load
    k = reshape(matrix, [16])
    res1 = res1 + r(1)
    res2 = res2 + r(2)
    res3 = res3 + r(3)
    res4 = res4 + r(4)
  end subroutine res_calc

  subroutine set_far(phi)
    real(8), intent(out) :: phi
    phi = far_value
  end subroutine set_far

  subroutine dirichlet(res)
    real(8), intent(out) :: res
    res = 0.0d0
  end subroutine dirichlet

  subroutine init_cg(r, c, u, v, p)
    real(8), intent(in) :: r
    real(8), intent(inout) :: c
    real(8), intent(out) :: u, v, p
    c = c + r * r
    u = 0.0d0
    v = 0.0d0
    p = r
  end subroutine init_cg

  subroutine spmv(v1, v2, v3, v4, k, p1, p2, p3, p4)
    real(8), intent(inout) :: v1, v2, v3, v4
    real(8), intent(in) :: k(4, 4), p1, p2, p3, p4
    real(8) :: v(4)
    v = matmul(k, [p1, p2, p3, p4])
    v1 = v1 + v(1)
    v2 = v2 + v(2)
    v3 = v3 + v(3)
    v4 = v4 + v(4)
  end subroutine spmv

  subroutine dotpv(p, v, c)
    real(8), intent(in) :: p, v
    real(8), intent(inout) :: c
    c = c + p * v
  end subroutine dotpv

  subroutine updateur(u, r, p, v, alpha)
    real(8), intent(inout) :: u, r, v
    real(8), intent(in) :: p, alpha
    u = u + alpha * p
    r = r - alpha * v
    v = 0.0d0
  end subroutine updateur

  subroutine dotr(r, c)
    real(8), intent(in) :: r
    real(8), intent(inout) :: c
    c = c + r * r
  end subroutine dotr

  subroutine updatep(r, p, beta)
    real(8), intent(in) :: r, beta
    real(8), intent(inout) :: p
    p = beta * p + r
  end subroutine updatep

  subroutine update(phi, res, u, rms)
    real(8), intent(inout) :: phi, rms
    real(8), intent(out) :: res
    real(8), intent(in) :: u
    phi = phi - u
    res = 0.0d0
    rms = rms + u * u
  end subroutine update
end module aero_kernels

! SPDX-License-Identifier: MIT
