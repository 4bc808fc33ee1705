#!/usr/bin/env bash
# plugins.sh PLUGIN...: a plugin exports op2_plugin_v1 and nothing else, and does not need libop2.so.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
need nm readelf
(($#)) || complain "no plugin was given"
for plugin in "$@"; do
  name=$(basename "$plugin")
  exports=$(exported "$plugin" | cut -d@ -f1)
  [[ $exports == op2_plugin_v1 ]] || complain "$name exports $(tr '\n' ' ' <<<"$exports")instead of op2_plugin_v1 alone"
  ! dynamic "$plugin" NEEDED | grep -q '^libop2\.so' || complain "$name needs libop2.so"
done
verdict "$# plugins"
