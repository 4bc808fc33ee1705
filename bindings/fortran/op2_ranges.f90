! op2_ranges: what the procedures written by op2-fortran-ranges use.
module op2_ranges
  use, intrinsic :: iso_c_binding
  use op2_types, only: op_range_ctx, op_range_arg
  implicit none
  private
  public :: op_range_ctx, op_range_arg, op_range_fits, op_range_elements, op_range_extent

  ! Arrays whose size the library knows: more values than memory has.
  integer(c_size_t), parameter :: op_range_extent = 2_c_size_t**48

  interface
    ! Not 0 if the arguments are as the procedure was written for, one of each array below for every argument. kinds: OP_RANGE_...;
    ! accesses: C's, -1 for any; bytes: of a row of a dat, -dim of a variable, 0 for any; of: the first argument with the same dat,
    ! no two other dats being one.
    integer(c_int) function op_range_fits(ctx, nargs, kinds, accesses, bytes, of) bind(c, name='op2f_range_fits')
      import :: c_int, op_range_ctx
      type(op_range_ctx), intent(in) :: ctx
      integer(c_int), value :: nargs
      integer(c_int), intent(in) :: kinds(*), accesses(*), bytes(*), of(*)
    end function op_range_fits

    ! The kernel called by its pointer, for loops that are not.
    subroutine op_range_elements(ctx, first, last) bind(c, name='op2f_range_elements')
      import :: c_int, op_range_ctx
      type(op_range_ctx), intent(in) :: ctx
      integer(c_int), value :: first, last
    end subroutine op_range_elements
  end interface
end module op2_ranges
