#!/usr/bin/env bash
# site.sh SOURCE: docs/site.sh builds the site without a warning; pages, links and search are checked by site.py. Exit code 77: a package
# is missing.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/docs/site.sh" --out "$work/site" || exit
/usr/bin/python3 "$(dirname "$0")/site.py" "$work/site"

# SPDX-License-Identifier: MIT
