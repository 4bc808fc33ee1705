! The same library in the style of today: use op2, one op_par_loop with a name, and a kernel whose text in C is given, too, from which
! loops get code of their own, also on GPUs.
module modern_kernels
  implicit none

contains

  subroutine spread_out(x, a, b)
    real(8), intent(in) :: x
    real(8), intent(inout) :: a(2), b(2)
    a(1) = a(1) + x
    b(2) = b(2) + 2.0d0 * x
  end subroutine spread_out

  subroutine sum_up(a, total, most)
    real(8), intent(in) :: a(2)
    real(8), intent(inout) :: total, most
    total = total + a(1) + a(2)
    most = max(most, a(2))
  end subroutine sum_up

  subroutine triple(long, total)
    integer(8), intent(inout) :: long(2)
    integer(8), intent(inout) :: total
    long(2) = long(1) * 3
    total = total + long(1)
  end subroutine triple
end module modern_kernels

program modern
  use op2
  use modern_kernels
  use grid, only: make_grid, nlink, nnode, link, check, failures
  implicit none
  type(op_set) :: nodes, links
  type(op_map) :: ends
  type(op_dat) :: values, sums, longs
  type(op_global) :: whole, highest
  real(8) :: value(nlink), sum_here(2, nnode), back(2, nnode), total, most, found
  integer(8) :: long(2, nnode), long_total
  integer :: l

  call op_init(0)
  call make_grid()
  value = [(0.25d0 * mod(l, 13), l = 1, nlink)]
  sum_here = 0.0d0
  long = reshape([(3000000000_8 + l, l = 1, 2 * nnode)], [2, nnode])
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nlink, links, 'links')
  call op_decl_map(links, nodes, 2, link, ends, 'ends')
  call op_decl_dat(links, 1, 'real(8)', value, values, 'values')
  call op_decl_dat(nodes, 2, 'real(8)', sum_here, sums, 'sums')
  call op_decl_dat(nodes, 2, 'integer(8)', long, longs, 'longs')
  call op_kernel_source(spread_out, 'spread_out', &
                        text='void spread_out(const double *x, double *a, double *b) { a[0] += *x; b[1] += 2.0 * *x; }')
  call op_kernel_source(sum_up, 'sum_up', text='void sum_up(const double *a, double *total, double *most) ' // &
                        '{ *total += a[0] + a[1]; if (a[1] > *most) *most = a[1]; }')
  call op_kernel_source(triple, 'triple', text='void triple(long long *v, long long *total) { v[1] = v[0] * 3; *total += v[0]; }')
  call op_partition('', '', links, ends, sums)

  call op_chain_begin('sums')
  call op_par_loop(spread_out, 'spread_out', links, op_arg_dat(values, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(sums, 1, ends, 2, 'real(8)', OP_INC), op_arg_dat(sums, 2, ends, 2, 'real(8)', OP_INC))
  total = 1.0d0
  most = -1.0d0
  call op_par_loop(sum_up, nodes, op_arg_dat(sums, -1, OP_ID, 2, 'real(8)', OP_READ), &
                   op_arg_gbl(total, 1, 'real(8)', OP_INC), op_arg_gbl(most, 1, 'real(8)', OP_MAX))
  call op_chain_end()

  ! The same with values of the library, which the loops of a chain reduce into without ending it.
  call op_decl_global(1, 'real(8)', 1.0d0, whole, 'whole')
  call op_decl_global(1, 'real(8)', [-1.0d0], highest, 'highest')
  call op_chain_begin('globals')
  call op_par_loop(sum_up, nodes, op_arg_dat(sums, -1, OP_ID, 2, 'real(8)', OP_READ), &
                   op_arg_gbl(whole, 1, 'real(8)', OP_INC), op_arg_gbl(highest, 1, 'real(8)', OP_MAX))
  call op_fetch_global(whole, found)
  call check(abs(found - total) <= 0.0d0, 'a global')
  call op_put_global(whole, 5.0d0)
  call op_chain_end()
  call op_fetch_global(whole, found)
  call check(abs(found - 5.0d0) <= 0.0d0, 'what was put')
  call op_fetch_global(highest, found)
  call check(abs(found - most) <= 0.0d0, 'a maximum in a global')
  long_total = 0
  call op_par_loop(triple, 'triple', nodes, op_arg_dat(longs, -1, OP_ID, 2, 'integer(8)', OP_RW), &
                   op_arg_gbl(long_total, 1, 'integer(8)', OP_INC))

  do l = 1, nlink
    call spread_out(value(l), sum_here(:, link(1, l)), sum_here(:, link(2, l)))
  end do
  call op_fetch_data_all(sums, back)
  call check(all(abs(back - sum_here) < 1.0d-12), 'sums')
  call check(abs(total - 1.0d0 - 3.0d0 * sum(value)) < 1.0d-9, 'the total')
  call check(abs(most - maxval(sum_here(2, :))) < 1.0d-12, 'the maximum')
  call check(long_total == sum(long(1, :)), 'a total of integer(8)')
  long(2, :) = 3 * long(1, :)
  block
    integer(8) :: here(2, nnode)
    call op_fetch_data_all(longs, here)
    call check(all(here == long), 'integer(8)')
  end block
  call op_timing_output()
  call op_exit()
  if (failures > 0) stop 1
end program modern

! SPDX-License-Identifier: MIT
