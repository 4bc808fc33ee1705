! Kernels with derived types, arrays of assumed shape, sections whose size is not known, and newer constructs: the bits of
! this file compiled by gfortran. Every argument has 32 values: reals of both signs, integers from 1 to 3.
module modern
  use flow_constants, only: wp, gm1
  use, intrinsic :: iso_c_binding
  implicit none

  type :: state
    real(wp) :: rho = 1.0_wp, u(3) = 0.0_wp
    real(wp) :: e
  end type state
  type side
    type(state) :: left, right
    real(wp) :: normal(3)
    integer :: kind = 2
    logical :: wall = .false.
  end type side
  type point
    real(wp) :: x, y
  end type point
  type, bind(c) :: settings
    integer(4) :: order = 2
    real(8) :: limit = 0.75d0
    real(4) :: factors(3) = [0.5, 0.25, 2.0]
    logical :: on = .true.
  end type settings
  type(settings), save :: chosen
  type(point), parameter :: origin = point(0.25_wp, -0.5_wp)

  interface norm
    module procedure norm_of_vector, norm_of_matrix, norm_single
    procedure norm_of_point
  end interface norm
  interface limited
    module procedure limited_double, limited_single
  end interface

contains

  ! --- derived types

  pure type(state) function state_of(q) result(s)
    real(wp), intent(in) :: q(5)
    s%rho = abs(q(1)) + 1
    s%u = q(2:4) / s%rho
    s%e = q(5)
  end function state_of

  pure real(wp) function pressure_of(s)
    type(state), intent(in) :: s
    pressure_of = gm1 * (s%e - 0.5_wp * s%rho * dot_product(s%u, s%u))
  end function pressure_of

  pure function flux_of(s, n) result(f)
    type(state), intent(in) :: s
    real(wp), intent(in) :: n(:)
    real(wp) :: f(5), un
    un = dot_product(s%u, n)
    f(1) = s%rho * un
    f(2:4) = f(1) * s%u + pressure_of(s) * n
    f(5) = (s%e + pressure_of(s)) * un
  end function flux_of

  subroutine mirror(s, n)
    type(state), intent(inout) :: s
    real(wp), intent(in) :: n(3)
    s%u = s%u - 2 * dot_product(s%u, n) * n
  end subroutine mirror

  subroutine rusanov(ql, qr, n, flux)
    real(wp), intent(in) :: ql(5), qr(5), n(3)
    real(wp), intent(inout) :: flux(5)
    type(side) :: s
    real(wp) :: speed
    s = side(state_of(ql), state_of(qr), n)
    if (n(1) > 1) then
      s%wall = .true.
      s%right = s%left
      call mirror(s%right, s%normal)
      s%kind = s%kind + 1
    end if
    speed = max(abs(dot_product(s%left%u, s%normal)), abs(dot_product(s%right%u, s%normal)))
    flux = flux + 0.5_wp * (flux_of(s%left, s%normal) + flux_of(s%right, n)) / s%kind
    flux(1) = flux(1) - speed * (s%right%rho - s%left%rho)
    flux(2:4) = flux(2:4) - speed * (s%right%rho * s%right%u - s%left%rho * s%left%u)
    if (s%wall) flux(5) = flux(5) * 0.5_wp
  end subroutine rusanov

  pure real(wp) function cross(a, b, c)
    type(point), intent(in) :: a, b, c
    cross = (b%x - a%x) * (c%y - a%y) - (b%y - a%y) * (c%x - a%x)
  end function cross

  ! Arrays of types; the area and centre of a quadrilateral.
  subroutine quad_shape(x, area, centre)
    real(wp), intent(in) :: x(2, 4)
    real(wp), intent(inout) :: area, centre(2)
    type(point) :: corner(4), middle
    integer :: i
    corner%x = x(1, :)
    corner%y = x(2, :)
    do i = 1, 4
      corner(i) = turned(corner(i), 0.5_wp * i)
    end do
    area = area + 0.5_wp * (cross(corner(1), corner(2), corner(3)) + cross(corner(1), corner(3), corner(4)))
    middle = point(y = sum(corner%y) / 4, x = sum(corner(:)%x) / 4)
    call shift(corner, middle)
    centre = centre + [middle%x, middle%y] + corner(2)%x * [origin%x, origin%y]
    corner(1:2) = corner(3:4)
    corner(2:4) = corner(1:3)
    centre(1) = centre(1) - corner(1)%x * corner(2)%y + furthest(corner(2:4))
  end subroutine quad_shape

  pure function turned(p, by)
    type(point), intent(in) :: p
    real(wp), intent(in) :: by
    type(point) :: turned
    turned = point(p%x - by * p%y, p%y + by * p%x)
  end function turned

  subroutine shift(p, by)
    type(point), intent(inout) :: p(4)
    type(point), intent(in) :: by
    p%x = p%x - by%x
    p(:)%y = p(:)%y - by%y
  end subroutine shift

  pure real(wp) function furthest(p)
    type(point), intent(in) :: p(:)
    integer :: i
    furthest = 0
    do i = lbound(p, 1), ubound(p, 1)
      furthest = max(furthest, abs(p(i)%x) + abs(p(i)%y))
    end do
  end function furthest

  subroutine defaults(x, y)
    real(wp), intent(in) :: x(2)
    real(wp), intent(out) :: y(6)
    type(state) :: s
    type(side) :: t
    s%e = x(1)
    y(1) = s%rho + sum(s%u) + s%e
    s%rho = x(2)
    call fresh(s)
    y(2) = s%rho
    t%left = state(x(2), u = [x(1), 0.5_wp, x(2)], e = 2.0_wp)
    t%right = state(e = x(1))
    y(3) = t%left%u(3) * t%kind + t%right%rho + t%right%u(2)
    y(4:6) = merge(t%left%u, x(2), t%wall)
  end subroutine defaults

  subroutine fresh(s)
    type(state), intent(out) :: s
    s%e = 3
  end subroutine fresh

  ! A variable of a derived type of the module.
  subroutine configured(x, y)
    real(wp), intent(in) :: x(3)
    real(wp), intent(inout) :: y(3)
    y = x * chosen%limit
    if (chosen%on .and. chosen%order == 2) y(2) = y(2) + chosen%factors(3) * x(1)
    y(3) = y(3) + sum(chosen%factors)
  end subroutine configured

  ! --- arrays of assumed shape

  pure real(wp) function norm_of_vector(v)
    real(wp), intent(in) :: v(:)
    integer :: i
    norm_of_vector = 0
    do i = 1, size(v)
      norm_of_vector = norm_of_vector + v(i)**2
    end do
    norm_of_vector = sqrt(norm_of_vector)
  end function norm_of_vector

  pure real(wp) function norm_of_matrix(a)
    real(wp), intent(in) :: a(:, :)
    real(wp) :: largest(size(a, 2))
    integer :: j
    do j = 1, size(a, 2)
      largest(j) = norm(abs(a(:, j)))
    end do
    norm_of_matrix = maxval(largest) + ubound(a, 1)
  end function norm_of_matrix

  pure real(4) function norm_single(v)
    real(4), intent(in) :: v(:)
    norm_single = maxval(abs(v))
  end function norm_single

  pure real(wp) function norm_of_point(p)
    type(point), intent(in) :: p
    norm_of_point = abs(p%x) + abs(p%y)
  end function norm_of_point

  subroutine norms(a, s, n, y)
    real(wp), intent(in) :: a(4, 4)
    real(4), intent(in) :: s(3)
    integer, intent(in) :: n
    real(wp), intent(inout) :: y(8)
    y(1) = norm(a(:, 2)) + norm(a(3, :))
    y(2) = norm(a)
    y(3) = norm(a(1:3:2, 2:4)) - norm(s)
    y(4) = norm(a(2, 1:n)) + norm(a(n:4, 1))
    y(5) = norm(point(a(1, 1), a(2, 2)))
    y(6) = norm(a(:, 1) - a(:, 3))
    call scale_rows(y(7:8), 0.5_wp)
    call scale_rows(y(1:7:3), a(1, 1))
    y(1:3) = scaled(y(2:4), n)
  end subroutine norms

  subroutine scale_rows(v, by)
    real(wp), intent(inout) :: v(0:)
    real(wp), intent(in) :: by
    integer :: i
    do i = lbound(v, 1), ubound(v, 1)
      v(i) = v(i) * by + i
    end do
  end subroutine scale_rows

  pure function scaled(v, n) result(w)
    real(wp), intent(in) :: v(:)
    integer, intent(in) :: n
    real(wp) :: w(size(v))
    w = v * n
    w(1) = w(size(w)) + w(1)
  end function scaled

  subroutine small_solve(a, b, x)
    real(wp), intent(in) :: a(3, 3), b(3)
    real(wp), intent(out) :: x(3)
    real(wp) :: m(3, 3)
    m = a
    m(1, 1) = abs(m(1, 1)) + 20
    m(2, 2) = abs(m(2, 2)) + 20
    m(3, 3) = abs(m(3, 3)) + 20
    x = b
    call eliminate(m, x)
  end subroutine small_solve

  subroutine eliminate(m, x)
    real(wp), intent(inout) :: m(:, :), x(:)
    integer :: i, j
    real(wp) :: factor
    do i = 1, size(x)
      do j = i + 1, size(x)
        factor = m(j, i) / m(i, i)
        m(j, i:) = m(j, i:) - factor * m(i, i:)
        x(j) = x(j) - factor * x(i)
      end do
    end do
    do i = size(x), 1, -1
      x(i) = (x(i) - dot_product(m(i, i + 1:), x(i + 1:))) / m(i, i)
    end do
  end subroutine eliminate

  ! --- sections whose size is not known, long sums

  subroutine variable_sections(x, n, y, z)
    real(wp), intent(in) :: x(12)
    integer, intent(in) :: n(2)
    real(wp), intent(inout) :: y(12), z(4)
    y(1:n(1)) = x(n(1):2 * n(1) - 1)
    y(n(2):12:2) = y(n(2):12:2) + 0.5_wp
    z(1) = sum(x(1:n(1))) + dot_product(x(n(1):n(2)), y(n(1):n(2)))
    z(2) = maxval(x(1:n(2))) - minval(y(n(2):))
    z(3) = product(x(:n(1)) * y(n(2):n(2) + n(1) - 1))
    if (any(x(1:n(1)) > 2) .or. all(x(n(2):5) < 1)) z(3) = z(3) + count(x(1:n(2)) > y(1:n(2)))
    y(2:n(1) + 1) = y(1:n(1))
    z(4) = sum(y(1:n(2)), mask=y(1:n(2)) > 0)
  end subroutine variable_sections

  subroutine long_sums(x, y, s)
    real(wp), intent(in) :: x(5), y(3)
    real(wp), intent(out) :: s(6)
    real(wp) :: table(5, 20), other(5, 20)
    real(4) :: single(100)
    integer :: i
    do i = 1, 20
      table(:, i) = x * i - y(1)
      other(:, i) = 1 / (abs(x) + i)
    end do
    single = real(x(1))
    single(40:) = single(1:61) * 1.1 + 0.1
    s(1) = sum(table)
    s(2) = sum(table * other - 0.25_wp)
    s(3) = maxval(table) - minval(other, mask=table > 0)
    s(4) = dot_product(table(1, :), other(2, :)) + sum(single)
    s(5) = count(table > other) + merge(1, 0, all(table < 100) .and. any(other > 0.4_wp))
    s(6) = sum(sum(table, 1) * 0.5_wp) + dot_product(sum(table(1:3, 2:3), dim=2, mask=table(1:3, 2:3) > 0), y)
  end subroutine long_sums

  ! --- powers and remainders

  subroutine more_powers(x, n, y, m)
    real(wp), intent(in) :: x(4)
    integer, intent(in) :: n(3)
    real(wp), intent(out) :: y(12)
    integer, intent(out) :: m(4)
    integer(8) :: long
    real(4) :: s
    long = n(2) * 3
    s = real(x(1))
    y(1) = x(1)**n(1) + x(2)**(-n(2))
    y(2) = x(3)**(7 * n(3)) + (-1.0_wp)**n(1)
    y(3) = x(1)**long - x(2)**(-long)
    y(4) = s**n(1) + s**(5 * n(2)) + s**(-n(3))
    y(5) = 2.0_wp**n(1) + 0.5_wp**n(2)
    y(6) = x(1)**17 + x(2)**19 - x(3)**23
    y(7) = x(1)**31 - x(2)**37 + x(3)**(-27)
    y(8) = x(1)**64 + x(2)**50 + x(4)**47
    y(9) = s**21 + s**33
    y(10) = modulo(x(1), 0.75_wp) + modulo(x(2), -1.5_wp)
    y(11) = modulo(x(3), x(4)) + modulo(s, 0.3)
    y(12) = modulo(real(n(1), wp), 1.0_wp) + sign(1.0_wp, modulo(real(n(1), wp), -1.0_wp))
    m(1) = n(1)**n(2) + (-n(1))**n(3)
    m(2) = 2**n(1) + (-1)**n(2)
    m(3) = n(1)**(-n(2)) + (n(3) - 2)**(-n(1)) + n(2)**5
    m(4) = n(1)**3 + int(n(2)**long) + int(long**n(1))
  end subroutine more_powers

  ! --- constructs

  subroutine named_loops(x, n, y, found)
    real(wp), intent(in) :: x(4, 4)
    integer, intent(in) :: n
    real(wp), intent(inout) :: y(4)
    integer, intent(out) :: found
    integer :: i, j, k
    found = 0
    rows: do i = 1, 4
      columns: do j = 1, 4
        if (x(i, j) > 3.5_wp) cycle rows
        if (x(i, j) < -3.5_wp) exit rows
        depth: do k = 1, n
          if (x(k, j) > 3) cycle columns
          if (x(k, j) < -3) cycle rows
          if (k > 1 .and. x(i, j) < -2) exit depth
          y(k) = y(k) + x(i, j)
          if (y(k) > 9) exit rows
        end do depth
        found = found + 1
      end do columns
      y(4) = y(4) * 0.5_wp
    end do rows
    tries: do while (y(1) > 0.5_wp)
      do
        y(1) = y(1) * 0.25_wp
        if (y(1) < 0.25_wp) exit tries
        if (y(1) < 1) cycle tries
      end do
    end do tries
  end subroutine named_loops

  subroutine associated_names(q, n, y)
    real(wp), intent(in) :: q(8)
    integer, intent(in) :: n
    real(wp), intent(inout) :: y(8)
    type(state) :: s(2)
    integer :: i
    i = n
    associate (rho => q(1), u => q(2:4), last => y(i), both => q(1) + q(2), pair => y(1:3:2), all => q * 2)
      i = i + 1
      last = rho + sum(u) * both
      pair = pair + u(3)
      pair(2) = pair(1) * all(8) - size(u)
      y(i) = y(i) + all(n)
    end associate
    s(1) = state_of(q(1:5))
    s(2) = state_of(q(2:6))
    associate (a => s(1), e => s(n - n + 2)%e, u => s%u(2))
      y(7) = a%rho + e
      e = 2 * e
      u(2) = u(1) + a%u(1)
    end associate
    y(8) = s(2)%e + s(2)%u(2)
  end subroutine associated_names

  subroutine blocks(x, n, y)
    real(wp), intent(in) :: x(4)
    integer, intent(in) :: n
    real(wp), intent(inout) :: y(4)
    real(wp) :: a
    integer :: i, j, k
    a = x(1)
    block
      real(wp) :: a, b(2)
      integer, parameter :: two = 2
      a = x(two) * 2
      b = a + x(3:4)
      inner: block
        real(wp) :: b
        b = a * 3
        y(1) = y(1) + b
      end block inner
      y(2:3) = y(2:3) + b
    end block
    y(1) = y(1) + a
    i = 7
    do concurrent (i = 1:4)
      y(i) = y(i) + x(i)
    end do
    do concurrent (k = 1:2, j = 1:3:2, k + j > n)
      y(k + 1) = y(k + 1) * 0.5_wp + x(j)
    end do
    y(4) = y(4) + i
  end subroutine blocks

  subroutine flags(x, done, y)
    real(wp), intent(in) :: x(4)
    logical, intent(out) :: done
    real(wp), intent(out) :: y(2)
    logical :: mine, several(3), old
    mine = x(1) > 1
    done = x(4) > x(1)
    old = done
    several = x(2:4) > 0
    call decide(x(1), mine)
    call decide(x(2), several(2))
    call decide(x(3), done)
    y(1) = merge(1.0_wp, 2.0_wp, mine) + merge(4, 0, several(2)) + number_of(several)
    y(2) = merge(1, 0, done) + merge(2, 0, old)
  contains
    subroutine decide(value, flag)
      real(wp), intent(in) :: value
      logical, intent(inout) :: flag
      if (value < 0) flag = .not. flag
      mine = mine .or. flag
    end subroutine decide
  end subroutine flags

  pure integer function number_of(flags)
    logical, intent(in) :: flags(:)
    number_of = count(flags)
  end function number_of

  elemental subroutine clip(value, bound)
    real(wp), intent(inout) :: value
    real(wp), intent(in) :: bound
    if (value > bound) value = bound
  end subroutine clip

  pure real(wp) function limited_double(r)
    real(wp), intent(in) :: r
    limited_double = max(0.0_wp, min(1.0_wp, r))
  end function limited_double
  pure real(4) function limited_single(r)
    real(4), intent(in) :: r
    limited_single = max(0.0, min(2.0, r))
  end function limited_single

  subroutine generics(x, s, y)
    real(wp), intent(inout) :: x(4)
    real(4), intent(in) :: s(2)
    real(wp), intent(out) :: y(2)
    real(wp), save :: weight(3) = [0.25_wp, 0.5_wp, 0.25_wp], half = 0.5_wp
    call clip(x, 1.5_wp)
    call clip(x(1:2), x(3:4))
    y(1) = limited(x(1)) + limited(s(1))
    y(2) = limited(s(2)) * dot_product(weight, x(2:4)) + half
  end subroutine generics

  ! --- vector arguments: addresses of rows

  subroutine corners(rows, added, area)
    type(c_ptr), intent(in) :: rows(4), added(4)
    real(8), intent(inout) :: area
    real(8), pointer :: a(:), b(:), sum_at(:)
    real(8) :: centre(2)
    integer :: i, j
    centre = 0
    do i = 1, 4
      j = mod(i, 4) + 1
      call c_f_pointer(rows(i), a, [2])
      call c_f_pointer(rows(j), b, [2])
      area = area + 0.5d0 * (a(1) * b(2) - b(1) * a(2))
      centre = centre + 0.25d0 * a
    end do
    call c_f_pointer(rows(1), a, [2])
    do i = 1, 4
      call c_f_pointer(added(i), sum_at, [2])
      sum_at = sum_at + centre * a(1)
    end do
    i = 2
    call c_f_pointer(added(i), sum_at, [2])
    call c_f_pointer(added(2), b, [2])
    sum_at = b(2:1:-1) ! of the same row
  end subroutine corners
end module modern

! SPDX-License-Identifier: MIT
