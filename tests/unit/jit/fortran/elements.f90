! Elements and hydrodynamics in today's style: small matrices as results, types for materials and corners.
module elements
  implicit none
  private
  public :: hexahedron, hydro_cell, upwind_faces, exchange
  integer, parameter :: wp = selected_real_kind(15)

  type :: material
    integer :: kind = 1
    real(wp) :: gamma = 1.4_wp, quadratic = 0.75_wp, linear = 0.5_wp
  end type material
  type :: cell
    type(material) :: of
    real(wp) :: x(4), y(4), u(4), v(4)
    real(wp) :: mass, energy
  end type cell

  type :: velocity
    real(wp) :: u, v
  end type velocity
  type :: flow
    real(wp) :: rho
    type(velocity) :: at
    real(wp) :: e(2)
  end type flow

contains

  ! --- rows as values of a derived type

  subroutine exchange(left, right, residual)
    type(flow), intent(in) :: left, right
    type(flow), intent(inout) :: residual
    type(flow) :: both
    both = left
    both%e = both%e * right%e(2:1:-1) + left%at%u
    residual%at = velocity(residual%at%v, both%rho * right%at%v)
    residual%e(2) = residual%e(2) + sum(both%e) - kinetic(right)
    call add(residual%e, left%rho)
    residual%e = residual%e + sum(powers_of(left%rho, 3)) - sum(powers_of(right%rho, 2))
    if (left%rho > 0) residual%rho = residual%rho + right%rho
  end subroutine exchange

  pure real(wp) function kinetic(f)
    type(flow), intent(in) :: f
    kinetic = f%rho * (f%at%u**2 + f%at%v**2)
  end function kinetic

  pure function powers_of(x, n) result(p)
    real(wp), intent(in) :: x
    integer, intent(in) :: n
    real(wp) :: p(n), factors(0:n)
    integer :: i
    factors(0) = 0.5_wp
    do i = 1, n
      factors(i) = factors(i - 1) * x
    end do
    p = factors(1:)
  end function powers_of

  pure subroutine turn(v, n)
    integer, intent(in) :: n
    real(wp), intent(inout) :: v(n)
    v(1:n) = v(n:1:-1)
  end subroutine turn

  pure subroutine add(values, more)
    real(wp), intent(inout) :: values(:)
    real(wp), intent(in) :: more
    values = values + more
  end subroutine add

  ! --- a hexahedron with eight nodes: its stiffness at one point

  pure function slopes(at) result(d)
    real(wp), intent(in) :: at(3)
    real(wp) :: d(3, 8), sides(3)
    integer :: n
    do n = 1, 8
      sides = [merge(1.0_wp, -1.0_wp, btest(n - 1, 0)), merge(1.0_wp, -1.0_wp, btest(n - 1, 1)), &
               merge(1.0_wp, -1.0_wp, btest(n - 1, 2))]
      associate (f => 1 + sides * at)
        d(1, n) = 0.125_wp * sides(1) * f(2) * f(3)
        d(2, n) = 0.125_wp * sides(2) * f(1) * f(3)
        d(3, n) = 0.125_wp * sides(3) * f(1) * f(2)
      end associate
    end do
  end function slopes

  pure real(wp) function determinant(a)
    real(wp), intent(in) :: a(:, :)
    determinant = a(1, 1) * (a(2, 2) * a(3, 3) - a(2, 3) * a(3, 2)) - a(1, 2) * (a(2, 1) * a(3, 3) - a(2, 3) * a(3, 1)) &
                  + a(1, 3) * (a(2, 1) * a(3, 2) - a(2, 2) * a(3, 1))
  end function determinant

  pure function cofactors(a) result(c)
    real(wp), intent(in) :: a(3, 3)
    real(wp) :: c(3, 3)
    integer :: i, j
    do concurrent (i = 1:3, j = 1:3)
      c(j, i) = a(mod(i, 3) + 1, mod(j, 3) + 1) * a(mod(i + 1, 3) + 1, mod(j + 1, 3) + 1) &
                - a(mod(i, 3) + 1, mod(j + 1, 3) + 1) * a(mod(i + 1, 3) + 1, mod(j, 3) + 1)
    end do
  end function cofactors

  subroutine hexahedron(x, at, forces)
    real(wp), intent(in) :: x(3, 8), at(3)
    real(wp), intent(inout) :: forces(8)
    real(wp) :: d(3, 8), jacobian(3, 3), other(3, 3), gradient(3, 8), volume
    integer :: n
    d = slopes(at)
    jacobian = matmul(d, transpose(x))
    volume = determinant(jacobian) + 10
    other = cofactors(jacobian) ! a product of it itself would be done by a library, with fused operations
    gradient = matmul(other, d) / volume
    do n = 1, 8
      forces(n) = forces(n) + volume * sum(matmul(gradient(:, n), gradient) * x(1, :))
    end do
  end subroutine hexahedron

  ! --- a cell of hydrodynamics

  pure real(wp) function area_of(c)
    type(cell), intent(in) :: c
    area_of = 0.5_wp * ((c%x(3) - c%x(1)) * (c%y(4) - c%y(2)) - (c%x(4) - c%x(2)) * (c%y(3) - c%y(1)))
  end function area_of

  pure real(wp) function pressure_of(c, density)
    type(cell), intent(in) :: c
    real(wp), intent(in) :: density
    select case (c%of%kind)
    case (1)
      pressure_of = (c%of%gamma - 1) * density * c%energy
    case (2:3)
      pressure_of = 0.25_wp * density**c%of%kind
    case default
      pressure_of = 0
    end select
  end function pressure_of

  subroutine hydro_cell(xy, uv, kind_of, state, fx, fy)
    real(wp), intent(in) :: xy(2, 4), uv(2, 4)
    integer, intent(in) :: kind_of
    real(wp), intent(inout) :: state(3), fx(4), fy(4)
    type(cell) :: c
    real(wp) :: density, p, q, jump
    integer :: i, j
    c = cell(material(kind=kind_of), xy(1, :), xy(2, :), uv(1, :), uv(2, :), abs(state(1)) + 1, abs(state(2)))
    density = c%mass / (abs(area_of(c)) + 0.5_wp)
    p = pressure_of(c, density)
    q = 0
    corners: do i = 1, 4
      j = modulo(i, 4) + 1
      jump = (c%u(j) - c%u(i)) * (c%x(j) - c%x(i)) + (c%v(j) - c%v(i)) * (c%y(j) - c%y(i))
      if (jump >= 0) cycle corners
      q = max(q, density * (c%of%quadratic * jump * jump - c%of%linear * jump))
      if (q > 100) exit corners
    end do corners
    fx = fx + (p + q) * 0.5_wp * (cshifted(c%y, 1) - cshifted(c%y, -1))
    fy = fy - (p + q) * 0.5_wp * (cshifted(c%x, 1) - cshifted(c%x, -1))
    state(3) = state(3) + dot_product(fx, c%u) + dot_product(fy, c%v)
  end subroutine hydro_cell

  pure function cshifted(v, by) result(w)
    real(wp), intent(in) :: v(:)
    integer, intent(in) :: by
    real(wp) :: w(size(v))
    integer :: i
    do i = 1, size(v)
      w(i) = v(modulo(i - 1 + by, size(v)) + 1)
    end do
  end function cshifted

  ! --- as many faces as the element has

  subroutine upwind_faces(faces, values, speeds, total)
    integer, intent(in) :: faces
    real(wp), intent(in) :: values(0:4), speeds(4)
    real(wp), intent(inout) :: total
    real(wp) :: all(0:4)
    integer :: side(4), n
    integer, save :: first(4) = [4, 3, 2, 1]
    side = first
    where (speeds(1:4) > 0)
      side = side - 1
    end where
    do n = 1, faces
      total = total * 0.5_wp + values(side(n))
    end do
    all = values
    call turn(all(0:4:2), 3) ! a section with gaps
    total = total + all(0) - 2 * all(4) + all(1)
    total = total + dot_product(speeds(:faces), values(1:faces)) + sum(values(:faces - 1), mask=speeds(:faces) < 0)
  end subroutine upwind_faces
end module elements

! SPDX-License-Identifier: MIT
