! A step, in a file of its own and outside of modules, as old programs have it.
subroutine unit_step(level)
  use unit_mesh
  use unit_kernels
  use op2_fortran_reference
  implicit none
  integer(4), intent(in) :: level
  call op_par_loop_3(weigh, links, op_arg_dat(p_x, 1, plink, 2, 'real(8)', OP_READ), &
                     op_arg_dat(p_x, 2, plink, 2, 'real(8)', OP_READ), op_arg_dat(p_w, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_par_loop_3(gather, links, op_arg_dat(p_w, -1, OP_ID, 1, 'real(8)', OP_READ), &
                     op_arg_dat(p_level(level), 1, plink, 1, 'real(8)', OP_INC), &
                     op_arg_dat(p_level(level), 2, plink, 1, 'real(8)', OP_INC))
end subroutine unit_step

! SPDX-License-Identifier: MIT
