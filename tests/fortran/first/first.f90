! A ring of nodes and edges: what each kind of argument gives a kernel, in the forms of OP2 and in the library's own.
module first_kernels
  implicit none
contains
  subroutine add_ends(weight, left, right, total)
    real(8), intent(in) :: weight(2)
    real(8), intent(inout) :: left, right, total
    left = left + weight(1)
    right = right + weight(2)
    total = total + weight(1) + weight(2)
  end subroutine add_ends

  subroutine number(own, far, out)
    integer(4), intent(in) :: own, far
    integer(4), intent(out) :: out(2)
    out = [own, far]
  end subroutine number
end module first_kernels

program first
  use op2
  use first_kernels
  implicit none
  integer(4), parameter :: n = 1000
  type(op_set) :: nodes, edges
  type(op_map) :: ends
  type(op_dat) :: weights, sums, numbers
  integer(4) :: table(2, n), seen(2, n), i
  real(8) :: weight(2, n), total, got(n)
  logical :: good

  do i = 1, n
    table(:, i) = [i, mod(i, n) + 1]
    weight(:, i) = [real(i, 8), 2.0d0 * i]
  end do
  call op_init(0)
  call op_decl_set(n, nodes, 'nodes')
  call op_decl_set(n, edges, 'edges')
  call op_decl_map(edges, nodes, 2, table, ends, 'ends')
  call op_decl_dat(edges, 2, 'real(8)', weight, weights, 'weights')
  got = 0
  call op_decl_dat(nodes, 1, 'real(8)', got, sums, 'sums')
  seen = 0
  call op_decl_dat(edges, 2, 'integer(4)', seen, numbers, 'numbers')
  good = nodes%setPtr%size == n .and. ends%mapPtr%dim == 2 .and. weights%dataPtr%dim == 2

  total = 1
  call op_par_loop_4(add_ends, edges, op_arg_dat(weights, -1, OP_ID, 2, 'real(8)', OP_READ), &
    op_arg_dat(sums, 1, ends, 1, 'real(8)', OP_INC), op_arg_dat(sums, 2, ends, 1, 'real(8)', OP_INC), &
    op_arg_gbl(total, 1, 'real(8)', OP_INC))
  call op_par_loop(number, 'numbers of elements', edges, op_arg_idx(-1, OP_ID), op_arg_idx(2, ends), &
    op_arg_dat(numbers, -1, OP_ID, 2, 'integer(4)', OP_WRITE))

  call op_fetch_data(sums, got)
  call op_fetch_data(numbers, seen)
  do i = 1, n
    good = good .and. abs(got(i) - (i + 2.0d0 * merge(i - 1, n, i > 1))) < 1d-9
    good = good .and. all(seen(:, i) == table(:, i))
  end do
  good = good .and. abs(total - (1 + 1.5d0 * n * (n + 1))) < 1d-6
  call op_timing_output()
  call op_exit()
  if (.not. good) error stop 'first: wrong'
  print '(a)', 'first: passed'
end program first

! SPDX-License-Identifier: MIT
