#!/bin/bash
# some.sh FOLDER INCLUDE LIB COMPILER TEXTFLAG: of each group of identity.sh the rows that have been wrong once, or stand for their kind.
here=$1
failed=0
group() { # group NAME ROW...
  bash "$here/identity.sh" "${arguments[@]}" "$@" || failed=1
}
arguments=("$1" "$2" "$3" "$4" "$5")
group cpp own-sqrt overload-elsewhere using-in-function template-parameter static-member const-before-main static-local concepts
group flags default-header standard-17 unsigned-fields from-stdin
group stale edited-kernel copied-cp stripped-all rebuilt-flag
group link interposed-helper two-files lto-weak unloaded
group language c-sizes f-default-real-8
group users cache-swapped cache-of-other
exit $failed
