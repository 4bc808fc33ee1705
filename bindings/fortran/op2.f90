! op2: the whole library for Fortran programs.
module op2
  use op2_types
  use op2_session
  use op2_declare, only: op_decl_set, op_decl_map, op_decl_map_long, op_map_compose, op_decl_dat, op_decl_dat_temp, &
    op_free_dat_temp, op_decl_const, op_decl_dat_overlay, op_register_set, op_get_set, op_memalloc, op_force_part
  use op2_arguments
  use op2_global
  use op2_loop
  use op2_until
  use op2_data
  use op2_files
  use op2_mesh
  use op2_view
  use op2_trace
  use op2_particles
  use op2_change
  use op2_support
  use op2_hand_loop
  implicit none
  public
end module op2

! SPDX-License-Identifier: MIT
