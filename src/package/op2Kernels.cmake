# op2Kernels.cmake: what a program needs to be fast on machines that have neither its sources nor a compiler.
#
#   op2_embed_kernels(target)
#     Puts the text of the kernels into the program, as their compiler sees it, from which the library makes code for
#     loops. gcc, g++ and gfortran do that for every target that links op2::op2, other compilers of C and C++ need this
#     call (generators Ninja and Makefiles). Other compilers of Fortran keep no texts.
#
#   op2_precompile(target [COMMAND program [argument...]] [DESTINATION folder] [ENVIRONMENT NAME=value...]
#                  [WORKING_DIRECTORY folder])
#     Runs the program once when it has been built and keeps the code that was compiled for its loops in a folder, to
#     be installed with the program and named in OP2_JIT_CACHE there, behind a colon:
#       op2_precompile(solver COMMAND solver small_mesh.dat ENVIRONMENT OP2_BACKEND=openmp OP2_JIT_ISA=avx2)
#       install(DIRECTORY $<TARGET_PROPERTY:solver,OP2_CODE_FOLDER>/ DESTINATION lib/solver FILES_MATCHING PATTERN "*.so")
#     COMMAND: by default the target without arguments; the names of executable targets stand for their files. The run
#     must meet every loop once, on any mesh: sets may be small. Without OP2_JIT_ISA the code is for processors like
#     this one only; with a level such as avx2 it is for all that have it. DESTINATION: default <target>_op2_code in the
#     current binary folder. Code is found by the kernels' text, so where sources are not, the program needs
#     op2_embed_kernels() too.

cmake_policy(VERSION 3.20...3.25) # for the functions below, whatever the project has asked for

# ---- the part that runs while the program is built ------------------------------------------------------------------

function(_op2_check_code folder target)
  file(GLOB code LIST_DIRECTORIES FALSE "${folder}/*.so")
  list(LENGTH code count)
  if(count EQUAL 0)
    message(FATAL_ERROR "op2_precompile(${target}): the run compiled no loop. OP2_LOG=info in ENVIRONMENT says which "
                        "form each loop got and why.")
  endif()
  message(STATUS "op2_precompile(${target}): code of ${count} loops in ${folder}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if(OP2_CHECK_FOLDER)
    _op2_check_code("${OP2_CHECK_FOLDER}" "${OP2_CHECK_TARGET}")
  endif()
  return()
endif()

# ---- the part for CMakeLists.txt ------------------------------------------------------------------------------------

# gcc keeps texts when it is told of the folder, other compilers are run through the program in it.
function(_op2_keep_texts target)
  get_property(folder GLOBAL PROPERTY OP2_COMPILER_FOLDER)
  foreach(language C CXX Fortran)
    if(CMAKE_${language}_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:-B${folder}/>")
    elseif(language STREQUAL "Fortran")
      get_target_property(sources ${target} SOURCES)
      list(FILTER sources INCLUDE REGEX "\\.(f|F|for|FOR|ftn|fpp|FPP|f90|F90|f95|F95|f03|F03|f08|F08)$")
      if(sources)
        message(STATUS "op2_embed_kernels(${target}): its kernels in Fortran have no text, which gfortran alone keeps")
      endif()
    elseif(CMAKE_${language}_COMPILER_ID)
      get_target_property(launcher ${target} ${language}_COMPILER_LAUNCHER)
      if(NOT launcher)
        set(launcher)
      endif()
      list(PREPEND launcher "${folder}/op2_text")
      set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${launcher}")
    endif()
  endforeach()
endfunction()

function(op2_embed_kernels target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "op2_embed_kernels: there is no target '${target}'")
  endif()
  if(ARGN)
    message(FATAL_ERROR "op2_embed_kernels(${target}): unknown argument ${ARGN}")
  endif()
  _op2_keep_texts(${target})
endfunction()

function(op2_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DESTINATION;WORKING_DIRECTORY" "COMMAND;ENVIRONMENT")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "op2_precompile: there is no target '${target}'")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "op2_precompile(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS} (the program stands behind COMMAND)")
  endif()
  if(NOT arg_COMMAND)
    set(arg_COMMAND ${target})
  endif()
  if(NOT arg_DESTINATION)
    set(arg_DESTINATION ${target}_op2_code)
  endif()
  cmake_path(ABSOLUTE_PATH arg_DESTINATION BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE OUTPUT_VARIABLE folder)
  if(NOT arg_WORKING_DIRECTORY)
    set(arg_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  set_target_properties(${target} PROPERTIES OP2_CODE_FOLDER "${folder}")
  if(CMAKE_CROSSCOMPILING)
    message(STATUS "op2_precompile(${target}): left out, the program cannot be run where it is built")
    return()
  endif()

  set(words)
  set(programs ${target})
  foreach(word IN LISTS arg_COMMAND)
    set(type)
    if(TARGET "${word}")
      get_target_property(type "${word}" TYPE)
    endif()
    if(type STREQUAL "EXECUTABLE")
      list(APPEND words "$<TARGET_FILE:${word}>")
      list(APPEND programs "${word}")
    else()
      list(APPEND words "${word}")
    endif()
  endforeach()
  # The library makes the folder itself: it takes only one that nobody else may write to.
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${target}_op2_code.stamp")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}"
    COMMAND ${CMAKE_COMMAND} -E env OP2_JIT=on OP2_JIT_MIN_ELEMENTS=0 ${arg_ENVIRONMENT} "OP2_JIT_CACHE=${folder}" ${words}
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}/loaded"
    COMMAND ${CMAKE_COMMAND} "-DOP2_CHECK_FOLDER=${folder}" -DOP2_CHECK_TARGET=${target} -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
    DEPENDS ${programs} WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}" VERBATIM
    COMMENT "Compiling the loops of ${target}")
  add_custom_target(${target}_op2_code ALL DEPENDS "${stamp}")
endfunction()

# SPDX-License-Identifier: MIT
