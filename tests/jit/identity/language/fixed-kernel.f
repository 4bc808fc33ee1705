      subroutine fixedk(x, y)
      real*8 x, y
      y = x
      if (x .gt. 5.0d0 .and. x .lt. 10.0d0) then
c$      y = 5.0d0
      end if
      end
