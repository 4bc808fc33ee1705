# cmake -DOUT=file.cpp -DPRELUDES="values;functions" -DFOLDER=... -P embed.cmake: src/jit/prelude/prelude.hpp from headers.
# The header values.h becomes the text that values_prelude() returns, without its #include lines.
set(source "// Made by src/jit/prelude/embed.cmake.\n#include \"jit/prelude/prelude.hpp\"\n\nnamespace op2::core::jit {\n")
foreach(name IN LISTS PRELUDES)
  file(READ "${FOLDER}/${name}.h" text)
  string(REGEX REPLACE "#include \"[^\n]*\n" "" text "${text}")
  string(LENGTH "${text}" length)
  if(length GREATER 60000)
    message(FATAL_ERROR "${name}.h is too long for one literal, which may have 65536 characters")
  endif()
  string(APPEND source "\nstd::string_view ${name}_prelude() {\n  return R\"op2j(${text})op2j\";\n}\n")
endforeach()
file(WRITE "${OUT}" "${source}\n} // namespace op2::core::jit\n")

# SPDX-License-Identifier: MIT
