#!/usr/bin/env bash
# reference.sh DOXYFILE MAPS [HEADERS]: every exported function is described in the reference, and Doxygen does not warn.
# MAPS: the folder of op2.map and op2_trace.map. HEADERS: another include folder, for the test of this test. Exit code 77: Doxygen is not installed.
set -euo pipefail
doxyfile=$1 maps=$2 headers=${3:-}
command -v doxygen >/dev/null || { echo "doxygen is not installed (package doxygen): not checked"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
  cat "$doxyfile"
  printf 'OUTPUT_DIRECTORY = %s\nWARN_LOGFILE = %s/warnings\nGENERATE_HTML = NO\nGENERATE_XML = YES\n' "$work" "$work"
  [[ -z $headers ]] || printf 'INPUT = %s\nUSE_MDFILE_AS_MAINPAGE =\n' "$headers"
} | doxygen -

bad=0
# The fields of a struct may speak for themselves; nothing else may be undocumented or wrong.
if grep -v '(variable) of .* is not documented' "$work/warnings"; then
  echo "Doxygen warns (above; line numbers are those behind docs/reference_filter.awk)"
  bad=1
fi

# "name characters" of every function in the reference: how much text its descriptions have.
awk '
  /<memberdef kind="function"/ { name = text = ""; inside = 1 }
  inside && /<name>/ { name = $0; gsub(/ *<\/?name>/, "", name) }
  inside && /<briefdescription>/ { taking = 1 }
  inside && /<inbodydescription>/ { taking = 0 }
  taking { line = $0; gsub(/<[^>]*>/, "", line); gsub(/^ +| +$/, "", line); text = text line }
  /<\/memberdef>/ { if (inside) print name, length(text); inside = taking = 0 }
' "$work"/xml/*_8h.xml >"$work/described"

exported=$(sed -n 's/^ *\(op_[a-z0-9_]*\);.*/\1/p' "$maps/op2.map" "$maps/op2_trace.map")
count=0
for function in $exported; do
  count=$((count + 1))
  length=$(awk -v name="$function" '$1 == name && $2 > most {most = $2} END {print most + 0}' "$work/described")
  if ((length < 8)); then
    echo "$function has no description in the reference"
    bad=1
  fi
done
((count > 50)) || { echo "only $count functions were found in $maps"; bad=1; }
((bad)) || echo "$count exported functions are described"
exit $bad

# SPDX-License-Identifier: MIT
