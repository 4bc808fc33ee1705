# dump.sh: describes a library to libabigail; to be sourced after common.sh (bash).
# shellcheck shell=bash

# need_debug_information LIBRARY: without it libabigail compares names alone, in silence.
need_debug_information() {
  [[ $(readelf -S --wide "$1") == *" .debug_info "* ]] ||
    complain "$(basename "$1") has no debug information: compile it with -g and do not strip it"
}

# dump_library LIBRARY INCLUDE-FOLDER OUT: the XML of its functions and of the public types they reach. Types that no
# public header defines are left out, and so is all that depends on the machine.
dump_library() {
  local raw=$3.raw described exports
  abidw --headers-dir "$2" --drop-private-types --exported-interfaces-only --no-architecture --no-corpus-path \
    --no-comp-dir-path --no-show-locs --no-elf-needed --out-file "$raw" "$1" ||
    { complain "abidw cannot read $1"; return; }
  sed -E "s|(<abi-instr [^>]*path=')[^']*/(src/)|\1\2|" "$raw" >"$3"
  rm "$raw"
  # A function from an object file without -g would be compared by its name alone.
  described=$(sed -n "s/.*<function-decl .*elf-symbol-id='\([^@']*\).*/\1/p" "$3" | sort -u)
  exports=$(exported "$1" | cut -d@ -f1 | sort -u)
  compare "the library" "$exports" "its debug information" "$described"
}

# SPDX-License-Identifier: MIT
