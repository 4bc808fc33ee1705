! airfoil.f90: the airfoil solver in Fortran.
!
!   airfoil_fortran [mesh file] [iterations]
!
! new_grid.dat and 1000 when not given; OP2_BACKEND=openmp and other settings may stand there, too. Every process reads the whole
! mesh and declares it; the library divides it. Exit code: 0 passed or nothing to compare with, 1 failed, 2 no such file.
program airfoil
  use op2
  use airfoil_flow
  use text_mesh
  implicit none
  type(mesh_data) :: mesh
  type(op_set) :: nodes, edges, bedges, cells
  type(op_map) :: edge_nodes, edge_cells, bedge_nodes, bedge_cell, cell_nodes
  type(op_dat) :: x, q, qold, adt, res, bound
  character(:), allocatable :: file
  character(700) :: line ! with the name of the file
  integer :: iterations, iteration, stage
  type(op_global) :: squares, largest, place ! of the last stage: a sum, the largest change and its cell
  real(wp) :: rms, change
  integer :: cell
  real(wp) :: start, finish
  logical :: failed

  call op_init(0)
  call read_arguments()
  call read_mesh(file, mesh)
  write (line, '(5a, 4(i0, a))') 'airfoil on ', file, ' with ', op_backend(), ': ', mesh%nnode, ' nodes, ', &
    mesh%ncell, ' cells, ', mesh%nedge, ' edges, ', mesh%nbedge, ' boundary edges'
  call op_print(trim(line))

  call op_decl_set(mesh%nnode, nodes, 'nodes')
  call op_decl_set(mesh%nedge, edges, 'edges')
  call op_decl_set(mesh%nbedge, bedges, 'bedges')
  call op_decl_set(mesh%ncell, cells, 'cells')
  call op_decl_map(edges, nodes, 2, mesh%edge_nodes, edge_nodes, 'edge_nodes')
  call op_decl_map(edges, cells, 2, mesh%edge_cells, edge_cells, 'edge_cells')
  call op_decl_map(bedges, nodes, 2, mesh%bedge_nodes, bedge_nodes, 'bedge_nodes')
  call op_decl_map(bedges, cells, 1, mesh%bedge_cell, bedge_cell, 'bedge_cell')
  call op_decl_map(cells, nodes, 4, mesh%cell_nodes, cell_nodes, 'cell_nodes')
  call op_decl_dat(nodes, 2, 'real(8)', mesh%x, x, 'x')
  call op_decl_dat(bedges, 1, 'integer(4)', mesh%bound, bound, 'bound')
  call op_decl_dat(cells, 4, 'real(8)', spread(free_stream, 2, mesh%ncell), q, 'q')
  call op_decl_dat(cells, 4, 'real(8)', qold, 'qold') ! without values: zeros
  call op_decl_dat(cells, 4, 'real(8)', res, 'res')
  call op_decl_dat(cells, 1, 'real(8)', adt, 'adt')
  call op_decl_global(1, 'real(8)', 0.0_wp, squares, 'squares')
  call op_decl_global(1, 'real(8)', 0.0_wp, largest, 'largest')
  call op_decl_global(1, 'integer(4)', 0, place, 'place')
  call op_partition('AUTO', '', edges, edge_cells, x) ! among the processes; without it the first loop does it

  call op_timers(start)
  call op_chain_begin('iterations') ! loops of several iterations may run together, until the residual is wanted
  do iteration = 1, iterations
    call op_par_loop(save_soln, 'save_soln', cells, op_arg_dat(q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                     op_arg_dat(qold, -1, OP_ID, 4, 'real(8)', OP_WRITE))
    do stage = 1, 2
      call op_par_loop(adt_calc, 'adt_calc', cells, &
                       op_arg_dat(x, 1, cell_nodes, 2, 'real(8)', OP_READ), op_arg_dat(x, 2, cell_nodes, 2, 'real(8)', OP_READ), &
                       op_arg_dat(x, 3, cell_nodes, 2, 'real(8)', OP_READ), op_arg_dat(x, 4, cell_nodes, 2, 'real(8)', OP_READ), &
                       op_arg_dat(q, -1, OP_ID, 4, 'real(8)', OP_READ), op_arg_dat(adt, -1, OP_ID, 1, 'real(8)', OP_WRITE))
      call op_par_loop(res_calc, 'res_calc', edges, &
                       op_arg_dat(x, 1, edge_nodes, 2, 'real(8)', OP_READ), op_arg_dat(x, 2, edge_nodes, 2, 'real(8)', OP_READ), &
                       op_arg_dat(q, 1, edge_cells, 4, 'real(8)', OP_READ), op_arg_dat(q, 2, edge_cells, 4, 'real(8)', OP_READ), &
                       op_arg_dat(adt, 1, edge_cells, 1, 'real(8)', OP_READ), &
                       op_arg_dat(adt, 2, edge_cells, 1, 'real(8)', OP_READ), &
                       op_arg_dat(res, 1, edge_cells, 4, 'real(8)', OP_INC), op_arg_dat(res, 2, edge_cells, 4, 'real(8)', OP_INC))
      call op_par_loop(bres_calc, 'bres_calc', bedges, &
                       op_arg_dat(x, 1, bedge_nodes, 2, 'real(8)', OP_READ), op_arg_dat(x, 2, bedge_nodes, 2, 'real(8)', OP_READ), &
                       op_arg_dat(q, 1, bedge_cell, 4, 'real(8)', OP_READ), op_arg_dat(adt, 1, bedge_cell, 1, 'real(8)', OP_READ), &
                       op_arg_dat(res, 1, bedge_cell, 4, 'real(8)', OP_INC), op_arg_dat(bound, -1, OP_ID, 1, 'integer(4)', OP_READ))
      call op_put_global(squares, 0.0_wp)
      call op_put_global(largest, 0.0_wp)
      call op_put_global(place, 0)
      ! The sixth argument is a maximum; the eighth is the cell where it is.
      call op_par_loop(update, 'update', cells, op_arg_dat(qold, -1, OP_ID, 4, 'real(8)', OP_READ), &
                       op_arg_dat(q, -1, OP_ID, 4, 'real(8)', OP_WRITE), op_arg_dat(res, -1, OP_ID, 4, 'real(8)', OP_RW), &
                       op_arg_dat(adt, -1, OP_ID, 1, 'real(8)', OP_READ), op_arg_gbl(squares, 1, 'real(8)', OP_INC), &
                       op_arg_gbl(largest, 1, 'real(8)', OP_MAX), op_arg_idx(-1, OP_ID), &
                       op_arg_payload(place, 1, 'integer(4)', 6))
    end do
    if (mod(iteration, 100) == 0 .or. iteration == iterations) then
      call op_fetch_global(squares, rms)
      rms = sqrt(rms / mesh%ncell)
    end if
    if (mod(iteration, 100) == 0) then
      call op_fetch_global(largest, change)
      call op_fetch_global(place, cell)
      write (line, '(i6, es13.5, a, es10.3, a, i0)') iteration, rms, ', largest change squared ', change, ' in cell ', cell
      call op_print(trim(line))
    end if
  end do
  call op_chain_end()
  call op_timers(finish)

  call op_timing_output()
  write (line, '(i0, a, f8.3, a, f8.3, a)') iterations, ' iterations in ', finish - start, ' s, ', &
    1.0e3_wp * (finish - start) / iterations, ' ms each'
  call op_print(trim(line))
  call compare(failed)
  call op_exit()
  if (failed) stop 1

contains

  subroutine read_arguments()
    character(500) :: word
    integer :: i, words
    file = 'new_grid.dat'
    iterations = 1000
    words = 0
    do i = 1, command_argument_count()
      call get_command_argument(i, word)
      if (word(1:4) == 'OP2_') cycle ! settings of the library
      words = words + 1
      if (words == 1) file = trim(word)
      if (words == 2) read (word, *) iterations
    end do
  end subroutine read_arguments

  ! Published root mean squares must be met to 1e-5 %; the others are those of the program in C++, and sums in another order
  ! move them by 1e-12 %.
  subroutine compare(failed)
    logical, intent(out) :: failed
    integer, parameter :: known = 6
    integer, parameter :: ncell(known) = [720000, 720000, 41472, 41472, 41472, 41472]
    integer, parameter :: after(known) = [100, 1000, 100, 1000, 20, 2]
    real(wp), parameter :: expected(known) = [5.0218612497476e-04_wp, 0.0001060114637578_wp, 5.0859377316301e-04_wp, &
      4.9060152571232e-05_wp, 1.686462749483650e-03_wp, 3.647366205149424e-03_wp]
    real(wp), parameter :: allowed(known) = [1.0e-5_wp, 1.0e-5_wp, 1.0e-5_wp, 1.0e-5_wp, 1.0e-9_wp, 1.0e-9_wp]
    real(wp) :: difference
    integer :: k
    write (line, '(a, es22.15)') 'rms = ', rms
    call op_print(trim(line))
    do k = 1, known
      if (ncell(k) /= mesh%ncell .or. after(k) /= iterations) cycle
      difference = abs(100.0_wp * (rms / expected(k)) - 100.0_wp)
      failed = .not. difference < allowed(k) ! also when it is not a number
      write (line, '(a, es20.13, a, es9.2, a, es7.0, a)') 'The known rms is', expected(k), '; the difference is', difference, &
        ' %, allowed', allowed(k), ' %'
      call op_print(trim(line))
      call op_print('This test is considered ' // merge('FAILED', 'PASSED', failed))
      return
    end do
    failed = .not. rms < huge(rms)
    write (line, '(a, i0, a, i0, a)') 'There is no rms to compare with for ', mesh%ncell, ' cells after ', iterations, ' iterations'
    call op_print(trim(line))
  end subroutine compare
end program airfoil

! SPDX-License-Identifier: MIT
