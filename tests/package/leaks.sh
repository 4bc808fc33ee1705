#!/usr/bin/env bash
# leaks.sh [TREE]: no installed file names the folder it was built in or built from, and nothing but op2_info, which needs the library, has a search path.
source "$(dirname "$0")/common.sh"
root=${1:-$tree}

# A path counts where it begins: /op2 is not in include/op2.
for folder in "$source_folder" "$build_folder" "$work"; do
  # shellcheck disable=SC2001
  pattern="(^|[^A-Za-z0-9_.+/-])$(sed 's/[][().*+?^$|{}\\]/\\&/g' <<<"$folder")(/|[^A-Za-z0-9_.+-]|$)"
  while IFS= read -r file; do
    if [[ $TEST_CONFIG != Release && $file == *.so* || $TEST_CONFIG != Release && $file == */op2_* ]]; then
      echo "not judged, a $TEST_CONFIG build has debug information: $file"
    else
      complain "$file names $folder: $(grep -aoE -m 1 ".{0,30}$pattern.{0,30}" "$file" | tr -d '\0' | head -n 1)"
    fi
  done < <(grep -rlaE -- "$pattern" "$root" || true)
done

need readelf binutils
looked=0
while IFS= read -r file; do
  readelf -h "$file" >/dev/null 2>&1 || continue
  looked=$((looked + 1))
  path=$(readelf -d "$file" | sed -n 's/.*(\(RPATH\|RUNPATH\)).*\[\(.*\)\]/\1 \2/p')
  # shellcheck disable=SC2016
  case $file in
    */libop2_fortran.so* | */libop2_trace.so*) [[ $path == 'RUNPATH $ORIGIN' ]] || complain "$file finds libop2 by '$path'" ;;
    *.so* | */op2_launch) [[ -z $path ]] || complain "$file has a search path: $path" ;;
    *) [[ $path == 'RUNPATH $ORIGIN/../'* ]] || complain "$file finds the library by '$path'" ;;
  esac
done < <(find "$root" -type f \( -name '*.so*' -o -path '*/bin/*' \))
((looked > 2)) || complain "only $looked libraries and programs were found in $root"
verdict "leaks"

# SPDX-License-Identifier: MIT
