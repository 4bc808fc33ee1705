! spots.f90: spots.cpp in Fortran.
module spots_kernels
  implicit none
contains

  subroutine spread(a, b, gain_a, gain_b)
    real(8), intent(in) :: a(2), b(2)
    real(8), intent(inout) :: gain_a(2), gain_b(2)
    real(8) :: food, germs
    food = 0.16d0 * (b(1) - a(1))
    germs = 0.08d0 * (b(2) - a(2))
    gain_a(1) = gain_a(1) + food
    gain_a(2) = gain_a(2) + germs
    gain_b(1) = gain_b(1) - food
    gain_b(2) = gain_b(2) - germs
  end subroutine spread

  subroutine live(gain, life)
    real(8), intent(inout) :: gain(2), life(2)
    real(8) :: eaten
    eaten = life(1) * life(2) * life(2)
    life(1) = life(1) + gain(1) - eaten + 0.035d0 * (1.0d0 - life(1))
    life(2) = life(2) + gain(2) + eaten - (0.035d0 + 0.062d0) * life(2)
    gain = 0.0d0
  end subroutine live

  subroutine count_germs(life, germs)
    real(8), intent(in) :: life(2)
    real(8), intent(inout) :: germs
    germs = germs + life(2)
  end subroutine count_germs
end module spots_kernels

program spots
  use op2
  use spots_kernels
  implicit none
  character(*), parameter :: mesh = 'plate.h5'
  type(op_set) :: nodes, edges, cells
  type(op_map) :: edge_nodes, cell_nodes
  type(op_dat) :: x, life, gain
  type(op_view) :: view
  integer, target :: step = 0
  integer :: last = 5000
  real(8), target :: germs = 0.0d0
  logical :: found, right
  character(60) :: line

  if (command_argument_count() > 0) then
    call get_command_argument(1, line)
    read (line, *) last
  end if

  call op_init(0)
  call op_decl_set_hdf5(nodes, mesh, 'nodes')
  call op_decl_set_hdf5(edges, mesh, 'edges')
  call op_decl_set_hdf5(cells, mesh, 'cells')
  call op_decl_map_hdf5(edges, nodes, 2, edge_nodes, mesh, 'edge_nodes')
  call op_decl_map_hdf5(cells, nodes, 4, cell_nodes, mesh, 'cell_nodes')
  call op_decl_dat_hdf5(nodes, 2, x, 'real(8)', mesh, 'x')
  call op_decl_dat_hdf5(nodes, 2, life, 'real(8)', mesh, 'life')
  call op_decl_dat(nodes, 2, 'real(8)', gain, 'gain')

  call op_decl_view(x, view, 'spots')
  call op_view_cells(view, cell_nodes, OP_CELL_QUADRILATERAL)
  call op_view_field(view, life)

  call op_checkpoint_value('step', 1, step)
  call op_checkpoint_value('germs', 1, germs)
  call op_restart_latest('spots', found)
  write (line, '(a, i0)') 'going on after step ', step
  if (found) call op_print(trim(line))

  do while (step < last)
    call op_par_loop(spread, 'spread', edges, &
                     op_arg_dat(life, 1, edge_nodes, 2, 'real(8)', OP_READ), &
                     op_arg_dat(life, 2, edge_nodes, 2, 'real(8)', OP_READ), &
                     op_arg_dat(gain, 1, edge_nodes, 2, 'real(8)', OP_INC), &
                     op_arg_dat(gain, 2, edge_nodes, 2, 'real(8)', OP_INC))
    call op_par_loop(live, 'live', nodes, &
                     op_arg_dat(gain, -1, OP_ID, 2, 'real(8)', OP_RW), op_arg_dat(life, -1, OP_ID, 2, 'real(8)', OP_RW))
    step = step + 1
    if (mod(step, 1000) == 0) then
      germs = 0.0d0
      call op_par_loop(count_germs, 'count', nodes, op_arg_dat(life, -1, OP_ID, 2, 'real(8)', OP_READ), &
                       op_arg_gbl(germs, 1, 'real(8)', OP_INC))
      write (line, '(a, i0, a, f0.6, a)') 'step ', step, ': ', germs, ' germs'
      call op_print(trim(line))
      call op_write_view_step(view, 'spots.vtkhdf', real(step, 8))
      call op_checkpoint_if_due('spots', 0.0d0, 2)
    end if
  end do
  right = step /= 5000 .or. abs(germs - 1669.311210d0) < 1.0d-4
  if (step == 5000) call op_print(merge('PASSED', 'FAILED', right))
  call op_exit()
  if (.not. right) error stop 1, quiet=.true.
end program spots

! SPDX-License-Identifier: MIT
