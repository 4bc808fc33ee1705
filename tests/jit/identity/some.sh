#!/bin/bash
# some.sh FOLDER INCLUDE LIB COMPILER TEXTFLAG: of each group of identity.sh the rows that have been wrong once, or stand for their kind.
here=$1
failed=0
group() { # group NAME ROW...
  bash "$here/identity.sh" "${arguments[@]}" "$@" || failed=1
}
arguments=("$1" "$2" "$3" "$4" "$5")
group cpp own-sqrt using-in-function const-before-main static-local static-counter extern-c
group flags standard-17 unsigned-fields
group stale copied-cp rebuilt-flag
group link interposed-helper unloaded two-libraries-stripped c-linkage-elsewhere
group language c-sizes f-default-real-8
group users cache-swapped
exit $failed

# SPDX-License-Identifier: MIT
