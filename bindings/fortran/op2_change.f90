! op2_change: meshes that change while the program runs. Errors as in op2/change.h; OP_ERR_DIM for arrays that do not fit.
! docs/changing_meshes.md shows the use. Elements and parents count from 1, whatever the base of maps.
module op2_change
  use, intrinsic :: iso_c_binding
  use op2_c
  implicit none
  private
  public :: op_put_map_rows, op_carry, op_carry_sums

  ! op_put_map_rows(map, elements, entries): element elements(i) gets the row entries(:, i), in the numbers of
  ! op_decl_map(). Each process passes rows of any elements, or none. Collective.
  interface op_put_map_rows
    procedure put_4, put_8
  end interface op_put_map_rows

  ! op_carry(from, to, parents): each element of the new set that this process declares gets the values of its parent, an
  ! element of the old set; 0: none, and zeros. op_carry_sums(from, to, parents [, weights]): the values of a parent are
  ! divided among its children, by weights or equally. Collective.
  interface op_carry
    procedure carry_4, carry_8
  end interface op_carry
  interface op_carry_sums
    procedure carry_sums_4, carry_sums_8
  end interface op_carry_sums

  interface
    subroutine f_put_map_rows(map, count, elements, width, rows, entries) bind(c, name='op2f_put_map_rows')
      import :: c_ptr, c_long_long
      type(c_ptr), value :: map
      integer(c_long_long), value :: count, width, rows
      integer(c_long_long), intent(in) :: elements(*), entries(*)
    end subroutine f_put_map_rows
    subroutine f_carry(from, to, count, parents, sums, weighted, weights) bind(c, name='op2f_carry')
      import :: c_ptr, c_long_long, c_int, c_double
      type(c_ptr), value :: from, to
      integer(c_long_long), value :: count, weighted
      integer(c_int), value :: sums
      integer(c_long_long), intent(in) :: parents(*)
      real(c_double), intent(in) :: weights(*)
    end subroutine f_carry
  end interface

contains

  subroutine put_8(map, elements, entries)
    type(op_map), intent(in) :: map
    integer(8), contiguous, intent(in) :: elements(:), entries(:, :)
    call f_put_map_rows(map%mapCptr, size(elements, kind=8), elements, size(entries, 1, kind=8), size(entries, 2, kind=8), &
      entries)
  end subroutine put_8

  subroutine put_4(map, elements, entries)
    type(op_map), intent(in) :: map
    integer(4), intent(in) :: elements(:), entries(:, :)
    call put_8(map, int(elements, 8), int(entries, 8))
  end subroutine put_4

  subroutine carry_8(from, to, parents)
    type(op_dat), intent(in) :: from, to
    integer(8), contiguous, intent(in) :: parents(:)
    call f_carry(from%dataCptr, to%dataCptr, size(parents, kind=8), parents, 0, -1_8, [real(8) ::])
  end subroutine carry_8

  subroutine carry_4(from, to, parents)
    type(op_dat), intent(in) :: from, to
    integer(4), intent(in) :: parents(:)
    call carry_8(from, to, int(parents, 8))
  end subroutine carry_4

  subroutine carry_sums_8(from, to, parents, weights)
    type(op_dat), intent(in) :: from, to
    integer(8), contiguous, intent(in) :: parents(:)
    real(8), contiguous, intent(in), optional :: weights(:)
    if (present(weights)) then
      call f_carry(from%dataCptr, to%dataCptr, size(parents, kind=8), parents, 1, size(weights, kind=8), weights)
    else
      call f_carry(from%dataCptr, to%dataCptr, size(parents, kind=8), parents, 1, -1_8, [real(8) ::])
    end if
  end subroutine carry_sums_8

  subroutine carry_sums_4(from, to, parents, weights)
    type(op_dat), intent(in) :: from, to
    integer(4), intent(in) :: parents(:)
    real(8), contiguous, intent(in), optional :: weights(:)
    call carry_sums_8(from, to, int(parents, 8), weights)
  end subroutine carry_sums_4
end module op2_change
! SPDX-License-Identifier: MIT
