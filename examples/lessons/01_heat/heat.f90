! heat.f90: lesson 1 in Fortran. A pipe of steel warms up: heat conduction on a mesh of Gmsh, by linear finite elements.
!
!   heat [pipe.msh [heat.vtkhdf]]     reads the mesh, writes the temperatures
module heat_kernels
  implicit none
  real(8), parameter :: conductivity = 15.0d0 ! of steel, in W/(m K)
  real(8), parameter :: capacity = 4.0d6      ! heat that a cubic metre takes for each kelvin, in J/(m3 K)
  real(8), parameter :: seconds = 2.0d0       ! of a time step
  integer, parameter :: hole = 1, outside = 2 ! 0: inside
contains

  ! Half the cotangent of the angle at p, between q and r: how well heat flows between q and r through this triangle.
  pure real(8) function half_cotangent(p, q, r)
    real(8), intent(in) :: p(2), q(2), r(2)
    real(8) :: ux, uy, vx, vy
    ux = q(1) - p(1)
    uy = q(2) - p(2)
    vx = r(1) - p(1)
    vy = r(2) - p(2)
    half_cotangent = 0.5d0 * (ux * vx + uy * vy) / (ux * vy - uy * vx)
  end function half_cotangent

  ! For each triangle, once: what its three sides conduct; each corner gets a third of its area.
  subroutine measure(a, b, c, side, area_a, area_b, area_c)
    real(8), intent(in) :: a(2), b(2), c(2)
    real(8), intent(out) :: side(3)
    real(8), intent(inout) :: area_a, area_b, area_c
    real(8) :: third
    side(1) = half_cotangent(a, b, c)
    side(2) = half_cotangent(b, c, a)
    side(3) = half_cotangent(c, a, b)
    third = ((b(1) - a(1)) * (c(2) - a(2)) - (b(2) - a(2)) * (c(1) - a(1))) / 6.0d0
    area_a = area_a + third
    area_b = area_b + third
    area_c = area_c + third
  end subroutine measure

  ! For each side of the boundary, once: its two nodes have a temperature that stays.
  subroutine hold(place, temperature, held_a, held_b, t_a, t_b)
    integer(4), intent(in) :: place
    real(8), intent(in) :: temperature
    integer(4), intent(out) :: held_a, held_b
    real(8), intent(out) :: t_a, t_b
    held_a = place
    held_b = place
    t_a = temperature
    t_b = temperature
  end subroutine hold

  ! For each triangle in each step: heat flows along the three sides, from the warmer node to the colder one.
  subroutine conduct(side, t_a, t_b, t_c, heat_a, heat_b, heat_c)
    real(8), intent(in) :: side(3), t_a, t_b, t_c
    real(8), intent(inout) :: heat_a, heat_b, heat_c
    real(8) :: c_to_b, a_to_c, b_to_a
    c_to_b = conductivity * side(1) * (t_c - t_b)
    a_to_c = conductivity * side(2) * (t_a - t_c)
    b_to_a = conductivity * side(3) * (t_b - t_a)
    heat_a = heat_a + (b_to_a - a_to_c)
    heat_b = heat_b + (c_to_b - b_to_a)
    heat_c = heat_c + (a_to_c - c_to_b)
  end subroutine conduct

  ! For each node in each step: the heat that came warms the node, or goes through the boundary.
  subroutine settle(held, area, heat, t, in, out)
    integer(4), intent(in) :: held
    real(8), intent(in) :: area
    real(8), intent(inout) :: heat, t, in, out
    if (held == hole) then
      in = in - heat
    else if (held == outside) then
      out = out + heat
    else
      t = t + seconds * heat / (capacity * area)
    end if
    heat = 0.0d0
  end subroutine settle
end module heat_kernels

