! text_mesh.f90: the text mesh that airfoil programs read; make_naca_mesh writes one.
module text_mesh
  use, intrinsic :: iso_fortran_env, only: real64, error_unit
  implicit none
  private
  public :: mesh_data, read_mesh

  ! Numbers count from 1; in the file they count from 0.
  type :: mesh_data
    integer :: nnode, ncell, nedge, nbedge
    real(real64), allocatable :: x(:, :)                    ! coordinates
    integer, allocatable :: cell_nodes(:, :)                ! the four corners
    integer, allocatable :: edge_nodes(:, :), edge_cells(:, :)
    integer, allocatable :: bedge_nodes(:, :), bedge_cell(:), bound(:)
  end type mesh_data

contains

  ! Ends the program when the file cannot be used.
  subroutine read_mesh(file, mesh)
    character(*), intent(in) :: file
    type(mesh_data), intent(out) :: mesh
    integer, allocatable :: edges(:, :), bedges(:, :)
    character(200) :: message
    integer :: unit, status
    open (newunit=unit, file=file, status='old', action='read', iostat=status, iomsg=message)
    if (status == 0) read (unit, *, iostat=status, iomsg=message) mesh%nnode, mesh%ncell, mesh%nedge, mesh%nbedge
    if (status == 0) then
      allocate (mesh%x(2, mesh%nnode), mesh%cell_nodes(4, mesh%ncell), edges(4, mesh%nedge), bedges(4, mesh%nbedge))
      read (unit, *, iostat=status, iomsg=message) mesh%x, mesh%cell_nodes, edges, bedges
    end if
    if (status /= 0) then
      write (error_unit, '(4a)') 'airfoil: ', file, ': ', trim(message)
      stop 2
    end if
    close (unit)
    mesh%cell_nodes = mesh%cell_nodes + 1
    mesh%edge_nodes = edges(1:2, :) + 1
    mesh%edge_cells = edges(3:4, :) + 1
    mesh%bedge_nodes = bedges(1:2, :) + 1
    mesh%bedge_cell = bedges(3, :) + 1
    mesh%bound = bedges(4, :)
  end subroutine read_mesh
end module text_mesh

! SPDX-License-Identifier: MIT
