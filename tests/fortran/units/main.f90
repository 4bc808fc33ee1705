! A program of several files.
program units
  use unit_mesh
  use op2_fortran_rt_support
  use grid
  implicit none
  interface
    subroutine unit_step(level)
      integer(4), intent(in) :: level
    end subroutine unit_step
  end interface
  real(8) :: w(nlink), sums(nnode), back(nnode)
  integer(4) :: l
  call op_init(0)
  call make_grid()
  w = 0.0d0
  sums = 0.0d0
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nlink, links, 'links')
  call op_decl_map(links, nodes, 2, link, plink, 'plink')
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'p_x')
  call op_decl_dat(links, 1, 'real(8)', w, p_w, 'p_w')
  call op_decl_dat(nodes, 1, 'real(8)', sums, p_level(1), 'level1')
  call op_decl_dat(nodes, 1, 'real(8)', sums, p_level(2), 'level2')
  call op_partition('', '', nodes, plink, p_x)
  call unit_step(1)
  call unit_step(2)
  call unit_step(2)
  do l = 1, nlink
    sums(link(:, l)) = sums(link(:, l)) + hypot(x(1, link(1, l)) - x(1, link(2, l)), x(2, link(1, l)) - x(2, link(2, l)))
  end do
  call op_fetch_data_idx(p_level(1), back, 1, nnode)
  call check(all(abs(back - sums) < 1.0d-12), 'one step')
  call op_fetch_data_idx(p_level(2), back, 1, nnode)
  call check(all(abs(back - 2.0d0 * sums) < 1.0d-12), 'two steps')
  call op_exit()
  if (failures > 0) stop 1
end program units

! SPDX-License-Identifier: MIT
