! op2_trace: streamlines of particles through the cells of a view, and where in a mesh points are. Errors as in
! op2/trace.h, and OP_ERR_DIM for arrays whose extents do not fit. docs/streamlines.md has the order of sides and the
! coordinates of reference cells.
!
! Cells, seeds, lines and points count from 1, whatever the base of maps; 0 stands for no cell. Processes count from 0,
! as ranks do. Arrays of points have one column for each point: the dim of the coordinates for what the program passes,
! always three rows (the third one 0 in two dimensions) for what it receives.
!
!   call op_decl_tracer(view, velocity, tracer)
!   call op_trace(tracer, seeds, op_trace_params(step=0.01d0), lines)
!   do i = 1, size(lines%end)
!     print *, lines%x(:, lines%begin(i):lines%begin(i + 1) - 1), op_line_end_name(lines%end(i))
!   end do
!   call op_write_lines(lines, 'lines.vtp')
!   call op_lines_free(lines)
module op2_trace
  use, intrinsic :: iso_c_binding
  use op2_types
  use op2_c, only: f_raise
  use op2_c_view
  use op2_declare, only: dat_of
  use op2_text
  use op2_view, only: op_view
  implicit none
  private
  public :: op_tracer, op_lines, op_trace_params, op_decl_tracer, op_trace, op_seed_line, op_seed_grid, op_lines_free, &
    op_line_end_name, op_lines_info, op_write_lines, op_locate, op_decl_neighbours, op_tracer_pathlines, op_ftle

  ! Why a line ends (op2/trace.h).
  integer(c_int), parameter, public :: OP_LINE_STEPS = 1, OP_LINE_TIME = 2, OP_LINE_LENGTH = 3, OP_LINE_SLOW = 4, &
    OP_LINE_LEFT = 5, OP_LINE_OUTSIDE = 6, OP_LINE_NO_NUMBER = 7, OP_LINE_LOST = 8

  ! The library owns tracers until op_exit(). %tracerCptr = c_null_ptr: the declaration has failed.
  type :: op_tracer
    type(c_ptr) :: tracerCptr = c_null_ptr
    integer(4) :: dim = 0 ! of coordinates and velocity
  end type op_tracer

  ! Parameters of op_trace(), see op2/trace.h: op_trace_params(step=0.01d0, method='rk45'). 0 and a blank text stand for
  ! the default.
  type :: op_trace_params
    character(16) :: method = 'rk4'        ! rk2, rk3, rk4, rk45
    character(16) :: unit = 'time'         ! of steps: time, length, cells
    real(8) :: step = 0                    ! length of a step in that unit. It must be given
    character(16) :: direction = 'forward' ! forward, backward, both
    real(8) :: tolerance = 0               ! rk45: of the error of a step. 0: 1e-6
    real(8) :: shortest_step = 0, longest_step = 0 ! rk45. 0: no limit
    integer(8) :: most_steps = 0           ! 0: 10 000
    real(8) :: longest_time = 0, longest_length = 0 ! of a line. 0: no limit
    real(8) :: least_speed = 0
    integer(4) :: every = 1                ! every k-th point is kept; 0: only the first and the last, but ...
    real(8) :: turn = 0                    ! ... those where the velocity has turned by more than this angle. 0: off
    integer(4) :: threads = 0              ! of this process. 0: as many as loops use
    integer(4) :: batch = 0                ! particles for each thread that are taken at once. 0: 32
    character(16) :: division = 'blocks'   ! which process traces where: blocks, cyclic, bisection, mesh
    integer(4) :: blocks = 0               ! blocks for each process. 0: 4
    integer(4) :: shuffle = 0              ! seed of the random numbers that deal blocks
    integer(8) :: overlap = 0              ! bytes for copies of cells beyond those that steps need
    character(16) :: ending = 'tree'       ! tree, broadcast, reduction
  end type op_trace_params

  ! Lines of this process' seeds. The program owns them, also behind op_exit(), and frees them with op_lines_free(): the
  ! arrays are the library's own until then, and copies of this object point to the same ones. The line of seed i is line
  ! i; with direction 'both' it is line 2 i - 1 forward and line 2 i backward. Without lines no array is associated.
  type :: op_lines
    type(c_ptr) :: linesCptr = c_null_ptr
    integer(8), pointer :: begin(:) => null()    ! (lines + 1): the points of line i are begin(i) ... begin(i + 1) - 1
    integer(8), pointer :: end(:) => null()      ! (lines): why it ends, OP_LINE_...
    integer(8), pointer :: steps(:) => null()    ! (lines)
    real(8), pointer :: x(:, :) => null()        ! (3, points): the seed first; a line whose seed is outside has none
    real(8), pointer :: velocity(:, :) => null() ! (3, points)
    real(8), pointer :: time(:) => null()        ! (points): since the seed, negative backwards
    real(8), pointer :: end_x(:, :) => null()    ! (3, lines)
    real(8), pointer :: end_time(:) => null()    ! (lines)
    real(8), pointer :: length(:) => null()      ! (lines)
  end type op_lines

  interface op_line_end_name
    procedure line_end_name_4, line_end_name_8
  end interface op_line_end_name

