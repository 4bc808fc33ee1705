! Arguments in all forms: optional, vectors, payloads, arrays in place of handles, temporary dats, constants, ranges.
module forms_kernels
  use, intrinsic :: iso_c_binding
  implicit none
  real(8) :: factor = 3.0d0
contains
  subroutine scale(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    y = factor * x
  end subroutine scale

  subroutine both_ends(rows, difference)
    type(c_ptr), intent(in) :: rows(2)
    real(8), intent(out) :: difference
    real(8), pointer :: left(:), right(:)
    call c_f_pointer(rows(1), left, [2])
    call c_f_pointer(rows(2), right, [2])
    difference = right(1) - left(1)
  end subroutine both_ends

  subroutine largest(x, number, most, where)
    real(8), intent(in) :: x(2)
    integer(4), intent(in) :: number
    real(8), intent(inout) :: most
    integer(4), intent(inout) :: where
    if (x(1) <= most) return
    most = x(1)
    where = number
  end subroutine largest

  subroutine maybe(x, there, y)
    real(8), intent(in) :: x(2)
    logical, intent(in) :: there
    real(8), intent(inout) :: y(2)
    if (there) y = y + x
  end subroutine maybe

  ! The range form of `scale`.
  subroutine scale_range(ctx, first, last) bind(c)
    use op2, only: op_range_ctx, op_range_arg
    type(op_range_ctx), intent(in) :: ctx
    integer(c_int), value :: first, last
    type(op_range_arg), pointer :: args(:)
    real(8), pointer :: x(:, :), y(:, :)
    integer :: n
    call c_f_pointer(ctx%args, args, [ctx%nargs])
    call c_f_pointer(args(1)%base, x, [2, last])
    call c_f_pointer(args(2)%base, y, [2, last])
    do n = first + 1, last
      y(:, n) = 3.0d0 * x(:, n)
    end do
  end subroutine scale_range
end module forms_kernels

program forms
  use OP2_FORTRAN_DECLARATIONS
  use OP2_Fortran_Reference
  use op2_fortran_rt_support
  use forms_kernels
  implicit none
  integer(4), parameter :: n = 60
  type(op_set) :: nodes, edges, same
  type(op_map) :: ends
  type(op_dat) :: d_x, d_y, d_difference, temporary
  integer(4), target :: table(2, n)
  integer(8) :: long_table(2 * n)
  integer(4) :: i, where, status, numbers(n)
  real(8), allocatable, target :: x(:, :), y(:, :)
  real(8) :: most, got(2, n), difference(n), part(2, 3), spread(4), seconds
  integer(4), pointer :: order(:)
  logical :: good, moves

  call op_init_base(0, 0)
  allocate (x(2, n), y(2, n))
  do i = 1, n
    table(:, i) = [i - 1, mod(i, n)]
    x(:, i) = [mod(7.0d0 * i, 60.0d0), -1.0d0 * i]
  end do
  y = 0
  long_table = reshape(int(table, 8), [2 * n])
  call op_decl_set(n, nodes)
  call op_decl_set(n, edges, 'edges   ')
  call op_register_set(3, nodes)
  same = op_get_set(3)
  good = c_associated(same%setCptr, nodes%setCptr)
  call op_decl_map(edges, nodes, 2, table, ends)
  call op_decl_map_long(edges, nodes, 2, long_table, ends, 'ends')
  call op_decl_dat(nodes, 2, 'r8', x, d_x, 'x')
  call op_decl_dat(nodes, 2, 'real(8)', y, d_y, 'y')
  difference = 0
  call op_decl_dat(edges, 1, 'real(8)', difference, d_difference, 'difference')
  call op_decl_dat_temp(nodes, 2, 'real (8)', temporary, 'temporary')
  call op_decl_const(factor, 1, 'real(8)')
  call op_partition('PTSCOTCH', 'KWAY', nodes, ends, d_x)
  moves = .true.
  call op_repartition(weights=d_difference, coordinates=d_x, always=.true., moved=moves)
  call check(14, .not. moves)
  call op_repartition()

  ! Arrays in place of handles, then the range form.
  call op_par_loop_2(scale, nodes, op_arg_dat(x, -1, OP_ID, 2, 'real(8)', OP_READ), &
    op_arg_dat(y, -1, OP_ID, 2, 'real(8)', OP_WRITE))
  call op_fetch_data(d_y, got)
  call check(1, all(abs(got - 3 * x) < 1d-12))
  call op_kernel_range(scale, scale_range)
  call op_par_loop(scale, 'by range', nodes, op_arg_dat(d_x, -1, OP_ID, 2, 'real(RK8)', OP_READ), &
    op_arg_dat(temporary, -1, OP_ID, 2, 'real(8)', OP_WRITE))
  call op_fetch_data(temporary, got)
  call check(2, all(abs(got - 3 * x) < 1d-12))
  status = op_free_dat_temp(temporary)
  call check(3, status == 1 .and. op_free_dat_temp(op_dat()) == -1)

  ! A vector, by the map and by its array; numbers and a payload; optional arguments.
  call op_par_loop_2(both_ends, edges, op_arg_dat(d_x, -2, ends, 2, 'real(8)', OP_READ), &
    op_arg_dat(d_difference, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_fetch_data(d_difference, difference)
  call check(4, all(abs(difference - (x(1, table(2, :) + 1) - x(1, :))) < 1d-12))
  most = -1
  where = 0
  call op_par_loop_4(largest, edges, op_arg_dat(x, 2, table, 2, 'real(8)', OP_READ), op_arg_idx(2, table), &
    op_arg_gbl(most, 1, 'real(8)', OP_MAX), op_arg_payload(where, 1, 'integer(4)', 3))
  call check(5, abs(most - maxval(x(1, :))) < 1d-12 .and. where >= 1 .and. where <= n)
  if (good) call check(13, abs(x(1, where) - most) < 1d-12)
  call op_par_loop_3(maybe, nodes, op_opt_arg_dat(.false., d_x, -1, OP_ID, 2, 'real(8)', OP_READ), &
    op_arg_gbl(.false., 1, 'logical', OP_READ), op_arg_dat(d_y, -1, OP_ID, 2, 'real(8)', OP_RW))
  call op_par_loop_3(maybe, nodes, op_opt_arg_dat(.true., d_x, -1, OP_ID, 2, 'real(8)', OP_READ), &
    op_arg_gbl(.true., 1, 'logical', OP_READ), op_arg_dat(d_y, -1, OP_ID, 2, 'real(8)', OP_RW))
  call op_fetch_data_idx(d_y, part, 4, 6)
  call check(6, all(abs(part - 4 * x(:, 4:6)) < 1d-12))

  ! Sizes and numbers.
  call check(7, op_get_size(nodes) == n .and. op_is_root() == 1 .and. op_is_partitioned() == 1 .and. op_mpi_size() == 1)
  order => op_get_order(nodes)
  call check(8, all(order == [(i, i = 1, n)]))
  numbers = 0
  call op_decl_dat(nodes, 1, 'integer(4)', numbers, temporary, 'numbers')
  call op_dat_write_index(nodes, numbers)
  call op_fetch_data(temporary, numbers)
  call check(9, all(numbers == order))
  call op_timers(seconds)
  call op_profile_start('program')
  call op_profile_enter('part')
  call op_profile_exit()
  call op_profile_end()
  call op_profile_output()
  call op_print_dat_to_txtfile(d_y, 'fortran_forms.txt   ')

  ! What cannot be done is told.
  spread = 0
  call op_clear_error()
  call refused(op_arg_gbl(spread(1:4:2), 2, 'real(8)', OP_READ), OP_ERR_ARGUMENT)
  call refused(op_arg_gbl(spread, 5, 'real(8)', OP_READ), OP_ERR_DIM)
  call refused(op_arg_dat(got, -1, OP_ID, 2, 'real(8)', OP_READ), OP_ERR_ARGUMENT)
  call refused(op_arg_dat(x, 1, numbers, 2, 'real(8)', OP_READ), OP_ERR_ARGUMENT)
  call op_decl_dat(nodes, 3, 'real(8)', y, temporary, 'too short')
  call check(10, op_last_status() == OP_ERR_DIM .and. index(op_last_error(), 'too short') > 0 .and. &
    .not. associated(temporary%dataPtr))
  call op_fetch_data(d_y, numbers)
  call check(11, op_last_status() == OP_ERR_TYPE)
  call op_par_loop_1(scale, nodes, op_arg_dat(d_x, -1, OP_ID, 3, 'real(8)', OP_READ))
  call check(12, op_last_status() == OP_ERR_DIM .and. index(op_last_error(), '''scale''') > 0)
  call op_clear_error()
  call op_exit()
  if (.not. good) error stop 'forms: wrong'
  print '(a)', 'forms: passed'

contains

  subroutine check(number, right)
    integer, intent(in) :: number
    logical, intent(in) :: right
    if (right) return
    print *, 'wrong: check', number, op_last_error()
    good = .false.
  end subroutine check

  subroutine refused(arg, status)
    type(op_arg), intent(in) :: arg
    integer(4), intent(in) :: status
    if (op_last_status() /= status .or. arg%opt == 0) then
      print *, 'refused otherwise: ', op_last_status(), status, op_last_error()
      good = .false.
    end if
    call op_clear_error()
  end subroutine refused
end program forms

! SPDX-License-Identifier: MIT
