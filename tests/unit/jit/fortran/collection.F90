! Kernels in the styles of the field. Each is written as code for generated loops, which must have the bits of this file
! compiled by gfortran. Every argument has 32 values: reals of both signs, integers from 1 to 3.
module collection
  use flow_constants, only: wp, dim, gamma, gm1, pi, pressure, swap_sides, larger, halves => half_of, weight, next, third
  use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int
  implicit none
  integer, parameter :: kd = kind(1.0d0), ki = selected_int_kind(9)
  real(kd), parameter :: small = 10.0_kd**(-6), tiny_number = epsilon(1.0d0)

contains

  subroutine copies(q, qold)
    real(wp), intent(in) :: q(5)
    real(wp), intent(out) :: qold(5)
    qold = q
  end subroutine copies

  subroutine precedence(a, b)
    real(8), dimension(8), intent(in) :: a
    real(8), dimension(8), intent(out) :: b
    b(1) = -a(1)**2 + a(2) * a(3) / a(4) - a(5)
    b(2) = a(1) - a(2) - a(3) + (a(4) - a(5))
    b(3) = 2.0d0 * (-a(1) * a(2)) + &
      & a(3) ! a comment
    b(4) = a(1) / a(2) / a(3) * a(4)
    b(5) = a(1) * 0.1 + a(2) * 0.1d0 + 1 / 3 + 1.0 / 3
    b(6) = (7 / 2) * a(1) + real(7, 8) / 2 + (-7) / 2 + mod(-7, 3) + modulo(-7, 3)
    b(7) = a(1) + 1e-3; b(8) = a(2) * 1.5e2_kd
  end subroutine precedence

  subroutine powers(x, y)
    real(wp), intent(in) :: x(4)
    real(wp), intent(out) :: y(18)
    y(1) = x(1)**2 ; y(2) = x(1)**3 ; y(3) = x(1)**4 ; y(4) = x(1)**5 ; y(5) = x(1)**6 ; y(6) = x(1)**7
    y(7) = x(1)**8 ; y(8) = x(1)**9 ; y(9) = x(1)**10 ; y(10) = x(1)**11 ; y(11) = x(1)**12 ; y(12) = x(1)**13
    y(13) = x(1)**14 ; y(14) = x(1)**15 ; y(15) = x(1)**16
    y(16) = (x(2) + x(3))**(-3) + x(4)**0 + x(3)**1 + x(2)**(-1)
    y(17) = abs(x(2))**1.25_wp + abs(x(3))**0.5d0 + x(4)**2.0_wp
    y(18) = 2.0_wp**dim * x(1) + abs(x(1))**third
  end subroutine powers

  subroutine powers_single(x, y)
    real(4), intent(in) :: x(4)
    real(4), intent(out) :: y(4)
    y(1) = x(1)**3 + x(2)**5 - x(3)**7
    y(2) = x(1)**2 * 0.25 + abs(x(4))**1.5
    y(3) = 1.0 / x(1) + third
    y(4) = real(x(1) * 1.0d0, 4) + x(2)
  end subroutine powers_single

  subroutine mixed_kinds(x, s, n, y)
    real(wp), intent(in) :: x(2)
    real(4), intent(in) :: s(2)
    integer, intent(in) :: n(2)
    real(wp), intent(out) :: y(6)
    y(1) = x(1) * s(1) + n(1)
    y(2) = s(1) * s(2) + n(2) * s(1)
    y(3) = n(1) / n(2) + n(1) * x(2)
    y(4) = int(x(1)) + nint(x(2)) + floor(x(1)) + ceiling(x(2))
    y(5) = dble(s(1)) / 3 + real(n(1), wp) / 3 + real(n(2)) / 3
    y(6) = aint(x(1)) + anint(x(2)) + sign(1.5_wp, x(2)) + sign(2, n(1) - 2)
  end subroutine mixed_kinds

  subroutine functions(x, y)
    real(wp), intent(in) :: x(4)
    real(wp), intent(out) :: y(9)
    y(1) = sqrt(abs(x(1))) + exp(x(2)) - log(abs(x(3)) + 1.0_wp)
    y(2) = sin(x(1)) * cos(x(2)) + tan(x(3))
    y(3) = atan2(x(1), x(2)) + atan(x(3)) + asin(x(4) / 8) + acos(x(4) / 8)
    y(4) = max(x(1), x(2), x(3), 0.5_wp) - min(x(1), x(2), x(4))
    y(5) = mod(x(1), 0.75_wp) + abs(x(2)) + dim_of(x(3), x(4))
    y(6) = tanh(x(1)) + sinh(x(2)) + cosh(x(3)) + log10(abs(x(4)) + 1)
    y(7) = merge(x(1), x(2), x(3) > x(4)) + pi * x(1)
    y(8) = hypot(x(1), x(2)) + erf(x(3))
    y(9) = dsqrt(dabs(x(1))) + dmax1(x(2), x(3))
  contains
    real(wp) function dim_of(a, b)
      real(wp), intent(in) :: a, b
      dim_of = a - b
      if (dim_of < 0) dim_of = 0
    end function dim_of
  end subroutine functions

  subroutine functions_single(x, y)
    real(c_float), intent(in) :: x(3)
    real(c_float), intent(out) :: y(4)
    y(1) = sqrt(abs(x(1))) + exp(x(2)) + sin(x(3))
    y(2) = max(x(1), x(2)) * min(x(2), x(3)) + sign(x(1), x(2))
    y(3) = mod(x(1), 0.3) + atan2(x(2), x(3))
    y(4) = x(1) * 0.1d0 + x(2)
  end subroutine functions_single

  ! A flux of Roe's kind between two states.
  subroutine roe_flux(ql, qr, n, flux)
    real(wp), intent(in) :: ql(5), qr(5), n(3)
    real(wp), intent(inout) :: flux(5)
    real(wp) :: rl, rr, ul(3), ur(3), hl, hr, w, u(3), h, c, un, pl, pr
    integer :: k
    rl = abs(ql(1)) + 1; rr = abs(qr(1)) + 1
    ul = ql(2:4) / rl
    ur(:) = qr(2:4) / rr
    pl = pressure(ql); pr = pressure(qr)
    hl = (ql(5) + pl) / rl
    hr = (qr(5) + pr) / rr
    w = sqrt(rr / rl)
    u = (ul + w * ur) / (1 + w)
    h = (hl + w * hr) / (1 + w)
    un = dot_product(u, n)
    c = sqrt(abs(gm1 * (h - 0.5_wp * dot_product(u, u))))
    flux(1) = flux(1) + 0.5_wp * (rl * dot_product(ul, n) + rr * dot_product(ur, n)) - (abs(un) + c) * (rr - rl)
    do k = 1, dim
      flux(k + 1) = flux(k + 1) + 0.5_wp * (pl + pr) * n(k) - abs(un) * (qr(k + 1) - ql(k + 1))
    end do
    flux(5) = flux(5) - c * (qr(5) - ql(5))
  end subroutine roe_flux

  ! Limiters
  subroutine limiter(a, b, r)
    real(wp), intent(in) :: a, b
    real(wp), intent(out) :: r
    if (a * b <= 0.0_wp) then
      r = 0.0_wp
    else if (abs(a) < abs(b)) then
      r = a
    else
      r = b
    end if
  end subroutine limiter

  subroutine superbee(r, kind_of, phi)
    real(wp), intent(in) :: r(4)
    integer, intent(in) :: kind_of
    real(wp), intent(out) :: phi(4)
    integer :: i
    do i = 1, 4
      select case (kind_of)
      case (1)
        phi(i) = max(0.0_wp, min(2 * r(i), 1.0_wp), min(r(i), 2.0_wp))
      case (2:2)
        phi(i) = (r(i) + abs(r(i))) / (1 + abs(r(i)))
      case default
        phi(i) = max(0.0_wp, min(1.0_wp, r(i)))
      end select
    end do
  end subroutine superbee

  ! A matrix of a linear element on a triangle.
  subroutine stiffness(x, k)
    real(wp), intent(in) :: x(2, 3)
    real(wp), intent(out) :: k(3, 3)
    real(wp) :: b(2, 3), area
    integer :: i, j
    area = 0.5_wp * ((x(1, 2) - x(1, 1)) * (x(2, 3) - x(2, 1)) - (x(1, 3) - x(1, 1)) * (x(2, 2) - x(2, 1)))
    do i = 1, 3
      j = mod(i, 3) + 1
      b(1, i) = x(2, j) - x(2, mod(j, 3) + 1)
      b(2, i) = x(1, mod(j, 3) + 1) - x(1, j)
    end do
    do j = 1, 3
      do i = 1, 3
        k(i, j) = dot_product(b(:, i), b(:, j)) / (4 * area)
      end do
    end do
  end subroutine stiffness

  subroutine products(a, x, y, z)
    real(wp), intent(in) :: a(3, 3), x(3)
    real(wp), intent(out) :: y(3), z(3, 3)
    y = matmul(a, x) + x
    z = matmul(a, transpose(a))
    y = matmul(y, a)
    z(:, 2) = y
    y = sum(z(1, :)) + [1.0_wp, x(2), sum(x)]
  end subroutine products

  ! Quadrilaterals of hydrodynamics: corners in their order.
  subroutine quad_forces(x, y, p, fx, fy, area)
    real(8), intent(in) :: x(4), y(4), p
    real(8), intent(inout) :: fx(4), fy(4)
    real(8), intent(out) :: area
    integer :: i, j
    area = 0.5d0 * ((x(3) - x(1)) * (y(4) - y(2)) - (x(4) - x(2)) * (y(3) - y(1)))
    do i = 1, 4
      j = next(i)
      fx(i) = fx(i) + p * (y(j) - y(i)) * 0.5d0
      fy(j) = fy(j) - p * (x(j) - x(i)) * 0.5d0
    end do
  end subroutine quad_forces

  subroutine viscosity(u, v, rho, c, q)
    real(8), intent(in) :: u(4), v(4), rho, c
    real(8), intent(out) :: q
    real(8), parameter :: cl = 0.5d0, cq = 0.75d0
    real(8) :: du
    du = maxval(u) - minval(u) + 0.25d0 * sum(v)
    q = 0
    if (du < 0.0d0 .and. .not. (rho < 0.0d0 .or. c == 0.0d0)) q = rho * (cq * du * du - cl * c * du)
    if (any(u > 3.0d0)) q = q + count(v > 0) * 0.125d0
    if (all(v > -3.5d0)) q = q + product(u)
  end subroutine viscosity

  subroutine newton(x, root, steps)
    real(wp), intent(in) :: x
    real(wp), intent(out) :: root
    integer, intent(out) :: steps
    real(wp) :: f
    root = abs(x) + 1
    steps = 0
    do while (abs(root * root - abs(x)) > 1e-9_wp * (1 + abs(x)))
      f = root * root - abs(x)
      root = root - f / (2 * root)
      steps = steps + 1
      if (steps > 40) exit
    end do
  end subroutine newton

  subroutine searches(x, n, first, total)
    real(wp), intent(in) :: x(8)
    integer, intent(in) :: n
    integer, intent(out) :: first
    real(wp), intent(out) :: total
    integer :: i
    first = 0
    total = 0
    rows: do i = 1, 8
      if (x(i) < 0) cycle rows
      total = total + x(i)
      if (total > n) then
        first = i
        exit rows
      end if
    end do rows
    do i = 8, 1, -2
      total = total - x(i)
    end do
    do i = n, 2 * n
      total = total * 0.5_wp + x(i)
    end do
  end subroutine searches

  subroutine forever(x, y)
    real(wp), intent(in) :: x
    real(wp), intent(out) :: y
    integer :: n
    y = x
    n = 0
    do
      n = n + 1
      if (n > 6) exit
      if (y > 1) then
        y = y / 2
        cycle
      endif
      y = y + 0.75_wp
    enddo
  end subroutine forever

  subroutine masks(a, b, c)
    real(wp), intent(in) :: a(4), b(4)
    real(wp), intent(out) :: c(4)
    logical :: positive(4), both
    c = 0
    where (a > b)
      c = a
    elsewhere (a < -1)
      c = b * 2
    elsewhere
      c = -1
    end where
    where (b > 2) c = c + 1
    where (b < 0) c = c(2) + c(4:1:-1)
    positive = a > 0
    both = positive(1) .and. positive(2) .neqv. positive(3)
    if (both) c(4) = c(4) * 3
    if (positive(4) .eqv. .true.) c(1) = 4
  end subroutine masks

  subroutine bounds(x, n, y)
    real(wp), intent(in) :: x(0:7)
    integer, intent(in) :: n
    real(wp), intent(out) :: y(-1:2, 2)
    real(wp) :: work(-2:2)
    integer :: i
    work = 0
    do i = -2, 2
      work(i) = x(i + 2) * 2
    end do
    y(-1, 1) = work(n - 2)
    y(0:2, 1) = work(-2:2:2)
    y(:, 2) = x(0:3) + x(7:4:-1)
    y(1:2, 2) = y(0:1, 2)
    y(-1, 2) = halves(n + 1) + halves(4) + weight(2, n) + weight(1, 3)
  end subroutine bounds

  subroutine overlaps(x)
    real(wp), intent(inout) :: x(6)
    x(2:6) = x(1:5)
    x(1:3) = x(3:1:-1)
    x = x + sum(x)
    x(4:6) = [x(6), x(5), x(4)]
  end subroutine overlaps

  subroutine calls(a, b, c)
    real(wp), intent(inout) :: a(3), b(3)
    real(wp), intent(out) :: c(3)
    real(wp) :: local, m(3, 2)
    local = a(1)
    call swap_sides(local, b(1))
    call swap_sides(a(2), a(3))
    c = larger(a, b)
    c(1) = c(1) + local + larger(a(1), 0.5_wp)
    m(:, 1) = a
    m(:, 2) = b
    call twice(m(:, 2), 3)
    call twice(m, 2)
    call twice(m(3, 1), 1)
    c(2) = m(1, 1) + m(3, 1) + m(2, 2) + norm(m(1, 2), 3) + norm(a + b, 3)
  contains
    subroutine twice(v, n)
      integer, intent(in) :: n
      real(wp), intent(inout) :: v(n)
      integer :: i
      do i = 1, n
        v(i) = 2 * v(i) + local
      end do
      local = local + 1
    end subroutine twice
  end subroutine calls

  function norm(v, n)
    integer, intent(in) :: n
    real(wp), intent(in) :: v(*)
    real(wp) :: norm
    integer :: i
    norm = 0
    do i = 1, n
      norm = norm + v(i)**2
    end do
    norm = sqrt(norm)
  end function norm

  subroutine early(x, bound, y)
    real(wp), intent(in) :: x(3)
    integer(ki), intent(in) :: bound
    real(wp), intent(inout) :: y(3)
    y(1) = y(1) + x(1)
    if (bound == 1) then
      y(2) = x(2)
      return
    end if
    if (bound == 2) return
    y(3) = y(3) * x(3)
  end subroutine early

  subroutine nested_calls(x, y)
    real(wp), intent(in) :: x(2)
    real(wp), intent(out) :: y(2)
    real(wp) :: scale
    scale = x(2)
    y(1) = outer(x(1))
    y(2) = outer(scale)
  contains
    real(wp) function outer(t)
      real(wp), intent(in) :: t
      outer = inner(t) * scale
    end function outer
    real(wp) function inner(t)
      real(wp), intent(in) :: t
      inner = t + scale * x(1)
    end function inner
  end subroutine nested_calls

  subroutine integers(a, b)
    integer, intent(in) :: a(4)
    integer, intent(out) :: b(6)
    b(1) = a(1) / a(2) + mod(a(3) * 7, a(4)) - a(1)**3
    b(2) = iand(a(1), 2) + ior(a(2), 4) + ieor(a(3), 1)
    b(3) = max(a(1), a(2), a(3)) - min(a(3), a(4)) + abs(a(1) - a(2))
    b(4) = sum(a) * product(a(1:2)) + maxval(a)
    b(5) = dot_product(a(1:2), a(3:4)) + sign(3, a(1) - 2)
    b(6) = modulo(a(1) - 3, a(2)) + merge(1, 0, btest(a(3), 0))
  end subroutine integers

  subroutine long_integers(a, n, b)
    integer(8), intent(in) :: a(2)
    integer, intent(in) :: n
    integer(8), intent(out) :: b(2)
    b(1) = a(1) * 4294967296_8 / 3 + n
    b(2) = mod(a(2) * 1000003_8, 97_8) + int(n, 8)
  end subroutine long_integers

  subroutine logicals(flag, x, y, out)
    logical, intent(in) :: flag
    real(wp), intent(in) :: x
    real(wp), intent(out) :: y
    logical, intent(out) :: out
    y = x
    if (flag .and. x > 0) y = 2 * x
    out = .not. flag .or. x < 1
  end subroutine logicals

  subroutine sections_of_planes(a, b)
    real(wp), intent(in) :: a(2, 2, 4)
    real(wp), intent(out) :: b(2, 4)
    b = a(:, 1, :) - a(:, 2, :)
    b(1, :) = b(1, :) * b(2, :)
    b(:, 3) = sum(a(:, :, 2)) + 0.5_wp
  end subroutine sections_of_planes

  subroutine long_arrays(x, y)
    real(wp), intent(in) :: x(5)
    real(wp), intent(out) :: y(5)
    real(wp) :: table(5, 16)
    integer :: i
    table = 0.25_wp
    do i = 1, 16
      table(:, i) = table(:, i) + x * i
    end do
    table = table * 2 + 1
    y = table(:, 3) - table(:, 16)
  end subroutine long_arrays

  pure subroutine smoothed(x, y)
    real(kd), intent(in) :: x(*)
    real(kd), intent(out) :: y(*)
    real(kd) :: a, &
                b
    a = x(1); b = x(2)
    y(1) = a / (abs(b) + small) + tiny_number; y(2) = sqrt(2.0_kd) * b + exp(1.0_kd) * a
  end subroutine smoothed
end module collection

! SPDX-License-Identifier: MIT
