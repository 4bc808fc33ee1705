! Kernels with every kind of argument.
module loops_constants
  implicit none
  real(8), parameter :: half = 0.5d0
  integer(4) :: scale(3)
  real(8) :: shift
end module loops_constants

module loops_kernels
  use, intrinsic :: iso_c_binding
  use loops_constants
  implicit none

contains

  subroutine constants(v)
    real(8), intent(out) :: v(5)
    v = [half, shift, real(scale, 8)]
  end subroutine constants

  subroutine globals(x, one, five, words, yes, out)
    real(8), intent(in) :: x(2), one, five(5)
    integer(4), intent(in) :: words(2, 2)
    logical, intent(in) :: yes(2)
    real(8), intent(out) :: out(3)
    out(1) = one + sum(five) + real(words(1, 2) - words(2, 1), 8)
    out(2) = 0.0d0
    if (yes(1)) out(2) = x(1)
    out(3) = 0.0d0
    if (yes(2)) out(3) = x(2)
  end subroutine globals

  subroutine extremes(x, sums, counts, least, most, low, high, lsum)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: sums(5), least(2), most(2)
    integer(4), intent(inout) :: counts(5), low, high
    real(4), intent(inout) :: lsum
    integer :: d
    do d = 1, 5
      sums(d) = sums(d) + 0.25d0 * d
      counts(d) = counts(d) + d * scale(mod(d, 3) + 1)
    end do
    least = min(least, x)
    most = max(most, x)
    low = min(low, floor(x(1)))
    high = max(high, floor(x(2)))
    lsum = lsum + 0.5
  end subroutine extremes

  subroutine sides(x, any_left, all_left)
    real(8), intent(in) :: x(2)
    logical, intent(inout) :: any_left, all_left
    any_left = any_left .or. x(1) < 2.0d0
    all_left = all_left .and. x(1) < 2.0d0
  end subroutine sides

  subroutine scatter(v, a, b)
    real(4), intent(in) :: v
    real(4), intent(inout) :: a(3), b(3)
    a = a + [1.0, v, 0.5 * v]
    b = b - [1.0, v, 0.25 * v]
  end subroutine scatter

  subroutine numbers(own, left, right, seen)
    integer(4), intent(in) :: own, left, right
    integer(4), intent(out) :: seen(3)
    seen = [own, left, right]
  end subroutine numbers

  ! A vector argument is an array of addresses.
  subroutine corners(x, total, extra, with_extra)
    type(c_ptr), intent(in) :: x(4)
    type(c_ptr), intent(in) :: total(4)
    real(8), intent(in) :: extra
    integer(4), intent(in) :: with_extra
    real(8), pointer :: from(:), to
    integer :: k
    do k = 1, 4
      call c_f_pointer(x(k), from, [2])
      call c_f_pointer(total(k), to)
      to = to + from(1)
      if (with_extra == 1) to = to + extra
    end do
  end subroutine corners

  subroutine maybe(node, extra, flag, most)
    real(8), intent(inout) :: node(2), extra(2), most
    logical, intent(in) :: flag
    node(1) = node(1) + 1.0d0
    if (.not. flag) return
    node(2) = node(2) + extra(1)
    most = max(most, extra(2))
  end subroutine maybe

  subroutine place(x, most, self, where_is, what)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: most, what
    integer(4), intent(in) :: self
    integer(4), intent(inout) :: where_is
    if (x(1) + 3.0d0 * x(2) > most) then
      most = x(1) + 3.0d0 * x(2)
      where_is = self
      what = x(2)
    end if
  end subroutine place



  subroutine fill_temp(i, t)
    integer(4), intent(in) :: i
    integer(4), intent(out) :: t
    t = 2 * i
  end subroutine fill_temp
end module loops_kernels

! SPDX-License-Identifier: MIT
