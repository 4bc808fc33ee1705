! membrane.f90: membrane.cpp in Fortran, as a program for OP2: its modules and calls.
module membrane_kernels
  implicit none
  real(8) :: rate

contains

  subroutine flow(u1, u2, du1, du2)
    real(8), intent(in) :: u1, u2
    real(8), intent(inout) :: du1, du2
    real(8) :: f
    f = rate * (u1 - u2)
    du1 = du1 - f
    du2 = du2 + f
  end subroutine flow

  subroutine hold(x, u, du)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: u, du
    u = x(1)**2 - x(2)**2
    du = 0.0d0
  end subroutine hold

  subroutine update(du, u, rms)
    real(8), intent(inout) :: du, u, rms
    u = u + du
    rms = rms + du**2
    du = 0.0d0
  end subroutine update

  subroutine error(x, u, most)
    real(8), intent(in) :: x(2), u
    real(8), intent(inout) :: most
    most = max(most, abs(u - x(1)**2 + x(2)**2))
  end subroutine error
end module membrane_kernels

program membrane
  use OP2_FORTRAN_DECLARATIONS
  use OP2_FORTRAN_REFERENCE
  use OP2_FORTRAN_RT_SUPPORT
  use membrane_kernels
  implicit none
  integer(4), parameter :: n = 30                    ! squares in a row
  type(op_set) :: nodes, edges, bnodes
  type(op_map) :: pedge, pbnode
  type(op_dat) :: p_x, p_u, p_du
  integer(4) :: edge(2, 2 * n * (n + 1)), bnode(1, 4 * n), i, j, node, e, b, iter
  real(8) :: x(2, (n + 1)**2), u((n + 1)**2), du((n + 1)**2), rms, most
  character(60) :: line

  e = 0
  b = 0
  do j = 0, n
    do i = 0, n
      node = 1 + i + j * (n + 1)
      x(:, node) = [real(i, 8) / n - 0.5d0, real(j, 8) / n - 0.5d0]
      if (i < n) e = e + 1
      if (i < n) edge(:, e) = [node, node + 1]
      if (j < n) e = e + 1
      if (j < n) edge(:, e) = [node, node + n + 1]
      if (i == 0 .or. j == 0 .or. i == n .or. j == n) b = b + 1
      if (i == 0 .or. j == 0 .or. i == n .or. j == n) bnode(1, b) = node
    end do
  end do
  u = 0.0d0
  du = 0.0d0
  rate = 0.25d0

  call op_init(0)
  call op_decl_set((n + 1)**2, nodes, 'nodes')
  call op_decl_set(2 * n * (n + 1), edges, 'edges')
  call op_decl_set(4 * n, bnodes, 'bnodes')
  call op_decl_map(edges, nodes, 2, edge, pedge, 'pedge')
  call op_decl_map(bnodes, nodes, 1, bnode, pbnode, 'pbnode')
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
  call op_decl_dat(nodes, 1, 'real(8)', u, p_u, 'p_u')
  call op_decl_dat(nodes, 1, 'real(8)', du, p_du, 'p_du')
  call op_decl_const(rate, 1, 'rate')
  call op_partition('GEOM', 'GEOM', nodes, pedge, p_x)

  do iter = 1, 800
    call op_par_loop_4(flow, edges, &
                       op_arg_dat(p_u, 1, pedge, 1, 'real(8)', OP_READ), op_arg_dat(p_u, 2, pedge, 1, 'real(8)', OP_READ), &
                       op_arg_dat(p_du, 1, pedge, 1, 'real(8)', OP_INC), op_arg_dat(p_du, 2, pedge, 1, 'real(8)', OP_INC))
    call op_par_loop_3(hold, bnodes, op_arg_dat(p_x, 1, pbnode, 2, 'real(8)', OP_READ), &
                       op_arg_dat(p_u, 1, pbnode, 1, 'real(8)', OP_WRITE), op_arg_dat(p_du, 1, pbnode, 1, 'real(8)', OP_WRITE))
    rms = 0.0d0
    call op_par_loop_3(update, nodes, op_arg_dat(p_du, -1, OP_ID, 1, 'real(8)', OP_RW), &
                       op_arg_dat(p_u, -1, OP_ID, 1, 'real(8)', OP_RW), op_arg_gbl(rms, 1, 'real(8)', OP_INC))
    write (line, '(i5, es13.5)') iter, sqrt(rms / (n + 1)**2)
    if (mod(iter, 200) == 0) call op_print(trim(line))
  end do

  most = 0.0d0
  call op_par_loop_3(error, nodes, op_arg_dat(p_x, -1, OP_ID, 2, 'real(8)', OP_READ), &
                     op_arg_dat(p_u, -1, OP_ID, 1, 'real(8)', OP_READ), op_arg_gbl(most, 1, 'real(8)', OP_MAX))
  call op_print('largest error below 1e-9: ' // merge('PASSED', 'FAILED', most < 1.0d-9))
  call op_exit()
  if (most >= 1.0d-9) error stop 1, quiet=.true.
end program membrane

! SPDX-License-Identifier: MIT
