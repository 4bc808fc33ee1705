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

of_two() { # one file compiled twice, with files of one name in two folders
  fortran -c row_fortran.f90 -o row_fortran.o
  fortran -c -I first -DNAME=first_part -DKERNEL=one included.F90 -o one.o
  fortran -c -I second -DNAME=second_part -DKERNEL=two included.F90 -o two.o
  fortran of-two.f90 one.o two.o row_fortran.o -o p
  run ./p
}
row f-compiled-twice same of_two

own_function() {
  plain_c -c own-erf.c -o own-erf.o
  in_fortran "$@" externals.F90 own-erf.o
}
for case in 1 2 3 4; do row f-external-$case refused own_function -DCASE=$case; done
row f-openmp-tab either in_fortran -fopenmp with-openmp.F90
row f-openmp-off same in_fortran with-openmp.F90
row f-no-sign-zero either in_fortran -fno-sign-zero with-openmp.F90
row f-openmp-fixed either in_fortran -fopenmp fixed-form.f90 fixed-kernel.f
row f-line-length same in_fortran -ffree-line-length-none modules.f90

without_a_module() { # the module with the erf of the program's own was compiled without the option that keeps texts
  fortran -c row_fortran.f90 -o row_fortran.o
  textflag= fortran -c own-module.f90 -o own-module.o
  fortran -DCASE=5 externals.F90 own-module.o row_fortran.o -o p
  run ./p
}
row f-module-without-text refused without_a_module

# SPDX-License-Identifier: MIT
