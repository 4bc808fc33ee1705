! Meshes from files, by all calls of op2_mesh: meshes PLATE WORK [files] reads the plate of 4 by 2 squares
! (tests/meshfile/data/plate.su2) and, with files, writes WORK.h5 and reads it again. Runs with OP2_ERROR=return.
module meshes_kernels
  implicit none

contains

  subroutine add_up(cell, patch, a, b, sums, x)
    integer(4), intent(in) :: cell, patch
    real(8), intent(in) :: a(2), b(2)
    integer(4), intent(inout) :: sums(3)
    real(8), intent(inout) :: x
    sums = sums + [1, cell, patch]
    x = x + a(1) + b(1)
  end subroutine add_up

  subroutine corners(a, b, c, d, x)
    real(8), intent(in) :: a(2), b(2), c(2), d(2)
    real(8), intent(inout) :: x
    x = x + a(1) + b(1) + c(1) + d(1)
  end subroutine corners
end module meshes_kernels

program meshes
  use op2
  use grid
  use meshes_kernels
  use, intrinsic :: iso_c_binding
  implicit none
  type(op_mesh) :: mesh, again
  type(op_set) :: cells, nodes
  type(op_map) :: cell_nodes
  type(op_dat) :: p_number, p_x
  character(200) :: plate, work, files
  character(:), allocatable :: name
  integer(4), allocatable :: table(:, :), patches(:, :), number(:)
  real(8), allocatable :: place(:, :), part(:, :)
  integer(4) :: id, first, i

  call get_command_argument(1, plate)
  call get_command_argument(2, work)
  call get_command_argument(3, files)
  call op_init(0)
  first = 1
  if (op_setting('OP2_MAPS_BASE_INDEX') == '0') first = 0
  call look()
  call change()
  call hear_refusals()

  call op_mesh_declare(mesh)
  cells = op_mesh_set(mesh, 'cells ')
  nodes = op_mesh_set(mesh, 'nodes')
  p_x = op_mesh_dat(mesh, 'x')
  call op_decl_dat(cells, 1, 'integer(4)', p_number, 'number')
  call op_put_data_all(p_number, [(i, i = 1, 8)])
  call loop_over('inlet', [2, 1 + 5, 0], 0)
  call loop_over('outlet', [2, 4 + 8, 2], 16)
  call loop_over('top  ', [4, 26, 8], 16)
  call loop_over('none', [4, 10, -4], 16)
  call check(nint(all_corners(op_mesh_map(mesh, 'cell_nodes'), p_x)) == 64, 'a loop over the cells')
  call fetch()
  call op_mesh_free(mesh)
  call check(op_get_size(cells) == 8, 'what was declared stays')
  if (files /= '') call read_back()
  call op_exit()
  if (failures > 0) error stop 1

