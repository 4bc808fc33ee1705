# What `cmake --install` puts where. Included by the top CMakeLists.txt after every target exists.
#
# Components: `runtime` is what a program needs to run (both libraries, plugins, op2_info, op2_launch, op2_mesh, op2_trace), `mpi` and `mpich` are the plugins
# that need that library, `development` is what is needed to build a program. Nothing installed knows where it was built
# or where it lies: the whole tree may be moved.

include(CMakePackageConfigHelpers)

set(OP2_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/op2)
set(OP2_INSTALL_PKGCONFIGDIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(OP2_INSTALL_PLUGINDIR ${CMAKE_INSTALL_LIBDIR}/op2) # the library looks in `op2` beside itself: src/host/plugins/registry.cpp
set(OP2_BUILTIN_PLUGINS comm_self exec_seq part_block) # inside libop2.so, so there is no file of theirs to be found

# ---- runtime -------------------------------------------------------------------------------------------------------

install(TARGETS op2 op2_trace op2_headers op2_compat EXPORT op2Targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
set_target_properties(op2_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(op2_compat PROPERTIES EXPORT_NAME compat)

# Whoever runs programs on one machine shall not have to install MPI.
set(OP2_MPI_PLUGINS op2_comm_mpi op2_io_hdf5_mpi op2_part_ptscotch op2_part_parmetis)
set(OP2_MPICH_PLUGINS op2_comm_mpich)
get_property(op2_plugin_targets GLOBAL PROPERTY OP2_PLUGIN_TARGETS)
set(OP2_RUNTIME_COMPONENTS runtime)
foreach(plugin ${op2_plugin_targets})
  set(component runtime)
  if(plugin IN_LIST OP2_MPI_PLUGINS)
    set(component mpi)
  elseif(plugin IN_LIST OP2_MPICH_PLUGINS)
    set(component mpich)
  endif()
  install(TARGETS ${plugin} LIBRARY DESTINATION ${OP2_INSTALL_PLUGINDIR} COMPONENT ${component})
  list(APPEND OP2_RUNTIME_COMPONENTS ${component})
endforeach()
list(REMOVE_DUPLICATES OP2_RUNTIME_COMPONENTS)

# A program finds the library in an unusual prefix, too. The libraries of C carry no search path.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(op2_info op2_mesh op2_trace_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
install(TARGETS op2_info op2_launch op2_mesh op2_trace_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/src/tools/op2_plot DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/src/tools/op2_plot_files.py ${PROJECT_SOURCE_DIR}/src/tools/op2_plot_lines.py ${PROJECT_SOURCE_DIR}/src/tools/op2_plot_trace.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/op2 COMPONENT runtime)

# ---- fortran -------------------------------------------------------------------------------------------------------

# The library, what the compiler wrote about its modules (other compilers make their own from the sources), the sources.
if(TARGET op2_fortran)
  list(APPEND OP2_RUNTIME_COMPONENTS fortran)
  # Linkers that leave out libraries nothing asks for directly find libop2 through this one.
  set_target_properties(op2_fortran PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS op2_fortran EXPORT op2FortranTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT fortran NAMELINK_COMPONENT fortran)
  get_target_property(OP2_FORTRAN_MODULES op2_fortran Fortran_MODULE_DIRECTORY)
  install(DIRECTORY ${OP2_FORTRAN_MODULES}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/op2/fortran COMPONENT fortran
    FILES_MATCHING PATTERN "*.mod")
  get_property(fortran_sources GLOBAL PROPERTY OP2_FORTRAN_SOURCES)
  install(FILES ${fortran_sources} DESTINATION ${CMAKE_INSTALL_DATADIR}/op2/fortran COMPONENT fortran)
  install(EXPORT op2FortranTargets NAMESPACE op2:: DESTINATION ${OP2_INSTALL_CMAKEDIR} COMPONENT fortran)
endif()

# ---- development ---------------------------------------------------------------------------------------------------

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/op2 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

install(EXPORT op2Targets NAMESPACE op2:: DESTINATION ${OP2_INSTALL_CMAKEDIR} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/op2Config.cmake.in ${PROJECT_BINARY_DIR}/package/op2Config.cmake
  INSTALL_DESTINATION ${OP2_INSTALL_CMAKEDIR} PATH_VARS CMAKE_INSTALL_INCLUDEDIR OP2_INSTALL_PLUGINDIR)

# Below 1.0 a minor version may break programs, from 1.0 on only a major one.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/op2ConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/package/op2Config.cmake ${PROJECT_BINARY_DIR}/package/op2ConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/op2Kernels.cmake ${CMAKE_CURRENT_LIST_DIR}/op2Programs.cmake DESTINATION ${OP2_INSTALL_CMAKEDIR} COMPONENT development)

# op2_below(variable folder start): how op2.pc, op2_trace.pc, op2-fortran.pc and op2-config spell a folder, relative to `start` unless it is absolute.
function(op2_below variable folder start)
  if(IS_ABSOLUTE "${folder}")
    set(${variable} "${folder}" PARENT_SCOPE)
  else()
    set(${variable} "${start}/${folder}" PARENT_SCOPE)
  endif()
endfunction()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE OP2_PC_TO_PREFIX)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR} OUTPUT_VARIABLE OP2_BIN_TO_PREFIX)
op2_below(OP2_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}" "\${prefix}")
op2_below(OP2_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}" "\${prefix}")
string(REPLACE ";" " " OP2_BUILTIN_WORDS "${OP2_BUILTIN_PLUGINS}")
# Compilers that do not run here cannot be run by what this build makes for them.
set(OP2_PC_TEXT "")
if(NOT CMAKE_CROSSCOMPILING)
  set(OP2_PC_TEXT "-B\${libdir}/op2/compiler/")
  get_property(OP2_COMPILER_FOLDER GLOBAL PROPERTY OP2_COMPILER_FOLDER)
  install(TARGETS op2_text RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/op2/compiler COMPONENT development)
  install(FILES ${OP2_COMPILER_FOLDER}/cc1 ${OP2_COMPILER_FOLDER}/cc1plus ${OP2_COMPILER_FOLDER}/f951 DESTINATION ${CMAKE_INSTALL_LIBDIR}/op2/compiler
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE COMPONENT development)
  foreach(name op2cxx op2cc)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/op2cxx.in ${PROJECT_BINARY_DIR}/package/${name} COPYONLY)
    install(PROGRAMS ${PROJECT_BINARY_DIR}/package/${name} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT development)
  endforeach()
  if(TARGET op2_fortran)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/op2cxx.in ${PROJECT_BINARY_DIR}/package/op2fc COPYONLY)
    install(PROGRAMS ${PROJECT_BINARY_DIR}/package/op2fc DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT fortran)
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/op2.pc.in ${PROJECT_BINARY_DIR}/package/op2.pc @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/op2_trace.pc.in ${PROJECT_BINARY_DIR}/package/op2_trace.pc @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/op2-config.in ${PROJECT_BINARY_DIR}/package/op2-config @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/op2.pc ${PROJECT_BINARY_DIR}/package/op2_trace.pc DESTINATION ${OP2_INSTALL_PKGCONFIGDIR} COMPONENT development)
if(TARGET op2_fortran)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/op2-fortran.pc.in ${PROJECT_BINARY_DIR}/package/op2-fortran.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/op2-fortran.pc DESTINATION ${OP2_INSTALL_PKGCONFIGDIR} COMPONENT fortran)
endif()
install(PROGRAMS ${PROJECT_BINARY_DIR}/package/op2-config DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT development)

# ---- documentation -------------------------------------------------------------------------------------------------

# The layout of the source folder, so that the links between the pages work.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "site" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development
  FILES_MATCHING REGEX "\\.(c|cpp|h|hpp|map)$" REGEX "/examples/[^/]+/(CMakeLists\\.txt|Makefile)$"
                 REGEX "/examples/lessons/[^/]+/[^/]+$")

# SPDX-License-Identifier: MIT
