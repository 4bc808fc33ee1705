! The airfoil solver as programs for OP2 are written in Fortran.
!   airfoil MESH STEPS RESIDUAL [FILE]: the exit code says whether the residual is the expected one. FILE: without HDF5 the mesh is
!   written to it, with HDF5 MESH is such a file.
program airfoil
#ifdef HDF5
  use OP2_FORTRAN_HDF5_DECLARATIONS
#else
  use OP2_Fortran_Declarations
  use airfoil_input
#ifdef DUMP
  use op2_fortran_hdf5_declarations, only: op_dump_to_hdf5
#endif
#endif
  use OP2_Fortran_Reference
  use OP2_FORTRAN_RT_SUPPORT
  use airfoil_constants
  use airfoil_kernels
  use, intrinsic :: ISO_C_BINDING
  implicit none

  type(op_set) :: nodes, edges, bedges, cells
  type(op_map) :: pedge, pecell, pcell, pbedge, pbecell
  type(op_dat) :: p_bound, p_x, p_q, p_qold, p_adt, p_res
  character(256) :: mesh, word
  integer(4) :: steps, step, k, all_cells, wrong, errloc, first, last
  real(8) :: rms, maxerr, expected, start_time, end_time
  real(8), dimension(:), allocatable :: whole
#ifdef HDF5
  integer(4) :: number, stat
#endif

  call get_command_argument(1, mesh)
  call get_command_argument(2, word)
  read (word, *) steps
  call get_command_argument(3, word)
  read (word, *) expected

  call op_init_base(0, 0)
