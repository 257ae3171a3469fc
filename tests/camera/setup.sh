#!/bin/sh
# Sets up a Debian trixie in a folder, with the real picamera2 and libcamera's virtual camera. Needs root and debootstrap.
# Run again, it only does what is missing.
#
#     tests/camera/setup.sh ROOT
set -eu

root=${1:?"usage: setup.sh ROOT"}
here=$(cd "$(dirname "$0")" && pwd)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# A folder of this machine's is none in there.
unset TMPDIR

say() { echo "test-camera: $*" >&2; }

[ "$(id -u)" = 0 ] || { say "a chroot needs root: run it with sudo"; exit 2; }
command -v debootstrap > /dev/null || { say "debootstrap is missing: apt install debootstrap"; exit 2; }

if [ ! -e "$root/.bootstrapped" ]; then
    say "a Debian trixie in $root"
    debootstrap --variant=minbase trixie "$root" "$mirror" > /dev/null
    echo "deb $mirror trixie-backports main" > "$root/etc/apt/sources.list.d/backports.list"
    touch "$root/.bootstrapped"
fi

if [ ! -e "$root/.packages" ]; then
    say "libcamera from trixie-backports (0.4 of trixie itself gives empty frames)"
    # Nothing may start a service in there, and nothing asks.
    export DEBIAN_FRONTEND=noninteractive
    chroot "$root" apt-get -qq update
    chroot "$root" apt-get -qq -y --no-install-recommends install -t trixie-backports \
        python3-libcamera libcamera-tools libcamera-ipa > /dev/null
    chroot "$root" apt-get -qq -y --no-install-recommends install \
        python3-prctl python3-numpy python3-pil python3-venv python3-dev gcc libc6-dev > /dev/null
    touch "$root/.packages"
fi

if [ ! -e "$root/.python" ]; then
    say "picamera2 from PyPI"
    chroot "$root" python3 -m venv --system-site-packages /venv
    # A machine behind a proxy trusts a certificate that Debian does not know.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    chroot "$root" /venv/bin/pip install --quiet --disable-pip-version-check picamera2 opencv-python-headless
    touch "$root/.python"
fi

cp "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
cp "$here/udmabuf.c" "$root/udmabuf.c"
chroot "$root" cc -shared -fPIC -O1 -Wall -Wextra -Werror -o /udmabuf.so /udmabuf.c -ldl
say "ready"
