! Particles that fly over the grid in straight lines, beside what each of them does alone: where they are, in which
! cell, who has left, and the weights that they lay onto nodes. Positions count cells of the grid. Runs with
! OP2_ERROR=return.
module particles_kernels
  use op2, only: OP_PARTICLE_ARRIVED
  implicit none

contains

  subroutine fly(x, v)
    real(8), intent(inout) :: x(2)
    real(8), intent(in) :: v(2)
    x = x + v
  end subroutine fly

  ! beside: the cells below, to the right, above and to the left, as op_decl_neighbours() has them.
  subroutine walk(x, corner, beside, next)
    real(8), intent(in) :: x(2), corner(2)
    integer(8), intent(in) :: beside(4)
    integer(8), intent(inout) :: next
    next = OP_PARTICLE_ARRIVED
    if (x(1) < corner(1)) then
      next = beside(4)
    else if (x(1) >= corner(1) + 1) then
      next = beside(2)
    else if (x(2) < corner(2)) then
      next = beside(1)
    else if (x(2) >= corner(2) + 1) then
      next = beside(3)
    end if
  end subroutine walk

  subroutine lay(weight, charge1, charge2, charge3, charge4)
    integer(4), intent(in) :: weight
    real(8), intent(inout) :: charge1, charge2, charge3, charge4
    charge1 = charge1 + weight
    charge2 = charge2 + 2 * weight
    charge3 = charge3 + 3 * weight
    charge4 = charge4 + 4 * weight
  end subroutine lay

  subroutine look(number, cell, identity, total, least)
    integer(4), intent(in) :: number
    integer(4), intent(inout) :: cell
    integer(8), intent(in) :: identity
    integer(8), intent(inout) :: total, least
    cell = number
    total = total + identity
    least = min(least, identity)
  end subroutine look
end module particles_kernels

