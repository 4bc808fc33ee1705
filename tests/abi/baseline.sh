#!/usr/bin/env bash
# baseline.sh LIBRARY INCLUDE-FOLDER BASELINE LIST: the functions of LIBRARY and the public types they reach are
# compatible with the XML file BASELINE (abi/baseline/libop2.abi, libop2_trace.abi). What layouts.sh allows structs to do, by LIST
# (abi/layouts.txt), is allowed here too: new fields at the end of growing ones, and in reserved places.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
# shellcheck source=dump.sh
source "$here/dump.sh"
# shellcheck source=layout_list.sh
source "$here/layout_list.sh"
need_baseline
library=$1 include=$2 baseline=$3 list=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

need_debug_information "$library"
[[ -f $baseline ]] || complain "$baseline is missing"
((failures)) || dump_library "$library" "$include" "$scratch/now.abi"
((failures)) && verdict "baseline"

# suppressions: for abidiff. Both kinds of structs are compared field by field, types included, by layouts.sh.
suppressions() {
  awk '$2 == "struct" && $NF == "growing" {
    printf "[suppress_type]\n  name = %s\n  has_data_member_inserted_at = end\n", $3
  }' "$list"
  list_layouts "$include" "${CC:-cc}" c11 "$scratch" "$scratch/layouts.txt" || return 0
  awk -f "$here/layouts_compare.awk" "$list" "$scratch/layouts.txt" |
    sed -n -E 's/^note: (a part of )?([a-z_0-9]+)\.reserved.* was taken into use$/[suppress_type]\n  name = \2/p'
}
suppressions >"$scratch/allowed.abignore"
# 4: something changed; 8: and incompatibly for sure, e.g. a function is gone; 1, 2: abidiff failed.
code=0
abidiff --no-added-syms --suppressions "$scratch/allowed.abignore" "$baseline" "$scratch/now.abi" \
  >"$scratch/report" 2>&1 || code=$?
if ((code)); then
  complain "abidiff (exit code $code) says:"
  sed '/^$/d' "$scratch/report"
fi
old=$(sed -n "s/.*<elf-symbol name='\([^']*\)'.*/\1/p" "$baseline" | sort)
while IFS= read -r name; do echo "note: new: function $name"; done < <(
  comm -13 <(echo "$old") <(exported "$library" | cut -d@ -f1 | sort))
incompatible_verdict "baseline"

# SPDX-License-Identifier: MIT
