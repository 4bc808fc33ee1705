! op2_mesh: meshes from the files of mesh generators. Names, maps and errors as in op2/meshfile.h; trailing blanks of
! texts are ignored. docs/meshes.md shows the use.
!
! Entries of maps count from 1, or from the base of op_init_base(), as those of op_decl_map() do; patches, and rows in
! op_mesh_reorder(), count from 1.
!
!   call op_mesh_read('wing.msh', mesh)
!   call op_mesh_declare(mesh)
!   cells = op_mesh_set(mesh, 'cells')
!   outlet = op_mesh_patch_set(mesh, 'outlet')
!   call op_par_loop(flow, 'flow', outlet, &
!     op_arg_dat(q, 1, op_mesh_patch_map(mesh, 'outlet', 'cells'), 4, 'real(8)', OP_READ), ...)
!   call op_mesh_free(mesh)
module op2_mesh
  use, intrinsic :: iso_c_binding
  use op2_c
  use op2_declare, only: set_of, map_of, dat_of
  use op2_text
  implicit none
  private
  public :: op_mesh, op_mesh_read, op_mesh_free, op_mesh_scale, op_mesh_size, op_mesh_ints, op_mesh_reals, op_mesh_patch, &
    op_mesh_info, op_mesh_check, op_mesh_reorder, op_mesh_divide, op_mesh_dump, op_mesh_declare, op_mesh_set, op_mesh_map, &
    op_mesh_dat, op_mesh_patch_set, op_mesh_patch_map

  ! A mesh in memory, independent of op_init() and op_exit(). The program owns the mesh until op_mesh_free().
  type :: op_mesh
    type(c_ptr) :: meshCptr = c_null_ptr
  end type op_mesh

  interface
    function c_mesh_read(path, format, mesh) bind(c, name='op_mesh_read') result(status)
      import :: c_ptr, c_char, c_int
      character(kind=c_char), intent(in) :: path(*), format(*)
      type(c_ptr), intent(out) :: mesh
      integer(c_int) :: status
    end function c_mesh_read
    subroutine c_mesh_free(mesh) bind(c, name='op_mesh_free')
      import :: c_ptr
      type(c_ptr), value :: mesh
    end subroutine c_mesh_free
    subroutine c_mesh_scale(mesh, factor) bind(c, name='op_mesh_scale')
      import :: c_ptr, c_double
      type(c_ptr), value :: mesh
      real(c_double), value :: factor
    end subroutine c_mesh_scale
    function c_mesh_size(mesh, set) bind(c, name='op_mesh_size') result(size)
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: set(*)
      integer(c_int) :: size
    end function c_mesh_size
    function c_mesh_ints(mesh, name, rows, dim) bind(c, name='op_mesh_ints') result(first)
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: rows, dim
      type(c_ptr) :: first
    end function c_mesh_ints
    function c_mesh_reals(mesh, name, rows, dim) bind(c, name='op_mesh_reals') result(first)
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: rows, dim
      type(c_ptr) :: first
    end function c_mesh_reals
    function c_mesh_patch(mesh, index, id) bind(c, name='op_mesh_patch') result(name)
      import :: c_ptr, c_int
      type(c_ptr), value :: mesh
      integer(c_int), value :: index
      integer(c_int), intent(out) :: id
      type(c_ptr) :: name
    end function c_mesh_patch
    function c_mesh_info(mesh, buffer, capacity) bind(c, name='op_mesh_info') result(length)
      import :: c_ptr, c_int, c_size_t
      type(c_ptr), value :: mesh, buffer
      integer(c_size_t), value :: capacity
      integer(c_int) :: length
    end function c_mesh_info
    function c_mesh_check(mesh, buffer, capacity) bind(c, name='op_mesh_check') result(length)
      import :: c_ptr, c_int, c_size_t
      type(c_ptr), value :: mesh, buffer
      integer(c_size_t), value :: capacity
      integer(c_int) :: length
    end function c_mesh_check
    subroutine c_mesh_reorder(mesh, set, order) bind(c, name='op_mesh_reorder')
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: set(*)
      integer(c_int), intent(in) :: order(*)
    end subroutine c_mesh_reorder
    subroutine c_mesh_divide(mesh, parts) bind(c, name='op_mesh_divide')
      import :: c_ptr, c_int
      type(c_ptr), value :: mesh
      integer(c_int), value :: parts
    end subroutine c_mesh_divide
    subroutine c_mesh_dump(mesh, file) bind(c, name='op_mesh_dump')
      import :: c_ptr, c_char
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: file(*)
    end subroutine c_mesh_dump
    subroutine c_mesh_declare(mesh) bind(c, name='op_mesh_declare')
      import :: c_ptr
      type(c_ptr), value :: mesh
    end subroutine c_mesh_declare
    function c_mesh_set(mesh, name) bind(c, name='op_mesh_set') result(set)
      import :: c_ptr, c_char
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: set
    end function c_mesh_set
    function c_mesh_map(mesh, name) bind(c, name='op_mesh_map') result(map)
      import :: c_ptr, c_char
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: map
    end function c_mesh_map
    function c_mesh_dat(mesh, name) bind(c, name='op_mesh_dat') result(dat)
      import :: c_ptr, c_char
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: dat
    end function c_mesh_dat
    function c_mesh_patch_set(mesh, patch) bind(c, name='op_mesh_patch_set') result(set)
      import :: c_ptr, c_char
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: patch(*)
      type(c_ptr) :: set
    end function c_mesh_patch_set
    function c_mesh_patch_map(mesh, patch, to) bind(c, name='op_mesh_patch_map') result(map)
      import :: c_ptr, c_char
      type(c_ptr), value :: mesh
      character(kind=c_char), intent(in) :: patch(*), to(*)
      type(c_ptr) :: map
    end function c_mesh_patch_map
    function f_first_entry() bind(c, name='op2f_first_entry') result(first)
      import :: c_int
      integer(c_int) :: first
    end function f_first_entry
  end interface

