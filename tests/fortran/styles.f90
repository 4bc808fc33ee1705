! Kernels whose texts lead to more than their arguments: rows of a vector argument, variables of a module, among them one of a
! derived type, a common block, procedures with arrays of assumed shape. Each loop is compared with the same sums by hand.
module styles_kernels
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none

  type :: material
    integer :: order = 1
    real(8) :: stiff = 0.5d0
    real(8) :: factors(2) = [1.0d0, 2.0d0]
  end type material
  type(material) :: made_of
  real(8) :: shift(2) = [0.25d0, -0.5d0]

contains

  pure real(8) function total(v)
    real(8), intent(in) :: v(:)
    total = sum(v) * size(v)
  end function total

  subroutine pull(ends, length, sums)
    type(c_ptr), intent(in) :: ends(2), sums(2)
    real(8), intent(out) :: length
    real(8), pointer :: a(:), b(:), sum_a(:), sum_b(:)
    real(8) :: force(2)
    call c_f_pointer(ends(1), a, [2])
    call c_f_pointer(ends(2), b, [2])
    call c_f_pointer(sums(1), sum_a, [2])
    call c_f_pointer(sums(2), sum_b, [2])
    force = made_of%stiff * (b - a) * made_of%factors + shift
    length = total(abs(force)) + made_of%order
    sum_a = sum_a + force
    sum_b = sum_b - force
  end subroutine pull

  subroutine move(sums, place)
    real(8), intent(in) :: sums(2)
    real(8), intent(inout) :: place(2)
    integer :: steps
    real(8) :: small, damping(2)
    common /motion/ small, damping, steps
    place = place + small * steps * sums * damping
  end subroutine move
end module styles_kernels

program styles
  use op2
  use styles_kernels
  use grid, only: make_grid, nlink, nnode, link, check, failures
  implicit none
  type(op_set) :: nodes, links
  type(op_map) :: ends
  type(op_dat) :: places, lengths, sums
  real(8) :: place(2, nnode), place_here(2, nnode), length(nlink), sum_here(2, nnode), force(2), back(2, nnode)
  integer :: n, steps
  real(8) :: small, damping(2)
  common /motion/ small, damping, steps

  call op_init(0)
  call make_grid()
  steps = 3
  small = 0.125d0
  damping = [0.5d0, 0.25d0]
  made_of%order = 2
  shift(2) = 0.75d0
  do n = 1, nnode
    place(:, n) = [0.5d0 * mod(n, 7), 0.25d0 * mod(n, 11)]
  end do
  place_here = place
  sum_here = 0.0d0
  length = 0.0d0
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nlink, links, 'links')
  call op_decl_map(links, nodes, 2, link, ends, 'ends')
  call op_decl_dat(nodes, 2, 'real(8)', place, places, 'places')
  call op_decl_dat(nodes, 2, 'real(8)', sum_here, sums, 'sums')
  call op_decl_dat(links, 1, 'real(8)', length, lengths, 'lengths')

  call op_par_loop(pull, 'pull', links, op_arg_dat(places, -2, ends, 2, 'real(8)', OP_READ), &
                   op_arg_dat(lengths, -1, OP_ID, 1, 'real(8)', OP_WRITE), &
                   op_arg_dat(sums, -2, ends, 2, 'real(8)', OP_INC))
  call op_par_loop(move, 'move', nodes, op_arg_dat(sums, -1, OP_ID, 2, 'real(8)', OP_READ), &
                   op_arg_dat(places, -1, OP_ID, 2, 'real(8)', OP_RW))

  do n = 1, nlink
    force = 0.5d0 * (place_here(:, link(2, n)) - place_here(:, link(1, n))) * [1.0d0, 2.0d0] + shift
    sum_here(:, link(1, n)) = sum_here(:, link(1, n)) + force
    sum_here(:, link(2, n)) = sum_here(:, link(2, n)) - force
  end do
  place_here = place_here + 0.375d0 * sum_here * spread([0.5d0, 0.25d0], 2, nnode)
  call op_fetch_data_all(places, back)
  call check(maxval(abs(back - place_here)) < 1.0d-12, 'places')
  call op_exit()
  if (failures > 0) stop 1
end program styles

! SPDX-License-Identifier: MIT
