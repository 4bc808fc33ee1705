#!/usr/bin/env bash
# docs/site.sh: builds the site from the pages, the headers and the Fortran modules. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: docs/site.sh [--out DIR] [--help]
Build the site of libop2: all pages, and the reference of C, C++ and Fortran. Begin with DIR/index.html; no server is needed.
  --out DIR   where the site is written (default: build/site). The folder is replaced
Packages: python3-sphinx python3-myst-parser furo python3-breathe doxygen.
Exit code: 0 built; 1 a warning or an error, which stands above; 2 wrong usage; 77 a package is missing.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$root/build/site
while (($#)); do
  case $1 in
    --out) [[ $# -ge 2 && -n $2 ]] || { usage >&2; exit 2; }; out=$(realpath -m "$2"); shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
if [[ -e $out && ! -e $out/.buildinfo && -n $(ls -A "$out") ]]; then
  echo "docs/site.sh: $out is no site and is not empty: not replaced" >&2
  exit 2
fi

for package in python3-sphinx=sphinx python3-myst-parser=myst_parser furo=furo python3-breathe=breathe; do
  /usr/bin/python3 -c "import ${package#*=}" 2>/dev/null || { echo "docs/site.sh needs the package ${package%=*}" >&2; exit 77; }
done
command -v doxygen >/dev/null || { echo "docs/site.sh needs the package doxygen" >&2; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^project(op2 VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

# The headers as XML, by the Doxyfile of the target `reference`.
{
  sed -e "s|@PROJECT_VERSION@|$version|g; s|@PROJECT_DESCRIPTION@||g; s|@OP2_REFERENCE_OUTPUT@|$work|g" \
    -e "s|@PROJECT_SOURCE_DIR@|$root|g; s|@OP2_REFERENCE_AWK@|awk|g" "$root/docs/Doxyfile.in"
  printf 'GENERATE_HTML = NO\nGENERATE_XML = YES\nWARNINGS = NO\n'
} | doxygen -

mkdir "$work/stage"
/usr/bin/python3 -B "$root/docs/site/pages.py" "$root" "$work/stage" "$work/xml"
rm -rf "$out"
/usr/bin/python3 -B -m sphinx -b html -W --keep-going -q -j auto -c "$root/docs/site" -D version="$version" -D release="$version" \
  -D breathe_projects.op2="$work/xml" -d "$work/doctrees" "$work/stage" "$out"
rm -rf "$out/.doctrees"
echo "$out/index.html"

# SPDX-License-Identifier: MIT
