# shellcheck shell=bash
# fresh_system SUITE FOLDER [PACKAGES]: a minimal Debian or Ubuntu in FOLDER, unless it is there. Needs root, debootstrap and the network.
fresh_system() {
  local source=("$1" "$2")
  # Debian has neither Ubuntu's keys nor a script named after this release; apt in the system checks its packages.
  [ "$1" != noble ] || source=(--no-check-gpg "--components=main,universe" "$1" "$2" http://archive.ubuntu.com/ubuntu gutsy)
  # A folder that debootstrap still has its own in is of a run that was interrupted.
  if [ ! -e "$2/etc/debian_version" ] || [ -e "$2/debootstrap" ]; then
    rm -rf "$2"
    debootstrap --variant=minbase ${3:+--include="$3"} "${source[@]}"
  fi
}
