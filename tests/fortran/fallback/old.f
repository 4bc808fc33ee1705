C     An external kernel in fixed form, with a computed jump.
      SUBROUTINE OLDKER(X, Y)
      IMPLICIT REAL*8 (A-H, O-Z)
      DIMENSION X(3), Y(3)
      DO 40 I = 1, 3
        GO TO (10, 20), I
        Y(I) = TWICE(X(I))
        GO TO 40
   10   Y(I) = -X(I)
        GO TO 40
   20   Y(I) = X(I)*
     &         X(I)
   40 CONTINUE
      END

      FUNCTION TWICE(A)
      REAL*8 TWICE, A
      TWICE = 2*A
      END
