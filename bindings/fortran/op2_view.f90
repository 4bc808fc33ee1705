! op2_view: files for visualisation. Trailing blanks of names are ignored. Errors as in op2/view.h; a view whose
! declaration has failed has %viewCptr = c_null_ptr.
!
!   call op_decl_view(x, view, 'flow')
!   call op_view_cells(view, cell_nodes, OP_CELL_QUADRILATERAL)
!   call op_view_field(view, pressure)
!   call op_write_view(view, 'flow.vtkhdf')
module op2_view
  use, intrinsic :: iso_c_binding
  use op2_types
  use op2_c_view
  use op2_text
  implicit none
  private
  public :: op_view, op_decl_view, op_view_cells, op_view_field, op_write_view, op_write_view_step

  ! Types of cells: op2/view.h has their numbers of nodes, whose order is VTK's. Nodes are those of the map as it was
  ! declared, so counting them from 1 changes nothing.
  integer(c_int), parameter, public :: OP_CELL_VERTEX = 1, OP_CELL_LINE = 3, OP_CELL_TRIANGLE = 5, OP_CELL_POLYGON = 7, &
    OP_CELL_QUADRILATERAL = 9, OP_CELL_TETRAHEDRON = 10, OP_CELL_HEXAHEDRON = 12, OP_CELL_PRISM = 13, &
    OP_CELL_PYRAMID = 14
  integer(c_int), parameter, public :: OP_CELL_QUADRATIC_LINE = 21, OP_CELL_QUADRATIC_TRIANGLE = 22, &
    OP_CELL_QUADRATIC_QUADRILATERAL = 23, OP_CELL_QUADRATIC_TETRAHEDRON = 24, OP_CELL_QUADRATIC_HEXAHEDRON = 25, &
    OP_CELL_QUADRATIC_PRISM = 26, OP_CELL_QUADRATIC_PYRAMID = 27

  ! The library owns views until op_exit().
  type :: op_view
    type(c_ptr) :: viewCptr = c_null_ptr
  end type op_view

contains

  ! A view of the nodes with these coordinates: dim 2 or 3, real(8) or real(4). Collective.
  subroutine op_decl_view(coordinates, view, name)
    type(op_dat), intent(in) :: coordinates
    type(op_view), intent(out) :: view
    character(*), intent(in), optional :: name
    view%viewCptr = c_decl_view(coordinates%dataCptr, c_text(name, 'view'))
  end subroutine op_decl_view

  ! Appends the cells of a set to those of the view. map: from the cells to the nodes. Collective.
  subroutine op_view_cells(view, map, type)
    type(op_view), intent(in) :: view
    type(op_map), intent(in) :: map
    integer(4), intent(in) :: type
    call c_view_cells(view%viewCptr, map%mapCptr, type)
  end subroutine op_view_cells

  ! Adds a field: a dat on the nodes, on cells of the view, or on a set to which cells of the view have a map of dim 1.
  ! Without a name it has that of the dat. Collective.
  subroutine op_view_field(view, dat, name)
    type(op_view), intent(in) :: view
    type(op_dat), intent(in) :: dat
    character(*), intent(in), optional :: name
    if (present(name)) then
      call c_view_field(view%viewCptr, dat%dataCptr, c_text(name))
    else
      call c_view_field(view%viewCptr, dat%dataCptr)
    end if
  end subroutine op_view_field

  ! Writes the view to a file, .vtkhdf or .xdmf. Collective.
  subroutine op_write_view(view, file)
    type(op_view), intent(in) :: view
    character(*), intent(in) :: file
    call c_write_view(view%viewCptr, c_text(file))
  end subroutine op_write_view

  ! Writes the view as one step of a series in time. Collective.
  subroutine op_write_view_step(view, file, time)
    type(op_view), intent(in) :: view
    character(*), intent(in) :: file
    real(8), intent(in) :: time
    call c_write_view_step(view%viewCptr, c_text(file), time)
  end subroutine op_write_view_step
end module op2_view

! SPDX-License-Identifier: MIT
