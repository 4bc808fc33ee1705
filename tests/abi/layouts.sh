#!/usr/bin/env bash
# layouts.sh INCLUDE-FOLDER LIST ["COMPILER LANGUAGE"...]: sizes, offsets and types of the public structs and the values
# of the public constants are the same to all compilers, and compatible with LIST (abi/layouts.txt).
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
# shellcheck source=layout_list.sh
source "$here/layout_list.sh"
include=$1 list=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

candidates=("${@:3}")
(($# > 2)) || candidates=("${CC:-cc} c11" "${CXX:-c++} c++17" "gcc c11" "g++ c++17" "clang c11" "clang++ c++17")
compilers=() seen="" first=""
for candidate in "${candidates[@]}"; do
  language=${candidate##* } compiler=${candidate% *}
  path=$(command -v "$compiler" || true)
  [[ -n $path ]] || { echo "note: $compiler is not installed"; continue; }
  same="$(realpath "$path")-$language" # cc and gcc are one, clang and clang++ in two languages are not
  [[ " $seen " != *" $same "* ]] || continue
  seen+=" $same"
  compilers+=("$(basename "$compiler")")
  result=$scratch/${#compilers[@]}
  if ! list_layouts "$include" "$path" "$language" "$scratch" "$result"; then
    complain "$compiler does not accept the program that prints the layouts; a declaration that layouts.awk misread?"
    head -n 12 "$scratch/log"
    verdict "layouts"
  fi
  first=${first:-$result}
  cmp -s "$result" "$first" && continue
  complain "$compiler and ${compilers[0]} disagree on layouts:"
  diff "$first" "$result" | head -n 12 || true
done
((${#compilers[@]})) || skip "no compiler was found"

[[ -f $list ]] || { complain "$list is missing"; incompatible_verdict "layouts"; }
while IFS= read -r line; do
  case $line in
    FAILED:*) complain "${line#FAILED: }" ;;
    *) echo "$line" ;;
  esac
done < <(awk -f "$here/layouts_compare.awk" "$list" "$first")
incompatible_verdict "$(wc -l <"$first") layouts and constants with ${compilers[*]}"

# SPDX-License-Identifier: MIT
