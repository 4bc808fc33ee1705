! Every kind of argument and of kernel that OP2's programs use, against the same without the library.
program loops
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use loops_constants
  use loops_kernels
  use grid
  implicit none
  type(op_set) :: nodes, cells, edges
  type(op_map) :: pcell, pecell, pedge
  type(op_dat) :: p_x, p_five, p_out, p_v, p_acc, p_seen, p_total, p_mark, p_early, p_late, p_pair
  type(op_dat) :: nothing
  real(8) :: out(3, nnode), five(5), one, total(nnode), expected(nnode), least(2), most(2), sums(5), extra, top, value
  real(4) :: v(nedge), acc(3, ncell), acc_here(3, ncell), lsum
  integer(4) :: words(2, 2), counts(5), low, high, seen(3, nedge), e, n, best, where_is, t(nnode), marks(nnode)
  logical :: yes(2), any_left, all_left
  real(8) :: pairs(2, nnode)

  call op_init(2)
  call make_grid()
  scale = [1, 2, 3]
  shift = 0.125d0
  call op_decl_const(scale, 3, 'integer(4)')
  call op_decl_const(shift, 1, 'real(8)')
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(ncell, cells, 'cells')
  call op_decl_set(nedge, edges, 'edges')
  call op_decl_map(cells, nodes, 4, cell, pcell, 'pcell')
  call op_decl_map(edges, cells, 2, ecell, pecell, 'pecell')
  call op_decl_map(edges, nodes, 2, edge, pedge, 'pedge')
  v = [(0.125 * mod(e, 9), e = 1, nedge)]
  acc = 0.0
  out = 0.0d0
  total = 0.0d0
  seen = 0
  marks = 0
  pairs = 0.0d0
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
  call op_decl_dat(nodes, 3, 'real(8)', out, p_out, 'p_out')
  call op_decl_dat(edges, 1, 'real(4)', v, p_v, 'p_v')
  call op_decl_dat(cells, 3, 'real(4)', acc, p_acc, 'p_acc')
  call op_decl_dat(edges, 3, 'integer(4)', seen, p_seen, 'p_seen')
  call op_decl_dat(nodes, 1, 'real(8)', total, p_total, 'p_total')
  call op_decl_dat(nodes, 1, 'integer(4)', marks, p_mark, 'p_mark')
  call op_decl_dat(nodes, 2, 'real(8)', pairs, p_pair, 'p_pair')
  call op_decl_dat_temp(nodes, 5, 'r8', p_five, 'p_five') ! before the mesh is divided
  call op_decl_dat_temp(nodes, 1, 'i4', p_early, 'p_early')
  call op_partition('', '', edges, pecell, p_x)
  call op_decl_dat_temp(nodes, 1, 'integer(4)', p_late, 'p_late') ! and after

  call try_globals()
  call try_reductions()
  ! The executor check tries values that logicals do not have.
  if (index(op_backend(), 'check') == 0) call try_logicals()
  call try_maps()
  call try_options()
  call try_payload()
  call try_temporaries()
  call op_exit()
  if (failures > 0) stop 1

