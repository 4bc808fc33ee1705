! op2_c: interfaces of the C functions of the library and of the glue, under other names. Programs do not use this
! module.
module op2_c
  use, intrinsic :: iso_c_binding
  use op2_types
  implicit none
  public

  interface
    ! ---- session: glue
    subroutine f_init(argc, argv, diags, base, soa, with_communicator, global, local) bind(c, name='op2f_init')
      import :: c_int, c_ptr
      integer(c_int), value :: argc, diags, base, soa, with_communicator, global, local
      type(c_ptr), intent(in) :: argv(*)
    end subroutine f_init
    subroutine f_exit() bind(c, name='op2f_exit')
    end subroutine f_exit
    subroutine f_raise(code, call, message) bind(c, name='op2f_raise')
      import :: c_int, c_char
      integer(c_int), value :: code
      character(kind=c_char), intent(in) :: call(*), message(*)
    end subroutine f_raise
    subroutine f_clear_error() bind(c, name='op2f_clear_error')
    end subroutine f_clear_error
    subroutine f_print(line) bind(c, name='op2f_print')
      import :: c_char
      character(kind=c_char), intent(in) :: line(*)
    end subroutine f_print

    ! ---- session: library
    subroutine c_rank(rank) bind(c, name='op_rank')
      import :: c_int
      integer(c_int), intent(out) :: rank
    end subroutine c_rank
    function c_comm_size() bind(c, name='op_comm_size') result(size)
      import :: c_int
      integer(c_int) :: size
    end function c_comm_size
    function c_is_root() bind(c, name='op_is_root') result(yes)
      import :: c_int
      integer(c_int) :: yes
    end function c_is_root
    function c_is_partitioned() bind(c, name='op_is_partitioned') result(yes)
      import :: c_int
      integer(c_int) :: yes
    end function c_is_partitioned
    subroutine c_barrier() bind(c, name='op_barrier')
    end subroutine c_barrier
    function c_backend() bind(c, name='op_backend') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function c_backend
    function c_setting(name) bind(c, name='op_setting') result(text)
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: text
    end function c_setting
    function c_last_status() bind(c, name='op_last_status') result(status)
      import :: c_int
      integer(c_int) :: status
    end function c_last_status
    function c_last_error() bind(c, name='op_last_error') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function c_last_error

    ! ---- declarations
    function c_decl_set(size, name) bind(c, name='op_decl_set') result(set)
      import :: c_int, c_ptr, c_char
      integer(c_int), value :: size
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: set
    end function c_decl_set
    function c_map_compose(first, second, name) bind(c, name='op_map_compose') result(map)
      import :: c_ptr, c_char
      type(c_ptr), value :: first, second
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: map
    end function c_map_compose
    function f_decl_dat_zeros(set, dim, type, length, name) bind(c, name='op2f_decl_dat_zeros') result(dat)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: set
      integer(c_int), value :: dim, length
      character(kind=c_char), intent(in) :: type(*), name(*)
      type(c_ptr) :: dat
    end function f_decl_dat_zeros
    function f_decl_map(from, to, dim, data, bytes, count, name) bind(c, name='op2f_decl_map') result(map)
      import :: c_int, c_ptr, c_char, c_long_long
      type(c_ptr), value :: from, to, data
      integer(c_int), value :: dim, bytes
      integer(c_long_long), value :: count
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: map
    end function f_decl_map
    function f_decl_dat(set, dim, type, data, count, name) bind(c, name='op2f_decl_dat') result(dat)
      import :: c_int, c_ptr, c_char, c_long_long
      type(c_ptr), value :: set, data
      integer(c_int), value :: dim
      character(kind=c_char), intent(in) :: type(*)
      integer(c_long_long), value :: count
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: dat
    end function f_decl_dat
    function f_decl_dat_temp(set, dim, type, length, name) bind(c, name='op2f_decl_dat_temp') result(dat)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: set
      integer(c_int), value :: dim, length
      character(kind=c_char), intent(in) :: type(*), name(*)
      type(c_ptr) :: dat
    end function f_decl_dat_temp
    function f_free_dat_temp(dat) bind(c, name='op2f_free_dat_temp') result(found)
      import :: c_int, c_ptr
      type(c_ptr), value :: dat
      integer(c_int) :: found
    end function f_free_dat_temp
    subroutine f_decl_const(name, dim, type, data, count) bind(c, name='op2f_decl_const')
      import :: c_int, c_ptr, c_char, c_long_long
      character(kind=c_char), intent(in) :: name(*), type(*)
      integer(c_int), value :: dim
      type(c_ptr), value :: data
      integer(c_long_long), value :: count
    end subroutine f_decl_const
    subroutine f_register_set(number, set) bind(c, name='op2f_register_set')
      import :: c_int, c_ptr
      integer(c_int), value :: number
      type(c_ptr), value :: set
    end subroutine f_register_set
    function f_get_set(number) bind(c, name='op2f_get_set') result(set)
      import :: c_int, c_ptr
      integer(c_int), value :: number
      type(c_ptr) :: set
    end function f_get_set
    function f_memalloc(bytes) bind(c, name='op2f_memalloc') result(address)
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: bytes
      type(c_ptr) :: address
    end function f_memalloc
    function f_dat_of(data, call) bind(c, name='op2f_dat_of') result(dat)
      import :: c_ptr, c_char
      type(c_ptr), value :: data
      character(kind=c_char), intent(in) :: call(*)
      type(c_ptr) :: dat
    end function f_dat_of
    function f_map_of(data, call) bind(c, name='op2f_map_of') result(map)
      import :: c_ptr, c_char
      type(c_ptr), value :: data
      character(kind=c_char), intent(in) :: call(*)
      type(c_ptr) :: map
    end function f_map_of

    ! ---- arguments and loops: glue
    subroutine f_arg_dat(arg, opt, dat, idx, map, dim, type, length, access) bind(c, name='op2f_arg_dat')
      import :: op_arg, c_int, c_ptr, c_char
      type(op_arg), intent(out) :: arg
      integer(c_int), value :: opt, idx, dim, length, access
      type(c_ptr), value :: dat, map
      character(kind=c_char), intent(in) :: type(*)
    end subroutine f_arg_dat
    subroutine f_arg_array(arg, opt, data, idx, map, dim, type, length, access) bind(c, name='op2f_arg_array')
      import :: op_arg, c_int, c_ptr, c_char
      type(op_arg), intent(out) :: arg
      integer(c_int), value :: opt, idx, dim, length, access
      type(c_ptr), value :: data, map
      character(kind=c_char), intent(in) :: type(*)
    end subroutine f_arg_array
    subroutine f_arg_dat_array(arg, opt, dat, idx, map, dim, type, length, access) bind(c, name='op2f_arg_dat_array')
      import :: op_arg, c_int, c_ptr, c_char
      type(op_arg), intent(out) :: arg
      integer(c_int), value :: opt, idx, dim, length, access
      type(c_ptr), value :: dat, map
      character(kind=c_char), intent(in) :: type(*)
    end subroutine f_arg_dat_array
    subroutine f_arg_gbl(arg, opt, data, dim, type, count, access) bind(c, name='op2f_arg_gbl')
      import :: op_arg, c_int, c_ptr, c_char, c_long_long
      type(op_arg), intent(out) :: arg
      integer(c_int), value :: opt, dim, access
      type(c_ptr), value :: data
      character(kind=c_char), intent(in) :: type(*)
      integer(c_long_long), value :: count
    end subroutine f_arg_gbl
    subroutine f_arg_info(arg, data, dim, type, count, ref) bind(c, name='op2f_arg_info')
      import :: op_arg, c_int, c_ptr, c_char, c_long_long
      type(op_arg), intent(out) :: arg
      integer(c_int), value :: dim, ref
      type(c_ptr), value :: data
      character(kind=c_char), intent(in) :: type(*)
      integer(c_long_long), value :: count
    end subroutine f_arg_info
    subroutine f_arg_idx(arg, idx, map) bind(c, name='op2f_arg_idx')
      import :: op_arg, c_int, c_ptr
      type(op_arg), intent(out) :: arg
      integer(c_int), value :: idx
      type(c_ptr), value :: map
    end subroutine f_arg_idx
    subroutine f_arg_idx_array(arg, idx, map) bind(c, name='op2f_arg_idx_array')
      import :: op_arg, c_int, c_ptr
      type(op_arg), intent(out) :: arg
      integer(c_int), value :: idx
      type(c_ptr), value :: map
    end subroutine f_arg_idx_array
    subroutine f_par_loop(kernel, name, length, set, nargs, args) bind(c, name='op2f_par_loop')
      import :: op_arg, c_int, c_ptr, c_funptr, c_char
      type(c_funptr), value :: kernel
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: length, nargs
      type(c_ptr), value :: set
      type(op_arg), intent(in) :: args(*)
    end subroutine f_par_loop
    subroutine f_par_loop_until(kernel, name, length, set, nargs, args) bind(c, name='op2f_par_loop_until')
      import :: op_arg, c_int, c_ptr, c_funptr, c_char
      type(c_funptr), value :: kernel
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: length, nargs
      type(c_ptr), value :: set
      type(op_arg), intent(in) :: args(*)
    end subroutine f_par_loop_until
    subroutine f_arg_stop(arg, number) bind(c, name='op2f_arg_stop')
      import :: op_arg, c_ptr
      type(op_arg), intent(out) :: arg
      type(c_ptr), value :: number
    end subroutine f_arg_stop
    subroutine f_kernel_range(kernel, range) bind(c, name='op2f_kernel_range')
      import :: c_funptr
      type(c_funptr), value :: kernel, range
    end subroutine f_kernel_range
    subroutine f_kernel_source(kernel, name, text) bind(c, name='op2f_kernel_source')
      import :: c_funptr, c_char
      type(c_funptr), value :: kernel
      character(kind=c_char), intent(in) :: name(*), text(*)
    end subroutine f_kernel_source
  end interface
end module op2_c

! SPDX-License-Identifier: MIT