contains

  ! Reads a mesh. format: a name of op2/meshfile.h; without it the library chooses by the file. After an error the mesh
  ! has %meshCptr = c_null_ptr.
  subroutine op_mesh_read(path, mesh, format)
    character(*), intent(in) :: path
    type(op_mesh), intent(out) :: mesh
    character(*), intent(in), optional :: format
    type(c_ptr) :: handle
    if (c_mesh_read(c_text(path), c_text(format), handle) == OP_OK) mesh%meshCptr = handle
  end subroutine op_mesh_read

  ! Frees the mesh. Sets, maps and dats that were declared from it remain.
  subroutine op_mesh_free(mesh)
    type(op_mesh), intent(inout) :: mesh
    call c_mesh_free(mesh%meshCptr)
    mesh%meshCptr = c_null_ptr
  end subroutine op_mesh_free

  ! Multiplies all coordinates by a factor above zero.
  subroutine op_mesh_scale(mesh, factor)
    type(op_mesh), intent(in) :: mesh
    real(8), intent(in) :: factor
    call c_mesh_scale(mesh%meshCptr, factor)
  end subroutine op_mesh_scale

  ! The number of elements of a set, with 'patches' that of patches; -1 on error.
  integer(4) function op_mesh_size(mesh, set)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: set
    op_mesh_size = c_mesh_size(mesh%meshCptr, c_text(set))
  end function op_mesh_size

  ! A copy of a map or of a dat of integers, values(dim, rows). Not allocated after an error.
  subroutine op_mesh_ints(mesh, name, values)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: name
    integer(4), allocatable, intent(out) :: values(:, :)
    integer(4), pointer :: all(:, :)
    integer(c_int) :: rows, dim
    type(c_ptr) :: first
    first = c_mesh_ints(mesh%meshCptr, c_text(name), rows, dim)
    if (.not. c_associated(first)) return
    call c_f_pointer(first, all, [dim, rows])
    values = all
    if (is_map(name)) values = values + f_first_entry()
  end subroutine op_mesh_ints

  ! A copy of a dat of real numbers, values(dim, rows). Not allocated after an error.
  subroutine op_mesh_reals(mesh, name, values)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: name
    real(8), allocatable, intent(out) :: values(:, :)
    real(8), pointer :: all(:, :)
    integer(c_int) :: rows, dim
    type(c_ptr) :: first
    first = c_mesh_reals(mesh%meshCptr, c_text(name), rows, dim)
    if (.not. c_associated(first)) return
    call c_f_pointer(first, all, [dim, rows])
    values = all
  end subroutine op_mesh_reals

  ! The name of a patch, from 1 to op_mesh_size(mesh, 'patches'), and the number that the file gives it. After an error
  ! the name is blank.
  subroutine op_mesh_patch(mesh, index, name, id)
    type(op_mesh), intent(in) :: mesh
    integer(4), intent(in) :: index
    character(:), allocatable, intent(out) :: name
    integer(4), intent(out), optional :: id
    integer(c_int) :: number, patches
    number = -1
    name = ''
    patches = op_mesh_size(mesh, 'patches')
    if (index >= 1 .and. index <= patches) then
      name = f_text(c_mesh_patch(mesh%meshCptr, index - 1, number))
    else if (patches >= 0) then
      call f_raise(OP_ERR_RANGE, c_text('op_mesh_patch'), c_text('the index is none of the patches, which count from 1'))
    end if
    if (present(id)) id = number
  end subroutine op_mesh_patch

  ! A summary of the mesh.
  function op_mesh_info(mesh) result(out)
    type(op_mesh), intent(in) :: mesh
    character(:), allocatable :: out
    out = taken(mesh, c_mesh_info(mesh%meshCptr, c_null_ptr, 0_c_size_t), .false.)
  end function op_mesh_info

  ! A report of all defects, one line for each; blank if there are none.
  function op_mesh_check(mesh) result(out)
    type(op_mesh), intent(in) :: mesh
    character(:), allocatable :: out
    out = taken(mesh, c_mesh_check(mesh%meshCptr, c_null_ptr, 0_c_size_t), .true.)
  end function op_mesh_check

  ! The text of so many letters.
  function taken(mesh, length, findings) result(out)
    type(op_mesh), intent(in) :: mesh
    integer(c_int), intent(in) :: length
    logical, intent(in) :: findings
    character(:), allocatable :: out
    character(kind=c_char), target :: buffer(max(length, 0) + 1)
    integer(c_int) :: written
    out = ''
    if (length <= 0) return
    if (findings) then
      written = c_mesh_check(mesh%meshCptr, c_loc(buffer), size(buffer, kind=c_size_t))
    else
      written = c_mesh_info(mesh%meshCptr, c_loc(buffer), size(buffer, kind=c_size_t))
    end if
    if (written == length) out = f_text(c_loc(buffer))
  end function taken

  ! Reorders a set: the new row i is the old row order(i). Declared objects do not change.
  subroutine op_mesh_reorder(mesh, set, order)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: set
    integer(4), intent(in) :: order(:)
    integer(4) :: rows
    rows = op_mesh_size(mesh, set)
    if (rows < 0) return
    if (size(order) == rows) then
      call c_mesh_reorder(mesh%meshCptr, c_text(set), order - 1)
    else
      call f_raise(OP_ERR_DIM, c_text('op_mesh_reorder'), c_text('the order has another length than set ''' // trim(set) // ''''))
    end if
  end subroutine op_mesh_reorder

  ! Divides the cells into parts: a dat partvec0016 for 16 parts, with numbers from 0.
  subroutine op_mesh_divide(mesh, parts)
    type(op_mesh), intent(in) :: mesh
    integer(4), intent(in) :: parts
    call c_mesh_divide(mesh%meshCptr, parts)
  end subroutine op_mesh_divide

  ! Writes the mesh to a file, whose name chooses the format. Collective.
  subroutine op_mesh_dump(mesh, file)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: file
    call c_mesh_dump(mesh%meshCptr, c_text(file))
  end subroutine op_mesh_dump

  ! Declares all sets, maps and dats of the mesh, with several processes a part on each; op_fetch_data_all() gives the
  ! whole of a dat. Collective.
  subroutine op_mesh_declare(mesh)
    type(op_mesh), intent(in) :: mesh
    call c_mesh_declare(mesh%meshCptr)
  end subroutine op_mesh_declare

  ! What was declared under a name.
  type(op_set) function op_mesh_set(mesh, name) result(set)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: name
    set = set_of(c_mesh_set(mesh%meshCptr, c_text(name)))
  end function op_mesh_set

  type(op_map) function op_mesh_map(mesh, name) result(map)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: name
    map = map_of(c_mesh_map(mesh%meshCptr, c_text(name)))
  end function op_mesh_map

  type(op_dat) function op_mesh_dat(mesh, name) result(dat)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: name
    dat = dat_of(c_mesh_dat(mesh%meshCptr, c_text(name)))
  end function op_mesh_dat

  ! The boundary faces of the patch of this name as a set. After op_mesh_declare(); collective.
  type(op_set) function op_mesh_patch_set(mesh, patch) result(set)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: patch
    set = set_of(c_mesh_patch_set(mesh%meshCptr, c_text(patch)))
  end function op_mesh_patch_set

  ! The map from these faces to 'cells', 'nodes' or 'bfaces'. Collective.
  type(op_map) function op_mesh_patch_map(mesh, patch, to) result(map)
    type(op_mesh), intent(in) :: mesh
    character(*), intent(in) :: patch, to
    map = map_of(c_mesh_patch_map(mesh%meshCptr, c_text(patch), c_text(to)))
  end function op_mesh_patch_map

  ! The other arrays of integers in meshes are dats, whose values are no numbers of elements.
  pure logical function is_map(name)
    character(*), intent(in) :: name
    is_map = name /= 'bface_patch' .and. name /= 'p_bound' .and. index(name, 'partvec') /= 1
  end function is_map
end module op2_mesh

! SPDX-License-Identifier: MIT
