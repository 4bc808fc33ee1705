# op2Kernels.cmake: what a program needs to be fast on machines that have neither its sources nor a compiler.
#
#   op2_embed_kernels(target [FILES file...])
#     Puts the text of the kernels into the program, from which the library makes code for loops. C and C++: the text as
#     the compiler sees it, by the compiler; gcc does that for every target that links op2::op2, others need this call
#     (generators Ninja and Makefiles). Fortran: FILES, relative to the current source folder; default: the sources of
#     the target; with files that they include, as far as they are found beside the file or in the include folders of
#     the target. A target of Fortran alone needs C or C++ among the languages of its project. Follows every change of
#     these files. Call it after the last target_sources() of the target.
#
#   op2_precompile(target [COMMAND program [argument...]] [DESTINATION folder] [ENVIRONMENT NAME=value...]
#                  [WORKING_DIRECTORY folder])
#     Runs the program once when it has been built and keeps the code that was compiled for its loops in a folder, to
#     be installed with the program and named in OP2_JIT_PATH there:
#       op2_precompile(solver COMMAND solver small_mesh.dat ENVIRONMENT OP2_BACKEND=openmp OP2_JIT_ISA=avx2)
#       install(DIRECTORY $<TARGET_PROPERTY:solver,OP2_CODE_FOLDER>/ DESTINATION lib/solver FILES_MATCHING PATTERN "*.so")
#     COMMAND: by default the target without arguments; the names of executable targets stand for their files. The run
#     must meet every loop once, on any mesh: sets may be small. Without OP2_JIT_ISA the code is for processors like
#     this one only; with a level such as avx2 it is for all that have it. DESTINATION: default <target>_op2_code in the
#     current binary folder. Code is found by the kernels' text, so where sources are not, the program needs
#     op2_embed_kernels() too.

cmake_policy(VERSION 3.20...3.25) # for the functions below, whatever the project has asked for

# ---- the part that runs while the program is built ------------------------------------------------------------------

# cmake -DOP2_EMBED_OUTPUT=... -P op2Kernels.cmake: writes the source that registers the texts.

# Below the include folders of the library there is no kernel.
set(_op2_own_headers "^(op2/|op_lib|op_seq|op_mpi)")

# Sets `variable` to the file that an #include with quotes means, "" if there is none.
function(_op2_find_header variable name includer folders)
  cmake_path(GET includer PARENT_PATH beside)
  foreach(folder IN ITEMS "${beside}" LISTS folders)
    cmake_path(ABSOLUTE_PATH name BASE_DIRECTORY "${folder}" NORMALIZE OUTPUT_VARIABLE path)
    if(EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
      set(${variable} "${path}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${variable} "" PARENT_SCOPE)
endfunction()

# Sets `variable` to the files and all headers they include with quotes, each once.
function(_op2_with_headers variable folders)
  set(todo ${ARGN})
  set(done)
  while(todo)
    list(POP_FRONT todo file)
    if(file IN_LIST done)
      continue()
    endif()
    list(APPEND done "${file}")
    # Also include 'file', as Fortran has it.
    file(STRINGS "${file}" lines REGEX "^[ \t]*#?[ \t]*[iI][nN][cC][lL][uU][dD][eE][ \t]*[\"'][^\"']+[\"']")
    foreach(line IN LISTS lines)
      if(NOT line MATCHES "[\"']([^\"']+)[\"']")
        continue()
      endif()
      set(name "${CMAKE_MATCH_1}")
      if(name MATCHES "${_op2_own_headers}")
        continue()
      endif()
      _op2_find_header(header "${name}" "${file}" "${folders}")
      if(header)
        list(APPEND todo "${header}")
      endif()
    endforeach()
  endwhile()
  set(${variable} "${done}" PARENT_SCOPE)
endfunction()

# Sets `variable` to the names under which a file may be looked for.
function(_op2_names_of variable file)
  set(names "${file}")
  # Ninja names sources below the build folder relative to it.
  set(folders "${OP2_EMBED_BINARY_DIR}")
  # The library knows no include folders, but it finds "a/b.h" below any folder when that is a text's whole name.
  list(APPEND folders ${OP2_EMBED_FOLDERS})
  foreach(folder IN LISTS folders)
    cmake_path(IS_PREFIX folder "${file}" NORMALIZE is_below)
    if(is_below)
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE name)
      list(APPEND names "${name}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${variable} "${names}" PARENT_SCOPE)
endfunction()

function(_op2_write_embedded)
  _op2_with_headers(files "${OP2_EMBED_FOLDERS}" ${OP2_EMBED_FILES})
  set(arrays "")
  set(calls "")
  set(number 0)
  foreach(file IN LISTS files)
    # As numbers, since compilers need not take long literals, and nothing has to be escaped.
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "static const char text_${number}[] = {\n${bytes}'\\0'};\n")
    _op2_names_of(names "${file}")
    foreach(name IN LISTS names)
      # The compiler itself says what __FILE__ is in that file: its flags may change it (-ffile-prefix-map).
      string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" name "${name}")
      string(APPEND calls "#line 1 \"${name}\"\n  op_source_text(__FILE__, text_${number});\n")
    endforeach()
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE "${OP2_EMBED_OUTPUT}" "/* The text of kernels, written by op2_embed_kernels() of op2Kernels.cmake. */\n"
       "#include <op2/op2.h>\n\n${arrays}\n"
       "/* Before main(), so that the texts are there for the first loop. */\n"
       "__attribute__((constructor)) static void register_texts(void) {\n${calls}}\n")
  # Which files to watch, in the words of make.
  set(words)
  foreach(file IN LISTS OP2_EMBED_OUTPUT files)
    string(REGEX REPLACE "([\\\\ #])" "\\\\\\1" file "${file}")
    string(REPLACE "$" "$$" file "${file}")
    list(APPEND words "${file}")
  endforeach()
  list(POP_FRONT words target)
  list(JOIN words " " sources)
  file(WRITE "${OP2_EMBED_OUTPUT}.d" "${target}: ${sources}\n")
