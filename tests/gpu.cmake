# What tests/run_gpu.sh runs on a GPU; without GoogleTest, too, as far as it does not need it.
if(NOT TARGET op2_exec_cuda OR NOT OP2_BUILD_EXAMPLES)
  return()
endif()
set(folder ${PROJECT_SOURCE_DIR}/tests/programs)
add_executable(bits ${folder}/bits.cpp)
target_link_libraries(bits PRIVATE op2 op2_options)
target_compile_options(bits PRIVATE -ffp-contract=off -O2 -DOP2_LANES=0) # sums in the order of the elements
set_target_properties(bits PROPERTIES CXX_STANDARD 17)
add_custom_target(op2_gpu_tests)
foreach(target bits op2_exec_cuda op2_comm_shm op2_info op2_launch make_naca_mesh airfoil airfoil_c airfoil_mpi aero tets euler3d quads jac1 reduction
        op2_conformance op2_cuda_loop)
  if(TARGET ${target})
    add_dependencies(op2_gpu_tests ${target})
  endif()
endforeach()

# Where there is a GPU; elsewhere it says why nothing ran.
if(NOT OP2_SANITIZE)
  add_test(NAME gpu.tests COMMAND bash ${PROJECT_SOURCE_DIR}/tests/run_gpu.sh --quick --no-build --build ${PROJECT_BINARY_DIR})
  set_tests_properties(gpu.tests PROPERTIES LABELS cuda SKIP_RETURN_CODE 77 TIMEOUT 1500 PROCESSORS 2)
endif()

# SPDX-License-Identifier: MIT
