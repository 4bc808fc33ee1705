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

C     Statement functions, common blocks, values by DATA.
      SUBROUTINE OLDCOM(X, Y)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      DIMENSION X(4), Y(4), COEF(3), W(2,2)
      COMMON /FLOW/ IORD, GAMA, RGAS(2), LAST
      COMMON SCALE, NSTEP
      DATA COEF /0.5D0, 2*0.25D0/, ZERO, ONE /0.0D0, 1.0D0/
      DATA W /1.0D0, 2.0D0, 3.0D0, 4.0D0/
      SAVE COEF
      SQ(A) = A*A
      AVG(A, B) = 0.5D0*(SQ(A) + B)*GAMA
      Y(1) = AVG(X(1), X(2)) + ZERO
      Y(2) = SQ(X(3) - ONE)*RGAS(2) + IORD*LAST
      Y(3) = COEF(1)*X(1) + COEF(2)*X(2) + COEF(3)*X(3)
      Y(4) = W(2,1)*X(4) + W(1,2)*SCALE + NSTEP
      DO 30 I = 1, IORD
   30 Y(4) = Y(4) + OLDREA(X(I))
      END

      DOUBLE PRECISION FUNCTION OLDREA(T)
      DOUBLE PRECISION T, G, R
      INTEGER N(2)
      COMMON /FLOW/ N, G, R(2)
      OLDREA = T*G + R(1)*N(1)
      END

      BLOCK DATA FILL
      DOUBLE PRECISION GAMA, RGAS
      COMMON /FLOW/ IORD, GAMA, RGAS(2), LAST
      DATA IORD /2/, GAMA /1.4D0/, RGAS /0.5D0, -2.0D0/, LAST /3/
      END
