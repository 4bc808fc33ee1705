# The programs on executor cuda, in emulation: every loop must run on the device.
if(NOT TARGET op2_exec_cuda)
  op2_report("programs on cuda" "left out (the executor is not built)")
  return()
endif()
get_property(fakes GLOBAL PROPERTY OP2_FAKE_CUDA_ENVIRONMENT)
set(cuda_environment OP2_FALLBACK=error ${fakes})

# op2_cuda_program(name fixture setting command...)
function(op2_cuda_program name fixture setting)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "programs;cuda" TIMEOUT 600 ENVIRONMENT "OP2_BACKEND=cuda;${setting};${cuda_environment}")
  if(fixture)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${fixture})
  endif()
endfunction()

set(small ${meshes}/naca_96x144.dat)
op2_cuda_program(aero.small.cuda "" OP2_RACE=auto aero 24 36 --iterations 2)
op2_cuda_program(tets.cuda "" OP2_RACE=auto tets 6)
op2_cuda_program(euler3d.cuda "" OP2_RACE=auto euler3d 5 --mesh polyhedra --part open)
op2_cuda_program(shallow_water.cuda "" OP2_RACE=auto shallow_water 5 --part lake)
op2_cuda_program(multigrid_euler.cuda "" OP2_RACE=auto multigrid_euler 10 --part free)
op2_cuda_program(quads.cuda "" OP2_RACE=auto quads)
op2_cuda_program(jac1.cuda "" OP2_RACE=auto jac1)
op2_cuda_program(reduction.cuda mesh_small OP2_RACE=auto reduction ${small})
foreach(race atomic colour gather)
  op2_cuda_program(airfoil.small.10.cuda.${race} mesh_small OP2_RACE=${race} airfoil ${small} --iterations 10)
endforeach()
op2_cuda_program(airfoil.small.10.cuda.soa mesh_small OP2_LAYOUT=soa airfoil ${small} --iterations 10)
op2_cuda_program(aero.small.cuda.soa "" OP2_LAYOUT=soa aero 24 36 --iterations 2)
op2_cuda_program(airfoil.small.30.cuda mesh_small OP2_RACE=auto airfoil ${small} --iterations 30)
op2_cuda_program(airfoil_c.small.10.cuda mesh_small OP2_RACE=auto airfoil_c ${small} --iterations 10)
op2_cuda_program(airfoil.shuffled.10.cuda mesh_shuffled OP2_RACE=auto airfoil ${meshes}/naca_96x144_shuffled.dat --iterations 10)

# Data larger than the device's memory, on an emulated device that has no more.
op2_cuda_program(airfoil.device_memory mesh_small OP2_RACE=gather bash ${CMAKE_CURRENT_SOURCE_DIR}/device_memory.sh $<TARGET_FILE:airfoil> ${small})

