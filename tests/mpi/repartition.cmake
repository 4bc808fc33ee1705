# op_repartition(): a program of the folders mpi and shm/whole, which may be built without each other.
include_guard(GLOBAL)
op2_test_program(mpi_repartition_test ${CMAKE_CURRENT_LIST_DIR}/repartition_test.cpp)
target_link_libraries(mpi_repartition_test PRIVATE op2)
# SPDX-License-Identifier: MIT
