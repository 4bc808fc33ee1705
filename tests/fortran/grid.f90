! A grid of quadrilaterals for the programs of this folder, numbered from 1, and how they split and check it. Not a part of OP2's
! interface: every process makes all of the grid and declares its own part, or all of it.
module grid
  implicit none
  integer(4), parameter :: nx = 11, ny = 8, nnode = (nx + 1) * (ny + 1), ncell = nx * ny, &
    nedge = (nx - 1) * ny + nx * (ny - 1), nlink = nx * (ny + 1) + (nx + 1) * ny
  integer(4) :: cell(4, ncell)  ! nodes of cells
  integer(4) :: edge(2, nedge)  ! nodes between neighbouring cells
  integer(4) :: ecell(2, nedge) ! those cells
  integer(4) :: link(2, nlink)  ! neighbouring nodes
  real(8) :: x(2, nnode)
  integer(4) :: failures = 0

contains

  integer(4) pure function node(i, j)
    integer(4), intent(in) :: i, j
    node = i + 1 + j * (nx + 1)
  end function node

  subroutine make_grid()
    integer(4) :: i, j, e, l
    e = 0
    l = 0
    do j = 0, ny
      do i = 0, nx
        x(:, node(i, j)) = [i + 0.1d0 * mod(i * 7 + j * 3, 5), j + 0.1d0 * mod(i * 2 + j * 5, 7)]
        if (i < nx) call pair(link, l, node(i, j), node(i + 1, j))
        if (j < ny) call pair(link, l, node(i, j), node(i, j + 1))
      end do
    end do
    do j = 0, ny - 1
      do i = 0, nx - 1
        cell(:, i + 1 + j * nx) = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]
        if (i + 1 < nx) then
          call pair(edge, e, node(i + 1, j), node(i + 1, j + 1))
          ecell(:, e) = [i + 1 + j * nx, i + 2 + j * nx]
        end if
        if (j + 1 < ny) then
          call pair(edge, e, node(i, j + 1), node(i + 1, j + 1))
          ecell(:, e) = [i + 1 + j * nx, i + 1 + (j + 1) * nx]
        end if
      end do
    end do
  end subroutine make_grid

  subroutine pair(list, count, a, b)
    integer(4), intent(inout) :: list(2, *), count
    integer(4), intent(in) :: a, b
    count = count + 1
    list(:, count) = [a, b]
  end subroutine pair

  ! The elements first ... last of `all` that a process declares.
  subroutine block(all, process, processes, first, last)
    integer(4), intent(in) :: all, process, processes
    integer(4), intent(out) :: first, last
    first = process * (all / processes) + min(process, mod(all, processes)) + 1
    last = first + all / processes - 1
    if (process < mod(all, processes)) last = last + 1
  end subroutine block

  subroutine check(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    failures = failures + 1
    write (*, '(2a)') 'FAILED: ', what
  end subroutine check
end module grid

! SPDX-License-Identifier: MIT
