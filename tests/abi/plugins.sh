#!/usr/bin/env bash
# plugins.sh PLUGIN...: a plugin exports op2_plugin_v1 and nothing else, does not need libop2.so, and carries
# no search path.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
need nm readelf
[[ -e ${1:-} ]] || skip "no plugin was built"
for plugin in "$@"; do
  name=$(basename "$plugin")
  exports=$(exported "$plugin" | cut -d@ -f1)
  [[ $exports == op2_plugin_v1 ]] || complain "$name exports $(tr '\n' ' ' <<<"$exports")instead of op2_plugin_v1 alone"
  [[ $(dynamic "$plugin" NEEDED) != *libop2.so* ]] || complain "$name needs libop2.so"
  [[ -z $(dynamic "$plugin" RPATH)$(dynamic "$plugin" RUNPATH) ]] || complain "$name carries a search path"
done
verdict "$# plugins"

# SPDX-License-Identifier: MIT
