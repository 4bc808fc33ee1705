! airfoil_flow.f90: the kernels of the airfoil solver in Fortran.
!
! 2-D Euler equations, cell-centred finite volumes with a simple dissipative flux, two stages of a pseudo-time iteration. The
! state of a cell is q = (density, x momentum, y momentum, energy), all per volume.
module airfoil_flow
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: free_stream, save_soln, adt_calc, res_calc, bres_calc, update

  integer, parameter, public :: wp = real64
  integer, parameter, public :: wall = 1 ! kinds of boundary edges; all others are far away

  ! Ratio of specific heats, the same less 1, Courant number, factor of the artificial dissipation, Mach number. The published
  ! results hold for literals of single precision, kept in double.
  real(wp), parameter :: gam = 1.4, gm1 = gam - 1.0, cfl = 0.9, eps = 0.05, mach = 0.4
  ! Far away density and pressure are 1, and the flow is along the x axis.
  real(wp), parameter :: speed = sqrt(gam) * mach
  real(wp), parameter :: free_stream(4) = [1.0_wp, speed, 0.0_wp, 1.0_wp / gm1 + 0.5_wp * speed * speed]

contains

  ! Cells: keep the state from before the two stages.
  subroutine save_soln(q, qold)
    real(wp), intent(in) :: q(4)
    real(wp), intent(out) :: qold(4)
    qold = q
  end subroutine save_soln

  ! Cells: area over time step, from the speed of waves through the four sides; x1 ... x4 are the corners.
  subroutine adt_calc(x1, x2, x3, x4, q, adt)
    real(wp), intent(in) :: x1(2), x2(2), x3(2), x4(2), q(4)
    real(wp), intent(out) :: adt
    real(wp) :: volume, velocity(2), sound
    volume = 1.0_wp / q(1)
    velocity = volume * q(2:3)
    sound = sqrt(gam * gm1 * (volume * q(4) - 0.5_wp * dot_product(velocity, velocity)))
    adt = (waves(x2 - x1) + waves(x3 - x2) + waves(x4 - x3) + waves(x1 - x4)) / cfl

  contains

    pure real(wp) function waves(side)
      real(wp), intent(in) :: side(2)
      waves = abs(velocity(1) * side(2) - velocity(2) * side(1)) + sound * sqrt(dot_product(side, side))
    end function waves
  end subroutine adt_calc

  ! Interior edges: the flux from cell 1 to cell 2 through the edge x1 - x2.
  subroutine res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2)
    real(wp), intent(in) :: x1(2), x2(2), q1(4), q2(4), adt1, adt2
    real(wp), intent(inout) :: res1(4), res2(4)
    real(wp) :: f(4)
    call flux(x1 - x2, q1, q2, 0.5_wp * (adt1 + adt2) * eps, f)
    res1 = res1 + f
    res2 = res2 - f
  end subroutine res_calc

  ! Boundary edges: only pressure acts on a wall; elsewhere the free stream is the neighbour.
  subroutine bres_calc(x1, x2, q1, adt1, res1, bound)
    real(wp), intent(in) :: x1(2), x2(2), q1(4), adt1
    real(wp), intent(inout) :: res1(4)
    integer, intent(in) :: bound
    real(wp) :: edge(2), pressure, flow, f(4)
    edge = x1 - x2
    if (bound == wall) then
      call through(edge, q1, pressure, flow)
      res1(2) = res1(2) + pressure * edge(2)
      res1(3) = res1(3) - pressure * edge(1)
    else
      call flux(edge, q1, free_stream, adt1 * eps, f)
      res1 = res1 + f
    end if
  end subroutine bres_calc

  ! Cells: one stage of the iteration; sums the squares of the changes and remembers the largest and its cell.
  subroutine update(qold, q, res, adt, rms, largest, cell, where_largest)
    real(wp), intent(in) :: qold(4), adt
    real(wp), intent(out) :: q(4)
    real(wp), intent(inout) :: res(4), rms, largest
    integer, intent(in) :: cell
    integer, intent(inout) :: where_largest
    real(wp) :: change(4)
    integer :: n
    change = (1.0_wp / adt) * res
    q = qold - change
    res = 0.0_wp
    do n = 1, 4
      rms = rms + change(n)**2
      if (change(n)**2 > largest) then
        largest = change(n)**2
        where_largest = cell
      end if
    end do
  end subroutine update

  ! The flux through an edge between two states.
  pure subroutine flux(edge, q1, q2, dissipation, f)
    real(wp), intent(in) :: edge(2), q1(4), q2(4), dissipation
    real(wp), intent(out) :: f(4)
    real(wp) :: p1, p2, flow1, flow2
    call through(edge, q1, p1, flow1)
    call through(edge, q2, p2, flow2)
    f = 0.5_wp * (flow1 * q1 + flow2 * q2) + dissipation * (q1 - q2)
    f(2) = f(2) + 0.5_wp * (p1 + p2) * edge(2)
    f(3) = f(3) - 0.5_wp * (p1 + p2) * edge(1)
    f(4) = f(4) + 0.5_wp * (flow1 * p1 + flow2 * p2)
  end subroutine flux

  ! The pressure of a state, and the volume that flows through an edge in it.
  pure subroutine through(edge, q, pressure, flow)
    real(wp), intent(in) :: edge(2), q(4)
    real(wp), intent(out) :: pressure, flow
    real(wp) :: volume
    volume = 1.0_wp / q(1)
    pressure = gm1 * (q(4) - 0.5_wp * volume * (q(2) * q(2) + q(3) * q(3)))
    flow = volume * (q(2) * edge(2) - q(3) * edge(1))
  end subroutine through
end module airfoil_flow

! SPDX-License-Identifier: MIT
