! OP2's interchange of addresses with Cray pointers, rows put and got by process, loops by hand, and calls with OP2's keywords.
!   interchange WORK writes files that begin so.
module interchange_kernels
  implicit none

contains

  subroutine add(left, right)
    real(8), intent(inout) :: left(2), right(2)
    left = left + [1.0d0, 2.0d0]
    right = right + [0.5d0, 4.0d0]
  end subroutine add
end module interchange_kernels

program interchange
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use grid
  use interchange_kernels
  use, intrinsic :: iso_c_binding
  implicit none
  type(op_set) :: nodes, links
  type(op_map) :: plink
  type(op_dat) :: p_a, p_v, p_x, copy
  real(8) :: a(*), again(*), v(nlink), here(2, nnode), back(2, nnode), along(nlink)
  real(8), pointer :: got(:, :)
  integer(4) :: table(*), own(*), counted(*), number(*), i, n, form, declared
  character(200) :: work
  pointer(ptr_a, a)
  pointer(ptr_again, again)
  pointer(ptr_table, table)
  pointer(ptr_own, own)
  pointer(ptr_counted, counted)
  pointer(ptr_number, number)

  call get_command_argument(1, work)
  call op_init(diags=0)
  call op_timing2_start('interchange')
  call op_timing2_enter('declare')
  call make_grid()
  call op_memalloc(ptr_a, 16 * nnode)
  call op_memalloc(ptr_table, 8 * nlink)
  here = reshape([(0.25d0 * i, i = 1, 2 * nnode)], [2, nnode])
  a(1:2 * nnode) = reshape(here, [2 * nnode])
  table(1:2 * nlink) = reshape(link, [2 * nlink])
  v = 0.0d0
  call op_decl_set(setsize=int(nnode, 8), set=nodes, opname='nodes')
  call op_decl_set(setsize=nlink, set=links, opname='links')
  call op_decl_map(from=links, to=nodes, mapdim=2, dat=table, map=plink, opname='plink')
  call op_decl_dat(set=nodes, dim=2, type='real(8)', data=a, dat=p_a, name='a')
  call op_decl_dat(links, 1, 'real(8)', v, p_v, 'v')
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'x')
  call op_disable_device_execution(disable=.true.)
  if (op_mpi_size() == 1) call op_disable_mpi_reductions(disable=.true.)

  ! An address that lasts while the mesh is divided.
  ptr_a = op_reset_data_ptr(a, 1)
  declared = op_get_size_declared(nodes)
  call check(all([(abs(a(i) - 0.25d0 * i) <= 0.0d0, i = 1, 2 * declared)]), 'op_reset_data_ptr, 1')
  call op_partition(lib_name='PTSCOTCH', lib_routine='KWAY', prime_set=nodes, prime_map=plink, coords=p_x)
  call op_timing2_next('loops')
  call add_ends()

  ! Rows where they lie, and their numbers.
  ptr_a = op_reset_data_ptr(a, 2)
  ptr_again = op_get_data_ptr(p_a)
  call check(ptr_a == ptr_again, 'op_get_data_ptr')
  call check(op_get_data_ptr(ptr_a) == ptr_a, 'op_get_data_ptr of an address')
  ptr_number = op_get_g_index(nodes)
  n = op_get_size_local(nodes)
  call check(all([(abs(a(2 * i) - here(2, number(i) + 1)) < 1.0d-12, i = 1, n)]), 'op_reset_data_ptr, 2')
  again(1:2 * n) = 3.0d0 * a(1:2 * n)
  call op_put_dat(opdat=p_a)
  here = 3.0d0 * here
  call compare('rows written through a pointer')
  call add_ends()

  ! The map: entries from 0 and from 1, and its own table in its place.
  ptr_own = op_get_map_ptr(plink)
  ptr_counted = op_copy_map_to_fort(table)
  n = 2 * op_get_size_local(links)
  call check(all(counted(1:n) == own(1:n) + 1), 'op_copy_map_to_fort')
  ptr_table = op_reset_map_ptr(table)
  call check(ptr_table == ptr_own, 'op_reset_map_ptr')
  call add_ends()
  call check_entries()

  ! Rows as this process has declared them.
  copy = op_mpi_get_data(p_a%dataCptr)
  call c_f_pointer(copy%dataPtr%dat, got, [2, declared])
  call check(copy%dataPtr%dim == 2 .and. all(abs(got - here(:, :declared)) < 1.0d-9), 'op_mpi_get_data')
  here = 1.0d0 - here
  got = 1.0d0 - got
  call op_mpi_put_data(p_a, got, declared)
  call compare('op_mpi_put_data')
  here = here / 8.0d0
  call op_mpi_put_data(p_a, got / 8.0d0, int(declared, 8))
  call compare('op_mpi_put_data, a size of 8 bytes')
  call op_mpi_free_data(copy)

  along = here(1, link(1, :)) - here(2, link(2, :))
  do form = 1, 3
    call by_hand(form)
  end do
  call op_timing2_exit()
  call op_timing2_finish()
  call op_timing2_output()
  call op_timing2_output_json(trim(work) // '.json')
  if (op_is_root() == 1) call check(has(trim(work) // '.json', '"loops"'), 'op_timing2_output_json')
  call op_exit()
  if (failures > 0) stop 1

contains

  ! A loop over what the addresses stand for.
  subroutine add_ends()
    call op_par_loop_2(add, links, op_arg_dat(a, 1, table, 2, 'real(8)', OP_INC), &
                       op_arg_dat(a, 2, table, 2, 'real(8)', OP_INC))
    do i = 1, nlink
      call add(here(:, link(1, i)), here(:, link(2, i)))
    end do
    call compare('arguments by addresses')
  end subroutine add_ends

  subroutine compare(what)
    character(*), intent(in) :: what
    back = -1.0d0
    call op_fetch_data_all(p_a, back)
    call check(all(abs(back - here) < 1.0d-9), what)
  end subroutine compare

  ! Entries lead to the right nodes, as far as this process owns them.
  subroutine check_entries()
    integer(4) :: of_links(nlink), column, own_nodes, entry
    logical :: right
    ptr_number = op_get_g_index(links)
    n = op_get_size_local(links)
    of_links(:n) = number(1:n) + 1
    ptr_number = op_get_g_index(nodes)
    own_nodes = op_get_size_local(nodes)
    right = .true.
    do i = 1, n
      do column = 1, 2
        entry = counted(2 * (i - 1) + column)
        if (entry <= own_nodes) right = right .and. number(entry) + 1 == link(column, of_links(i))
      end do
    end do
    call check(right, 'numbers of links and nodes')
  end subroutine check_entries

  ! v = the first of the left end - the second of the right one.
  subroutine by_hand(form)
    integer(4), intent(in) :: form
    type(op_arg) :: args(3), total(1)
    real(8) :: added(1)
    real(8), pointer :: ends(:, :), values(:)
    integer(4), pointer :: entries(:, :)
    integer(4) :: count, rows
    args(1) = op_arg_dat(p_a, 1, plink, 2, 'real(8)', OP_READ)
    args(2) = op_arg_dat(p_a, 2, plink, 2, 'real(8)', OP_READ)
    args(3) = op_arg_dat(p_v, -1, OP_ID, 1, 'real(8)', OP_WRITE)
    select case (form)
    case (1)
      count = op_mpi_halo_exchanges(links%setCptr, 3, args)
      call op_mpi_test_all(3, args)
      call op_mpi_wait_all(3, args)
    case (2)
      count = op_mpi_halo_exchanges_grouped(links%setCptr, 3, args, 1)
      call op_mpi_test_all_grouped(3, args)
      call op_mpi_wait_all_grouped(3, args, 1)
    case default
      count = op_mpi_halo_exchanges_cuda(links%setCptr, 3, args)
      call op_mpi_wait_all_cuda(3, args)
    end select
    call check(count == op_get_size_local(links), 'how many elements a loop by hand has')
    rows = getSetSizeFromOpArg(args(1))
    call check(mod(rows, 32) == 0, 'getSetSizeFromOpArg')
    call check(rows >= op_get_size_local_full(nodes), 'getSetSizeFromOpArg')
    call check(getMapDimFromOpArg(args(2)) == 2, 'getMapDimFromOpArg')
    call check(getMapDimFromOpArg(args(3)) == 0, 'getMapDimFromOpArg without a map')
    call c_f_pointer(args(1)%data, ends, [2, rows])
    call c_f_pointer(args(1)%map_data, entries, [2, count])
    call c_f_pointer(args(3)%data, values, [count])
    values = ends(1, entries(1, :) + 1) - ends(2, entries(2, :) + 1) + form
    if (form == 3) then
      call op_mpi_set_dirtybit_cuda(3, args)
    else
      call op_mpi_set_dirtybit(3, args)
    end if
    added = sum(values)
    total(1) = op_arg_gbl(added, 1, 'real(8)', OP_INC)
    call op_mpi_reduce_combined(total, 1)
    call check(abs(added(1) - sum(along + form)) < 1.0d-9 * nlink, 'op_mpi_reduce_combined')
    call op_fetch_data_all(p_v, v)
    call check(all(abs(v - along - form) < 1.0d-9), 'a loop by hand')
  end subroutine by_hand

  logical function has(file, words)
    character(*), intent(in) :: file, words
    character(4000) :: line
    integer(4) :: unit, io
    has = .false.
    open (newunit=unit, file=file, status='old', action='read', iostat=io)
    if (io /= 0) return
    read (unit, '(a)', iostat=io) line
    has = io == 0 .and. index(line, words) > 0
    close (unit)
  end function has
end program interchange

! SPDX-License-Identifier: MIT
