! Handles that the parts of the program share.
module unit_mesh
  use op2_fortran_declarations
  implicit none
  type(op_set), save :: nodes, links
  type(op_map), save :: plink
  type(op_dat), save :: p_x, p_w
  type(op_dat), dimension(2), save :: p_level ! an array of dats
end module unit_mesh

! SPDX-License-Identifier: MIT
