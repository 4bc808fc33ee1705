! Finite elements and conjugate gradients as aero has them: a loop of 13 arguments, matrices on cells, WRITE through a map on the
! boundary, loops inside an iteration that ends when it has converged. The answer is held against elimination.
program aero
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use aero_kernels
  use grid
  implicit none
  type(op_set) :: nodes, bnodes, cells
  type(op_map) :: pbnodes, pcell
  type(op_dat) :: p_x, p_phi, p_res, p_k, p_u, p_v, p_p
  integer(4) :: border(nnode), nborder, i, j, outer, inner
  real(8), allocatable :: zero(:), matrices(:, :)
  real(8) :: phi(nnode), c1, c2, c3, alpha, beta, first, rms

  call make_grid()
  nborder = 0
  do j = 0, ny
    do i = 0, nx
      if (i > 0 .and. j > 0 .and. i < nx .and. j < ny) cycle
      nborder = nborder + 1
      border(nborder) = node(i, j)
    end do
  end do

  call op_init(2)
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nborder, bnodes, 'bedges')
  call op_decl_set(ncell, cells, 'cells')
  call op_decl_map(bnodes, nodes, 1, border, pbnodes, 'pbedge')
  call op_decl_map(cells, nodes, 4, cell, pcell, 'pcell')
  allocate (zero(nnode), matrices(16, ncell))
  zero = 0.0d0
  matrices = 0.0d0
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
  call op_decl_dat(nodes, 1, 'real(8)', zero, p_phi, 'p_phim')
  call op_decl_dat(nodes, 1, 'real(8)', zero, p_res, 'p_resm')
  call op_decl_dat(cells, 16, 'real(8)', matrices, p_k, 'p_K')
  call op_decl_dat(nodes, 1, 'real(8)', zero, p_u, 'p_U')
  call op_decl_dat(nodes, 1, 'real(8)', zero, p_v, 'p_V')
  call op_decl_dat(nodes, 1, 'real(8)', zero, p_p, 'p_P')
  deallocate (zero, matrices)
  call op_partition('PTSCOTCH', 'KWAY', cells, pcell, p_x)

  call op_par_loop_1(set_far, bnodes, op_arg_dat(p_phi, 1, pbnodes, 1, 'real(8)', OP_WRITE))
  do outer = 1, 2
    call op_par_loop_13(res_calc, cells, &
      op_arg_dat(p_x, 1, pcell, 2, 'real(8)', OP_READ), op_arg_dat(p_x, 2, pcell, 2, 'real(8)', OP_READ), &
      op_arg_dat(p_x, 3, pcell, 2, 'real(8)', OP_READ), op_arg_dat(p_x, 4, pcell, 2, 'real(8)', OP_READ), &
      op_arg_dat(p_phi, 1, pcell, 1, 'real(8)', OP_READ), op_arg_dat(p_phi, 2, pcell, 1, 'real(8)', OP_READ), &
      op_arg_dat(p_phi, 3, pcell, 1, 'real(8)', OP_READ), op_arg_dat(p_phi, 4, pcell, 1, 'real(8)', OP_READ), &
      op_arg_dat(p_k, -1, OP_ID, 16, 'real(8)', OP_WRITE), &
      op_arg_dat(p_res, 1, pcell, 1, 'real(8)', OP_INC), op_arg_dat(p_res, 2, pcell, 1, 'real(8)', OP_INC), &
      op_arg_dat(p_res, 3, pcell, 1, 'real(8)', OP_INC), op_arg_dat(p_res, 4, pcell, 1, 'real(8)', OP_INC))
    call op_par_loop_1(dirichlet, bnodes, op_arg_dat(p_res, 1, pbnodes, 1, 'real(8)', OP_WRITE))
    c1 = 0.0d0
    call op_par_loop_5(init_cg, nodes, op_arg_dat(p_res, -1, OP_ID, 1, 'real(8)', OP_READ), &
      op_arg_gbl(c1, 1, 'real(8)', OP_INC), op_arg_dat(p_u, -1, OP_ID, 1, 'real(8)', OP_WRITE), &
      op_arg_dat(p_v, -1, OP_ID, 1, 'real(8)', OP_WRITE), op_arg_dat(p_p, -1, OP_ID, 1, 'real(8)', OP_WRITE))
    first = sqrt(c1)
    inner = 0
    do while (sqrt(c1) > 1d-12 * first .and. inner < 200)
      call op_par_loop_9(spmv, cells, &
        op_arg_dat(p_v, 1, pcell, 1, 'real(8)', OP_INC), op_arg_dat(p_v, 2, pcell, 1, 'real(8)', OP_INC), &
        op_arg_dat(p_v, 3, pcell, 1, 'real(8)', OP_INC), op_arg_dat(p_v, 4, pcell, 1, 'real(8)', OP_INC), &
        op_arg_dat(p_k, -1, OP_ID, 16, 'real(8)', OP_READ), &
        op_arg_dat(p_p, 1, pcell, 1, 'real(8)', OP_READ), op_arg_dat(p_p, 2, pcell, 1, 'real(8)', OP_READ), &
        op_arg_dat(p_p, 3, pcell, 1, 'real(8)', OP_READ), op_arg_dat(p_p, 4, pcell, 1, 'real(8)', OP_READ))
      call op_par_loop_1(dirichlet, bnodes, op_arg_dat(p_v, 1, pbnodes, 1, 'real(8)', OP_WRITE))
      c2 = 0.0d0
      call op_par_loop_3(dotpv, nodes, op_arg_dat(p_p, -1, OP_ID, 1, 'real(8)', OP_READ), &
        op_arg_dat(p_v, -1, OP_ID, 1, 'real(8)', OP_READ), op_arg_gbl(c2, 1, 'real(8)', OP_INC))
      alpha = c1 / c2
      call op_par_loop_5(updateur, nodes, op_arg_dat(p_u, -1, OP_ID, 1, 'real(8)', OP_INC), &
        op_arg_dat(p_res, -1, OP_ID, 1, 'real(8)', OP_INC), op_arg_dat(p_p, -1, OP_ID, 1, 'real(8)', OP_READ), &
        op_arg_dat(p_v, -1, OP_ID, 1, 'real(8)', OP_RW), op_arg_gbl(alpha, 1, 'real(8)', OP_READ))
      c3 = 0.0d0
      call op_par_loop_2(dotr, nodes, op_arg_dat(p_res, -1, OP_ID, 1, 'real(8)', OP_READ), &
        op_arg_gbl(c3, 1, 'real(8)', OP_INC))
      beta = c3 / c1
      call op_par_loop_3(updatep, nodes, op_arg_dat(p_res, -1, OP_ID, 1, 'real(8)', OP_READ), &
        op_arg_dat(p_p, -1, OP_ID, 1, 'real(8)', OP_RW), op_arg_gbl(beta, 1, 'real(8)', OP_READ))
      c1 = c3
      inner = inner + 1
    end do
    rms = 0.0d0
    call op_par_loop_4(update, nodes, op_arg_dat(p_phi, -1, OP_ID, 1, 'real(8)', OP_RW), &
      op_arg_dat(p_res, -1, OP_ID, 1, 'real(8)', OP_WRITE), op_arg_dat(p_u, -1, OP_ID, 1, 'real(8)', OP_READ), &
      op_arg_gbl(rms, 1, 'real(8)', OP_INC))
    rms = sqrt(rms / real(nnode, 8))
    if (outer == 1) call check(rms > 0.1d0 .and. inner > 5, 'the first step moves')
  end do
  call check(rms < 1d-10, 'the problem is linear: the second step has nothing to do')
  call op_fetch_data_idx(p_phi, phi, 1, nnode)
  call check(maxval(abs(phi - eliminated())) < 1d-9, 'the solution')
  call op_exit()
  if (failures > 0) stop 1

