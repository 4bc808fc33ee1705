# The API reference: target `reference` writes build/docs/reference/html. May be included more than once.
include_guard(GLOBAL)

find_package(Doxygen QUIET)
find_program(OP2_REFERENCE_AWK NAMES awk gawk mawk DOC "Runs docs/reference_filter.awk")
mark_as_advanced(OP2_REFERENCE_AWK)

set(OP2_REFERENCE_OUTPUT ${PROJECT_BINARY_DIR}/docs/reference)
configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${OP2_REFERENCE_OUTPUT}/Doxyfile @ONLY)

if(DOXYGEN_FOUND AND OP2_REFERENCE_AWK)
  add_custom_target(reference COMMAND Doxygen::doxygen Doxyfile WORKING_DIRECTORY ${OP2_REFERENCE_OUTPUT} VERBATIM
                    COMMENT "API reference: ${OP2_REFERENCE_OUTPUT}/html/index.html")
  op2_report("API reference" "target `reference` (Doxygen ${DOXYGEN_VERSION})")
else()
  op2_report("API reference" "left out, Doxygen not found (package doxygen)")
endif()

# SPDX-License-Identifier: MIT
