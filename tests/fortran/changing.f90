! A mesh that changes: rows of a map are replaced, and data are carried to a finer mesh. Beside plain loops. Runs with
! OP2_ERROR=return.
module changing_kernels
  implicit none

contains

  subroutine add(weight, left, right)
    real(8), intent(in) :: weight
    real(8), intent(inout) :: left, right
    left = left + weight
    right = right + 2 * weight
  end subroutine add
end module changing_kernels

program changing
  use op2
  use changing_kernels
  implicit none
  integer(4), parameter :: n = 200, fine = 2 * n + 1
  type(op_set) :: edges, nodes, halves
  type(op_map) :: pedge
  type(op_dat) :: p_weight, p_sum, p_mass, p_mark
  integer(4) :: edge(2, n), parents(fine), i, wrong
  integer(8) :: long_parents(fine)
  real(8) :: weight(n), total(n), expected(n), mass(fine), shares(fine), zeros(n)

  call op_init(0)
  wrong = 0
  do i = 1, n
    edge(:, i) = [i, mod(i, n) + 1]
    weight(i) = i
  end do
  zeros = 0
  call op_decl_set(n, edges, 'edges')
  call op_decl_set(n, nodes, 'nodes')
  call op_decl_map(edges, nodes, 2, edge, pedge, 'pedge')
  call op_decl_dat(edges, 1, 'real(8)', weight, p_weight, 'weight')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, p_sum, 'sum')
  call op_dat_set_storage(p_sum, OP_STORAGE_MEMORY)
  call op_dat_set_storage(p_weight, OP_STORAGE_AUTO)
  if (op_last_status() /= OP_OK) wrong = wrong + 1
  call op_dat_set_storage(p_sum, OP_STORAGE_SCRATCH + 1) ! there is none
  if (op_last_status() /= OP_ERR_ARGUMENT) wrong = wrong + 1
  expected = 0
  call once()
  edge(:, 7) = [n, 1]
  edge(:, 3) = [5, 9]
  call op_put_map_rows(pedge, [7, 3], reshape([n, 1, 5, 9], [2, 2]))
  call once()
  call op_put_map_rows(pedge, [3_8], reshape([3_8, 4_8], [2, 1]))
  edge(:, 3) = [3, 4]
  call once()
  call op_put_map_rows(pedge, [3, 4], reshape([3, 4], [2, 1])) ! one row for two elements
  if (op_last_status() /= OP_ERR_DIM) wrong = wrong + 1

  call op_decl_set(fine, halves, 'halves')
  call op_decl_dat(halves, 1, 'real(8)', p_mass, 'mass')
  call op_decl_dat(halves, 1, 'real(8)', p_mark, 'mark')
  do i = 1, fine
    parents(i) = merge(0, (i + 1) / 2, i == fine)
    shares(i) = merge(1, 3, mod(i, 2) == 0)
  end do
  long_parents = parents
  call op_carry(p_sum, p_mark, parents)
  call op_fetch_data_all(p_mark, mass)
  do i = 1, fine - 1
    if (abs(mass(i) - expected(parents(i))) > 0) wrong = wrong + 1
  end do
  if (abs(mass(fine)) > 0) wrong = wrong + 1
  call op_carry_sums(p_sum, p_mass, long_parents, shares)
  call op_fetch_data_all(p_mass, mass)
  do i = 1, fine - 1
    if (abs(mass(i) - expected(parents(i)) * shares(i) / 4) > 0) wrong = wrong + 1
  end do
  call op_carry_sums(p_sum, p_mass, parents)
  call op_fetch_data_all(p_mass, mass)
  do i = 1, fine - 1
    if (abs(mass(i) - expected(parents(i)) / 2) > 0) wrong = wrong + 1
  end do
  call op_carry(p_sum, p_mass, parents(1:n))
  if (op_last_status() /= OP_ERR_DIM) wrong = wrong + 1
  if (wrong > 0) print '(a, i0, a)', 'FAILED: ', wrong, ' differences'
  call op_exit()
  if (wrong > 0) error stop 1
  print '(a)', 'passed'

contains

  subroutine once()
    integer(4) :: k
    call op_par_loop(add, 'add', edges, op_arg_dat(p_weight, -1, OP_ID, 1, 'real(8)', OP_READ), &
                     op_arg_dat(p_sum, 1, pedge, 1, 'real(8)', OP_INC), op_arg_dat(p_sum, 2, pedge, 1, 'real(8)', OP_INC))
    do k = 1, n
      expected(edge(1, k)) = expected(edge(1, k)) + weight(k)
      expected(edge(2, k)) = expected(edge(2, k)) + 2 * weight(k)
    end do
    call op_fetch_data_all(p_sum, total)
    if (any(abs(total - expected) > 0)) wrong = wrong + 1
  end subroutine once
end program changing
! SPDX-License-Identifier: MIT
