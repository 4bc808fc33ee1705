! Compiled twice: the folder of an included file and the name of the module differ.
module NAME
  implicit none
contains
  subroutine KERNEL(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    include 'limit.inc'
    y = x
    if (x > most .and. x < 10.0d0) y = most
  end subroutine KERNEL
end module NAME

! SPDX-License-Identifier: MIT