program pipe
  use op2
  use heat_kernels
  implicit none
  type(op_mesh) :: mesh
  type(op_set) :: nodes, triangles
  type(op_map) :: corners
  type(op_dat) :: x, side, area, heat, t, held
  type(op_view) :: view
  real(8), target :: in, out                         ! target: loops write to them
  real(8) :: known
  integer :: step
  logical :: good
  character(80) :: line, file

  call op_init(0)

  file = 'pipe.msh'
  if (command_argument_count() > 0) call get_command_argument(1, file)
  call op_mesh_read(trim(file), mesh)
  call op_mesh_declare(mesh)
  nodes = op_mesh_set(mesh, 'nodes')
  triangles = op_mesh_set(mesh, 'cells')
  corners = op_mesh_map(mesh, 'cell_nodes')
  x = op_mesh_dat(mesh, 'x')
  write (line, '(i0, a, i0, a)') op_get_size(nodes), ' nodes, ', op_get_size(triangles), ' triangles'
  call op_print(trim(line))

  call op_decl_dat(triangles, 3, 'real(8)', side, 'side')   ! without values: zeros
  call op_decl_dat(nodes, 1, 'real(8)', area, 'area')
  call op_decl_dat(nodes, 1, 'real(8)', heat, 'heat')
  call op_decl_dat(nodes, 1, 'real(8)', t, 'temperature')
  call op_decl_dat(nodes, 1, 'integer(4)', held, 'held')

  call op_par_loop(measure, 'measure', triangles, &
                   op_arg_dat(x, 1, corners, 2, 'real(8)', OP_READ), &
                   op_arg_dat(x, 2, corners, 2, 'real(8)', OP_READ), &
                   op_arg_dat(x, 3, corners, 2, 'real(8)', OP_READ), &
                   op_arg_dat(side, -1, OP_ID, 3, 'real(8)', OP_WRITE), &
                   op_arg_dat(area, 1, corners, 1, 'real(8)', OP_INC), &
                   op_arg_dat(area, 2, corners, 1, 'real(8)', OP_INC), &
                   op_arg_dat(area, 3, corners, 1, 'real(8)', OP_INC))
  call hold_patch('hole', hole, 80.0d0)
  call hold_patch('outside', outside, 0.0d0)
  call op_mesh_free(mesh)                                   ! what was declared stays

  do step = 1, 900
    call op_par_loop(conduct, 'conduct', triangles, &
                     op_arg_dat(side, -1, OP_ID, 3, 'real(8)', OP_READ), &
                     op_arg_dat(t, 1, corners, 1, 'real(8)', OP_READ), &
                     op_arg_dat(t, 2, corners, 1, 'real(8)', OP_READ), &
                     op_arg_dat(t, 3, corners, 1, 'real(8)', OP_READ), &
                     op_arg_dat(heat, 1, corners, 1, 'real(8)', OP_INC), &
                     op_arg_dat(heat, 2, corners, 1, 'real(8)', OP_INC), &
                     op_arg_dat(heat, 3, corners, 1, 'real(8)', OP_INC))
    in = 0.0d0
    out = 0.0d0
    call op_par_loop(settle, 'settle', nodes, &
                     op_arg_dat(held, -1, OP_ID, 1, 'integer(4)', OP_READ), &
                     op_arg_dat(area, -1, OP_ID, 1, 'real(8)', OP_READ), &
                     op_arg_dat(heat, -1, OP_ID, 1, 'real(8)', OP_RW), &
                     op_arg_dat(t, -1, OP_ID, 1, 'real(8)', OP_RW), &
                     op_arg_gbl(in, 1, 'real(8)', OP_INC), &
                     op_arg_gbl(out, 1, 'real(8)', OP_INC))
    if (mod(step, 150) == 0) then
      write (line, '(a, i4, a, i6, a, i6, a)') 'after ', nint(step * seconds), ' s: ', nint(in), ' W in, ', nint(out), ' W out'
      call op_print(trim(line))
    end if
  end do

  if (command_argument_count() > 1) then
    call get_command_argument(2, file)
    call op_decl_view(x, view, 'pipe')
    call op_view_cells(view, corners, OP_CELL_TRIANGLE)
    call op_view_field(view, t)
    call op_write_view(view, trim(file))
  end if

  known = known_flow(0.10d0, 0.04d0, 0.03d0, 80.0d0)
  write (line, '(a, i6, a)') 'known:        ', nint(known), ' W'
  call op_print(trim(line))
  good = abs(in / known - 1.0d0) < 0.01d0 .and. abs(out / known - 1.0d0) < 0.01d0
  call op_print(merge('PASSED', 'FAILED', good))
  call op_exit()
  if (.not. good) stop 1

contains

  ! The sides of a patch get their temperature.
  subroutine hold_patch(patch, place, temperature)
    character(*), intent(in) :: patch
    integer(4), intent(in) :: place
    real(8), intent(in) :: temperature
    type(op_map) :: ends
    ends = op_mesh_patch_map(mesh, patch, 'nodes')
    call op_par_loop(hold, 'hold', op_mesh_patch_set(mesh, patch), &
                     op_arg_gbl(place, 1, 'integer(4)', OP_READ), &
                     op_arg_gbl(temperature, 1, 'real(8)', OP_READ), &
                     op_arg_dat(held, 1, ends, 1, 'integer(4)', OP_WRITE), &
                     op_arg_dat(held, 2, ends, 1, 'integer(4)', OP_WRITE), &
                     op_arg_dat(t, 1, ends, 1, 'real(8)', OP_WRITE), &
                     op_arg_dat(t, 2, ends, 1, 'real(8)', OP_WRITE))
  end subroutine hold_patch

  ! Heat that flows in the end from a hole of radius r, e beside the middle, through a pipe of radius big: W for a metre.
  real(8) function known_flow(big, r, e, difference)
    real(8), intent(in) :: big, r, e, difference
    known_flow = conductivity * difference * 2.0d0 * acos(-1.0d0) / acosh((big**2 + r**2 - e**2) / (2.0d0 * big * r))
  end function known_flow
end program pipe

! SPDX-License-Identifier: MIT
