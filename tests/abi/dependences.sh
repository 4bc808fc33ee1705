#!/usr/bin/env bash
# dependences.sh LIBRARY: its SONAME is libop2.so.1 (libop2_trace.so.1), the links beside it lead to it, and it needs nothing but the C and
# C++ runtimes and zlib (and those of a sanitizer when OP2_SANITIZE says so); libop2_trace.so needs libop2.so.1, which lies beside it.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
need readelf
library=$1
folder=$(dirname "$library")

name=$(name_of "$library")
soname=$(dynamic "$library" SONAME)
[[ $soname == "$name.so.1" ]] || complain "the SONAME is '$soname', not $name.so.1"
for link in "$name.so" "$name.so.1"; do
  [[ $folder/$link -ef $library ]] || complain "$folder/$link does not lead to $library"
done

while IFS= read -r needed; do
  case $needed in
    libc.so.* | libm.so.* | libstdc++.so.* | libgcc_s.so.* | libdl.so.* | libpthread.so.* | ld-linux*.so.*) ;;
    libop2.so.1) [[ $name == libop2_trace ]] || complain "it needs $needed" ;;
    libz.so.*) ;; # unpacks mesh files; left out by OP2_ZLIB=OFF
    liburing.so.*) ;; # reads and writes data larger than memory; left out by OP2_URING=OFF
    libasan.so.* | libubsan.so.* | libtsan.so.* | liblsan.so.* | libclang_rt.*)
      [[ -n ${OP2_SANITIZE:-} ]] || complain "it needs $needed without being built with a sanitizer" ;;
    *) complain "it needs $needed" ;;
  esac
done < <(dynamic "$library" NEEDED)
path=$(dynamic "$library" RPATH)$(dynamic "$library" RUNPATH)
# shellcheck disable=SC2016
[[ -z $path || $name$path == 'libop2_trace$ORIGIN' ]] || complain "it carries a search path of this build"
verdict "dependences of $(basename "$library")"

# SPDX-License-Identifier: MIT
