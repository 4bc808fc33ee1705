#!/usr/bin/env bash
# headers.sh LANGUAGE INCLUDE-FOLDER: every public header compiles alone, and twice, without a warning, as C with gcc and
# with clang where they are installed, as C++17 with gcc, as C++20 with clang. LANGUAGE: c99, c++17 ... The .hpp headers only for C++.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
language=$1 include=$2
case $language in
  # The older standard with one compiler and the newer with the other: what either refuses is seen, in half of the time.
  c++17) compilers=("${CXX:-c++}" g++) extension=cpp patterns=('*.h' '*.hpp') ;;
  c++20) compilers=(clang++) extension=cpp patterns=('*.h' '*.hpp')
    command -v clang++ >/dev/null || compilers=("${CXX:-c++}") ;;
  c++*) compilers=("${CXX:-c++}" g++ clang++) extension=cpp patterns=('*.h' '*.hpp') ;;
  *) compilers=("${CC:-cc}" gcc clang) extension=c patterns=('*.h') ;;
esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
headers=()
for pattern in "${patterns[@]}"; do
  while IFS= read -r header; do
    case $language:$header in
      c++*:op2/compat/op_*mpi*) echo '#include <mpi.h>' | "${CXX:-c++}" -fsyntax-only -x c++ - 2>/dev/null || continue ;;
      c++*:op2/compat/op_*) ;;
      *:op2/compat/*) continue ;;
    esac
    headers+=("$header")
  done < <(cd "$include" && find op2 -name "$pattern" | sort)
done
((${#headers[@]})) || complain "there are no headers in $include"

checked=()
for compiler in "${compilers[@]}"; do
  path=$(command -v "$compiler" || true)
  [[ -n $path ]] || continue
  path=$(realpath "$path")
  [[ " ${checked[*]:-} " != *" $path "* ]] || continue
  checked+=("$path")
  for header in "${headers[@]}"; do
    printf '#include "%s"\n#include "%s"\nint something_else;\n' "$header" "$header" >"$scratch/alone.$extension"
    if ! "$path" -std="$language" -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -I"$include" \
      "$scratch/alone.$extension" >"$scratch/log" 2>&1; then
      complain "$header does not compile alone as $language with $(basename "$path"):"
      head -n 12 "$scratch/log"
    fi
  done
done
((${#checked[@]})) || { echo "SKIPPED: no compiler for $language was found"; exit 77; }
verdict "${#headers[@]} headers as $language with ${#checked[@]} compilers"

# SPDX-License-Identifier: MIT
