! Processes that declare parts of their own, one of them nothing: numbers in kernels are those of rows, from 1.
module local_kernels
  implicit none
contains
  subroutine take(own, far, out)
    integer(4), intent(in) :: own, far
    integer(4), intent(out) :: out(2)
    out = [own, far]
  end subroutine take
end module local_kernels

program local
  use, intrinsic :: iso_c_binding
  use op2
  use local_kernels
  implicit none
  type(op_set) :: cells, nodes
  type(op_map) :: ends
  type(op_dat) :: d_seen
  integer(4) :: n, rank, first, all_nodes, i
  integer(4), allocatable :: table(:, :), seen(:, :)
  integer(4), pointer :: rows(:, :), entries(:, :)
  real(8) :: wrong

  call op_init(0)
  call op_rank(rank)
  n = merge(0, 20 + 10 * rank, rank == 1)
  call op_decl_set(n, cells, 'cells')
  call op_decl_set(n, nodes, 'nodes')
  all_nodes = int(op_get_size(nodes), 4)
  first = int(op_get_global_set_offset(nodes), 4)
  allocate (table(2, n), seen(2, n))
  do i = 1, n
    table(:, i) = [all_nodes + 1 - (first + i), first + i]
  end do
  seen = 0
  call op_decl_map(cells, nodes, 2, table, ends, 'ends')
  call op_decl_dat(cells, 2, 'integer(4)', seen, d_seen, 'seen')
  call op_partition('', '')
  call op_par_loop(take, cells, op_arg_idx(-1, OP_ID), op_arg_idx(1, ends), &
    op_arg_dat(d_seen, -1, OP_ID, 2, 'integer(4)', OP_WRITE))

  call op_get_dat(d_seen)
  call c_f_pointer(d_seen%dataPtr%dat, rows, [2, cells%setPtr%size])
  call c_f_pointer(ends%mapPtr%map, entries, [2, cells%setPtr%size])
  wrong = 0
  do i = 1, cells%setPtr%size
    if (any(rows(:, i) /= [i, entries(1, i) + 1])) wrong = wrong + 1
  end do
  if (cells%setPtr%size /= n .or. wrong > 0) error stop 'local: wrong'
  call op_barrier()
  if (op_is_root() == 1) print '(a)', 'local: passed'
  call op_exit()
end program local

! SPDX-License-Identifier: MIT
