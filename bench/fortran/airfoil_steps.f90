! The airfoil loops in Fortran, for bench_fortran: declares a mesh that C++ has made, and runs iterations.
module airfoil_steps
  use, intrinsic :: iso_c_binding
  use op2
  use airfoil_constants
  use airfoil_kernels
  implicit none
  private
  type(op_set), save :: nodes, edges, bedges, cells
  type(op_map), save :: pedge, pecell, pcell, pbedge, pbecell
  type(op_dat), save :: p_bound, p_x, p_q, p_qold, p_adt, p_res
  real(8), save :: rms, maxerr
  integer(4), save :: errloc

contains

  subroutine fortran_airfoil_begin(nnode, ncell, nedge, nbedge, x, cell, edge, ecell, bedge, becell, bound) bind(c)
    integer(c_int), value :: nnode, ncell, nedge, nbedge
    real(c_double), intent(in) :: x(2, nnode)
    integer(c_int), intent(in) :: cell(4, ncell), edge(2, nedge), ecell(2, nedge), bedge(2, nbedge), becell(nbedge), &
      bound(nbedge)
    real(8), allocatable :: flow(:, :)
    call op_init_base(0, 0)
    call free_stream()
    allocate (flow(4, ncell))
    flow = spread(qinf, 2, ncell)
    call op_decl_set(nnode, nodes, 'nodes')
    call op_decl_set(nedge, edges, 'edges')
    call op_decl_set(nbedge, bedges, 'bedges')
    call op_decl_set(ncell, cells, 'cells')
    call op_decl_map(edges, nodes, 2, edge, pedge, 'pedge')
    call op_decl_map(edges, cells, 2, ecell, pecell, 'pecell')
    call op_decl_map(bedges, nodes, 2, bedge, pbedge, 'pbedge')
    call op_decl_map(bedges, cells, 1, becell, pbecell, 'pbecell')
    call op_decl_map(cells, nodes, 4, cell, pcell, 'pcell')
    call op_decl_dat(bedges, 1, 'integer(4)', bound, p_bound, 'p_bound')
    call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
    call op_decl_dat(cells, 4, 'real(8)', flow, p_q, 'p_q')
    call op_decl_dat_temp(cells, 4, 'real(8)', p_qold, 'p_qold')
    call op_decl_dat_temp(cells, 1, 'real(8)', p_adt, 'p_adt')
    call op_decl_dat_temp(cells, 4, 'real(8)', p_res, 'p_res')
  end subroutine fortran_airfoil_begin

  ! One iteration; the sum of squares of its last update.
  real(c_double) function fortran_airfoil_iterate() bind(c)
    integer(4) :: k
    call op_par_loop_2(save_soln, cells, op_arg_dat(p_q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                       op_arg_dat(p_qold, -1, OP_ID, 4, 'real(8)', OP_WRITE))
    do k = 1, 2
      call op_par_loop_6(adt_calc, cells, op_arg_dat(p_x, 1, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 2, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 3, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 4, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, -1, OP_ID, 1, 'real(8)', OP_WRITE))
      call op_par_loop_8(res_calc, edges, op_arg_dat(p_x, 1, pedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 2, pedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, 1, pecell, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, 2, pecell, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, 1, pecell, 1, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, 2, pecell, 1, 'real(8)', OP_READ), &
                         op_arg_dat(p_res, 1, pecell, 4, 'real(8)', OP_INC), &
                         op_arg_dat(p_res, 2, pecell, 4, 'real(8)', OP_INC))
      call op_par_loop_6(bres_calc, bedges, op_arg_dat(p_x, 1, pbedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 2, pbedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, 1, pbecell, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, 1, pbecell, 1, 'real(8)', OP_READ), &
                         op_arg_dat(p_res, 1, pbecell, 4, 'real(8)', OP_INC), &
                         op_arg_dat(p_bound, -1, OP_ID, 1, 'integer(4)', OP_READ))
      rms = 0.0d0
      maxerr = 0.0d0
      errloc = 0
      call op_par_loop_8(update, cells, op_arg_dat(p_qold, -1, OP_ID, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, -1, OP_ID, 4, 'real(8)', OP_WRITE), &
                         op_arg_dat(p_res, -1, OP_ID, 4, 'real(8)', OP_RW), &
                         op_arg_dat(p_adt, -1, OP_ID, 1, 'real(8)', OP_READ), &
                         op_arg_gbl(rms, 1, 'real(8)', OP_INC), op_arg_gbl(maxerr, 1, 'real(8)', OP_MAX), &
                         op_arg_idx(-1, OP_ID), op_arg_payload(errloc, 1, 'integer(4)', 6))
    end do
    fortran_airfoil_iterate = rms
  end function fortran_airfoil_iterate
end module airfoil_steps

! SPDX-License-Identifier: MIT
