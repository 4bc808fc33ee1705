# Jobs of op2_launch as tests: op2_add_shm_test(). Included by the folders shm and shm/whole, which may be built without each other; the
# variables below are for both.
set(timeout 120)
set(shm_environment OP2TEST_COMM=shm OMP_WAIT_POLICY=passive) # more processes than cores, beside other tests
if(OP2_SANITIZE)
  set(timeout 400)
endif()
if(OP2_SANITIZE MATCHES "thread")
  list(APPEND shm_environment TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp:history_size=7)
endif()

# op2_add_shm_test(name ranks command... [LABELS label...] [ENVIRONMENT variable=value...] [FIXTURE name]): test `name` is the command
# in `ranks` processes.
function(op2_add_shm_test name ranks)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "FIXTURE" "LABELS;ENVIRONMENT")
  set(processors ${ranks})
  if(ranks GREATER 2)
    set(processors 2)
  endif()
  add_test(NAME ${name} COMMAND op2_launch -n ${ranks} ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "shm;${arg_LABELS}" PROCESSORS ${processors} TIMEOUT ${timeout}
                       ENVIRONMENT "${shm_environment};OP2TEST_RANKS=${ranks};${arg_ENVIRONMENT}")
  if(arg_FIXTURE)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${arg_FIXTURE})
  endif()
endfunction()

# SPDX-License-Identifier: MIT
