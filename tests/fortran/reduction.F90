! Counts of edges and cells by kernels that are external procedures of another file.
program reduction
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use grid
  implicit none
  external :: count_edge, count_cell
  type(op_set) :: edges, cells
  type(op_map) :: pecell
  type(op_dat) :: p_v
  integer(4) :: edges_seen, cells_seen
  real(8) :: v(4, ncell)

  call op_init(0)
  call make_grid()
  v = 1.5d0
  call op_decl_set(nedge, edges, 'edges')
  call op_decl_set(ncell, cells, 'cells')
  call op_decl_map(edges, cells, 2, ecell, pecell, 'pecell')
  call op_decl_dat(cells, 4, 'real(8)', v, p_v, 'p_v')
  call op_partition('PTSCOTCH', 'KWAY', edges, pecell, p_v)
  edges_seen = 0
  call op_par_loop_2(count_edge, edges, op_arg_dat(p_v, 1, pecell, 4, 'real(8)', OP_INC), &
                     op_arg_gbl(edges_seen, 1, 'integer(4)', OP_INC))
  cells_seen = 0
  call op_par_loop_2(count_cell, cells, op_arg_dat(p_v, -1, OP_ID, 4, 'real(8)', OP_RW), &
                     op_arg_gbl(cells_seen, 1, 'integer(4)', OP_INC))
  call check(edges_seen == nedge, 'the number of edges, which a loop through a map counts')
  call check(cells_seen == ncell, 'the number of cells, which a direct loop counts')
  call check(op_get_size(edges) == nedge, 'op_get_size')
  call op_timing_output()
  call op_exit()
  if (failures > 0) stop 1
end program reduction

! SPDX-License-Identifier: MIT
