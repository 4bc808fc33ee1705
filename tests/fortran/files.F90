! A mesh and its data into a file of HDF5 and back, by all of OP2's calls: files WORK writes WORK.h5 and others.
module files_kernels
  implicit none

contains

  subroutine weigh(number, a, b, c, d, total)
    integer(4), intent(in) :: number
    real(8), intent(in) :: a(2), b(2), c(2), d(2)
    real(8), intent(inout) :: total
    total = total + number * (a(1) + b(1) + c(1) + d(1))
  end subroutine weigh
end module files_kernels

program files
  use op2_fortran_hdf5_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use files_kernels
  use grid
  implicit none
  type(op_set) :: nodes, cells, nodes2, cells2
  type(op_map) :: pcell, pcell2, missing_map
  type(op_dat) :: p_x, p_x2, p_count, p_count2, missing
  character(200) :: work
  integer(4) :: size_here, stat, counts(ncell), back(ncell), e, unit, io, n
  real(8) :: y(2, nnode), sum_here, sum_there
  logical :: there

  call get_command_argument(1, work)
  call op_init(0)
  call make_grid()
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(ncell, cells, 'cells')
  call op_decl_map(cells, nodes, 4, cell, pcell, 'pcell')
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
  counts = [(3 * e, e = 1, ncell)]
  call op_decl_dat(cells, 1, 'integer(4)', counts, p_count, 'p_count')
  call op_dump_to_hdf5(trim(work) // '.h5')

  ! Names may end with blanks or with a NUL.
  call op_decl_set_hdf5(size_here, nodes2, trim(work) // '.h5' // c_null_char, 'nodes' // c_null_char)
  call op_decl_set_hdf5(cells2, trim(work) // '.h5   ', 'cells  ')
  call check(op_get_size(cells2) == ncell, 'a set from a file')
  call check(size_here >= 0, 'the size of a set here')
  call op_decl_map_hdf5(cells2, nodes2, 4, pcell2, trim(work) // '.h5', 'pcell', stat)
  call check(stat >= 0, 'a map from a file')
  call op_decl_dat_hdf5(nodes2, 2, p_x2, 'real(8)', trim(work) // '.h5', 'p_x', stat)
  call check(stat == size_here, 'the number of rows that were read')
  call op_decl_dat_hdf5(cells2, 1, p_count2, 'integer(4)', trim(work) // '.h5', 'p_count', stat)
  call op_decl_dat_hdf5(cells2, 1, missing, 'real(8)', trim(work) // '.h5', 'nothing', stat)
  call check(stat == -1, 'a dataset that is missing')
  call op_decl_map_hdf5(cells2, nodes2, 1, missing_map, trim(work) // '.h5', 'no map', stat)
  call check(stat == -1, 'a map that is missing')
  call op_partition('', '', cells2, pcell2, p_x2)

  ! The map leads where it led: the same sum over the corners.
  sum_here = 0.0d0
  do e = 1, ncell
    sum_here = sum_here + e * sum(x(1, cell(:, e)))
  end do
  sum_there = 0.0d0
  call op_par_loop_6(weigh, cells2, op_arg_idx(-1, OP_ID), op_arg_dat(p_x2, 1, pcell2, 2, 'real(8)', OP_READ), &
                     op_arg_dat(p_x2, 2, pcell2, 2, 'real(8)', OP_READ), op_arg_dat(p_x2, 3, pcell2, 2, 'real(8)', OP_READ), &
                     op_arg_dat(p_x2, 4, pcell2, 2, 'real(8)', OP_READ), op_arg_gbl(sum_there, 1, 'real(8)', OP_INC))
  call check(abs(sum_here - sum_there) < 1.0d-9, 'a map from a file leads to the same nodes')
  call op_fetch_data_idx(p_x2, y, 1, nnode)
  call check(all(abs(y - x) <= 0.0d0), 'real(8) from a file')
  call op_fetch_data_idx(p_count2, back, 1, ncell)
  call check(all(back == counts), 'integers from a file')
  call op_fetch_data_hdf5_file(p_count2, trim(work) // '_count.h5')
  call op_print_dat_to_binfile(p_x2, trim(work) // '.bin' // c_null_char)
  call op_print_dat_to_txtfile(p_count2, trim(work) // '.txt')
  call op_barrier()
  inquire (file=trim(work) // '_count.h5', exist=there)
  call check(there, 'op_fetch_data_hdf5_file')
  inquire (file=trim(work) // '.bin', size=n)
  call check(n >= 16 * nnode, 'op_print_dat_to_binfile')
  open (newunit=unit, file=trim(work) // '.txt', status='old', action='read', iostat=io)
  call check(io == 0, 'op_print_dat_to_txtfile')
  if (io == 0) then
    read (unit, *) n
    call check(n == ncell, 'the first number in the text')
    close (unit)
  end if
  call op_exit()
  if (failures > 0) stop 1
end program files

! SPDX-License-Identifier: MIT
