# layout_list.sh: makes the list of layouts that abi/layouts.txt holds; to be sourced after common.sh (bash).
# Each line: stable or experimental, then
#   struct NAME SIZE ALIGNMENT SORT   frozen: never changes; growing: begins with its size, gets new fields at the end
#   field STRUCT.NAME OFFSET SIZE TYPE
#   type NAME SIZE ALIGNMENT TYPE, opaque NAME TYPE
#   constant NAME VALUE
# shellcheck shell=bash disable=SC2154

# write_layout_program INCLUDE-FOLDER: prints a program in C11 and C++17 that prints the list. What a header declares is
# found by layouts.awk (those of op2/compat are C++ and add nothing to the library); the compiler proves it right: a wrong name does not compile, nor does a struct with more or
# fewer fields than were found (see all_fields).
write_layout_program() {
  local include=$1 headers=() header
  while IFS= read -r header; do headers+=("$header"); done < <(public_headers "$include" '*.h' | grep -v '^op2/compat/')
  cat <<'C'
#include <stddef.h>
#include <stdio.h>
#ifdef __cplusplus
#define ALIGNMENT(type) alignof(type)
#else
#include <stdbool.h>
#define ALIGNMENT(type) _Alignof(type)
#endif
#define SIZES(type) (unsigned long)sizeof(type), (unsigned long)ALIGNMENT(type)
#define PLACE(type, field) (unsigned long)offsetof(type, field), (unsigned long)sizeof(((type *)0)->field)
C
  printf '#include "%s"\n' "${headers[@]}"
  (cd "$include" && awk -f "$here/layouts.awk" "${headers[@]}") | awk -F'|' '
    function flush() {
      if (owner) print "static const struct " owner " all_fields_" owner " = {" zeros "};"
      owner = ""
    }
    function say(format, values) {
      lines = lines "  printf(\"" status " " format "\\n\"" (values ? ", " values : "") ");\n"
    }
    $1 != "field" { flush() }
    $1 == "file" { status = $2 ~ /\/plugin\// ? "experimental" : "stable" }
    $1 == "type" { say("type " $2 " %lu %lu " $3, "SIZES(" $2 ")") }
    $1 == "opaque" { say("opaque " $2 " " $3) }
    $1 == "constant" && $3 == "text" { say("constant " $2 " \\\"%s\\\"", $2) }
    $1 == "constant" && $3 == "number" { say("constant " $2 " %lld", "(long long)(" $2 ")") }
    $1 == "struct" { say("struct " $2 " %lu %lu " $3, "SIZES(struct " $2 ")"); owner = $2; zeros = "" }
    $1 == "field" {
      say("field " $2 "." $3 " %lu %lu " $4, "PLACE(struct " $2 ", " $3 ")")
      zeros = zeros (zeros ? ", " : "") ($4 ~ /\]$/ ? "{0}" : "0")
    }
    $1 == "unknown" { print "#error \"layouts.awk does not understand: " $2 "\"" }
    END {
      flush()
      print "int main(void) {\n" lines "  return 0;\n}"
    }'
}

# list_layouts INCLUDE-FOLDER COMPILER LANGUAGE SCRATCH-FOLDER OUT: the list as COMPILER sees it; LANGUAGE c11 or c++17.
list_layouts() {
  local include=$1 compiler=$2 language=$3 scratch=$4 out=$5 source
  [[ $language == c++* ]] && source=$scratch/layouts.cpp || source=$scratch/layouts.c
  write_layout_program "$include" >"$source"
  "$compiler" -std="$language" -Werror -Wmissing-field-initializers -I"$include" "$source" -o "$scratch/layouts" \
    2>"$scratch/log" || return 1
  "$scratch/layouts" >"$out"
}

# SPDX-License-Identifier: MIT
