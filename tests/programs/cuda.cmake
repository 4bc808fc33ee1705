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
op2_cuda_program(quads.cuda "" OP2_RACE=auto quads)
op2_cuda_program(jac1.cuda "" OP2_RACE=auto jac1)
op2_cuda_program(reduction.cuda mesh_small OP2_RACE=auto reduction ${small})
foreach(race atomic global colour measure)
  op2_cuda_program(airfoil.small.10.cuda.${race} mesh_small OP2_RACE=${race} airfoil ${small} --iterations 10)
endforeach()
op2_cuda_program(airfoil.small.100.cuda mesh_small OP2_RACE=auto airfoil ${small} --iterations 100)
op2_cuda_program(airfoil_c.small.10.cuda mesh_small OP2_RACE=auto airfoil_c ${small} --iterations 10)
op2_cuda_program(airfoil.shuffled.10.cuda mesh_shuffled OP2_RACE=auto airfoil ${meshes}/naca_96x144_shuffled.dat --iterations 10)

# Several processes, each with a device, or some of them.
op2_cuda_program(airfoil.small.10.shm.cuda mesh_small OP2_PARTITION=random op2_launch -n 2 $<TARGET_FILE:airfoil_mpi> ${small} --iterations 10)
set_tests_properties(airfoil.small.10.shm.cuda PROPERTIES ENVIRONMENT "OP2_BACKEND=shm+cuda;OP2_PARTITION=random;${cuda_environment}"
                     PROCESSORS 2)
if(OP2_MPI_LAUNCHER)
  op2_add_mpi_test(airfoil.small.10.mpi.cuda 2 $<TARGET_FILE:airfoil> ${small} --iterations 10 LABELS programs cuda FIXTURE mesh_small
                   ENVIRONMENT OP2_BACKEND=mpi+cuda ${cuda_environment})
  op2_add_mpi_test(airfoil_mpi.small.10.mpi.cuda_and_seq 3 $<TARGET_FILE:airfoil_mpi> ${small} --iterations 10 LABELS programs cuda
                   FIXTURE mesh_small ENVIRONMENT OP2_BACKEND=mpi+cuda,seq,cuda OP2_PARTITION_WEIGHTS=2,1,2 ${cuda_environment})
endif()
