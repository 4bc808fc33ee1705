! Kernels that belong to no module.
subroutine count_edge(v, edges)
  implicit none
  real(8), intent(inout) :: v(4)
  integer(4), intent(inout) :: edges
  v(1) = v(1) + 0.0d0
  edges = edges + 1
end subroutine count_edge

subroutine count_cell(v, cells)
  implicit none
  real(8), intent(inout) :: v(4)
  integer(4), intent(inout) :: cells
  v = v * 2.0d0
  cells = cells + 1
end subroutine count_cell

! SPDX-License-Identifier: MIT
