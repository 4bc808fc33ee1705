# Jobs of several processes as tests: op2_add_mpi_test(). Included before the folders, since others start jobs as well.
#
# OP2_MPI_LAUNCHER: mpirun of the MPI that communicator mpi is built with, or nothing, with a line of the summary.
unset(OP2_MPI_LAUNCHER)
if(TARGET op2_comm_mpi)
  find_package(MPI QUIET COMPONENTS C)
  if(MPIEXEC_EXECUTABLE)
    set(OP2_MPI_LAUNCHER ${MPIEXEC_EXECUTABLE})
  else()
    op2_report("tests with many processes" "left out, mpirun not found (package openmpi-bin)")
  endif()
endif()

# More processes than cores, perhaps as root in a container, beside other tests. Processes that wait give the core away.
set(OP2_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 OMP_WAIT_POLICY=passive)
if(OP2_SANITIZE MATCHES "address")
  # intercept_tls_get_addr=0:quarantine_size_mb=16, here and in the preset: with threads of clang's OpenMP, LeakSanitizer of clang 14 ends by a signal of its own.
  # MPI keeps some memory to the end. Stacks through it need the slow way, which makes jobs two to four times as long: those that look
  # for leaks say so.
  list(APPEND OP2_MPI_ENVIRONMENT ASAN_OPTIONS=intercept_tls_get_addr=0:quarantine_size_mb=16:detect_leaks=0:allocator_may_return_null=1)
  set(OP2_LEAKS_ENVIRONMENT ASAN_OPTIONS=intercept_tls_get_addr=0:quarantine_size_mb=16:fast_unwind_on_malloc=0:detect_leaks=1:allocator_may_return_null=1
      LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/lsan.supp:print_suppressions=0)
elseif(OP2_SANITIZE MATCHES "thread")
  list(APPEND OP2_MPI_ENVIRONMENT TSAN_OPTIONS=ignore_noninstrumented_modules=1:allocator_may_return_null=1)
endif()

set(OP2_MPI_TIMEOUT 120)
if(OP2_SANITIZE)
  set(OP2_MPI_TIMEOUT 400)
endif()

# op2_add_mpi_test(name ranks command... [LABELS label...] [ENVIRONMENT variable=value...] [TIMEOUT seconds] [FIXTURE name]
# [SAYS regular_expression...]): test `name` is the command in `ranks` processes, with OP2TEST_RANKS in the environment. Each expression
# must match a line of the output.
function(op2_add_mpi_test name ranks)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT;FIXTURE" "LABELS;ENVIRONMENT;SAYS")
  if(NOT OP2_MPI_LAUNCHER)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${OP2_MPI_TIMEOUT})
  endif()
  # Jobs of more processes than two wait for each other most of the time.
  set(processors ${ranks})
  if(ranks GREATER 2)
    set(processors 2)
  endif()
  set(says "")
  if(arg_SAYS)
    set(says ${op2_says} 0 ${arg_SAYS} --)
  endif()
  add_test(NAME ${name} COMMAND ${says} ${OP2_MPI_LAUNCHER} --bind-to none -n ${ranks} ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "mpi;${arg_LABELS}" PROCESSORS ${processors} TIMEOUT ${arg_TIMEOUT}
                       ENVIRONMENT "${OP2_MPI_ENVIRONMENT};OP2TEST_RANKS=${ranks};${arg_ENVIRONMENT}")
  if(arg_FIXTURE)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${arg_FIXTURE})
  endif()
endfunction()

# SPDX-License-Identifier: MIT
