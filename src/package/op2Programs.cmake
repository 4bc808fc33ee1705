# op2Programs.cmake: programs written for OP2, as they are.
#
#   op2_add_program(name source... [MPI])
#     An executable whose sources include op_seq.h and its kin. MPI: it calls MPI itself (op_lib_mpi.h). Compiled for C++17 unless
#     CMAKE_CXX_STANDARD asks for another standard. Where it finds no MPI it says so and stops.
#
#   op2::compat   the folder of these headers alone, for target_link_libraries()

function(op2_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MPI" "" "")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE op2::op2 op2::compat)
  if(NOT CMAKE_CXX_STANDARD)
    target_compile_features(${name} PRIVATE cxx_std_17)
  endif()
  if(arg_MPI)
    find_package(MPI REQUIRED COMPONENTS C)
    target_link_libraries(${name} PRIVATE MPI::MPI_C)
    target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  endif()
endfunction()
