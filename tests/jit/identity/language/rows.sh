# Rows in Fortran: the module that they share, then the program.
in_fortran() { # in_fortran FLAGS... SOURCE
  fortran -c row_fortran.f90 -o row_fortran.o
  fortran "$@" row_fortran.o -o p
  run ./p
}
row f-modules either in_fortran modules.f90
row f-macro either in_fortran flags.F90
row f-define either in_fortran -DMOST=5 -DSTRICT flags.F90
row f-kinds either in_fortran kinds.f90
row f-default-real-8 either in_fortran -fdefault-real-8 kinds.f90
row f-real-4-real-8 either in_fortran -freal-4-real-8 kinds.f90
row f-default-integer-8 either in_fortran -fdefault-integer-8 kinds.f90

rebuilt() { # the same text with other flags, with the same cache
  in_fortran kinds.f90
  in_fortran -fdefault-real-8 kinds.f90
  in_fortran kinds.f90
}
row f-rebuilt-flag either rebuilt

edited() { # edited and copied after the build
  fortran -c row_fortran.f90 -o row_fortran.o
  fortran kinds.f90 row_fortran.o -o p
  sed -i 's/1\.1/1.2/' kinds.f90
  cp p q
  touch -d 2020-01-01 kinds.f90
  run ./q
}
row f-edited either edited