# What the emulated GPU counts (docs/gpu_counts.md): the sample and a few runs of each kernel.
set(counts ${PROJECT_SOURCE_DIR}/tests/cuda/counts.sh)
function(op2_counts_test what name fixture)
  op2_cuda_program(${name}.counts.${what} "${fixture}" OP2_RACE=atomic ${counts} ${what} ${ARGN})
  set_property(TEST ${name}.counts.${what} APPEND PROPERTY ENVIRONMENT FAKE_CUDA_COUNT_MOST=2)
  set_tests_properties(${name}.counts.${what} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
op2_counts_test(limits airfoil mesh_small $<TARGET_FILE:airfoil> ${small} --iterations 1)
op2_counts_test(limits aero "" $<TARGET_FILE:aero> 40 60 --iterations 1)
op2_counts_test(limits tets "" $<TARGET_FILE:tets> 10 --part uniform)
op2_counts_test(spills airfoil mesh_small $<TARGET_FILE:airfoil> ${small} --iterations 1)
op2_counts_test(spills aero "" $<TARGET_FILE:aero> 24 36 --iterations 1)
op2_counts_test(spills tets "" $<TARGET_FILE:tets> 6 --part uniform)
op2_counts_test(spills euler3d "" $<TARGET_FILE:euler3d> 5 --mesh polyhedra --part open)
op2_counts_test(spills shallow_water "" $<TARGET_FILE:shallow_water> 5 --part lake)
op2_counts_test(spills multigrid_euler "" $<TARGET_FILE:multigrid_euler> 10 --part free)
op2_counts_test(spills jac1 "" $<TARGET_FILE:jac1>)

# The same bits as on a CPU: loops without increments always, sums that are formed in the order of scalar code (../gpu.cmake).
set(bits_test bash ${CMAKE_CURRENT_SOURCE_DIR}/bits.sh $<TARGET_FILE:bits>)
op2_cuda_program(bits.cuda "" OP2_RACE=auto ${bits_test} plain OP2_BACKEND=cuda)
op2_cuda_program(bits.cuda.ordered "" OP2_RACE=colour ${bits_test} "plain|sums" OP2_BACKEND=cuda OP2_CUDA_SUMS=ordered)
op2_cuda_program(bits.cuda.gather "" OP2_RACE=gather ${bits_test} "plain|sums|increments" OP2_BACKEND=cuda OP2_CUDA_SUMS=ordered)

# The timing table says whether its seconds are those of calls or of loops.
op2_cuda_program(timing.cuda.calls mesh_small OP2_TIMING=on ${op2_says} 0 "seconds are those of the calls" "res_calc +4 "
                 -- $<TARGET_FILE:airfoil> ${small} --iterations 2)
op2_cuda_program(timing.cuda.loops mesh_small OP2_TIMING=wait ${op2_says} 0 "res_calc +4 " -- $<TARGET_FILE:airfoil> ${small} --iterations 2)
set_tests_properties(timing.cuda.loops PROPERTIES FAIL_REGULAR_EXPRESSION "seconds are those of the calls")

# Several processes, each with a device, or some of them.
op2_cuda_program(airfoil.small.10.shm.cuda mesh_small OP2_PARTITION=random op2_launch -n 2 $<TARGET_FILE:airfoil_mpi> ${small} --iterations 10)
set_tests_properties(airfoil.small.10.shm.cuda PROPERTIES ENVIRONMENT "OP2_BACKEND=shm+cuda;OP2_PARTITION=random;${cuda_environment}"
                     PROCESSORS 2)
if(OP2_MPI_LAUNCHER)
  op2_add_mpi_test(airfoil.small.10.mpi.cuda 2 $<TARGET_FILE:airfoil> ${small} --iterations 10 LABELS programs cuda FIXTURE mesh_small
                   ENVIRONMENT OP2_BACKEND=mpi+cuda ${cuda_environment})
  op2_add_mpi_test(airfoil.small.10.mpi.cuda.soa 2 $<TARGET_FILE:airfoil> ${small} --iterations 10 LABELS programs cuda FIXTURE mesh_small
                   ENVIRONMENT OP2_BACKEND=mpi+cuda OP2_LAYOUT=soa ${cuda_environment})
  op2_add_mpi_test(airfoil_mpi.small.10.mpi.cuda_and_seq 3 $<TARGET_FILE:airfoil_mpi> ${small} --iterations 10 LABELS programs cuda
                   FIXTURE mesh_small ENVIRONMENT OP2_BACKEND=mpi+cuda,seq,cuda OP2_PARTITION_WEIGHTS=2,1,2 OP2_LAYOUT=soa OP2_CHAIN=9 OP2_CHAIN_DEPTH=3
                               ${cuda_environment})
endif()

# Messages from memory of the devices, by an MPI that can do that, or says so.
if(TARGET op2_fake_mpi)
  foreach(case honest mixed)
    op2_direct_test(${case} 3 COMMAND $<TARGET_FILE:airfoil> ${small} --iterations 4)
  endforeach()
  foreach(case honest asked off nccl zeros nothing failing no no_but_asked)
    op2_direct_test(${case} 2 COMMAND $<TARGET_FILE:airfoil> ${small} --iterations 4)
  endforeach()
endif()

# Messages from device to device, see tests/cuda/channel_jobs.sh.
get_property(nccl GLOBAL PROPERTY OP2_FAKE_NCCL)
set(channel_jobs ${PROJECT_SOURCE_DIR}/tests/cuda/channel_jobs.sh)
function(op2_channel_test case backend)
  add_test(NAME airfoil.links.${backend}.${case} COMMAND ${channel_jobs} ${case} $<TARGET_FILE:airfoil_mpi> ${small} ${nccl} ${ARGN})
  set(labels programs cuda)
  if(OP2_SANITIZE AND NOT "${backend}.${case}" MATCHES "^shm.(ipc|loops_on_the_host|a_process_is_killed)$") # these run the code of all
    list(APPEND labels long)
  endif()
  set_tests_properties(airfoil.links.${backend}.${case} PROPERTIES LABELS "${labels}" TIMEOUT 400 FIXTURES_REQUIRED mesh_small
                       PROCESSORS 2 ENVIRONMENT "OP2_BACKEND=${backend}+cuda;${cuda_environment};${OP2_MPI_ENVIRONMENT}")
endfunction()
foreach(case ipc kernel kernel_does_not_fit measured nccl auto auto_chooses auto_disagrees auto_without_ipc off ipc_is_not_there ipc_is_not_permitted ipc_does_not_wait nccl_shares_a_device
        nccl_does_not_start nccl_brings_wrong_values not_all_have_devices loops_on_the_host a_process_is_killed)
  op2_channel_test(${case} shm $<TARGET_FILE:op2_launch> -n)
endforeach()
if(OP2_MPI_LAUNCHER)
  foreach(case ipc nccl auto_chooses not_all_have_devices)
    op2_channel_test(${case} mpi ${OP2_MPI_LAUNCHER} --bind-to none -n)
  endforeach()
endif()

# SPDX-License-Identifier: MIT
