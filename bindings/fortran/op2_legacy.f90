! The modules of OP2 by their names. Each gives all of the library: the same thing through two of them is one thing.
module op2_fortran_declarations
  use, intrinsic :: iso_c_binding
  use op2
  implicit none
  public
end module op2_fortran_declarations

module op2_fortran_hdf5_declarations
  use op2_fortran_declarations
  implicit none
  public
end module op2_fortran_hdf5_declarations

module op2_fortran_reference
  use op2_fortran_declarations
  implicit none
  public
end module op2_fortran_reference

module op2_fortran_rt_support
  use op2_fortran_declarations
  implicit none
  public
end module op2_fortran_rt_support

! OP2's parameters of launches on GPUs, which the library chooses itself.
module cudaconfigurationparams
  use op2, only: BSIZE_DEFAULT
  implicit none
  public
end module cudaconfigurationparams
