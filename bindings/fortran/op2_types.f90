! op2_types: handles, arguments and constants, with the names that OP2's Fortran programs use.
module op2_types
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: op_set_core, op_map_core, op_dat_core, op_set, op_map, op_dat, op_global, op_arg, op_range_arg, op_range_ctx

  integer, parameter, public :: MAX_NAME_LEN = 100, BSIZE_DEFAULT = 256

  ! Access modes: what a kernel does to an argument. The values are larger by one than in C.
  integer(c_int), parameter, public :: OP_READ = 1, OP_WRITE = 2, OP_RW = 3, OP_INC = 4, OP_MIN = 5, OP_MAX = 6, &
    OP_WORK = 7
  integer(c_int), parameter, public :: OP_ARG_GBL_KIND = 0, OP_ARG_DAT_KIND = 1, OP_ARG_IDX_KIND = 2, &
    OP_ARG_INFO_KIND = 3

  ! For op_dat_set_storage().
  integer(c_int), parameter, public :: OP_STORAGE_AUTO = 0, OP_STORAGE_MEMORY = 1, OP_STORAGE_SCRATCH = 2

  ! Status codes, which calls return in C; here op_last_status() returns them.
  integer(c_int), parameter, public :: OP_OK = 0, OP_ERR_STATE = 1, OP_ERR_ARGUMENT = 2, OP_ERR_HANDLE = 3, &
    OP_ERR_RANGE = 4, OP_ERR_TYPE = 5, OP_ERR_DIM = 6, OP_ERR_SET = 7, OP_ERR_ACCESS = 8, OP_ERR_MEMORY = 9, &
    OP_ERR_BACKEND = 10, OP_ERR_PLUGIN = 11, OP_ERR_KERNEL = 12, OP_ERR_FILE = 13, OP_ERR_UNSUPPORTED = 14, &
    OP_ERR_THREAD = 15, OP_ERR_INTERNAL = 16, OP_ERR_CHECK = 17

  ! The first fields of the library's objects (op2/heads.h). Programs may read them and must not copy the objects.
  type, bind(c) :: op_set_core
    integer(c_int) :: index
    integer(c_int) :: size          ! number of elements that this process owns
    type(c_ptr) :: name
    integer(c_int) :: core_size
    integer(c_int) :: exec_size
    integer(c_int) :: nonexec_size
    integer(c_int) :: stride
  end type op_set_core

  type, bind(c) :: op_map_core
    integer(c_int) :: index
    type(c_ptr) :: from, to
    integer(c_int) :: dim
    type(c_ptr) :: map              ! [size of from][dim] local numbers from 0
    type(c_ptr) :: map_gbl
    type(c_ptr) :: map_d
    type(c_ptr) :: name
    integer(c_int) :: user_managed
    logical(c_bool) :: force_part
  end type op_map_core

  type, bind(c) :: op_dat_core
    integer(c_int) :: index
    type(c_ptr) :: set
    integer(c_int) :: dim
    integer(c_int) :: size          ! bytes per element
    type(c_ptr) :: dat              ! rows on the host
    type(c_ptr) :: dat_d
    type(c_ptr) :: type
    type(c_ptr) :: name
    type(c_ptr) :: buffer_d
    type(c_ptr) :: buffer_d_r
    integer(c_int) :: dirtybit
    integer(c_int) :: dirty_hd
    integer(c_int) :: user_managed
    type(c_ptr) :: mpi_buffer
  end type op_dat_core

  type :: op_set
    type(op_set_core), pointer :: setPtr => null()
    type(c_ptr) :: setCptr = c_null_ptr
  end type op_set

  type :: op_map
    type(op_map_core), pointer :: mapPtr => null()
    type(c_ptr) :: mapCptr = c_null_ptr
    integer(c_int) :: status = -1
  end type op_map

  type :: op_dat
    type(op_dat_core), pointer :: dataPtr => null()
    type(c_ptr) :: dataCptr = c_null_ptr
    integer(c_int) :: status = -1
  end type op_dat

  ! Values of the library that loops reduce into and read, see op_decl_global().
  type :: op_global
    type(c_ptr) :: c = c_null_ptr
  end type op_global

  ! One argument of a loop (op2/types.h), made by the op_arg_ functions.
  type, bind(c) :: op_arg
    integer(c_int) :: index
    type(c_ptr) :: dat
    type(c_ptr) :: map
    integer(c_int) :: dim
    integer(c_int) :: idx
    integer(c_int) :: size
    type(c_ptr) :: data
    type(c_ptr) :: data_d
    type(c_ptr) :: map_data
    type(c_ptr) :: map_data_d
    type(c_ptr) :: type
    integer(c_int) :: acc
    integer(c_int) :: argtype
    integer(c_int) :: sent
    integer(c_int) :: opt
    type(c_ptr) :: reduction
    type(c_ptr) :: global
    type(c_ptr) :: reserved(2)
  end type op_arg

  ! The parameter of a range procedure (op2/loop.h), see op_kernel_range().
  type, bind(c) :: op_range_arg
    type(c_ptr) :: base
    integer(c_intptr_t) :: stride
    type(c_ptr) :: map
    integer(c_int) :: map_stride
    integer(c_int) :: count
    integer(c_int) :: kind
    integer(c_int) :: access
    integer(c_int) :: dim
    integer(c_int) :: flags
  end type op_range_arg

  type, bind(c) :: op_range_ctx
    integer(c_size_t) :: size
    type(c_ptr) :: args
    integer(c_int) :: nargs
    integer(c_int) :: reserved
    type(c_funptr) :: element
    type(c_ptr) :: layouts
  end type op_range_ctx

  integer(c_int), parameter, public :: OP_RANGE_DIRECT = 0, OP_RANGE_INDIRECT = 1, OP_RANGE_VECTOR = 2, &
    OP_RANGE_GLOBAL = 3, OP_RANGE_INDEX = 4, OP_RANGE_MAP_INDEX = 5, OP_RANGE_ABSENT = 6

  ! The map of a direct argument. The library recognises its address, so that programs that name maps by arrays can use
  ! it, too.
  integer(4), target, save, public :: OP_ID(2) = [-1, -1]
  type(op_map), save, public :: OP_GBL
end module op2_types

! SPDX-License-Identifier: MIT