#ifdef HDF5
  call op_decl_set_hdf5(number, nodes, trim(mesh) // c_null_char, 'nodes' // c_null_char)
  call op_decl_set_hdf5(number, edges, trim(mesh) // c_null_char, 'edges' // c_null_char)
  call op_decl_set_hdf5(bedges, mesh, 'bedges')
  call op_decl_set_hdf5(cells, mesh, 'cells')
  call op_decl_map_hdf5(edges, nodes, 2, pedge, trim(mesh) // c_null_char, 'pedge' // c_null_char, stat)
  call op_decl_map_hdf5(edges, cells, 2, pecell, mesh, 'pecell', stat)
  call op_decl_map_hdf5(bedges, nodes, 2, pbedge, mesh, 'pbedge', stat)
  call op_decl_map_hdf5(bedges, cells, 1, pbecell, mesh, 'pbecell', stat)
  call op_decl_map_hdf5(cells, nodes, 4, pcell, mesh, 'pcell', stat)
  call op_decl_dat_hdf5(bedges, 1, p_bound, 'integer(4)', mesh, 'p_bound', stat)
  call op_decl_dat_hdf5(nodes, 2, p_x, 'real(8)', trim(mesh) // c_null_char, 'p_x' // c_null_char, stat)
  call op_decl_dat_hdf5(cells, 4, p_q, 'real(8)', mesh, 'p_q', stat)
  call op_decl_dat_hdf5(cells, 4, p_qold, 'real(8)', mesh, 'p_qold', stat)
  call op_decl_dat_hdf5(cells, 1, p_adt, 'real(8)', mesh, 'p_adt', stat)
  if (stat < 0) stop 3
  call free_stream()
#else
  call read_mesh(trim(mesh))
  call free_stream()
  do k = 1, 4
    q(k::4) = qinf(k)
  end do
  qold = q
  adt = 0.0d0

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
  call op_decl_dat(cells, 4, 'real(8)', q, p_q, 'p_q')
  call op_decl_dat(cells, 4, 'real(8)', qold, p_qold, 'p_qold')
  call op_decl_dat(cells, 1, 'real(8)', adt, p_adt, 'p_adt')
  deallocate (x, cell, edge, ecell, bedge, becell, bound, q, qold, adt) ! all of it is copied
#ifdef DUMP
  call get_command_argument(4, word)
  call op_dump_to_hdf5(trim(word) // c_null_char)
#endif
#endif
  call op_decl_dat_temp(cells, 4, 'real(8)', p_res, 'p_res')

  call op_decl_const(gam, 1, 'real(8)')
  call op_decl_const(gm1, 1, 'real(8)')
  call op_decl_const(cfl, 1, 'real(8)')
  call op_decl_const(eps, 1, 'real(8)')
  call op_decl_const(qinf, 4, 'real(8)')
  call op_diagnostic_output()
  call op_partition('PTSCOTCH', 'KWAY', edges, pecell, p_x)

  all_cells = int(op_get_size(cells))
  rms = 0.0d0
  call op_timers(start_time)
  do step = 1, steps
    call op_par_loop_2(save_soln, cells, &
                       op_arg_dat(p_q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                       op_arg_dat(p_qold, -1, OP_ID, 4, 'real(8)', OP_WRITE))
    do k = 1, 2
      call op_par_loop_6(adt_calc, cells, &
                         op_arg_dat(p_x, 1, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 2, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 3, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 4, pcell, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, -1, OP_ID, 1, 'real(8)', OP_WRITE))
      call op_par_loop_8(res_calc, edges, &
                         op_arg_dat(p_x, 1, pedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 2, pedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, 1, pecell, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, 2, pecell, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, 1, pecell, 1, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, 2, pecell, 1, 'real(8)', OP_READ), &
                         op_arg_dat(p_res, 1, pecell, 4, 'real(8)', OP_INC), &
                         op_arg_dat(p_res, 2, pecell, 4, 'real(8)', OP_INC))
      call op_par_loop_6(bres_calc, bedges, &
                         op_arg_dat(p_x, 1, pbedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_x, 2, pbedge, 2, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, 1, pbecell, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_adt, 1, pbecell, 1, 'real(8)', OP_READ), &
                         op_arg_dat(p_res, 1, pbecell, 4, 'real(8)', OP_INC), &
                         op_arg_dat(p_bound, -1, OP_ID, 1, 'integer(4)', OP_READ))
      rms = 0.0d0
      maxerr = 0.0d0
      errloc = 0
      call op_par_loop_8(update, cells, &
                         op_arg_dat(p_qold, -1, OP_ID, 4, 'real(8)', OP_READ), &
                         op_arg_dat(p_q, -1, OP_ID, 4, 'real(8)', OP_WRITE), &
                         op_arg_dat(p_res, -1, OP_ID, 4, 'real(8)', OP_RW), &
                         op_arg_dat(p_adt, -1, OP_ID, 1, 'real(8)', OP_READ), &
                         op_arg_gbl(rms, 1, 'real(8)', OP_INC), &
                         op_arg_gbl(maxerr, 1, 'real(8)', OP_MAX), &
                         op_arg_idx(-1, OP_ID), &
                         op_arg_info(errloc, 1, 'integer(4)', 6))
    end do
    rms = sqrt(rms / real(all_cells, 8))
    if (op_is_root() == 1 .and. (mod(step, 100) == 0 .or. step == steps)) &
      write (*, '(1x,i6,2x,es12.5,a,es12.5,a,i0)') step, rms, ', max err ', maxerr, ' at ', errloc
  end do
  call op_timers(end_time)
  call op_timing_output()

  ! The whole solution on every process; its sum is that of no other state.
  allocate (whole(4 * all_cells))
  first = 1
  last = all_cells
  call op_fetch_data_idx(p_q, whole, first, last)
  wrong = 0
  if (.not. all(whole(1::4) > 0.0d0) .or. errloc < 1 .or. errloc > all_cells) wrong = 1
  if (abs(100.0d0 * (rms / expected) - 100.0d0) >= 1.0d-9) wrong = 1
  if (op_is_root() == 1) then
    write (*, '(a,es24.16,2x,a)') ' rms', rms, merge('FAILED', 'PASSED', wrong == 1)
    write (*, '(a,z16.16)') ' bits of the solution ', fold(whole)
    write (*, '(a,f8.3)') ' Max total runtime =', end_time - start_time
  end if
  if (op_free_dat_temp(p_res) < 0) wrong = 1
  call op_exit()
  if (wrong == 1) stop 1

contains

  ! A number that changes with any bit of the values.
  integer(8) function fold(values)
    real(8), intent(in) :: values(:)
    integer :: i
    fold = 0
    do i = 1, size(values)
      fold = ieor(ishftc(fold, 7), transfer(values(i), fold))
    end do
  end function fold
end program airfoil

! SPDX-License-Identifier: MIT
