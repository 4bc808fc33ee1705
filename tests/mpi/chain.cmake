# Chains of loops on several processes, and a process whose memory ends: programs of the folders mpi and shm/whole, which may be built
# without each other.
include_guard(GLOBAL)
op2_test_program(mpi_chain_test ${CMAKE_CURRENT_LIST_DIR}/chain_test.cpp ${PROJECT_SOURCE_DIR}/examples/airfoil/naca_mesh.cpp)
target_link_libraries(mpi_chain_test PRIVATE op2)
target_include_directories(mpi_chain_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit ${PROJECT_SOURCE_DIR}/examples/airfoil)
add_executable(mpi_memory_ends ${CMAKE_CURRENT_LIST_DIR}/memory_ends.cpp)
target_link_libraries(mpi_memory_ends PRIVATE op2 op2_options)
set_target_properties(mpi_memory_ends PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests UNITY_BUILD OFF)

# SPDX-License-Identifier: MIT
