# Files, checkpoints and views of loops in memory of an executor's own: op2_io_far_test(). Included by the folders io and cuda, which may
# be built without each other.
include_guard(GLOBAL)
add_executable(op2_io_far ${CMAKE_CURRENT_LIST_DIR}/far_job.cpp)
target_include_directories(op2_io_far SYSTEM PRIVATE ${OP2_HDF5_SERIAL_INCLUDE_DIRS})
target_link_libraries(op2_io_far PRIVATE op2 op2_options ${OP2_HDF5_SERIAL_LIBRARIES})
set_target_properties(op2_io_far PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)

# op2_io_far_test(name processes backend environment): alone or on several processes.
function(op2_io_far_test name processes backend environment)
  set(timeout 120)
  if(OP2_SANITIZE)
    set(timeout 400)
  endif()
  add_test(NAME io.far.${name} COMMAND op2_launch -n ${processes} $<TARGET_FILE:op2_io_far> ${PROJECT_BINARY_DIR}/io_far_${name})
  set_tests_properties(io.far.${name} PROPERTIES LABELS io PROCESSORS ${processes} TIMEOUT ${timeout}
                       ENVIRONMENT "OP2_JIT=off;OP2_ERROR=return;OP2_DECLARE=local;OP2_FALLBACK=error;OP2_BACKEND=${backend};${environment}")
endfunction()

# SPDX-License-Identifier: MIT