contains

  ! A tracer through the cells of a view. velocity: real(8) or real(4), of the dim of the coordinates, on the nodes, on
  ! the only set of cells, or on a set to which all sets of cells have a map of dim 1. Collective.
  subroutine op_decl_tracer(view, velocity, tracer)
    type(op_view), intent(in) :: view
    type(op_dat), intent(in) :: velocity
    type(op_tracer), intent(out) :: tracer
    tracer%tracerCptr = c_decl_tracer(view%viewCptr, velocity%dataCptr)
    if (c_associated(tracer%tracerCptr)) tracer%dim = c_dat_dim(velocity%dataCptr)
  end subroutine op_decl_tracer

  ! Draws a line from each of the seeds (dim, count) of this process, which may have none. Lines of an earlier call in
  ! the same variable are not freed. Collective; all processes pass the same parameters.
  subroutine op_trace(tracer, seeds, params, lines)
    type(op_tracer), intent(in) :: tracer
    real(8), contiguous, intent(in) :: seeds(:, :)
    type(op_trace_params), intent(in) :: params
    type(op_lines), intent(out) :: lines
    type(c_trace_params) :: c
    character(17, kind=c_char), target :: texts(5)
    if (.not. are_points('op_trace', 'seeds', tracer, size(seeds, 1), size(seeds, 2, 8))) return
    if (.not. for_c('op_trace', params, texts, c)) return
    if (c_trace(tracer%tracerCptr, size(seeds, 2), seeds, c, lines%linesCptr) == OP_OK) then
      call show(lines)
    else
      lines%linesCptr = c_null_ptr
    end if
  end subroutine op_trace

  ! Velocities that change in time, linearly from that of op_decl_tracer() to `later` in `duration` > 0; without them the
  ! velocity does not change any more. Collective.
  subroutine op_tracer_pathlines(tracer, later, duration)
    type(op_tracer), intent(in) :: tracer
    type(op_dat), intent(in), optional :: later
    real(8), intent(in), optional :: duration
    type(c_ptr) :: dat
    real(8) :: time
    integer(c_int) :: status
    dat = c_null_ptr
    time = 0
    if (present(later)) dat = later%dataCptr
    if (present(duration)) time = duration
    status = c_tracer_pathlines(tracer%tracerCptr, dat, time)
  end subroutine op_tracer_pathlines

  ! The finite-time Lyapunov exponent at each node over params%longest_time, into a dat of one real(8) on the nodes: how
  ! fast particles part. Not a number where one of them has left before. Collective.
  subroutine op_ftle(tracer, params, exponent)
    type(op_tracer), intent(in) :: tracer
    type(op_trace_params), intent(in) :: params
    type(op_dat), intent(in) :: exponent
    type(c_trace_params) :: c
    character(17, kind=c_char), target :: texts(5)
    integer(c_int) :: status
    if (.not. for_c('op_ftle', params, texts, c)) return
    status = c_ftle(tracer%tracerCptr, c, exponent%dataCptr)
  end subroutine op_ftle

  ! Parameters for C, which keeps pointers to the texts.
  logical function for_c(call, params, texts, c)
    character(*), intent(in) :: call
    type(op_trace_params), intent(in) :: params
    character(17, kind=c_char), intent(out), target :: texts(5)
    type(c_trace_params), intent(out) :: c
    for_c = params%overlap >= 0
    if (.not. for_c) then
      call f_raise(OP_ERR_ARGUMENT, c_text(call), c_text('params%overlap is negative; it is a number of bytes'))
      return
    end if
    texts = [character(17) :: params%method, params%unit, params%direction, params%division, params%ending]
    c%size = c_sizeof(c)
    c%method = choice(texts(1))
    c%unit = choice(texts(2))
    c%step = params%step
    c%direction = choice(texts(3))
    c%tolerance = params%tolerance
    c%shortest_step = params%shortest_step
    c%longest_step = params%longest_step
    c%most_steps = params%most_steps
    c%longest_time = params%longest_time
    c%longest_length = params%longest_length
    c%least_speed = params%least_speed
    c%every = params%every
    c%turn = params%turn
    c%threads = params%threads
    c%batch = params%batch
    c%division = choice(texts(4))
    c%blocks = params%blocks
    c%shuffle = params%shuffle
    c%overlap = params%overlap
    c%ending = choice(texts(5))
  end function for_c

  ! A text for C; a blank one is the default.
  type(c_ptr) function choice(text)
    character(17, kind=c_char), intent(inout), target :: text
    choice = c_null_ptr
    if (len_trim(text) == 0) return
    text(len_trim(text) + 1:) = c_null_char
    choice = c_loc(text)
  end function choice

  subroutine show(lines)
    type(op_lines), intent(inout) :: lines
    integer(c_long_long) :: count, points
    integer(c_int) :: dim
    type(c_ptr) :: values
    values = c_lines_ints(lines%linesCptr, c_text('end'), count, dim)
    call c_f_pointer(values, lines%end, [count])
    call c_f_pointer(c_lines_ints(lines%linesCptr, c_text('steps'), count, dim), lines%steps, [count])
    call c_f_pointer(f_lines_begin(lines%linesCptr), lines%begin, [count + 1])
    values = c_lines_reals(lines%linesCptr, c_text('time'), points, dim)
    call c_f_pointer(values, lines%time, [points])
    call columns('x', lines%x)
    call columns('velocity', lines%velocity)
    call columns('end_x', lines%end_x)
    values = c_lines_reals(lines%linesCptr, c_text('end_time'), count, dim)
    call c_f_pointer(values, lines%end_time, [count])
    values = c_lines_reals(lines%linesCptr, c_text('length'), count, dim)
    call c_f_pointer(values, lines%length, [count])
  contains
    subroutine columns(name, array)
      character(*), intent(in) :: name
      real(8), pointer, intent(out) :: array(:, :)
      integer(c_long_long) :: rows
      type(c_ptr) :: first
      first = c_lines_reals(lines%linesCptr, c_text(name), rows, dim)
      call c_f_pointer(first, array, [int(dim, c_long_long), rows])
    end subroutine columns
  end subroutine show

  ! Seeds (dim, count) at equal distances on a line from a(dim) to b(dim), both included. Not collective.
  subroutine op_seed_line(a, b, seeds)
    real(8), contiguous, intent(in) :: a(:), b(:)
    real(8), contiguous, intent(inout) :: seeds(:, :)
    if (fit('op_seed_line', 'a, b and seeds', size(b) == size(a) .and. size(seeds, 1) == size(a))) &
      call c_seed_line(size(a), a, b, size(seeds, 2), seeds)
  end subroutine op_seed_line

  ! Seeds (dim, product(counts)) on a grid between two corners, both included, the first coordinate fastest; a count of 1
  ! takes the middle. Not collective.
  subroutine op_seed_grid(low, high, counts, seeds)
    real(8), contiguous, intent(in) :: low(:), high(:)
    integer(4), contiguous, intent(in) :: counts(:)
    real(8), contiguous, intent(inout) :: seeds(:, :)
    logical :: right
    right = size(high) == size(low) .and. size(counts) == size(low) .and. size(seeds, 1) == size(low)
    if (all(counts > 0)) right = right .and. size(seeds, 2, 8) == product(int(counts, 8))
    if (fit('op_seed_grid', 'low, high, counts and seeds', right)) call c_seed_grid(size(low), low, high, counts, seeds)
  end subroutine op_seed_grid

  ! Frees lines, if there are any; their arrays are gone. Not collective.
  subroutine op_lines_free(lines)
    type(op_lines), intent(inout) :: lines
    call f_lines_free(lines%linesCptr)
    lines = op_lines()
  end subroutine op_lines_free

  ! What an OP_LINE_... means, in words: 'left', ...
  function line_end_name_4(end) result(out)
    integer(4), intent(in) :: end
    character(:), allocatable :: out
    out = f_text(c_line_end_name(end))
  end function line_end_name_4

  function line_end_name_8(end) result(out)
    integer(8), intent(in) :: end
    character(:), allocatable :: out
    out = f_text(c_line_end_name(int(max(min(end, 1000_8), -1_8), c_int)))
  end function line_end_name_8

  ! What was done to draw the lines, on all processes, as JSON; '' on errors. Not collective.
  function op_lines_info(lines) result(out)
    type(op_lines), intent(in) :: lines
    character(:), allocatable :: out
    out = f_text(f_lines_info(lines%linesCptr))
  end function op_lines_info

  ! Writes all processes' lines to one file, .vtp or .vtkhdf, those of the first process first. In the file seeds count from 0.
  ! Collective.
  subroutine op_write_lines(lines, file)
    type(op_lines), intent(in) :: lines
    character(*), intent(in) :: file
    call c_write_lines(lines%linesCptr, c_text(file))
  end subroutine op_write_lines

  ! Where points (dim, count) are. cell(count): the number of the cell from 1, as cells are numbered in op2/trace.h from
  ! 0; 0 if none contains the point. process(count): the rank that owns the cell, or -1. where(3, count): coordinates of
  ! the point in the reference cell. Arrays may be larger; after an error they hold 0, -1 and 0. Collective.
  subroutine op_locate(tracer, points, cell, process, where)
    type(op_tracer), intent(in) :: tracer
    real(8), contiguous, intent(in) :: points(:, :)
    integer(8), contiguous, intent(inout), optional :: cell(:)
    integer(4), contiguous, intent(inout), optional :: process(:)
    real(8), contiguous, intent(inout), optional :: where(:, :)
    integer(8) :: count
    integer(c_int) :: status
    logical :: right
    count = size(points, 2, 8)
    right = .true.
    if (present(cell)) then
      cell = 0
      right = right .and. size(cell, kind=8) >= count
    end if
    if (present(process)) then
      process = -1
      right = right .and. size(process, kind=8) >= count
    end if
    if (present(where)) then
      where = 0
      right = right .and. size(where, 1) == 3 .and. size(where, 2, 8) >= count
    end if
    if (.not. are_points('op_locate', 'points', tracer, size(points, 1), count)) return
    if (.not. fit('op_locate', 'points and the arrays that receive where they are', right)) return
    status = c_locate(tracer%tracerCptr, int(count, c_int), points, cell, process, where)
    if (status == OP_OK .and. present(cell)) cell(:count) = cell(:count) + 1
  end subroutine op_locate

  ! The neighbours of cells through their sides: a dat of integer(8) on the set that `map` starts from, with the number
  ! of a cell from 1 (as op_locate() gives it) for each side of the cell, 0 where there is none. Collective.
  subroutine op_decl_neighbours(tracer, map, dat, name)
    type(op_tracer), intent(in) :: tracer
    type(op_map), intent(in) :: map
    type(op_dat), intent(out) :: dat
    character(*), intent(in), optional :: name
    dat = dat_of(f_decl_neighbours(tracer%tracerCptr, map%mapCptr, c_text(name, 'neighbours')))
  end subroutine op_decl_neighbours

  ! Whether an array holds points for this tracer. The library itself refuses a tracer that is none.
  logical function are_points(caller, name, tracer, rows, columns)
    character(*), intent(in) :: caller, name
    type(op_tracer), intent(in) :: tracer
    integer, intent(in) :: rows
    integer(8), intent(in) :: columns
    are_points = columns == 0 .or. tracer%dim == 0 .or. (rows == tracer%dim .and. columns <= huge(1_c_int))
    if (.not. are_points) call f_raise(OP_ERR_DIM, c_text(caller), c_text('the array ' // name // &
      ' has one column for each point, and in it as many values as the coordinates of the mesh'))
  end function are_points

  logical function fit(caller, names, right)
    character(*), intent(in) :: caller, names
    logical, intent(in) :: right
    fit = right
    if (.not. fit) call f_raise(OP_ERR_DIM, c_text(caller), c_text('the extents of ' // names // ' do not fit together'))
  end function fit
end module op2_trace

! SPDX-License-Identifier: MIT