contains

  ! The same system as a whole, solved by Gauss elimination.
  function eliminated() result(b)
    real(8), allocatable :: a(:, :)
    real(8) :: b(nnode), k(4, 4), load(4)
    integer :: c, row, column
    allocate (a(nnode, nnode))
    a = 0.0d0
    b = 0.0d0
    do c = 1, ncell
      call element(x(:, cell(:, c)), k, load)
      a(cell(:, c), cell(:, c)) = a(cell(:, c), cell(:, c)) + k
      b(cell(:, c)) = b(cell(:, c)) + load
    end do
    a(border(:nborder), :) = 0.0d0
    b(border(:nborder)) = far_value
    do c = 1, nborder
      a(border(c), border(c)) = 1.0d0
    end do
    do column = 1, nnode ! symmetric and positive but for the boundary: no pivots are needed
      do row = column + 1, nnode
        b(row) = b(row) - a(row, column) / a(column, column) * b(column)
        a(row, :) = a(row, :) - a(row, column) / a(column, column) * a(column, :)
      end do
    end do
    do row = nnode, 1, -1
      b(row) = (b(row) - dot_product(a(row, row + 1:), b(row + 1:))) / a(row, row)
    end do
  end function eliminated
end program aero

! SPDX-License-Identifier: MIT
