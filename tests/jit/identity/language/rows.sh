# Rows in Fortran: the module that they share, then the program.
in_fortran() { # in_fortran FLAGS... SOURCE
  fortran -c row_fortran.f90 -o row_fortran.o
  fortran "$@" row_fortran.o -o p
  run ./p
}
row f-modules either in_fortran modules.f90
row f-plain either in_fortran flags.F90
row f-define either in_fortran -DMOST=5 -DSTRICT flags.F90
row f-default-real-8 either in_fortran -fdefault-real-8 flags.F90
row f-default-integer-8 either in_fortran -fdefault-integer-8 flags.F90
