# packages.sh: installs missing Debian packages; to be sourced by scripts (bash).

# op2_need_packages PACKAGE...: returns 0 when all of them are installed afterwards; downloads only missing ones.
op2_need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This script installs Debian packages. On other systems install the equivalents of: $*" >&2
    return 1
  fi
  local package missing=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
      echo "Missing packages: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    apt=(sudo "${apt[@]}")
  fi
  echo "Installing ${missing[*]}" >&2
  if ! "${apt[@]}" update >&2 || ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2; then
    echo "Cannot install ${missing[*]}; the messages of apt-get above say why" >&2
    return 1
  fi
}

# SPDX-License-Identifier: MIT
