#!/bin/sh
# Sets up a Raspberry Pi with a fresh Raspberry Pi OS (bookworm or newer), or any Debian machine: packages, SPI and its
# clock, groups, the program, the service, and the host name of the page. A second run does only what is missing.
#
#     sudo sh packaging/first-boot.sh                      # in a copy of the project
#     sudo sh first-boot.sh ADDRESS                        # alone: ADDRESS is the project's git repository
#
# NAME is the machine's new host name; without it a machine that has not got a name of its own yet is called quilt, and
# NAME= keeps any name. ROOT and MODEL are for tests.
set -eu

address=${1-}
root=${ROOT-}
called=$(cat "$root/etc/hostname" 2> /dev/null || true)
# Entered in Raspberry Pi Imager, or given to another machine: a name is not changed unasked.
case $called in raspberrypi | debian | localhost | "") name=${NAME-quilt} ;; *) name=${NAME-} ;; esac
model=${MODEL:-/proc/device-tree/model}
board=$([ ! -r "$model" ] || tr -d '\0' < "$model")
source=/usr/local/src/quilt-companion
restart=

say() { printf '\nquilt-companion: %s\n' "$*"; }

[ -n "$root" ] || [ "$(id -u)" = 0 ] || { echo "first-boot: needs root: run it with sudo" >&2; exit 2; }

# Adds a line to config.txt, in a section for all boards, unless it is there already.
firmware() {
    file=$root/boot/firmware/config.txt
    [ -e "$file" ] || file=$root/boot/config.txt
    [ -e "$file" ] || return 0
    grep -qx "$1" "$file" && return 0
    printf '[all]\n%s\n' "$1" >> "$file"
    restart=yes
}

packages() {
    say "packages"
    export DEBIAN_FRONTEND=noninteractive
    set -- git make python3-venv avahi-daemon
    case $board in
        "Raspberry Pi "[5-9]* | "Raspberry Pi Compute Module "[5-9]*) ;;
        # The light strip's library has to be compiled.
        "Raspberry Pi"*) set -- "$@" gcc libc6-dev python3-dev ;;
    esac
    case $board in
        "Raspberry Pi"*) set -- "$@" python3-picamera2 python3-gpiozero python3-lgpio ;;
    esac
    # At the first boot others install packages, too.
    apt-get -qq -o APT::Update::Error-Mode=any update
    apt-get -qq -y -o DPkg::Lock::Timeout=900 -o Dpkg::Use-Pty=0 --no-install-recommends install "$@"
}

boot_settings() {
    case $board in
        "Raspberry Pi "[5-9]* | "Raspberry Pi Compute Module "[5-9]*) return 0 ;;
        "Raspberry Pi 4"* | "Raspberry Pi Compute Module 4"*) firmware dtparam=spi=on; firmware core_freq_min=500 ;;
        "Raspberry Pi"*) firmware dtparam=spi=on; firmware core_freq=250 ;;
    esac
}

# Keeps cloud-init from calling the machine, at every boot, as the card's user-data does.
keep_name() {
    [ -d "$root/etc/cloud" ] || return 0
    mkdir -p "$root/etc/cloud/cloud.cfg.d"
    printf '# Written by first-boot.sh of quilt-companion.\npreserve_hostname: true\n' \
        > "$root/etc/cloud/cloud.cfg.d/99-quilt-companion.cfg"
}

machine_name() {
    [ -n "$name" ] && [ "$called" != "$name" ] || return 0
    say "this machine is called $name from now on"
    keep_name
    echo "$name" > "$root/etc/hostname"
    if grep -q '^127\.0\.1\.1' "$root/etc/hosts" 2> /dev/null; then
        sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$name/" "$root/etc/hosts"
    else
        printf '127.0.1.1\t%s\n' "$name" >> "$root/etc/hosts"
    fi
    restart=yes
}

program() {
    here=$(cd "$(dirname "$0")/.." && pwd)
    if [ -f "$here/packaging/install-program.sh" ]; then
        source=$here
    elif [ -d "$source/.git" ]; then
        git -C "$source" pull --quiet --ff-only
    elif [ -n "$address" ]; then
        git clone --quiet --depth 1 "$address" "$source"
    else
        echo "first-boot: where is the project? Say what git clones it from: sudo sh first-boot.sh ADDRESS" >&2
        exit 2
    fi
    say "the program; on a small board this takes a while"
    make --no-print-directory -C "$source" install PYTHON=/usr/bin/python3
    ln -sf /opt/quilt-companion/bin/companion /usr/local/bin/companion
}

groups_of_user() {
    user=${SUDO_USER:-$(getent passwd 1000 | cut -d: -f1)}
    [ -n "$user" ] && [ "$user" != root ] || return 0
    for group in audio gpio input spi video; do
        if getent group "$group" > /dev/null; then usermod -aG "$group" "$user"; fi
    done
}

if [ -z "$root" ]; then
    packages
fi
boot_settings
machine_name
if [ -z "$root" ]; then
    program
    groups_of_user
    say "ready. The page: http://${name:-$(hostname)}.local:8080/ (this Wi-Fi, any phone)
  1. companion doctor              says what is still missing
  2. companion print mats          print at 100 %, lay the boards on them
  3. lay both boards empty under the camera, and press confirm, or begin on the page"
    [ -z "$restart" ] || say "restart once: sudo reboot"
fi
