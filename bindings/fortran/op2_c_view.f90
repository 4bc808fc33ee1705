! op2_c_view: as op2_c, for views and tracers.
module op2_c_view
  use, intrinsic :: iso_c_binding
  implicit none
  public

  ! op_trace_params of op2/trace.h.
  type, bind(c) :: c_trace_params
    integer(c_size_t) :: size
    type(c_ptr) :: method, unit
    real(c_double) :: step
    type(c_ptr) :: direction
    real(c_double) :: tolerance, shortest_step, longest_step
    integer(c_long_long) :: most_steps
    real(c_double) :: longest_time, longest_length, least_speed
    integer(c_int) :: every
    real(c_double) :: turn
    integer(c_int) :: threads, batch
    type(c_ptr) :: division
    integer(c_int) :: blocks, shuffle
    integer(c_size_t) :: overlap
    type(c_ptr) :: ending
  end type c_trace_params

  interface
    ! ---- views
    function c_decl_view(coordinates, name) bind(c, name='op_decl_view') result(view)
      import :: c_ptr, c_char
      type(c_ptr), value :: coordinates
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: view
    end function c_decl_view
    subroutine c_view_cells(view, map, type) bind(c, name='op_view_cells')
      import :: c_ptr, c_int
      type(c_ptr), value :: view, map
      integer(c_int), value :: type
    end subroutine c_view_cells
    subroutine c_view_field(view, dat, name) bind(c, name='op_view_field')
      import :: c_ptr, c_char
      type(c_ptr), value :: view, dat
      character(kind=c_char), intent(in), optional :: name(*)
    end subroutine c_view_field
    subroutine c_write_view(view, file) bind(c, name='op_write_view')
      import :: c_ptr, c_char
      type(c_ptr), value :: view
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_write_view
    subroutine c_write_view_step(view, file, time) bind(c, name='op_write_view_step')
      import :: c_ptr, c_char, c_double
      type(c_ptr), value :: view
      character(kind=c_char), intent(in) :: file(*)
      real(c_double), value :: time
    end subroutine c_write_view_step

    ! ---- tracers
    function c_decl_tracer(view, velocity) bind(c, name='op_decl_tracer') result(tracer)
      import :: c_ptr
      type(c_ptr), value :: view, velocity
      type(c_ptr) :: tracer
    end function c_decl_tracer
    function c_dat_dim(dat) bind(c, name='op_dat_dim') result(dim)
      import :: c_ptr, c_int
      type(c_ptr), value :: dat
      integer(c_int) :: dim
    end function c_dat_dim
    function c_trace(tracer, count, seeds, params, lines) bind(c, name='op_trace') result(status)
      import :: c_ptr, c_int, c_double, c_trace_params
      type(c_ptr), value :: tracer
      integer(c_int), value :: count
      real(c_double), intent(in) :: seeds(*)
      type(c_trace_params), intent(in) :: params
      type(c_ptr), intent(out) :: lines
      integer(c_int) :: status
    end function c_trace
    function c_tracer_pathlines(tracer, later, duration) bind(c, name='op_tracer_pathlines') result(status)
      import :: c_ptr, c_int, c_double
      type(c_ptr), value :: tracer, later
      real(c_double), value :: duration
      integer(c_int) :: status
    end function c_tracer_pathlines
    function c_ftle(tracer, params, exponent) bind(c, name='op_ftle') result(status)
      import :: c_ptr, c_int, c_trace_params
      type(c_ptr), value :: tracer, exponent
      type(c_trace_params), intent(in) :: params
      integer(c_int) :: status
    end function c_ftle
    subroutine c_seed_line(dim, a, b, count, seeds) bind(c, name='op_seed_line')
      import :: c_int, c_double
      integer(c_int), value :: dim, count
      real(c_double), intent(in) :: a(*), b(*)
      real(c_double), intent(inout) :: seeds(*)
    end subroutine c_seed_line
    subroutine c_seed_grid(dim, low, high, counts, seeds) bind(c, name='op_seed_grid')
      import :: c_int, c_double
      integer(c_int), value :: dim
      real(c_double), intent(in) :: low(*), high(*)
      integer(c_int), intent(in) :: counts(*)
      real(c_double), intent(inout) :: seeds(*)
    end subroutine c_seed_grid
    function c_locate(tracer, count, points, cell, process, where) bind(c, name='op_locate') result(status)
      import :: c_ptr, c_int, c_long_long, c_double
      type(c_ptr), value :: tracer
      integer(c_int), value :: count
      real(c_double), intent(in) :: points(*)
      integer(c_long_long), intent(inout), optional :: cell(*)
      integer(c_int), intent(inout), optional :: process(*)
      real(c_double), intent(inout), optional :: where(*)
      integer(c_int) :: status
    end function c_locate
    function f_decl_neighbours(tracer, map, name) bind(c, name='op2f_decl_neighbours') result(dat)
      import :: c_ptr, c_char
      type(c_ptr), value :: tracer, map
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: dat
    end function f_decl_neighbours
    function c_lines_ints(lines, name, rows, dim) bind(c, name='op_lines_ints') result(values)
      import :: c_ptr, c_char, c_int, c_long_long
      type(c_ptr), value :: lines
      character(kind=c_char), intent(in) :: name(*)
      integer(c_long_long), intent(out) :: rows
      integer(c_int), intent(out) :: dim
      type(c_ptr) :: values
    end function c_lines_ints
    function c_lines_reals(lines, name, rows, dim) bind(c, name='op_lines_reals') result(values)
      import :: c_ptr, c_char, c_int, c_long_long
      type(c_ptr), value :: lines
      character(kind=c_char), intent(in) :: name(*)
      integer(c_long_long), intent(out) :: rows
      integer(c_int), intent(out) :: dim
      type(c_ptr) :: values
    end function c_lines_reals
    function f_lines_begin(lines) bind(c, name='op2f_lines_begin') result(values)
      import :: c_ptr
      type(c_ptr), value :: lines
      type(c_ptr) :: values
    end function f_lines_begin
    subroutine f_lines_free(lines) bind(c, name='op2f_lines_free')
      import :: c_ptr
      type(c_ptr), value :: lines
    end subroutine f_lines_free
    function c_line_end_name(end) bind(c, name='op_line_end_name') result(text)
      import :: c_ptr, c_int
      integer(c_int), value :: end
      type(c_ptr) :: text
    end function c_line_end_name
    function f_lines_info(lines) bind(c, name='op2f_lines_info') result(text)
      import :: c_ptr
      type(c_ptr), value :: lines
      type(c_ptr) :: text
    end function f_lines_info
    subroutine c_write_lines(lines, file) bind(c, name='op_write_lines')
      import :: c_ptr, c_char
      type(c_ptr), value :: lines
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_write_lines
  end interface
end module op2_c_view

! SPDX-License-Identifier: MIT
