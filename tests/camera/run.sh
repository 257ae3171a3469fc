#!/bin/sh
# Captures our own pictures through the real picamera2 and libcamera's virtual camera. Needs root, debootstrap and a
# network for the first time; the chroot is kept for the next.
#
#     tests/camera/run.sh [ROOT]
set -eu

root=${1:-${TMPDIR:-/var/tmp}/quilt-companion-camera}
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=${PYTHON:-$project/.venv/bin/python}

"$here/setup.sh" "$root"

# What the camera shall see: the simulated table, as it would see the real one.
rm -rf "$root/frames" "$root/project"
mkdir -p "$root/frames" "$root/project"
"$python" "$here/frames.py" "$root/frames"
cp -r "$project/hardware" "$project/companion" "$root/project"
cp "$here/capture.py" "$root/project/capture.py"

# libcamera finds its devices there; /proc and /sys are the machine's own, and are let go of however this ends.
release() { umount "$root/proc" "$root/sys" "$root/dev" 2> /dev/null || true; }
trap release EXIT
trap 'exit 130' INT TERM
release
mount -t proc proc "$root/proc"
mount -o bind,ro /sys "$root/sys"
mount -o bind /dev "$root/dev"
[ -e /dev/udmabuf ] || echo "test-camera: this kernel has no /dev/udmabuf; a stand-in is preloaded" >&2

timeout 120 chroot "$root" env -C /project TMPDIR=/tmp PYTHONPATH=/project PYTHONDONTWRITEBYTECODE=1 LD_PRELOAD=/udmabuf.so \
    LIBCAMERA_LOG_LEVELS="*:ERROR" /venv/bin/python capture.py /frames