contains

  subroutine try_globals()
    real(8) :: rows(5, nnode)
    call op_par_loop_1(constants, nodes, op_arg_dat(p_five, -1, OP_ID, 5, 'r8', OP_WRITE))
    call op_fetch_data_idx(p_five, rows, 1, nnode)
    call check(all(abs(rows - spread([0.5d0, 0.125d0, 1.0d0, 2.0d0, 3.0d0], 2, nnode)) <= 0.0d0), 'constants')
    one = 2.0d0
    five = [1, 2, 3, 4, 5]
    words = reshape([1, 20, 300, 4000], [2, 2])
    yes = [.false., .true.]
    call op_par_loop_6(globals, nodes, op_arg_dat(p_x, -1, OP_ID, 2, 'real(8)', OP_READ), &
                       op_arg_gbl(one, 1, 'real(8)', OP_READ), op_arg_gbl(five, 5, 'real(8)', OP_READ), &
                       op_arg_gbl(words, 4, 'integer(4)', OP_READ), op_arg_gbl(yes, 2, 'logical', OP_READ), &
                       op_arg_dat(p_out, -1, OP_ID, 3, 'real(8)', OP_WRITE))
    call op_fetch_data_idx(p_out, out, 1, nnode)
    call check(all(abs(out(1, :) - 297.0d0) <= 0.0d0), 'globals of 1, 5 and 2 x 2 values')
    call check(all(abs(out(2, :)) <= 0.0d0) .and. all(abs(out(3, :) - x(2, :)) <= 0.0d0), 'logicals')
  end subroutine try_globals

  subroutine try_reductions()
    sums = [100.0d0, 0.0d0, 0.0d0, 0.0d0, 0.0d0] ! what was there stays
    counts = 0
    least = huge(1.0d0)
    most = -huge(1.0d0)
    low = huge(1)
    high = -huge(1)
    lsum = 0.0
    call op_par_loop_8(extremes, nodes, op_arg_dat(p_x, -1, OP_ID, 2, 'real(8)', OP_READ), &
                        op_arg_gbl(sums, 5, 'real(8)', OP_INC), op_arg_gbl(counts, 5, 'integer(4)', OP_INC), &
                        op_arg_gbl(least, 2, 'real(8)', OP_MIN), op_arg_gbl(most, 2, 'real(8)', OP_MAX), &
                        op_arg_gbl(low, 1, 'i4', OP_MIN), op_arg_gbl(high, 1, 'i4', OP_MAX), &
                        op_arg_gbl(lsum, 1, 'r4', OP_INC))
    call check(abs(sums(1) - 100.0d0 - 0.25d0 * nnode) <= 0.0d0 .and. abs(sums(5) - 1.25d0 * nnode) <= 0.0d0, &
               'sums of five real(8)')
    call check(all(counts == nnode * [2, 6, 3, 8, 15]), 'sums of five integers')
    call check(all(abs(least - minval(x, 2)) <= 0.0d0) .and. all(abs(most - maxval(x, 2)) <= 0.0d0), 'extremes of two real(8)')
    call check(low == minval(floor(x(1, :))) .and. high == maxval(floor(x(2, :))), 'extremes of integers')
    call check(abs(lsum - 0.5 * nnode) <= 0.0, 'a sum of real(4)')
  end subroutine try_reductions

  subroutine try_logicals()
    any_left = .false.
    all_left = .true.
    call op_par_loop_3(sides, nodes, op_arg_dat(p_x, -1, OP_ID, 2, 'real(8)', OP_READ), &
                       op_arg_gbl(any_left, 1, 'logical', OP_MAX), op_arg_gbl(all_left, 1, 'logical', OP_MIN))
    call check(any_left .and. .not. all_left, 'reductions of logicals')
  end subroutine try_logicals

  subroutine try_maps()
    call op_par_loop_3(scatter, edges, op_arg_dat(p_v, -1, OP_ID, 1, 'real(4)', OP_READ), &
                       op_arg_dat(p_acc, 1, pecell, 3, 'real(4)', OP_INC), &
                       op_arg_dat(p_acc, 2, pecell, 3, 'real(4)', OP_INC))
    acc_here = 0.0
    do e = 1, nedge
      call scatter(v(e), acc_here(:, ecell(1, e)), acc_here(:, ecell(2, e)))
    end do
    call op_fetch_data_idx(p_acc, acc, 1, ncell)
    call check(all(abs(acc - acc_here) < 1.0e-6), 'increments through a map')

    call op_par_loop_4(numbers, edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, pecell), op_arg_idx(2, pecell), &
                       op_arg_dat(p_seen, -1, OP_ID, 3, 'integer(4)', OP_WRITE))
    call op_fetch_data_idx(p_seen, seen, 1, nedge)
    call check(all(seen(1, :) == [(e, e = 1, nedge)]) .and. all(seen(2:3, :) == ecell), 'numbers of elements count from 1')

    extra = 0.5d0
    do n = 0, 1
      call op_par_loop_4(corners, cells, op_arg_dat(p_x, -4, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_total, -4, pcell, 1, 'real(8)', OP_INC), &
                         op_arg_gbl(extra, 1, 'real(8)', OP_READ), op_arg_gbl(n, 1, 'integer(4)', OP_READ))
    end do
    expected = 0.0d0
    do e = 1, ncell
      expected(cell(:, e)) = expected(cell(:, e)) + 2.0d0 * x(1, cell(:, e)) + extra
    end do
    call op_fetch_data_idx(p_total, total, 1, nnode)
    call check(all(abs(total - expected) < 1.0d-12), 'vector arguments')
  end subroutine try_maps

  subroutine try_options()
    logical :: on
    integer :: turn
    top = -1.0d0
    do turn = 0, 1
      on = turn == 1
      call op_par_loop_4(maybe, nodes, op_arg_dat(p_pair, -1, OP_ID, 2, 'real(8)', OP_RW), &
                         op_opt_arg_dat(on, p_x, -1, OP_ID, 2, 'real(8)', OP_RW), op_arg_gbl(on, 1, 'logical', OP_READ), &
                         op_opt_arg_gbl(on, top, 1, 'real(8)', OP_MAX))
      if (turn == 0) call check(abs(top + 1.0d0) <= 0.0d0, 'a global that is switched off')
    end do
    call op_fetch_data_idx(p_pair, pairs, 1, nnode)
    call check(all(abs(pairs(1, :) - 2.0d0) <= 0.0d0) .and. all(abs(pairs(2, :) - x(1, :)) <= 0.0d0), 'optional arguments')
    call check(abs(top - maxval(x(2, :))) <= 0.0d0, 'an optional maximum')
    on = .false.
    call op_par_loop_4(maybe, nodes, op_arg_dat(p_pair, -1, OP_ID, 2, 'real(8)', OP_RW), &
                       op_opt_arg_dat(on, nothing, -1, OP_ID, 2, 'real(8)', OP_RW), op_arg_gbl(on, 1, 'logical', OP_READ), &
                       op_opt_arg_gbl(on, top, 1, 'real(8)', OP_MAX))
    call op_fetch_data_idx(p_pair, pairs, 3, 3)
    call check(abs(pairs(1, 1) - 3.0d0) <= 0.0d0, 'an optional argument without a dat')
  end subroutine try_options

  subroutine try_payload()
    top = -huge(1.0d0)
    where_is = 0
    value = 0.0d0
    call op_par_loop_5(place, nodes, op_arg_dat(p_x, -1, OP_ID, 2, 'real(8)', OP_READ), &
                       op_arg_gbl(top, 1, 'real(8)', OP_MAX), op_arg_idx(-1, OP_ID), &
                       op_arg_info(where_is, 1, 'integer(4)', 2), op_arg_info(value, 1, 'real(8)', 2))
    best = maxloc(x(1, :) + 3.0d0 * x(2, :), 1)
    call check(where_is == best .and. abs(value - x(2, best)) <= 0.0d0, 'what belongs to a maximum')
  end subroutine try_payload

  subroutine try_temporaries()
    call op_par_loop_2(fill_temp, nodes, op_arg_idx(-1, OP_ID), op_arg_dat(p_early, -1, OP_ID, 1, 'i4', OP_WRITE))
    call op_par_loop_2(fill_temp, nodes, op_arg_idx(-1, OP_ID), op_arg_dat(p_late, -1, OP_ID, 1, 'integer(4)', OP_WRITE))
    call op_fetch_data_idx(p_early, t, 1, nnode)
    call check(all(t == [(2 * n, n = 1, nnode)]), 'a temporary dat declared before op_partition')
    t = 0
    call op_fetch_data_idx(p_late, t, 1, nnode)
    call check(all(t == [(2 * n, n = 1, nnode)]), 'a temporary dat declared after op_partition')
    call check(op_free_dat_temp(p_early) == 1, 'op_free_dat_temp')
    call check(op_free_dat_temp(p_late) == 1, 'op_free_dat_temp once more')
    call check(p_x%dataPtr%dim == 2 .and. pcell%mapPtr%dim == 4, 'heads of dats and maps')
  end subroutine try_temporaries
end program loops

! SPDX-License-Identifier: MIT
