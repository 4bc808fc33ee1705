! One kernel in loops with different arguments, and sums of unusual kinds and shapes.
program odd
  use op2
  use odd_kernels
  use grid
  implicit none
  type(op_set) :: nodes, links, none
  type(op_map) :: plink, nowhere
  type(op_dat) :: p, also_p, q
  real(8) :: first(3, nnode), second(3, nnode), expected(3, nnode), back(3, nnode), again(3, nnode)
  integer(4) :: l, n, table(2, 0), list(2, 2)
  integer(8) :: total
  integer(4), parameter :: three = 3

  call op_init(0)
  call make_grid()
  first = 0.0d0
  second = 0.0d0
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nlink, links, 'links')
  call op_decl_set(0, none, 'none')
  call op_decl_map(links, nodes, 2, link, plink, 'plink')
  call op_decl_map(none, nodes, 2, table, nowhere, 'nowhere')
  call op_decl_dat(nodes, 3, 'real(8)', first, p, 'p')
  call op_decl_dat(nodes, 3, 'real(8)', second, q, 'q')
  also_p = p

  ! Two dats, one dat by one name, one dat by two names, direct, and nothing at all: one kernel.
  call op_par_loop_2(exchange, links, op_arg_dat(p, 1, plink, three, 'real(8)', OP_INC), &
                     op_arg_dat(q, 2, plink, 3, 'real(8)', OP_INC))
  call op_par_loop_2(exchange, links, op_arg_dat(p, 1, plink, 3, 'real(8)', OP_INC), &
                     op_arg_dat(p, 2, plink, 3, 'real(8)', OP_INC))
  call op_par_loop_2(exchange, links, op_arg_dat(p, 2, plink, three, 'real(8)', OP_INC), &
                     op_arg_dat(also_p, 1, plink, 3, 'real(8)', OP_INC))
  call op_par_loop_2(exchange, nodes, op_arg_dat(p, -1, OP_ID, 3, 'real(8)', OP_INC), &
                     op_arg_dat(q, -1, OP_ID, 3, 'real(8)', OP_INC))
  call op_par_loop_2(exchange, none, op_arg_dat(p, 1, nowhere, 3, 'real(8)', OP_INC), &
                     op_arg_dat(q, 2, nowhere, 3, 'real(8)', OP_INC))
  expected = 0.0d0
  again = 0.0d0
  do l = 1, nlink
    call exchange(expected(:, link(1, l)), again(:, link(2, l)))
    call exchange(expected(:, link(1, l)), expected(:, link(2, l)))
    call exchange(expected(:, link(2, l)), expected(:, link(1, l)))
  end do
  do n = 1, nnode
    call exchange(expected(:, n), again(:, n))
  end do
  call op_fetch_data_all(p, back)
  call check(all(abs(back - expected) <= 0.0d0), 'one kernel in five ways')
  call op_fetch_data_all(q, back)
  call check(all(abs(back - again) <= 0.0d0), 'the other dat')

  total = 5
  list = 1
  call op_par_loop(count_all, 'count_all', nodes, op_arg_gbl(total, 1, 'integer(8)', OP_INC), &
                   op_arg_gbl(list, 4, 'integer(4)', OP_INC))
  call check(total == 5 + nnode, 'a sum of integer(8)')
  call check(all(list == reshape([1, 1 + 3 * nnode, 1, 1], [2, 2])), 'a sum of 2 x 2 integers')
  call op_exit()
  if (failures > 0) stop 1
end program odd

! SPDX-License-Identifier: MIT
