! The mesh: numbers from 0, as its file has them.
module airfoil_input
  implicit none
  integer(4) :: nnode, ncell, nedge, nbedge
  integer(4), dimension(:), allocatable, target :: edge, ecell, bedge, becell, cell, bound
  real(8), dimension(:), allocatable, target :: x, q, qold, adt

contains

  subroutine read_mesh(name)
    character(*), intent(in) :: name
    integer(4) :: unit, n
    open (newunit=unit, file=name, status='old', action='read')
    read (unit, *) nnode, ncell, nedge, nbedge
    allocate (x(2 * nnode), cell(4 * ncell), edge(2 * nedge), ecell(2 * nedge), bedge(2 * nbedge), becell(nbedge), &
              bound(nbedge), q(4 * ncell), qold(4 * ncell), adt(ncell))
    do n = 1, nnode
      read (unit, *) x(2 * n - 1:2 * n)
    end do
    do n = 1, ncell
      read (unit, *) cell(4 * n - 3:4 * n)
    end do
    do n = 1, nedge
      read (unit, *) edge(2 * n - 1:2 * n), ecell(2 * n - 1:2 * n)
    end do
    do n = 1, nbedge
      read (unit, *) bedge(2 * n - 1:2 * n), becell(n), bound(n)
    end do
    close (unit)
  end subroutine read_mesh
end module airfoil_input

! SPDX-License-Identifier: MIT
