! op2_text: conversion of Fortran texts for C.
module op2_text
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: c_text, f_text

  interface
    function strlen(text) bind(c, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function strlen
  end interface

contains

  ! The text without trailing blanks, up to a NUL that the program may have written, and with a final NUL.
  pure function c_text(text, otherwise) result(out)
    character(*), intent(in), optional :: text
    character(*), intent(in), optional :: otherwise
    character(:, kind=c_char), allocatable :: out
    integer :: last
    out = ''
    if (present(otherwise)) out = otherwise
    if (present(text)) then
      last = index(text, c_null_char) - 1
      if (last < 0) last = len(text)
      out = trim(text(:last))
    end if
    out = out // c_null_char
  end function c_text

  function f_text(text) result(out)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: out
    character(kind=c_char), pointer :: letters(:)
    out = ''
    if (.not. c_associated(text)) return
    call c_f_pointer(text, letters, [strlen(text)])
    out = joined(letters)
  end function f_text

  ! No ALLOCATE and no REPEAT here: for them compilers would write the path of this file into the library.
  pure function joined(letters) result(out)
    character(kind=c_char), intent(in) :: letters(:)
    character(size(letters)) :: out
    integer :: i
    do i = 1, size(letters)
      out(i:i) = letters(i)
    end do
  end function joined
end module op2_text

! SPDX-License-Identifier: MIT
