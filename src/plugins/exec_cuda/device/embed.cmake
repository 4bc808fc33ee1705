# cmake -DOUT=file.cpp -DNAMES="kernel;halo" -DFOLDER=... -P embed.cmake: device_text() of exec_cuda.hpp from headers, without
# their #include "..." lines.
set(source "// Made by src/plugins/exec_cuda/device/embed.cmake.\n#include \"exec_cuda.hpp\"\n\nnamespace op2::exec_cuda {\n\n")
string(APPEND source "std::string_view device_text(std::string_view name) {\n")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}.h" text)
  string(REGEX REPLACE "#include \"[^\n]*\n" "" text "${text}")
  string(LENGTH "${text}" length)
  if(length GREATER 60000)
    message(FATAL_ERROR "${name}.h is too long for one literal, which may have 65536 characters")
  endif()
  string(APPEND source "  if (name == \"${name}\") return R\"op2j(${text})op2j\";\n")
endforeach()
string(APPEND source "  throw Failure(OP_ERR_INTERNAL, \"there is no device text \" + std::string(name));\n}\n\n")
file(WRITE "${OUT}" "${source}} // namespace op2::exec_cuda\n")

# SPDX-License-Identifier: MIT
