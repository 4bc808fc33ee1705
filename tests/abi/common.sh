# common.sh: helpers of the checks in this folder and of abi/*.sh; to be sourced (bash).
# shellcheck shell=bash disable=SC2034
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
failures=0

# complain MESSAGE...: notes a failure and goes on, so that one run shows all of them.
complain() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# skip REASON...: ends the script, undecided.
skip() {
  echo "SKIPPED: $*"
  exit 77
}

# need TOOL...: without one of them the check is skipped.
need() {
  local tool package
  for tool in "$@"; do
    command -v "$tool" >/dev/null && continue
    case $tool in
      abidw | abidiff) package=" (package abigail-tools)" ;;
      nm | readelf | strip) package=" (package binutils)" ;;
      *) package="" ;;
    esac
    skip "$tool is not installed$package"
  done
}

# need_plain_programs: skips where a plain program cannot load the library.
need_plain_programs() {
  case ${OP2_SANITIZE:-} in
    *address* | *thread* | *memory*)
      skip "no plain program can load a library built with -fsanitize=$OP2_SANITIZE: its runtime must come first" ;;
  esac
}

# need_baseline: skips where a library cannot be compared with the baseline, before anything is built for it.
need_baseline() {
  need abidw abidiff nm readelf
  [[ -z ${OP2_SANITIZE:-} ]] ||
    skip "the library of a sanitizer build is not what is shipped; the other builds compare it"
}

# verdict WHAT: ends the script.
verdict() {
  if ((failures)); then
    echo "$1: $failures failures"
    exit 1
  fi
  echo "$1: ok"
  exit 0
}

# project_version: "0.1.0", from the top CMakeLists.txt.
project_version() { sed -n 's/^project(op2 VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt"; }

# draft: true as long as the ABI may change.
draft() { [[ $(project_version) == 0.* ]]; }

# incompatible_verdict WHAT: as verdict; after a failure it says what to do about an incompatible change.
incompatible_verdict() {
  if ((failures)); then
    if draft; then
      echo "If this is meant: update with abi/update_baseline.sh (allowed while draft) and add a line in CHANGELOG.md."
    else
      echo "libop2.so.1 keeps its ABI: undo it, or add a new name beside the old one (abi/POLICY.md)."
    fi
  fi
  verdict "$1"
}

# exported FILE: names of the dynamic symbols that FILE defines, with their versions ("op_init@@OP2_1.0"); version nodes
# are left out.
exported() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort; }

# name_of LIBRARY: "libop2" or "libop2_trace".
name_of() {
  local file
  file=$(basename "$1")
  echo "${file%%.so*}"
}

# headers_of LIBRARY FOLDER: the headers of the folder that declare what the library exports, one a line.
headers_of() {
  if [[ $(name_of "$1") == libop2_trace ]]; then
    echo "$2/trace.h"
  else
    find "$2" -maxdepth 1 -name '*.h' ! -name trace.h | sort
  fi
}

# declared HEADER...: names that they declare with OP_API.
declared() { sed -n 's/^OP_API [^(]*[ *]\([A-Za-z_0-9]*\)(.*/\1/p' "$@" | sort; }

# dynamic FILE TAG: values of a tag of the dynamic section, e.g. NEEDED.
dynamic() { readelf -d "$1" | sed -n "s/.*($2).*\[\(.*\)\]/\1/p"; }

# compare NAME-A LIST-A NAME-B LIST-B: complains about each line that only one of the two sorted lists has.
compare() {
  local name
  while IFS= read -r name; do complain "$name is in $1, but not in $3"; done < <(comm -23 <(echo "$2") <(echo "$4"))
  while IFS= read -r name; do complain "$name is in $3, but not in $1"; done < <(comm -13 <(echo "$2") <(echo "$4"))
}

# is_newer A B: version A comes after version B (numbers joined by dots).
is_newer() { [[ $1 != "$2" && $(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1) == "$1" ]]; }

# public_headers INCLUDE-FOLDER PATTERN...: "op2/decl.h ...", one a line.
public_headers() {
  local include=$1 pattern
  shift
  (cd "$include" && for pattern in "$@"; do find op2 -name "$pattern"; done) | sort
}

# build_library FOLDER TARGET...: libop2.so with its plugins, or what the targets make, with debug information, in a build
# folder of its own. Prints only when it fails.
build_library() {
  local compilers log=$1/build.log fresh=()
  need cmake
  mkdir -p "$1"
  compilers="$(command -v "${CC:-cc}") $(command -v "${CXX:-c++}")"
  # CMake forgets the other options when the compiler of a build folder changes.
  [[ $(cat "$1/compilers" 2>/dev/null) == "$compilers" ]] || fresh=(--fresh)
  echo "$compilers" >"$1/compilers"
  { cmake "${fresh[@]}" -S "$root" -B "$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-g -O0" \
    -DCMAKE_C_COMPILER="${compilers% *}" -DCMAKE_CXX_COMPILER="${compilers#* }" -DCMAKE_UNITY_BUILD=ON \
    -DOP2_BUILD_TESTS=OFF -DOP2_BUILD_EXAMPLES=OFF -DOP2_BUILD_BENCH=OFF &&
    cmake --build "$1" --target "${@:2}" --parallel 2; } >"$log" 2>&1 && return
  grep -A 4 -m 5 -E 'error:|Error' "$log" || tail -n 30 "$log"
  return 1
}

# SPDX-License-Identifier: MIT
