! Views and tracers: a solid rotation against its closed form, where points are, neighbours of cells, files, and what is refused.
! Runs with OP2_ERROR=return.
!   trace WORK [views] writes WORK.vtp, and with views WORK.vtkhdf and a series beside it.
module trace_kernels
  implicit none

contains

  ! Whether both cells of an edge know each other.
  subroutine meet(own, far, own_number, far_number, count)
    integer(8), intent(in) :: own(4), far(4), own_number, far_number
    integer(4), intent(inout) :: count
    if (any(own == far_number)) count = count + 1
    if (any(far == own_number)) count = count + 1
  end subroutine meet
end module trace_kernels

program trace
  use op2
  use grid
  use trace_kernels
  use, intrinsic :: iso_c_binding
  implicit none
  real(8), parameter :: centre(2) = [5.7d0, 4.3d0], step = 0.01d0
  type(op_set) :: nodes, cells, edges
  type(op_map) :: pcell, pecell
  type(op_dat) :: p_x, p_v, p_number, p_wind, p_next
  type(op_view) :: view, nothing
  type(op_tracer) :: tracer, wind_tracer
  type(op_trace_params) :: params
  type(op_lines) :: lines, same
  real(8) :: v(2, nnode), wind(2, ncell), none(2, 0)
  integer(8) :: number(ncell)
  integer(4) :: rank, processes, i
  character(200) :: work, views

  call get_command_argument(1, work)
  call get_command_argument(2, views)
  call op_init(0)
  call op_rank(rank)
  processes = op_mpi_size()
  call make_grid()
  do i = 1, nnode
    v(:, i) = [-(x(2, i) - centre(2)), x(1, i) - centre(1)]
  end do
  wind(1, :) = 1.0d0
  wind(2, :) = 0.0d0
  number = [(int(i, 8), i = 1, ncell)]
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(ncell, cells, 'cells')
  call op_decl_set(nedge, edges, 'edges')
  call op_decl_map(cells, nodes, 4, cell, pcell, 'pcell')
  call op_decl_map(edges, cells, 2, ecell, pecell, 'pecell')
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
  call op_decl_dat(nodes, 2, 'real(8)', v, p_v, 'p_v')
  call op_decl_dat(cells, 1, 'integer(8)', number, p_number, 'p_number')
  call op_decl_dat(cells, 2, 'real(8)', wind, p_wind, 'p_wind')

  call op_decl_view(p_x, view, 'rotation  ')
  call op_view_cells(view, pcell, OP_CELL_QUADRILATERAL)
  call op_view_field(view, p_v, 'velocity  ')
  call op_view_field(view, p_number)
  call op_decl_tracer(view, p_v, tracer)
  call op_decl_tracer(view, p_wind, wind_tracer)
  call check(op_last_status() == OP_OK .and. tracer%dim == 2, 'declarations: ' // op_last_error())
  if (views /= '') call write_views()
  call know_neighbours()
  call turn()
  call know_places()
  call follow_a_change()
  call blow()
  call place_seeds()
  call hear_refusals()
  call hear_parameters()

  ! Lines stay when the session ends.
  call op_trace(tracer, reshape(centre + [1.0d0, 0.0d0], [2, 1]), params, lines)
  call op_exit()
  call check(abs(lines%x(1, 1) - centre(1) - 1.0d0) < 1.0d-15, 'lines behind op_exit()')
  same = lines
  call op_lines_free(lines)
  call check(.not. associated(lines%x) .and. .not. c_associated(lines%linesCptr), 'lines that were freed')
  call op_lines_free(same)
  call check(op_last_status() == OP_ERR_HANDLE, 'lines that were freed twice')
  if (failures > 0) stop 1

contains

  ! Each process has seeds of its own, the last one of several has none.
  subroutine turn()
    real(8) :: seeds(2, 4), place(2), angle, worst
    integer(8) :: p, l, begin, last
    integer(4) :: count, sense
    count = merge(0, 4, rank > 0 .and. rank == processes - 1)
    call op_seed_line([centre(1) + 0.5d0, centre(2)], [centre(1) + 2.0d0 + 0.25d0 * rank, centre(2)], seeds)
    params = op_trace_params(step=step, direction='both', longest_time=6.5d0)
    call op_trace(tracer, seeds(:, :count), params, lines)
    call check(op_last_status() == OP_OK, 'op_trace: ' // op_last_error())
    call check(size(lines%end) == 2 * count .and. size(lines%begin) == 2 * count + 1, 'two lines for each seed')
    call check(lines%begin(1) == 1 .and. lines%begin(2 * count + 1) == size(lines%time) + 1, 'points count from 1')
    call check(all(shape(lines%x) == [3, size(lines%time)]) .and. all(shape(lines%velocity) == shape(lines%x)), 'extents')
    worst = 0.0d0
    do l = 1, 2 * count
      begin = lines%begin(l)
      last = lines%begin(l + 1) - 1
      sense = merge(1, -1, mod(l, 2_8) == 1)
      call check(last - begin == lines%steps(l) .and. lines%steps(l) >= 650, 'steps of a line')
      call check(lines%end(l) == OP_LINE_TIME, 'the end of a line: ' // op_line_end_name(lines%end(l)))
      call check(abs(lines%end_time(l) - sense * 6.5d0) < 1.0d-9, 'the time of an end')
      call check(abs(lines%length(l) - 6.5d0 * (seeds(1, (l + 1) / 2) - centre(1))) < 1.0d-3, 'the length of a line')
      do p = begin, last
        angle = lines%time(p)
        place = centre + (seeds(1, (l + 1) / 2) - centre(1)) * [cos(angle), sin(angle)]
        worst = max(worst, maxval(abs(lines%x(1:2, p) - place)), abs(lines%x(3, p)), &
                    maxval(abs(lines%velocity(1:2, p) - [-(place(2) - centre(2)), place(1) - centre(1)])))
        if (p > begin) call check(sense * (angle - lines%time(p - 1)) > 0.0d0, 'times go on')
      end do
      worst = max(worst, maxval(abs(lines%end_x(:, l) - lines%x(:, last))))
    end do
    call check(worst < 1.0d-7, 'a solid rotation')
    call check(index(op_lines_info(lines), '"steps"') > 0, 'op_lines_info: ' // op_lines_info(lines))
    call op_write_lines(lines, trim(work) // '.vtp  ')
    call check(op_last_status() == OP_OK, 'op_write_lines: ' // op_last_error())
    call op_barrier()
    call check(is_there('.vtp'), 'a file of lines')
    call op_write_lines(lines, trim(work) // '.lines')
    call refused(OP_ERR_ARGUMENT, '.vtp', 'a file of another format')
    call op_lines_free(lines)

    ! No points in between: those of the ends.
    params = op_trace_params(step=0.05d0, method='rk45', tolerance=1.0d-9, every=0, most_steps=20_8)
    call op_trace(tracer, seeds(:, :count), params, lines)
    call check(size(lines%time) == 2 * count .and. all(lines%end == OP_LINE_STEPS) .and. all(lines%steps == 20), 'ends alone')
    call op_lines_free(lines)
  end subroutine turn

  ! A rotation that becomes itself: as a steady one; particles keep their distances.
  subroutine follow_a_change()
    type(op_dat) :: p_exponent
    real(8) :: exponent(nnode), seeds(2, 1)
    real(8), parameter :: quarter = acos(0.0d0)
    seeds(:, 1) = centre + [1.0d0, 0.0d0]
    call op_tracer_pathlines(tracer, p_v, quarter)
    call op_trace(tracer, seeds, op_trace_params(step=step), lines)
    call check(op_last_status() == OP_OK .and. lines%end(1) == OP_LINE_TIME, 'the end of a pathline')
    call check(maxval(abs(lines%end_x(1:2, 1) - centre - [0.0d0, 1.0d0])) < 1.0d-7, 'a quarter of a turn')
    call op_lines_free(lines)
    call op_tracer_pathlines(tracer)
    exponent = 9.0d0
    call op_decl_dat(nodes, 1, 'real(8)', exponent, p_exponent, 'p_exponent')
    call op_ftle(tracer, op_trace_params(step=step, longest_time=0.25d0), p_exponent)
    call check(op_last_status() == OP_OK, 'op_ftle: ' // op_last_error())
    call op_fetch_data_idx(p_exponent, exponent, 1, nnode)
    call check(count(abs(exponent) < 1.0d-6) > 3, 'exponents of a rotation')
  end subroutine follow_a_change

  ! Straight lines by a velocity on cells, from seeds in a section of an array.
  subroutine blow()
    real(8) :: seeds(4, 3)
    seeds = -100.0d0
    seeds(1:3:2, 1) = [3.2d0, 4.1d0]
    seeds(1:3:2, 3) = [3.2d0, 5.1d0]
    call op_trace(wind_tracer, seeds(1:3:2, :), op_trace_params(step=0.1d0, unit='length'), lines)
    call check(all(lines%end == [OP_LINE_LEFT, OP_LINE_OUTSIDE, OP_LINE_LEFT]), 'ends of straight lines')
    call check(lines%begin(2) == lines%begin(3) .and. lines%begin(3) > 1, 'a line without points')
    call check(all(abs(lines%x(2, :lines%begin(2) - 1) - 4.1d0) < 1.0d-12) .and. &
               all(abs(lines%x(2, lines%begin(3):) - 5.1d0) < 1.0d-12), 'straight lines')
    call check(lines%end_x(1, 1) > 10.0d0, 'they go to the border')
    call op_lines_free(lines)
    call op_trace(wind_tracer, none, params, lines)
    call check(op_last_status() == OP_OK .and. size(lines%end) == 0 .and. size(lines%x) == 0 .and. size(lines%begin) == 1, &
               'no lines')
    call op_lines_free(lines)
  end subroutine blow

  subroutine know_places()
    real(8) :: points(2, ncell + 1), at(3, ncell + 1)
    integer(8) :: found(ncell + 2)
    integer(4) :: owner(ncell + 1), c
    do c = 1, ncell
      points(:, c) = sum(x(:, cell(:, c)), 2) / 4.0d0
    end do
    points(:, ncell + 1) = [-3.0d0, 2.0d0]
    found = 77
    call op_locate(tracer, points, found(:ncell + 1), owner, at)
    call check(op_last_status() == OP_OK, 'op_locate: ' // op_last_error())
    call check(all(found(:ncell) == number), 'each middle is in its cell')
    call check(found(ncell + 1) == 0 .and. owner(ncell + 1) == -1, 'a point outside')
    call check(all(owner(:ncell) >= 0 .and. owner(:ncell) < processes), 'owners of cells')
    call check(all(abs(at(1:2, :ncell) - at(1, 1)) < 1.0d-9), 'the middle of the reference cell')
    found = 77
    call op_locate(tracer, points(:, 5:9), found)
    call check(all(found(:5) == [5, 6, 7, 8, 9]), 'cells alone')
    owner = 77
    call op_locate(tracer, points, process=owner)
    call check(all(owner(:ncell) < processes), 'owners alone')
    call op_locate(tracer, points, found(:ncell))
    call refused(OP_ERR_DIM, 'extents', 'an array for cells that is too short')
    call op_locate(tracer, at, found)
    call refused(OP_ERR_DIM, 'points', 'points of three values in two dimensions')
  end subroutine know_places

  subroutine know_neighbours()
    integer(8) :: next(4, ncell)
    integer(4) :: count, e
    call op_decl_neighbours(tracer, pcell, p_next)
    call check(op_last_status() == OP_OK .and. associated(p_next%dataPtr), 'op_decl_neighbours: ' // op_last_error())
    call op_fetch_data_idx(p_next, next, 1, ncell)
    call check(minval(next) == 0 .and. maxval(next) == ncell .and. count_of(next) == 2 * nedge, 'numbers of neighbours')
    do e = 1, nedge
      call check(any(next(:, ecell(1, e)) == ecell(2, e)) .and. any(next(:, ecell(2, e)) == ecell(1, e)), 'neighbours')
    end do
    count = 0
    call op_par_loop(meet, 'meet', edges, op_arg_dat(p_next, 1, pecell, 4, 'integer(8)', OP_READ), &
                     op_arg_dat(p_next, 2, pecell, 4, 'integer(8)', OP_READ), &
                     op_arg_dat(p_number, 1, pecell, 1, 'integer(8)', OP_READ), &
                     op_arg_dat(p_number, 2, pecell, 1, 'integer(8)', OP_READ), op_arg_gbl(count, 1, 'integer(4)', OP_INC))
    call check(count == 2 * nedge, 'neighbours in a loop')
  end subroutine know_neighbours

  integer(4) function count_of(next)
    integer(8), intent(in) :: next(:, :)
    count_of = count(next > 0)
  end function count_of

  subroutine place_seeds()
    real(8) :: on_line(3, 5), on_grid(3, 6)
    integer(4) :: i, k
    call op_seed_line([0.0d0, 1.0d0, 2.0d0], [4.0d0, 1.0d0, 0.0d0], on_line)
    call check(all(abs(on_line - reshape([(real(k, 8), 1.0d0, 2.0d0 - 0.5d0 * k, k = 0, 4)], [3, 5])) < 1.0d-14), 'op_seed_line')
    call op_seed_grid([0.0d0, 0.0d0, 3.0d0], [2.0d0, 1.0d0, 5.0d0], [3, 2, 1], on_grid)
    call check(all(abs(on_grid - reshape([((1.0d0 * i, 1.0d0 * k, 4.0d0, i = 0, 2), k = 0, 1)], [3, 6])) < 1.0d-14), &
               'op_seed_grid')
    call op_seed_grid([0.0d0, 0.0d0, 3.0d0], [2.0d0, 1.0d0, 5.0d0], [3, 3, 1], on_grid)
    call refused(OP_ERR_DIM, 'op_seed_grid', 'a grid with more points than seeds')
    call op_seed_line([0.0d0, 1.0d0], [4.0d0, 1.0d0], on_line)
    call refused(OP_ERR_DIM, 'op_seed_line', 'ends of two values for seeds of three')
  end subroutine place_seeds

  subroutine write_views()
    type(op_dat) :: p_back
    real(8) :: back(2, nnode)
    integer(8) :: numbers(ncell)
    integer(4) :: status
    call op_write_view(view, trim(work) // '.vtkhdf  ')
    call op_write_view_step(view, trim(work) // '_series.vtkhdf', 0.5d0)
    call check(op_last_status() == OP_OK, 'op_write_view: ' // op_last_error())
    call op_barrier()
    call check(is_there('.vtkhdf'), 'the file of a view')
    call check(is_there('_series.vtkhdf.series'), 'the list of a series')
    call op_decl_dat_hdf5(nodes, 2, p_back, 'real(8)', trim(work) // '.vtkhdf', 'VTKHDF/PointData/velocity', status)
    call check(status >= 0, 'the velocity in the file')
    call op_fetch_data_idx(p_back, back, 1, nnode)
    call check(all(abs(back - v) <= 0.0d0), 'the velocity from the file')
    call op_decl_dat_hdf5(cells, 1, p_back, 'integer(8)', trim(work) // '.vtkhdf', 'VTKHDF/CellData/p_number', status)
    call check(status >= 0, 'the numbers in the file')
    call op_fetch_data_idx(p_back, numbers, 1, ncell)
    call check(all(numbers == number), 'the numbers from the file')
  end subroutine write_views

  subroutine hear_refusals()
    type(op_trace_params) :: empty
    real(8) :: seeds(2, 1), deep(3, 1)
    seeds(:, 1) = centre
    deep = 0.0d0
    call op_trace(tracer, seeds, empty, lines)
    call refused(OP_ERR_ARGUMENT, 'params.step', 'no step')
    call check(.not. associated(lines%x) .and. .not. c_associated(lines%linesCptr), 'no lines after an error')
    call op_trace(tracer, seeds, op_trace_params(step=step, method='euler'), lines)
    call refused(OP_ERR_ARGUMENT, '"euler"', 'a method that is none')
    call op_trace(tracer, deep, params, lines)
    call refused(OP_ERR_DIM, 'seeds', 'seeds of three values in two dimensions')
    call op_trace(op_tracer(), seeds, params, lines)
    call refused(OP_ERR_HANDLE, 'tracer', 'no tracer')
    call op_view_cells(view, pcell, 6)
    call refused(OP_ERR_ARGUMENT, 'op_view_cells', 'a type of cells that is none')
    call op_view_field(view, p_v, '')
    call refused(OP_ERR_ARGUMENT, 'op_view_field', 'a field without a name')
    call op_write_view(nothing, trim(work) // '_nothing.vtkhdf')
    call refused(OP_ERR_HANDLE, 'op_write_view', 'no view')
    call op_decl_neighbours(tracer, pecell, p_next)
    call refused(OP_ERR_ARGUMENT, 'pecell', 'a map that is none of cells')
    call check(.not. associated(p_next%dataPtr), 'no dat after an error')
    call check(index(op_line_end_name(OP_LINE_LEFT), 'left') == 1, 'the name of an end')
    call check(op_line_end_name(99_8) == 'unknown', 'the name of what is no end')
  end subroutine hear_refusals

  ! Each parameter reaches the library as itself: wrong ones are refused by their names.
  subroutine hear_parameters()
    call wrong(op_trace_params(step=-2.5d0), 'params.step is -2.5')
    call wrong(op_trace_params(step=step, unit='miles'), 'params.unit is "miles"')
    call wrong(op_trace_params(step=step, direction='up'), 'params.direction is "up"')
    call wrong(op_trace_params(step=step, division='fair'), 'params.division is "fair"')
    call wrong(op_trace_params(step=step, ending='happy'), 'params.ending is "happy"')
    call wrong(op_trace_params(step=step, tolerance=-3.5d0), 'params.tolerance is -3.5')
    call wrong(op_trace_params(step=step, shortest_step=-4.5d0), 'the shortest step is -4.5')
    call wrong(op_trace_params(step=step, longest_step=-5.5d0), 'params.longest_step is -5.5')
    call wrong(op_trace_params(step=step, most_steps=-5000000000_8), 'params.most_steps is -5000000000')
    call wrong(op_trace_params(step=step, longest_time=-6.5d0), 'params.longest_time is -6.5')
    call wrong(op_trace_params(step=step, longest_length=-7.5d0), 'params.longest_length is -7.5')
    call wrong(op_trace_params(step=step, least_speed=-8.5d0), 'the least speed is -8.5')
    call wrong(op_trace_params(step=step, every=-1), 'numbers of steps cannot be negative')
    call wrong(op_trace_params(step=step, turn=9.5d0), 'the turn is 9.5')
    call wrong(op_trace_params(step=step, threads=-2), 'params.threads is -2')
    call wrong(op_trace_params(step=step, batch=-3), 'params.batch is -3')
    call wrong(op_trace_params(step=step, blocks=-4), 'params.blocks is -4')
    call wrong(op_trace_params(step=step, overlap=-1_8), 'overlap')
    ! Blank texts and zeros are the defaults.
    call op_trace(tracer, none, op_trace_params(method='', unit='', step=step, direction='', every=0, division='', &
                                                blocks=0, shuffle=-7, overlap=1000000_8, ending=''), lines)
    call check(op_last_status() == OP_OK, 'defaults: ' // op_last_error())
    call op_lines_free(lines)
  end subroutine hear_parameters

  subroutine wrong(params, words)
    type(op_trace_params), intent(in) :: params
    character(*), intent(in) :: words
    call op_trace(tracer, none, params, lines)
    call refused(OP_ERR_ARGUMENT, words, words)
  end subroutine wrong

  logical function is_there(behind)
    character(*), intent(in) :: behind
    inquire (file=trim(work) // behind, exist=is_there)
  end function is_there

  subroutine refused(status, words, what)
    integer(4), intent(in) :: status
    character(*), intent(in) :: words, what
    character(:), allocatable :: message
    message = op_last_error()
    call check(op_last_status() == status .and. index(message, words) > 0, what // ': ' // message)
    call op_clear_error()
  end subroutine refused
end program trace

! SPDX-License-Identifier: MIT
