! The modules of OP2 under their names. Each exports the whole library; a program may use several of them. Their timing
! tables have OP2's format, for scripts that read it.
module op2_legacy_output
  use op2_c_data
  use op2_text
  implicit none
  private
  public :: op_timing_output, op_timing_output_core, op_timing_output_2_file, op_timings_to_csv

contains

  subroutine op_timing_output()
    call c_timing_write(c_text('op2'))
  end subroutine op_timing_output

  subroutine op_timing_output_core()
    call op_timing_output()
  end subroutine op_timing_output_core

  subroutine op_timing_output_2_file(file)
    character(*), intent(in) :: file
    call c_timing_write(c_text('op2_totals'), c_text(file))
  end subroutine op_timing_output_2_file

  subroutine op_timings_to_csv(file)
    character(*), intent(in) :: file
    call c_timing_write(c_text('op2_csv'), c_text(file))
  end subroutine op_timings_to_csv
end module op2_legacy_output

module op2_fortran_declarations
  use, intrinsic :: iso_c_binding
  use op2, modern_timing_output => op_timing_output, modern_timings_to_csv => op_timings_to_csv
  use op2_legacy_output
  implicit none
  public
  private :: modern_timing_output, modern_timings_to_csv
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

! OP2's launch parameters for GPUs; the library chooses them itself and ignores these values.
module cudaconfigurationparams
  use op2, only: BSIZE_DEFAULT
  implicit none
  public
end module cudaconfigurationparams

! SPDX-License-Identifier: MIT
