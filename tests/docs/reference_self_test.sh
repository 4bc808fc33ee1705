#!/usr/bin/env bash
# reference_self_test.sh DOXYFILE MAPS HEADERS: reference.sh must notice what it is there for. Exit code 77: no Doxygen.
set -euo pipefail
doxyfile=$1 maps=$2 headers=$3
here=$(dirname "$0")
command -v doxygen >/dev/null || { echo "doxygen is not installed (package doxygen): not checked"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# must_fail NAME PATTERN SED-SCRIPT FILE: with this change to one header, reference.sh fails and says PATTERN.
must_fail() {
  local name=$1 pattern=$2 script=$3 file=$4
  rm -rf "$work/op2"
  cp -r "$headers" "$work/op2"
  sed -i "$script" "$work/op2/$file"
  ! cmp -s "$headers/$file" "$work/op2/$file" || { echo "$name: $file was not changed"; exit 1; }
  if bash "$here/reference.sh" "$doxyfile" "$maps" "$work/op2" >"$work/out" 2>&1; then
    echo "$name: not noticed"
    exit 1
  fi
  grep -q "$pattern" "$work/out" || { echo "$name: noticed, but not named:"; cat "$work/out"; exit 1; }
  echo "$name: noticed"
}

bash "$here/reference.sh" "$doxyfile" "$maps" "$headers" || { echo "(without a change)"; exit 1; }
must_fail "a function without a comment" 'op_exit.*not documented' '/^\/\* Free everything/d' init.h
must_fail "an empty comment" 'op_backend has no description' 's|^/\* The back end in use.*|/* */|' init.h
must_fail "a function that no header has" 'op_barrier has no description' '/op_barrier/d' init.h
must_fail "a struct without a comment" 'op_init_params is not documented' '/^\/\* Parameters of op_init_with/d' init.h
must_fail "a class without a comment" 'op2::error is not documented' '/^\/\/ What a failed call throws/d' cpp/error.hpp

# SPDX-License-Identifier: MIT
