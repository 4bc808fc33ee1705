C     Kernels of fixed form: external procedures, implicit types.
      SUBROUTINE OLDFLX(X, Q, RES)
      IMPLICIT REAL*8 (A-H, O-Z)
      PARAMETER (GAM = 1.4D0, GM1 = GAM - 1.0D0)
      DIMENSION X(2,2), Q(4), RES(4)
      DX = X(1,1) - X(1,2)
      DY = X(2,1) - X(2,2)
      RI = 1.0D0/Q(1)
      P = GM1*(Q(4) - 0.5D0*RI*
     &    (Q(2)**2 + Q(3)**2))
      DO 10 I = 1, 4
        RES(I) = RES(I) + P*DX
        IF (I .EQ. 2) RES(I) = RES(I) - P*DY
   10 CONTINUE
      END

      SUBROUTINE OLDSUM(A, N, S)
      REAL*8 A(4,4), S
      INTEGER N
      S = 0.0D0
      DO 20 J = 1, N
      DO 20 I = 1, 4
   20 S = S + A(I,J)*OLDSQ(J)
      IF (S .GT. 1.0D0 .AND. N .NE. 2) THEN
        S = S/2
      ELSEIF (S .LT. -1.0D0) THEN
        S = -S
      ELSE
        S = S + 1.E-1
      ENDIF
      RETURN
      END

      REAL FUNCTION OLDSQ(K)
      OLDSQ = K*0.5
      OLDSQ = OLDSQ*OLDSQ
      END
