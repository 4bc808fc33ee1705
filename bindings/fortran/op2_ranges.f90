! op2_ranges: used by the procedures that op2-fortran-ranges writes.
module op2_ranges
  use, intrinsic :: iso_c_binding
  use op2_types, only: op_range_ctx, op_range_arg
  implicit none
  private
  public :: op_range_ctx, op_range_arg, op_range_fits, op_range_elements, op_range_extent

  ! Extent of arrays whose size only the library knows: larger than any memory.
  integer(c_size_t), parameter :: op_range_extent = 2_c_size_t**48

  interface
    ! Not 0 if the arguments of the loop agree with those that the procedure was written for. Arrays with one entry per
    ! argument: kinds: OP_RANGE_...; accesses: values of C, -1 = any; bytes: of a row of a dat, -dim of a variable, 0 =
    ! any; of: the first argument with the same dat. Arguments with different entries in `of` must have different dats.
    integer(c_int) function op_range_fits(ctx, nargs, kinds, accesses, bytes, of) bind(c, name='op2f_range_fits')
      import :: c_int, op_range_ctx
      type(op_range_ctx), intent(in) :: ctx
      integer(c_int), value :: nargs
      integer(c_int), intent(in) :: kinds(*), accesses(*), bytes(*), of(*)
    end function op_range_fits

    ! Calls the kernel through its pointer, for loops whose arguments do not agree.
    subroutine op_range_elements(ctx, first, last) bind(c, name='op2f_range_elements')
      import :: c_int, op_range_ctx
      type(op_range_ctx), intent(in) :: ctx
      integer(c_int), value :: first, last
    end subroutine op_range_elements
  end interface
end module op2_ranges
