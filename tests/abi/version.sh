#!/usr/bin/env bash
# version.sh: CMakeLists.txt, version.h and the newest section of CHANGELOG.md name the same version.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
version=$(project_version)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || complain "CMakeLists.txt has no version of the form 1.2.3, but '$version'"
in_header=""
for part in MAJOR MINOR PATCH; do
  in_header+=.$(sed -n "s/^#define OP2_VERSION_$part \([0-9]*\)$/\1/p" "$root/include/op2/version.h")
done
[[ ${in_header#.} == "$version" ]] || complain "CMakeLists.txt says version $version, version.h ${in_header#.}"
in_changelog=$(sed -n '/^## /{s/^## \([0-9.]*\).*/\1/p;q}' "$root/CHANGELOG.md")
[[ $in_changelog == "$version" ]] ||
  complain "CMakeLists.txt says version $version, CHANGELOG.md begins with '$in_changelog'"
verdict "version $version"
