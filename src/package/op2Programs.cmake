# op2Programs.cmake: programs written for OP2, as they are.
#
#   op2_add_program(name source... [MPI])
#     An executable whose sources include op_seq.h and its kin, or use OP2's Fortran modules. MPI: it calls MPI itself (op_lib_mpi.h, in
#     Fortran `use mpi`). Compiled for C++17 unless CMAKE_CXX_STANDARD asks for another standard. Where it finds no MPI or no modules it
#     says so and stops.
#
#   op2::compat   the folder of these headers alone, for target_link_libraries()

function(op2_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MPI" "" "")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE op2::op2 op2::compat)
  set(fortran ${arg_UNPARSED_ARGUMENTS})
  list(FILTER fortran INCLUDE REGEX "\\.(f|F|for|FOR|ftn|f90|F90|f95|F95|f03|F03|f08|F08)$")
  if(fortran)
    if(NOT TARGET op2::fortran)
      message(FATAL_ERROR "op2_add_program(${name}): there are no Fortran modules of libop2 here, which ${fortran} need")
    endif()
    target_link_libraries(${name} PRIVATE op2::fortran)
  endif()
  if(NOT CMAKE_CXX_STANDARD)
    target_compile_features(${name} PRIVATE cxx_std_17)
  endif()
  if(arg_MPI)
    if(fortran)
      find_package(MPI REQUIRED COMPONENTS Fortran)
      target_link_libraries(${name} PRIVATE MPI::MPI_Fortran)
      return()
    endif()
    find_package(MPI REQUIRED COMPONENTS C)
    target_link_libraries(${name} PRIVATE MPI::MPI_C)
    target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  endif()
endfunction()

# SPDX-License-Identifier: MIT
