# `cpack`: Debian packages libop2-1, libop2-dev, and one more for each MPI that there are plugins for (libop2-1-mpi).
# Configure with -DCMAKE_INSTALL_PREFIX=/usr (preset `deb`), so that the library goes to Debian's multiarch folder.
# Maintainers set -DCPACK_PACKAGE_CONTACT="Name <address>".

set(CPACK_PACKAGE_NAME libop2)
set(CPACK_PACKAGE_VENDOR "the libop2 authors")
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "the libop2 authors <libop2@maintainer.invalid>")
endif()
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

# Debian wants the licence in a folder named like the package; nobody else does, so only packages get it.
get_target_property(soversion op2 SOVERSION)
set(runtime_package libop2-${soversion})
set(op2_many_processes ${OP2_RUNTIME_COMPONENTS}) # mpi, mpich, or nothing
list(REMOVE_ITEM op2_many_processes runtime fortran)
set(op2_parts runtime development ${op2_many_processes})
if(TARGET op2_fortran)
  list(APPEND op2_parts fortran)
endif()
set(CPACK_COMPONENTS_ALL)
foreach(part ${op2_parts})
  set(package ${runtime_package})
  if(part STREQUAL "development")
    set(package libop2-dev)
  elseif(part STREQUAL "fortran")
    set(package libop2-fortran)
  elseif(part IN_LIST op2_many_processes)
    set(package ${runtime_package}-${part})
  endif()
  list(APPEND CPACK_COMPONENTS_ALL ${part} copyright_${part})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} RENAME copyright
    COMPONENT copyright_${part} EXCLUDE_FROM_ALL)
endforeach()

if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND EXISTS /etc/debian_version)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  set(CPACK_GENERATOR TGZ)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# The groups are the packages; their names in CPack's variables are in capitals. CPack puts the project's description
# above these texts.
set(CPACK_DEBIAN_RUN_PACKAGE_NAME ${runtime_package})
set(CPACK_DEBIAN_RUN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUN_PACKAGE_RECOMMENDS "g++ | c++-compiler") # for the code of single loops; without it programs are slower
set(CPACK_DEBIAN_RUN_DESCRIPTION "A program declares its mesh (sets, maps between sets, data on sets) and passes
its kernels as plain functions. The same program then runs on one core or on
all of them, chosen when it starts.
.
This package has the shared libraries, their plugins for one machine, op2_launch,
which starts several processes there without MPI, op2_plot, which draws results,
and op2_info, which shows what can run on this machine. With a C++ compiler, code is made for each loop when a
program runs.")
if(op2_many_processes)
  list(TRANSFORM op2_many_processes PREPEND "${runtime_package}-" OUTPUT_VARIABLE suggested)
  list(JOIN suggested ", " CPACK_DEBIAN_RUN_PACKAGE_SUGGESTS)
  string(PREPEND CPACK_DEBIAN_RUN_PACKAGE_SUGGESTS "python3-h5py, python3-matplotlib, ") # op2_plot
else()
  set(CPACK_DEBIAN_RUN_PACKAGE_SUGGESTS "python3-h5py, python3-matplotlib")
endif()
foreach(part ${op2_many_processes})
  string(TOUPPER many_${part} group)
  set(launcher openmpi-bin)
  if(part STREQUAL "mpich" OR MPI_C_LIBRARIES MATCHES "libmpich")
    set(launcher mpich)
  endif()
  set(CPACK_DEBIAN_${group}_PACKAGE_NAME ${runtime_package}-${part})
  set(CPACK_DEBIAN_${group}_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_${group}_PACKAGE_DEPENDS "${runtime_package} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_${group}_PACKAGE_RECOMMENDS ${launcher})
  set(CPACK_DEBIAN_${group}_DESCRIPTION "Plugins for many processes: a program started by mpirun divides its mesh
among them. This package has the communicator ${part}, and what was built for
it: partitioners of other people, the driver of files that all processes write.")
endforeach()
set(CPACK_DEBIAN_FORTRAN_PACKAGE_NAME libop2-fortran)
set(CPACK_DEBIAN_FORTRAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_FORTRAN_PACKAGE_DEPENDS "${runtime_package} (= ${PROJECT_VERSION}), libop2-dev (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_FORTRAN_PACKAGE_RECOMMENDS "gfortran") # when programs run: kernels that are not read
set(CPACK_DEBIAN_FORTRAN_DESCRIPTION "Fortran modules: the library and its modules for programs in Fortran, those
written for OP2 included.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libop2-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${runtime_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_DESCRIPTION "Development files: headers for C and C++, the means to find the library from
CMake, pkg-config and make, documentation, and the sources of the examples.")

if(CMAKE_CROSSCOMPILING)
  # dpkg-shlibdeps would name the packages of the build machine; these are the libraries that g++ links.
  string(REGEX REPLACE "^aarch64$" "arm64" CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_DEBIAN_RUN_PACKAGE_DEPENDS "libc6, libgcc-s1, libstdc++6, libgomp1")
  if(ZLIB_FOUND)
    string(APPEND CPACK_DEBIAN_RUN_PACKAGE_DEPENDS ", zlib1g")
  endif()
else()
  set(CPACK_DEBIAN_RUN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_FORTRAN_PACKAGE_SHLIBDEPS ON)
  foreach(part ${op2_many_processes})
    string(TOUPPER many_${part} group)
    set(CPACK_DEBIAN_${group}_PACKAGE_SHLIBDEPS ON)
  endforeach()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}) # op2_info and libop2_trace need libop2 itself
endif()

# Which package a program linked with the library depends on. CPack can write this file itself, but warns then that the
# plugins are libraries without a version.
file(WRITE ${PROJECT_BINARY_DIR}/package/shlibs "libop2 ${soversion} ${runtime_package} (>= ${PROJECT_VERSION})\nlibop2_trace ${soversion} ${runtime_package} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_RUN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/shlibs)

include(CPack)
cpack_add_component_group(run)
cpack_add_component_group(dev)
cpack_add_component(runtime GROUP run)
cpack_add_component(copyright_runtime GROUP run)
cpack_add_component(development GROUP dev DEPENDS runtime)
cpack_add_component(copyright_development GROUP dev)
if(TARGET op2_fortran)
  cpack_add_component_group(fortran)
  cpack_add_component(fortran GROUP fortran DEPENDS development)
  cpack_add_component(copyright_fortran GROUP fortran)
endif()
foreach(part ${op2_many_processes})
  cpack_add_component_group(many_${part})
  cpack_add_component(${part} GROUP many_${part} DEPENDS runtime)
  cpack_add_component(copyright_${part} GROUP many_${part})
endforeach()

# SPDX-License-Identifier: MIT
