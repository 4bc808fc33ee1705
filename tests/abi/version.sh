#!/usr/bin/env bash
# version.sh: CMakeLists.txt, version.h, the newest section of CHANGELOG.md and CITATION.cff name the same version.
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
in_citation=$(sed -n 's/^version: //p' "$root/CITATION.cff")
[[ $in_citation == "$version" ]] || complain "CMakeLists.txt says version $version, CITATION.cff '$in_citation'"
verdict "version $version"

# SPDX-License-Identifier: MIT