endfunction()

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
  if(OP2_EMBED_OUTPUT)
    _op2_write_embedded()
  elseif(OP2_CHECK_FOLDER)
    _op2_check_code("${OP2_CHECK_FOLDER}" "${OP2_CHECK_TARGET}")
  endif()
  return()
endif()

# ---- the part for CMakeLists.txt ------------------------------------------------------------------------------------

# gcc keeps texts when it is told of the folder, other compilers are run through the program in it.
function(_op2_keep_texts target)
  get_property(folder GLOBAL PROPERTY OP2_COMPILER_FOLDER)
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:-B${folder}/>")
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
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "op2_embed_kernels: there is no target '${target}'")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "op2_embed_kernels(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS} (files stand behind FILES)")
  endif()
  set(base "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT arg_FILES)
    get_target_property(arg_FILES ${target} SOURCES)
    get_target_property(base ${target} SOURCE_DIR)
  endif()
  get_target_property(binary_folder ${target} BINARY_DIR)
  set(files)
  set(extension)
  foreach(file IN LISTS arg_FILES)
    if(file MATCHES "^\\$<") # objects of other targets have no text
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${base}" NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EXISTS "${path}")
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${binary_folder}" NORMALIZE OUTPUT_VARIABLE built)
      get_source_file_property(generated "${path}" TARGET_DIRECTORY ${target} GENERATED)
      if(NOT generated)
        set(path "${built}") # CMake looks for sources there, too
      endif()
    endif()
    if(path MATCHES "\\.(f|F|for|FOR|ftn|fpp|FPP|f90|F90|f95|F95|f03|F03|f08|F08)$")
      list(APPEND files "${path}")
    endif()
    # Of the language of the first source, so that the flags that concern file names are the same.
    if(NOT extension AND path MATCHES "\\.c$")
      set(extension c)
    elseif(NOT extension AND path MATCHES "\\.(cc|cpp|cxx|c\\+\\+|C)$")
      set(extension cpp)
    endif()
  endforeach()
  _op2_keep_texts(${target})
  if(NOT files)
    if(NOT extension)
      message(FATAL_ERROR "op2_embed_kernels(${target}): there is no C, C++ or Fortran file in: ${arg_FILES}")
    endif()
    return()
  endif()
  if(NOT extension)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    set(extension c)
    if(CXX IN_LIST languages)
      set(extension cpp)
    elseif(NOT C IN_LIST languages)
      message(FATAL_ERROR "op2_embed_kernels(${target}): the texts are written as a file in C, which is no language of this project: "
                          "project(... LANGUAGES Fortran C)")
    endif()
  endif()

  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_op2_kernels.${extension}")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DOP2_EMBED_OUTPUT=${output}" "-DOP2_EMBED_FILES=${files}"
            "-DOP2_EMBED_FOLDERS=$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>"
            "-DOP2_EMBED_BINARY_DIR=${CMAKE_BINARY_DIR}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    DEPENDS ${files} "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" DEPFILE "${output}.d" VERBATIM
    COMMENT "Embedding the kernels of ${target}")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    # Nothing in a program refers to the texts, so they must not wait in an archive to be asked for.
    add_library(${target}_op2_kernels OBJECT "${output}")
    target_link_libraries(${target}_op2_kernels PRIVATE op2::op2)
    target_compile_options(${target}_op2_kernels PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>)
    target_sources(${target} INTERFACE $<TARGET_OBJECTS:${target}_op2_kernels>)
  else()
    target_sources(${target} PRIVATE "${output}")
  endif()
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
    COMMAND ${CMAKE_COMMAND} -E env OP2_JIT=on OP2_JIT_PATH= OP2_JIT_MIN_ELEMENTS=0 ${arg_ENVIRONMENT} "OP2_JIT_CACHE=${folder}" ${words}
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}/loaded"
    COMMAND ${CMAKE_COMMAND} "-DOP2_CHECK_FOLDER=${folder}" -DOP2_CHECK_TARGET=${target} -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
    DEPENDS ${programs} WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}" VERBATIM
    COMMENT "Compiling the loops of ${target}")
  add_custom_target(${target}_op2_code ALL DEPENDS "${stamp}")
endfunction()
