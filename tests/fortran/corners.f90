! What programs do at the borders of the interface: sections of arrays, data without names, numbers one past the end. Runs with
! OP2_ERROR=return.
module corners_kernels
  implicit none

contains

  subroutine gather(row, first, second)
    real(8), intent(inout) :: row(2)
    integer(4), intent(in) :: first, second
    row = row + [first, second]
  end subroutine gather
end module corners_kernels

program corners
  use op2
  use grid
  use corners_kernels
  implicit none
  type(op_set) :: nodes, links, none
  type(op_map) :: plink
  type(op_dat) :: p, one, another, same
  real(8) :: wide(4, nnode), back(2, nnode), two(2) = [1.0d0, 2.0d0]
  integer(4) :: tables(3, nlink), n, freed(3)

  call op_init(0)
  call make_grid()
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nlink, links, 'links')

  ! Sections are copied in and out.
  tables = 0
  tables(1, :) = link(2, :)
  tables(3, :) = link(1, :)
  call op_decl_map(links, nodes, 2, tables(3:1:-2, :), plink, 'plink')
  do n = 1, nnode
    wide(:, n) = [1000.0d0 + n, 1.0d0 * n, 2000.0d0 + n, -1.0d0 * n]
  end do
  call op_decl_dat(nodes, 2, 'real(8)', wide(2:4:2, :), p, 'p')
  call op_par_loop(gather, 'gather', links, op_arg_dat(p, 1, plink, 2, 'real(8)', OP_INC), &
                   op_arg_idx(1, plink), op_arg_idx(2, plink))
  call op_fetch_data_all(p, wide(1:3:2, :))
  back = 0.0d0
  do n = 1, nlink
    back(:, link(1, n)) = back(:, link(1, n)) + [link(1, n), link(2, n)]
  end do
  do n = 1, nnode
    back(:, n) = back(:, n) + [n, -n]
  end do
  call check(all(abs(wide(1:3:2, :) - back) <= 0.0d0), 'sections of arrays')
  call check(all(abs(wide(2, :) - [(n, n = 1, nnode)]) <= 0.0d0), 'what lies between them')

  ! Two temporary dats without names, and one that is freed twice.
  call op_decl_dat_temp(nodes, 1, 'r8', one)
  call op_decl_dat_temp(nodes, 1, 'r8', another)
  call check(op_last_status() == 0, 'temporary dats without names')
  same = one
  freed(1) = op_free_dat_temp(one)
  freed(2) = op_free_dat_temp(same)
  freed(3) = op_free_dat_temp(another)
  call check(all(freed == [1, -1, 1]), 'each is freed once')

  ! Numbers that are not there.
  call op_par_loop(gather, 'gather', links, op_arg_dat(p, 0, plink, 2, 'real(8)', OP_INC), &
                   op_arg_idx(1, plink), op_arg_idx(2, plink))
  call refused('column 0 of map ''plink''', 'column 0')
  call op_par_loop(gather, 'gather', links, op_arg_dat(p, 1, plink, 2, 'real(8)', OP_INC), &
                   op_arg_idx(3, plink), op_arg_idx(2, plink))
  call refused('its columns are 1 to 2', 'a column past the last')
  call op_fetch_data_idx(p, back, 0, 1)
  call refused('elements 0 to 1 of dat ''p''', 'element 0')
  call op_fetch_data_idx(p, back, nnode, nnode + 1)
  call refused('there are 1 to', 'an element past the last')
  call op_decl_const(two, 3, 'two')
  call refused('two', 'a constant with fewer values than it says')

  call op_decl_set(3000000000_8, none, 'none')
  call refused('at most 2147483647', 'a set that is too large')
  call op_mpi_put_data(p, back, nnode - 1)
  call refused('local_size is', 'rows that are too few')
  call check(op_reset_data_ptr(x, 1) == 0, 'an array that is none')
  call refused('no dat was declared', 'an array that is none')
  call op_mpi_put_data(p, back, nnode)
  call check(op_last_status() == 0, 'rows that are as many')
  call op_disable_device_execution(.true.)
  call check(op_last_status() == 0, 'no device to be disabled')
  call op_disable_mpi_reductions(.true.)
  if (op_mpi_size() > 1) then
    call refused('contributions of all processes', 'reductions over processes')
  else
    call check(op_last_status() == 0, 'reductions of one process')
  end if

  call op_par_loop(gather, 'gather', links, op_arg_dat(p, 2, plink, 2, 'real(8)', OP_INC), &
                   op_arg_idx(1, plink), op_arg_idx(2, plink))
  call check(op_last_status() == 0, 'a loop after all that')
  call op_exit()
  if (failures > 0) stop 1

contains

  subroutine refused(words, what)
    character(*), intent(in) :: words, what
    character(:), allocatable :: message
    integer(4) :: status
    status = op_last_status()
    message = op_last_error()
    call check(status /= 0 .and. index(message, words) > 0, what // ': ' // message)
    call op_clear_error()
  end subroutine refused
end program corners

! SPDX-License-Identifier: MIT
