! Kernels that the library does not read: with texts, output, jumps, types with procedures, pointers.
module fallback_kernels
  use state, only: flow, gamma, loud, pressure, np => ncomp
  implicit none
  interface mean
    module procedure mean_of_values, mean_of_states
  end interface mean

contains

  real(8) pure function mean_of_values(a, b)
    real(8), intent(in) :: a, b
    mean_of_values = 0.5d0 * (a + b)
  end function mean_of_values

  real(8) pure function mean_of_states(a, b)
    type(flow), intent(in) :: a, b
    mean_of_states = 0.5d0 * (a%rho + b%rho)
  end function mean_of_states

  subroutine flux(a, b, res_a, res_b, total, largest)
    type(flow), intent(in) :: a, b
    real(8), intent(inout) :: res_a(np + 1), res_b(np + 1), total, largest
    real(8) :: f(np + 1), p
    integer :: c
    p = mean(pressure(a), pressure(b))
    if (p < 0.0d0) then
      if (loud) write (*, '(a, es12.4)') 'a pressure below zero: ''p'' =', p
      error stop "it can't be"
    end if
    f(1) = mean(a, b) * (a%u(1) - b%u(1))
    c = 1
10  c = c + 1
    f(c) = f(1) * a%u(c - 1) + p * gamma ! the jump back
    if (c <= np) goto 10
    res_a = res_a + f
    res_b = res_b - f
    total = total + p
    largest = max(largest, p)
  end subroutine flux

  subroutine around(rows, number, out)
    use iso_c_binding
    type(c_ptr), intent(in) :: rows(2)
    integer(c_int), intent(in) :: number
    real(8), intent(out) :: out
    real(8), pointer :: x(:)
    integer :: k
    out = number
    do k = 1, 2
      call c_f_pointer(rows(k), x, [3])
      out = out + x(1) - x(3)
      if (loud) write (*, *) 'row', k, 'of', number
    end do
  end subroutine around

  ! Not needed by a kernel, and of a module without text.
  subroutine report(set)
    use op2
    type(op_set), intent(in) :: set
    if (loud .and. set%setptr%size > 0) print *, 'elements:', set%setptr%size
  end subroutine report
end module fallback_kernels

! SPDX-License-Identifier: MIT
