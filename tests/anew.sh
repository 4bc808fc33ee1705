#!/usr/bin/env bash
# anew.sh FILE COMMAND...: the command writes this file; one of an earlier run is removed before, so that it cannot pass for the new one.
set -euo pipefail
file=$1
shift
rm -f "$file"
"$@"
[[ -s $file ]] || { echo "FAILED: there is no $file"; exit 1; }

# SPDX-License-Identifier: MIT
