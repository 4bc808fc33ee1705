#!/usr/bin/env bash
# abi/update_baseline.sh: makes the present ABI the one that abi/check.sh compares with. See --help.
# shellcheck source=../tests/abi/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/abi/common.sh"
# shellcheck source=../tests/abi/dump.sh
source "$here/dump.sh"
# shellcheck source=../tests/abi/layout_list.sh
source "$here/layout_list.sh"

usage() {
  cat <<'TEXT'
usage: abi/update_baseline.sh [--dry-run] [--build FOLDER] [--help]
Rewrite abi/layouts.txt and abi/baseline/ from this source tree, then compare with it. Below version 1.0.0 this may be
done at any time: the ABI is a draft. From 1.0.0 on the baseline is that of a release, so the tree must be clean and
HEAD must be at the tag of the version (v1.2.3).
  --dry-run        only say whether it may be done
  --build FOLDER   where the functions of both libraries are compiled (default build/abi)
TEXT
}

dry_run=no build=$root/build/abi
while (($#)); do
  case $1 in
    --dry-run) dry_run=yes ;;
    --build)
      (($# > 1)) || { usage >&2; exit 2; }
      build=$2
      shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

# refuse REASON...
refuse() {
  echo "REFUSED: $*" >&2
  exit 1
}

# may_update: ends the script where a baseline must not be made.
may_update() {
  local version
  version=$(project_version)
  [[ -n $version ]] || refuse "CMakeLists.txt does not tell the version"
  if draft; then
    echo "version $version: the ABI is a draft, the baseline may be updated"
    return
  fi
  git -C "$root" rev-parse HEAD >/dev/null 2>&1 ||
    refuse "version $version: this is no checkout of git, so it cannot be seen whether it is a release"
  [[ -z $(git -C "$root" status --porcelain) ]] ||
    refuse "version $version: the tree has changes; a baseline is that of a release"
  grep -qxF "v$version" <<<"$(git -C "$root" tag --points-at HEAD)" ||
    refuse "version $version: HEAD is not at the tag v$version; a baseline is that of a release"
  echo "version $version: HEAD is at the tag v$version, the baseline may be updated"
}

may_update
[[ $dry_run == no ]] || exit 0
for tool in gcc g++ abidw nm readelf; do
  command -v "$tool" >/dev/null || refuse "$tool is not installed; a baseline is made with gcc and abigail-tools"
done
unset OP2_SANITIZE
export CC=gcc CXX=g++
build_library "$build" op2_doors op2_trace_doors || refuse "cannot build the libraries"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

list_layouts "$root/include" gcc c11 "$scratch" "$scratch/list" ||
  { cat "$scratch/log" >&2; refuse "cannot list the layouts"; }
{
  echo "# layouts.txt: layouts of the public structs, and values of the public constants, of the baseline. Written by"
  echo "# update_baseline.sh; tests/abi/layout_list.sh explains the lines."
  cat "$scratch/list"
} >"$scratch/layouts.txt"
for name in libop2 libop2_trace; do
  library=$build/src/doors/$name.so
  need_debug_information "$library"
  ((failures)) || dump_library "$library" "$root/include" "$scratch/$name.abi"
done
((failures == 0)) || refuse "the libraries cannot be described"

mkdir -p "$root/abi/baseline"
cp "$scratch/layouts.txt" "$root/abi/layouts.txt"
cp "$scratch"/libop2.abi "$scratch"/libop2_trace.abi "$root/abi/baseline"
rm -rf "$root/abi/baseline/include"
public_headers "$root/include" '*.h' '*.hpp' | (cd "$root/include" && xargs -d '\n' cp --parents -t "$scratch")
mkdir "$root/abi/baseline/include"
cp -r "$scratch/op2" "$root/abi/baseline/include/op2"
echo "written: abi/layouts.txt, abi/baseline/libop2.abi, abi/baseline/libop2_trace.abi, abi/baseline/include"
bash "$root/abi/check.sh" --only baseline --build "$build"
exec bash "$root/abi/check.sh" --only baseline.trace --build "$build"

# SPDX-License-Identifier: MIT
