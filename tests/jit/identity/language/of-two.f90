program of_two
  use row_fortran
  use first_part
  use second_part
  implicit none
  call row_start()
  call op_par_loop(one, 'one', set, op_arg_dat(dx, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call row_compare('one', one)
  call op_par_loop(two, 'two', set, op_arg_dat(dx, -1, OP_ID, 1, 'real(8)', OP_READ), &
                   op_arg_dat(dy, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call row_compare('two', two)
  call op_exit()
end program of_two

! SPDX-License-Identifier: MIT
