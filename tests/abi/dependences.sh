#!/usr/bin/env bash
# dependences.sh LIBRARY: its SONAME is libop2.so.1, the links beside it lead to it, and it needs nothing but the C and
# C++ runtimes and zlib (and those of a sanitizer when OP2_SANITIZE says so).
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
need readelf
library=$1
folder=$(dirname "$library")

soname=$(dynamic "$library" SONAME)
[[ $soname == libop2.so.1 ]] || complain "the SONAME is '$soname', not libop2.so.1"
for link in libop2.so libop2.so.1; do
  [[ $folder/$link -ef $library ]] || complain "$folder/$link does not lead to $library"
done

while IFS= read -r needed; do
  case $needed in
    libc.so.* | libm.so.* | libstdc++.so.* | libgcc_s.so.* | libdl.so.* | libpthread.so.* | ld-linux*.so.*) ;;
    libz.so.*) ;; # unpacks mesh files; left out by OP2_ZLIB=OFF
    libasan.so.* | libubsan.so.* | libtsan.so.* | liblsan.so.* | libclang_rt.*)
      [[ -n ${OP2_SANITIZE:-} ]] || complain "it needs $needed without being built with a sanitizer" ;;
    *) complain "it needs $needed" ;;
  esac
done < <(dynamic "$library" NEEDED)
[[ -z $(dynamic "$library" RPATH)$(dynamic "$library" RUNPATH) ]] || complain "it carries a search path of this build"
verdict "dependences of $(basename "$library")"
