#!/usr/bin/env bash
# destdir.sh: staging with DESTDIR gives the same tree, below the prefix, and touches nothing else; the components are
# disjoint and complete, and `runtime` alone is enough to run a program.
source "$(dirname "$0")/common.sh"
stage=$work/destdir
fresh "$stage"
prefix=$stage/never/written

cmake --install "$build_folder" --prefix "$stage/plain" >/dev/null
DESTDIR=$stage/root cmake --install "$build_folder" --prefix "$prefix" >/dev/null
[[ ! -e $prefix ]] || complain "something was written to the prefix itself"
# op2_info is compared, too: the same bytes wherever it goes.
diff -r "$stage/plain" "$stage/root$prefix" || complain "the staged tree differs from the installed one"
same "outside the prefix" "$(cd "$stage/root" && find . ! -type d ! -path ".$prefix/*")" ""

# What needs a library of its own is a component of its own; not every build has it.
for component in runtime development mpi fortran; do
  cmake --install "$build_folder" --prefix "$stage/$component" --component "$component" >/dev/null
done
list() { (cd "$1" && find . ! -type d | sort); }
mkdir -p "$stage/mpi" "$stage/fortran"
parts() { list "$stage/runtime"; list "$stage/development"; list "$stage/mpi"; list "$stage/fortran"; }
same "files in several components" "$(parts | sort | uniq -d)" ""
same "files of all components" "$(parts | sort)" "$(list "$stage/plain")"
needed="^\./($libdir/libop2(_trace)?\.so\.1(\.0\.0)?|$libdir/op2/op2_[a-z0-9_]+\.so|bin/op2_(info|launch|mesh|plot|trace)|share/op2/op2_plot_(files|lines|trace)\.py)\$"
same "files that the runtime does not need" "$(list "$stage/runtime" | grep -vE "$needed")" ""
"$stage/runtime/bin/op2_info" >/dev/null || complain "op2_info of the runtime alone does not start"
same "executors of the runtime alone" "$(executors "$stage/runtime")" "$(executors "$tree")"
verdict "staging"

# SPDX-License-Identifier: MIT
