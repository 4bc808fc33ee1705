! naca_grid.f90: a C-shaped grid of quadrilaterals around a NACA 0012 profile, for finite elements: the two sides of the wake
! share their nodes. Its points are rounded to six decimals, like those of the text meshes for which results are published.
module naca_grid
  use, intrinsic :: iso_fortran_env, only: wp => real64
  implicit none
  private
  public :: grid, make_grid

  ! Numbers count from 1.
  type :: grid
    integer :: nnode, ncell, nfar
    real(wp), allocatable :: x(:, :)         ! (2, nnode)
    integer, allocatable :: cell_nodes(:, :) ! (4, ncell): corners (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)
    integer, allocatable :: far_nodes(:)
  end type grid

  ! The profile, mapped by a square root whose branch point lies inside the nose, and mirrored: a smooth curve, through which a
  ! cubic spline goes whose third derivative is continuous at the second and at the last but one point.
  integer, parameter :: half = 100, points = 2 * half - 1
  real(wp), parameter :: branch_point = 0.0077_wp, far_field = 3.0_wp

  type :: spline
    real(wp) :: x(points), y(points), slope(points)
  end type spline

contains

  ! 3 n cells along the C, m cells away from the profile: 400, 600 is the grid of the published results.
  subroutine make_grid(n, m, out)
    integer, intent(in) :: n, m
    type(grid), intent(out) :: out
    integer :: i, j, width, c
    width = 3 * n
    out%nnode = (width + 1) * (m + 1) - (n + 1)
    out%ncell = width * m
    out%nfar = width + 2 * m
    allocate (out%x(2, out%nnode), out%cell_nodes(4, out%ncell), out%far_nodes(out%nfar))
    call place_nodes(n, m, out%x)
    c = 0
    do j = 1, m
      do i = 1, width
        c = c + 1
        out%cell_nodes(:, c) = [node(i, j), node(i + 1, j), node(i, j + 1), node(i + 1, j + 1)]
      end do
    end do
    out%far_nodes(1) = node(width + 1, 1) ! both ends of the first row
    do j = 2, m
      out%far_nodes(2 * j - 2:2 * j - 1) = [node(1, j), node(width + 1, j)]
    end do
    out%far_nodes(2 * m:) = [(node(i, m + 1), i = 1, width + 1)]

  contains

    ! In the first row a point of the wake and its mirror image are one node, with the number of the latter.
    pure integer function node(i, j)
      integer, intent(in) :: i, j
      node = i + (j - 1) * (width + 1) - (n + 1)
      if (node <= 0) node = 2 * n + 1 - i
    end function node
  end subroutine make_grid

  ! Row by row from the profile outwards, without the first half of the wake.
  subroutine place_nodes(n, m, x)
    integer, intent(in) :: n, m
    real(wp), intent(out) :: x(:, :)
    type(spline) :: surface
    real(wp) :: xb(3 * n + 1), yb(3 * n + 1), y
    integer :: i, j, number
    surface = mapped_surface()
    yb = 0.0_wp
    do i = 1, 3 * n + 1
      xb(i) = equally_spaced(-far_field, far_field, i - 1, 3 * n)
      if (i > n + 1 .and. i < 2 * n + 1) yb(i) = value_of(surface, xb(i))
    end do
    number = -(n + 1)
    do j = 0, m
      do i = 1, 3 * n + 1
        number = number + 1
        if (number <= 0) cycle
        y = equally_spaced(yb(i), far_field, j, m)
        x(:, number) = [rounded(xb(i) * xb(i) - y * y), rounded(2.0_wp * xb(i) * y)]
      end do
    end do
  end subroutine place_nodes

  ! Many coordinates lie between two six-decimal numbers: the order of operations decides where they go.
  pure real(wp) function equally_spaced(first, last, i, n)
    real(wp), intent(in) :: first, last
    integer, intent(in) :: i, n
    equally_spaced = first + i * (last - first) / n
  end function equally_spaced

  ! What remains of a coordinate after printing and reading it.
  real(wp) function rounded(value)
    real(wp), intent(in) :: value
    character(20) :: text
    write (text, '(f20.6)') value
    read (text, *) rounded
  end function rounded

  type(spline) function mapped_surface() result(out)
    real(wp) :: s, x, y
    complex(wp) :: z
    integer :: i
    do i = 0, half - 1
      s = sin(acos(0.0_wp) * i / (half - 1))
      x = s * s
      y = 0.594689181_wp * (0.298222773_wp * sqrt(x) - 0.127125232_wp * x - 0.357907906_wp * x * x &
                            + 0.291984971_wp * x * x * x - 0.105174696_wp * x * x * x * x)
      if (i == half - 1) y = 0.0_wp
      z = sqrt(cmplx(x - branch_point, y, wp))
      out%x(half - i) = -real(z)
      out%y(half - i) = aimag(z)
      out%x(half + i) = real(z) ! the first point is its own mirror image
      out%y(half + i) = aimag(z)
    end do
    call find_slopes(out)
  end function mapped_surface

  ! The slopes at the points are the solution of a tridiagonal system.
  pure subroutine find_slopes(s)
    type(spline), intent(inout) :: s
    real(wp) :: h(points - 1), d(points - 1), lower(points), diagonal(points), upper(points), factor
    integer :: i
    h = s%x(2:) - s%x(:points - 1)
    d = (s%y(2:) - s%y(:points - 1)) / h
    call end_condition(h(1), h(2), d(1), d(2), diagonal(1), upper(1), s%slope(1))
    do i = 2, points - 1
      lower(i) = h(i)
      diagonal(i) = 2.0_wp * (h(i - 1) + h(i))
      upper(i) = h(i - 1)
      s%slope(i) = 3.0_wp * (h(i) * d(i - 1) + h(i - 1) * d(i))
    end do
    call end_condition(h(points - 1), h(points - 2), d(points - 1), d(points - 2), diagonal(points), lower(points), s%slope(points))
    do i = 2, points
      factor = lower(i) / diagonal(i - 1)
      diagonal(i) = diagonal(i) - factor * upper(i - 1)
      s%slope(i) = s%slope(i) - factor * s%slope(i - 1)
    end do
    s%slope(points) = s%slope(points) / diagonal(points)
    do i = points - 1, 1, -1
      s%slope(i) = (s%slope(i) - upper(i) * s%slope(i + 1)) / diagonal(i)
    end do
  end subroutine find_slopes

  ! The equation of an end point: h0, d0 belong to its interval, h1, d1 to the next one inwards.
  pure subroutine end_condition(h0, h1, d0, d1, own, next, right)
    real(wp), intent(in) :: h0, h1, d0, d1
    real(wp), intent(out) :: own, next, right
    own = h1
    next = h0 + h1
    right = ((h0 + 2.0_wp * next) * h1 * d0 + h0 * h0 * d1) / next
  end subroutine end_condition

  pure real(wp) function value_of(s, t)
    type(spline), intent(in) :: s
    real(wp), intent(in) :: t
    real(wp) :: h, d, u, c2, c3
    integer :: i
    i = min(max(count(s%x <= t), 1), points - 1)
    h = s%x(i + 1) - s%x(i)
    d = (s%y(i + 1) - s%y(i)) / h
    u = t - s%x(i)
    c2 = (3.0_wp * d - 2.0_wp * s%slope(i) - s%slope(i + 1)) / h
    c3 = (s%slope(i) + s%slope(i + 1) - 2.0_wp * d) / (h * h)
    value_of = s%y(i) + u * (s%slope(i) + u * (c2 + u * c3))
  end function value_of
end module naca_grid

! SPDX-License-Identifier: MIT