contains

  subroutine look()
    call op_mesh_read(trim(plate) // '  ', mesh)
    call check(op_last_status() == OP_OK, 'a mesh is read: ' // op_last_error())
    call check(op_mesh_size(mesh, 'cells') == 8, 'the size of a set')
    call check(op_mesh_size(mesh, 'patches') == 4, 'the number of patches')
    call op_mesh_ints(mesh, 'cell_nodes', table)
    call check(all(shape(table) == [4, 8]), 'the shape of a map')
    call check(all(table(:, 1) == [0, 1, 6, 5] + first), 'entries of maps count as those of the program')
    call op_mesh_ints(mesh, 'bface_patch', patches)
    call check(all(shape(patches) == [1, 12]) .and. minval(patches) == -1 .and. maxval(patches) == 2, 'ids of patches')
    call op_mesh_reals(mesh, 'x', place)
    call check(all(shape(place) == [2, 15]) .and. all(nint(place(:, 15)) == [4, 2]), 'coordinates')
    call op_mesh_patch(mesh, 2, name, id)
    call check(name == 'outlet' .and. id == 1, 'the name of a patch')
    call op_mesh_patch(mesh, 4, name)
    call check(name == 'none', 'faces without a patch')
    call check(index(op_mesh_info(mesh), 'outlet, 2 faces') > 0, 'a summary')
    call check(index(op_mesh_check(mesh), 'patch') > 0, 'what is wrong with the mesh')
  end subroutine look

  ! All changes are taken back, but the parts.
  subroutine change()
    call op_mesh_scale(mesh, 2.0d0)
    call op_mesh_reals(mesh, 'x', place)
    call check(all(nint(place(:, 15)) == [8, 4]), 'another unit')
    call op_mesh_scale(mesh, 0.5d0)
    call op_mesh_reorder(mesh, 'cells', [(9 - i, i = 1, 8)])
    call op_mesh_ints(mesh, 'cell_nodes', table)
    call check(all(table(:, 8) == [0, 1, 6, 5] + first), 'another order')
    call op_mesh_reorder(mesh, 'cells', [(9 - i, i = 1, 8)])
    call op_mesh_divide(mesh, 2)
    if (op_last_status() == OP_OK) then
      call op_mesh_ints(mesh, 'partvec0002', table)
      call check(size(table) == 8 .and. minval(table) == 0 .and. maxval(table) == 1, 'parts')
    else
      call check(op_last_status() == OP_ERR_BACKEND, 'parts: ' // op_last_error()) ! without a plugin on several processes
      call op_clear_error()
    end if
  end subroutine change

  subroutine hear_refusals()
    type(op_mesh) :: none
    call op_mesh_read('no such file', none)
    call refused(OP_ERR_FILE, 'no such file')
    call op_mesh_read(plate, none, 'gmsh')
    call refused(OP_ERR_FILE, '$MeshFormat')
    call check(op_mesh_size(mesh, 'cell') == -1, 'a size of nothing')
    call refused(OP_ERR_ARGUMENT, 'it has nodes, cells, faces')
    call op_mesh_ints(mesh, 'x', table)
    call check(.not. allocated(table), 'no integers')
    call refused(OP_ERR_ARGUMENT, 'real numbers')
    call op_mesh_patch(mesh, 5, name, id)
    call check(name == '' .and. id == -1, 'no patch')
    call refused(OP_ERR_RANGE, 'count from 1')
    call op_mesh_reorder(mesh, 'cells', [1, 2, 3])
    call refused(OP_ERR_DIM, 'another length than set ''cells''')
    call op_mesh_reorder(mesh, 'cells', [(1, i = 1, 8)])
    call refused(OP_ERR_RANGE, 'must stand there once')
    call check(.not. c_associated(no_patch('outlet')), 'a patch before the declaration')
    call refused(OP_ERR_STATE, 'op_mesh_declare')
  end subroutine hear_refusals

  type(c_ptr) function no_patch(patch)
    character(*), intent(in) :: patch
    type(op_set) :: set
    set = op_mesh_patch_set(mesh, patch)
    no_patch = set%setCptr
  end function no_patch

  subroutine refused(code, words)
    integer, intent(in) :: code
    character(*), intent(in) :: words
    call check(op_last_status() == code, 'the status of: ' // op_last_error())
    call check(index(op_last_error(), words) > 0, words // ' is not in: ' // op_last_error())
    call op_clear_error()
  end subroutine refused

  subroutine loop_over(patch, sums, x)
    character(*), intent(in) :: patch
    integer(4), intent(in) :: sums(3)
    integer(4), intent(in) :: x
    integer(4) :: found(3)
    real(8) :: found_x
    type(op_map) :: ends
    found = 0
    found_x = 0.0d0
    ends = op_mesh_patch_map(mesh, patch, 'nodes')
    call op_par_loop(add_up, 'add_up', op_mesh_patch_set(mesh, patch), &
      op_arg_dat(p_number, 1, op_mesh_patch_map(mesh, patch, 'cells'), 1, 'integer(4)', OP_READ), &
      op_arg_dat(op_mesh_dat(mesh, 'bface_patch'), 1, op_mesh_patch_map(mesh, patch, 'bfaces'), 1, 'integer(4)', OP_READ), &
      op_arg_dat(p_x, 1, ends, 2, 'real(8)', OP_READ), op_arg_dat(p_x, 2, ends, 2, 'real(8)', OP_READ), &
      op_arg_gbl(found, 3, 'integer(4)', OP_INC), op_arg_gbl(found_x, 1, 'real(8)', OP_INC))
    call check(all(found == sums) .and. nint(found_x) == x, 'a loop over patch ' // patch)
    call check(.not. c_associated(no_patch('outlets')), 'a patch that is not there')
    call refused(OP_ERR_ARGUMENT, 'it has inlet, outlet, top and none')
  end subroutine loop_over

  real(8) function all_corners(map, coordinates)
    type(op_map), intent(in) :: map
    type(op_dat), intent(in) :: coordinates
    real(8) :: x
    x = 0.0d0
    call op_par_loop(corners, 'corners', cells, op_arg_dat(coordinates, 1, map, 2, 'real(8)', OP_READ), &
      op_arg_dat(coordinates, 2, map, 2, 'real(8)', OP_READ), op_arg_dat(coordinates, 3, map, 2, 'real(8)', OP_READ), &
      op_arg_dat(coordinates, 4, map, 2, 'real(8)', OP_READ), op_arg_gbl(x, 1, 'real(8)', OP_INC))
    all_corners = x
  end function all_corners

  ! The whole of a dat, and the own part.
  subroutine fetch()
    integer(4) :: rows
    integer(8) :: before
    allocate (number(8))
    call op_fetch_data_all(p_number, number)
    call check(all(number == [(i, i = 1, 8)]), 'the whole of a dat')
    rows = op_get_size_declared(nodes)
    before = op_get_global_set_offset(nodes)
    allocate (part(2, rows))
    call op_fetch_data_own(p_x, part)
    call check(nint(part(1, 1), 8) == mod(before, 5_8) .and. nint(part(2, 1), 8) == before / 5, 'the own part of a dat')
    if (op_mpi_size() > 1) call check(rows < 15, 'which is a part')
  end subroutine fetch

  ! A file that counts from 0, and one that counts as this program does.
  subroutine read_back()
    call op_mesh_read(plate, again)
    call op_mesh_dump(again, trim(work) // '.h5')
    call op_decl_set_hdf5(cells, trim(work) // '.h5', 'cells')
    call op_decl_set_hdf5(nodes, trim(work) // '.h5', 'nodes')
    call op_decl_map_hdf5(cells, nodes, 4, cell_nodes, trim(work) // '.h5', 'cell_nodes')
    call op_decl_dat_hdf5(nodes, 2, p_x, 'real(8)', trim(work) // '.h5', 'x')
    call check(op_last_status() == OP_OK, 'a file of op2_mesh: ' // op_last_error())
    call check(nint(all_corners(cell_nodes, p_x)) == 64, 'a loop over a mesh of op2_mesh')
    call op_mesh_free(again)
  end subroutine read_back
end program meshes

! SPDX-License-Identifier: MIT