program particles
  use op2
  use grid
  use particles_kernels
  implicit none
  integer(4), parameter :: most = 150
  type(op_set) :: nodes, cells, ions
  type(op_map) :: pcell, ion_cell, ion_nodes
  type(op_dat) :: p_x, p_corner, p_beside, p_charge, p_place, p_speed, p_weight, p_cell, p_flow
  type(op_view) :: view
  type(op_tracer) :: tracer
  real(8) :: corner(2, ncell), flow(2, nnode)
  real(8) :: place(2, most), speed(2, most) ! of all particles; number k has weight k
  integer(4) :: rank, processes, i, steps

  call op_init(0)
  call op_rank(rank)
  processes = op_mpi_size()
  call make_grid()
  do i = 1, ncell
    corner(:, i) = [real(mod(i - 1, nx), 8), real((i - 1) / nx, 8)]
  end do
  flow = 1.0d0
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(ncell, cells, 'cells')
  call op_decl_map(cells, nodes, 4, cell, pcell, 'pcell')
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
  call op_decl_dat(nodes, 2, 'real(8)', flow, p_flow, 'p_flow')
  call op_decl_dat(nodes, 1, 'real(8)', p_charge, 'p_charge')
  call op_decl_dat(cells, 2, 'real(8)', corner, p_corner, 'p_corner')
  call op_decl_view(p_x, view, 'view')
  call op_view_cells(view, pcell, OP_CELL_QUADRILATERAL)
  call op_decl_tracer(view, p_flow, tracer)
  call op_decl_neighbours(tracer, pcell, p_beside)

  call op_decl_particles(cells, ions, 'ions')
  ion_cell = op_particle_cell(ions)
  call op_map_compose(ion_cell, pcell, ion_nodes, 'ion_nodes')
  call op_decl_dat(ions, 2, 'real(8)', p_place, 'p_place')
  call op_decl_dat(ions, 2, 'real(8)', p_speed, 'p_speed')
  call op_decl_dat(ions, 1, 'integer(4)', p_weight, 'p_weight')
  call op_decl_dat(ions, 1, 'integer(4)', p_cell, 'p_cell')
  call check(op_last_status() == OP_OK .and. associated(ions%setPtr), 'declarations: ' // op_last_error())

  call add()
  do steps = 1, 3
    call op_par_loop(fly, 'fly', ions, op_arg_dat(p_place, -1, OP_ID, 2, 'real(8)', OP_RW), &
                     op_arg_dat(p_speed, -1, OP_ID, 2, 'real(8)', OP_READ))
    place = place + speed
    call move()
    call compare()
  end do
  call hear_refusals()
  call op_exit()
  if (failures > 0) stop 1

contains

  ! Each process adds every so many of all particles, and one that is outside the mesh.
  subroutine add()
    integer(4) :: k, c, count
    real(8) :: middle(2, most + 1), x_here(2, most + 1), v_here(2, most + 1)
    integer(4) :: weight(most + 1)
    integer(8) :: found(most + 1)
    count = 0
    do k = 1, most
      c = mod(k * 37, ncell) + 1
      place(:, k) = corner(:, c) + 0.5d0
      speed(:, k) = 0.25d0 * [mod(k, 13) - 6, mod(k, 9) - 4]
      if (mod(k, processes) /= rank) cycle
      count = count + 1
      middle(:, count) = sum(x(:, cell(:, c)), 2) / 4
      x_here(:, count) = place(:, k)
      v_here(:, count) = speed(:, k)
      weight(count) = k
    end do
    count = count + 1
    middle(:, count) = -9.0d0
    x_here(:, count) = 0.0d0
    v_here(:, count) = 0.0d0
    weight(count) = 1000000
    call op_locate(tracer, middle(:, :count), found)
    call op_add_particles(ions, found(:count), [op_particle_values(p_place, x_here(:, :count)), &
                          op_particle_values(p_speed, v_here(:, :count)), op_particle_values(p_weight, weight(:count))])
    call check(op_last_status() == OP_OK, 'op_add_particles: ' // op_last_error())
    call check(op_get_size(ions) == most, 'the number of particles')
    call compare_identities()
  end subroutine add

  subroutine move()
    do
      call op_par_loop(walk, 'walk', ions, op_arg_dat(p_place, -1, OP_ID, 2, 'real(8)', OP_READ), &
                       op_arg_dat(p_corner, 1, ion_cell, 2, 'real(8)', OP_READ), &
                       op_arg_dat(p_beside, 1, ion_cell, 4, 'integer(8)', OP_READ), &
                       op_arg_dat(op_particle_next(ions), -1, OP_ID, 1, 'integer(8)', OP_WRITE))
      if (op_move_particles(ions) <= 0) exit
    end do
    call check(op_last_status() == OP_OK, 'op_move_particles: ' // op_last_error())
  end subroutine move

  subroutine compare_identities()
    integer(8) :: total, least
    total = 0
    least = 99
    call op_par_loop(look, 'look', ions, op_arg_idx(1, ion_cell), op_arg_dat(p_cell, -1, OP_ID, 1, 'integer(4)', OP_WRITE), &
                     op_arg_dat(op_particle_identity(ions), -1, OP_ID, 1, 'integer(8)', OP_READ), &
                     op_arg_gbl(total, 1, 'integer(8)', OP_INC), op_arg_gbl(least, 1, 'integer(8)', OP_MIN))
    if (op_get_size(ions) < most) return
    call check(total == most * (most + 1) / 2 .and. least == 1, 'identities from 1')
  end subroutine compare_identities

  ! Whoever is outside has left for good.
  subroutine compare()
    real(8) :: x_here(2, most), charge(nnode), laid(nnode)
    integer(4) :: weight(most), cell_here(most), expected(most), k, n, left
    expected = 0
    charge = 0
    do k = 1, most
      if (any(place(:, k) < 0) .or. place(1, k) >= nx .or. place(2, k) >= ny) place(:, k) = -1000
      if (place(1, k) < 0) cycle
      expected(k) = 1 + int(place(1, k)) + nx * int(place(2, k))
      do n = 1, 4
        charge(cell(n, expected(k))) = charge(cell(n, expected(k))) + n * k
      end do
    end do
    left = count(expected > 0)
    call check(left > 20 .and. left < most, 'some have left')
    call check(op_get_size(ions) == left, 'the number of those that are here')
    call compare_identities()
    call op_fetch_data(p_weight, weight)
    call op_fetch_data(p_place, x_here)
    call op_fetch_data(p_cell, cell_here)
    do n = 1, op_get_size_local(ions)
      k = weight(n)
      if (k < 1 .or. k > most) k = 1
      call check(all(abs(x_here(:, n) - place(:, k)) <= 0), 'a position')
      call check(cell_here(n) == expected(k), 'the number of a cell')
    end do
    laid = 0
    call op_put_data_all(p_charge, laid)
    call op_par_loop(lay, 'lay', ions, op_arg_dat(p_weight, -1, OP_ID, 1, 'integer(4)', OP_READ), &
                     op_arg_dat(p_charge, 1, ion_nodes, 1, 'real(8)', OP_INC), &
                     op_arg_dat(p_charge, 2, ion_nodes, 1, 'real(8)', OP_INC), &
                     op_arg_dat(p_charge, 3, ion_nodes, 1, 'real(8)', OP_INC), &
                     op_arg_dat(p_charge, 4, ion_nodes, 1, 'real(8)', OP_INC))
    call op_fetch_data_all(p_charge, laid)
    call check(all(abs(laid - charge) <= 0), 'weights on nodes')
  end subroutine compare

  subroutine hear_refusals()
    integer(8) :: where_to(most), before
    integer(4) :: in_cell(2), number(3)
    real(4) :: short(2, 2)
    real(8) :: one_more(2, 3)
    where_to = ncell + 1
    call op_put_data(op_particle_next(ions), where_to)
    call check(op_move_particles(ions) == -1, 'a cell that does not exist')
    call refused(OP_ERR_RANGE, 'cells, from 1, and there are OP_PARTICLE_GONE (0) and OP_PARTICLE_ARRIVED (-1)', &
                 'a cell beyond the last')
    in_cell = [1, ncell]
    short = 0
    one_more = 0
    number = 0
    call op_add_particles(ions, in_cell, [op_particle_values(p_place, short)])
    call refused(OP_ERR_TYPE, 'p_place', 'values of another kind')
    call op_add_particles(ions, in_cell, [op_particle_values(p_place, one_more)])
    call refused(OP_ERR_DIM, 'need 4 values', 'too many values')
    call op_add_particles(ions, in_cell, [op_particle_values(p_place, one_more(:, ::2))])
    call refused(OP_ERR_ARGUMENT, 'not contiguous', 'values with gaps')
    call op_add_particles(ions, in_cell + 1, [op_particle_values(p_weight, number(2:))])
    call refused(OP_ERR_RANGE, 'is in cell 89; set ''cells'' has 88 cells, from 1', 'a new particle beyond the last cell')
    call op_put_data(op_particle_identity(ions), where_to)
    call refused(OP_ERR_ACCESS, 'identities', 'new identities')
    call op_add_particles(cells, in_cell)
    call refused(OP_ERR_SET, 'op_decl_particles', 'a set of the mesh')
    before = op_get_size(ions)
    call op_add_particles(ions, in_cell)
    call check(op_last_status() == OP_OK, 'particles without values: ' // op_last_error())
    call check(op_get_size(ions) == before + 2 * processes, 'the number of particles with those without values')
  end subroutine hear_refusals

  subroutine refused(status, words, what)
    integer(4), intent(in) :: status
    character(*), intent(in) :: words, what
    character(:), allocatable :: message
    message = op_last_error()
    call check(op_last_status() == status .and. index(message, words) > 0, what // ': ' // message)
    call op_clear_error()
  end subroutine refused
end program particles

! SPDX-License-Identifier: MIT
