! fallback [REPETITIONS]: loops with kernels that the library does not read, beside the same loops without it. With repetitions it only
! runs the first of them so often, for measurements.
program fallback
  use op2
  use grid
  use state
  use fallback_kernels
  implicit none
  external :: oldker
  type(op_set) :: nodes, links
  type(op_map) :: ends
  type(op_dat) :: states, sums, marks, olds
  type(flow) :: q(nnode)
  real(8) :: rows(3, nnode), sum_here(3, nnode), back(3, nnode), mark(nlink), mark_back(nlink), total, largest, &
    total_here, largest_here
  integer :: n, l, repetitions, turn
  character(20) :: word

  call get_command_argument(1, word)
  repetitions = 0
  if (len_trim(word) > 0) read (word, *) repetitions
  call op_init(0)
  call make_grid()
  gamma = 1.4d0
  weights = [0.75d0, 0.25d0]
  do n = 1, nnode
    q(n) = flow(1.0d0 + 0.01d0 * n, [0.5d0 * mod(n, 7), 0.25d0 * mod(n, 5)])
    rows(:, n) = [q(n)%rho, q(n)%u]
  end do
  back = 0.0d0
  mark = 0.0d0
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nlink, links, 'links')
  call op_decl_map(links, nodes, 2, link, ends, 'ends')
  call op_decl_dat(nodes, 3, 'real(8)', rows, states, 'states')
  call op_decl_dat(nodes, 3, 'real(8)', back, sums, 'sums')
  call op_decl_dat(nodes, 3, 'real(8)', back, olds, 'olds')
  call op_decl_dat(links, 1, 'real(8)', mark, marks, 'marks')
  call report(links)
  call remember(gamma)

  do turn = 1, max(1, repetitions)
    total = 1.0d0
    largest = -1.0d0
    call op_par_loop(flux, 'flux', links, op_arg_dat(states, 1, ends, 3, 'real(8)', OP_READ), &
                     op_arg_dat(states, 2, ends, 3, 'real(8)', OP_READ), &
                     op_arg_dat(sums, 1, ends, 3, 'real(8)', OP_INC), op_arg_dat(sums, 2, ends, 3, 'real(8)', OP_INC), &
                     op_arg_gbl(total, 1, 'real(8)', OP_INC), op_arg_gbl(largest, 1, 'real(8)', OP_MAX))
  end do
  if (repetitions > 0) then
    call op_exit()
    stop
  end if
  gamma = 1.25d0 ! kernels see what variables are when the loop runs
  total = 1.0d0
  call op_par_loop(flux, 'flux', links, op_arg_dat(states, 1, ends, 3, 'real(8)', OP_READ), &
                   op_arg_dat(states, 2, ends, 3, 'real(8)', OP_READ), &
                   op_arg_dat(sums, 1, ends, 3, 'real(8)', OP_INC), op_arg_dat(sums, 2, ends, 3, 'real(8)', OP_INC), &
                   op_arg_gbl(total, 1, 'real(8)', OP_INC), op_arg_gbl(largest, 1, 'real(8)', OP_MAX))
  call op_par_loop(around, 'around', links, op_arg_dat(states, -2, ends, 3, 'real(8)', OP_READ), &
                   op_arg_idx(-1, OP_ID), op_arg_dat(marks, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_par_loop(oldker, 'oldker', nodes, op_arg_dat(states, -1, OP_ID, 3, 'real(8)', OP_READ), &
                   op_arg_dat(olds, -1, OP_ID, 3, 'real(8)', OP_WRITE))

  sum_here = 0.0d0
  gamma = 1.4d0
  largest_here = -1.0d0
  do turn = 1, 2
    total_here = 1.0d0
    do l = 1, nlink
      call flux(q(link(1, l)), q(link(2, l)), sum_here(:, link(1, l)), sum_here(:, link(2, l)), total_here, largest_here)
    end do
    gamma = 1.25d0
  end do
  call op_fetch_data_all(sums, back)
  call check(all(abs(back - sum_here) <= 1.0d-12 * abs(sum_here) + 1.0d-13), 'sums of fluxes')
  call check(abs(total - total_here) <= 1.0d-12 * total_here, 'the total')
  call check(abs(largest - largest_here) <= 0.0d0, 'the largest')
  call op_fetch_data_all(marks, mark_back)
  do l = 1, nlink
    mark(l) = l + (rows(1, link(1, l)) - rows(3, link(1, l))) + (rows(1, link(2, l)) - rows(3, link(2, l)))
  end do
  call check(all(abs(mark_back - mark) <= 1.0d-11), 'rows by address')
  call op_fetch_data_all(olds, back)
  do n = 1, nnode
    call oldker(rows(:, n), sum_here(:, n))
  end do
  call check(all(abs(back - sum_here) <= 0.0d0), 'the old kernel')
  call op_exit()
  if (failures > 0) stop 1
end program fallback

! SPDX-License-Identifier: MIT
