#!/bin/sh
# Installs the program and this machine's drivers in a virtual environment with access to the system's packages:
#
#     packaging/install-program.sh PYTHON PREFIX
#
# MODEL may name a file with the board's name, instead of the device tree's. BOARDS=all installs the drivers of every
# Raspberry Pi, BOARDS=none installs none, whatever this machine is. PARTS=hall adds the packages of a club's hall; an
# environment that has them keeps them.
set -eu

python=$1
prefix=$2
project=$(cd "$(dirname "$0")/.." && pwd)

# On a Zero 2 /tmp is in its 512 MB of memory, too small for OpenCV's wheel and a build.
work=$(mktemp -d "${TMPDIR:-/var/tmp}/quilt-companion.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export TMPDIR="$work"

# At the first boot Wi-Fi may not be stable yet.
export PIP_RETRIES="${PIP_RETRIES:-8}" PIP_DEFAULT_TIMEOUT="${PIP_DEFAULT_TIMEOUT:-60}"

# Build from a copy without the remains of earlier builds: setuptools would install deleted modules from build/.
mkdir "$work/program"
for each in companion vision calibration hardware systemd docs setup.py pyproject.toml README.md LICENSE; do
    cp -R "$project/$each" "$work/program/"
done
mkdir -p "$work/program/packaging/page"
for each in bundle.sh package.json package-lock.json .npmrc; do cp "$project/packaging/page/$each" "$work/program/packaging/page/"; done

locked=$project/packaging/locked
# Every installation includes MQTT and HTTPS, which need only a few more packages.
set -- --requirement "$locked/program.txt" --requirement "$locked/mqtt.txt" --requirement "$locked/https.txt"
extras=mqtt,https
if [ "${PARTS-}" = hall ] || ls -d "$prefix"/lib/python3.*/site-packages/sqlalchemy > /dev/null 2>&1; then
    set -- "$@" --requirement "$locked/hall.txt"
    extras=mqtt,https,hall
fi

# The system's NumPy is kept. The camera packages of bookworm are built for NumPy 1 and do not load with NumPy 2; OpenCV 4.11
# is the last version that works with NumPy 1.
: > "$work/constraints.txt"
case $("$python" -c 'from importlib import metadata; print(metadata.version("numpy"))' 2> /dev/null || true) in
    0.* | 1.*)
        set -- "$@" --requirement "$locked/opencv-numpy1.txt"
        printf 'numpy<2\nopencv-python-headless<4.12\n' > "$work/constraints.txt"
        ;;
    "") set -- "$@" --requirement "$locked/numpy.txt" --requirement "$locked/opencv.txt" ;;
    *) set -- "$@" --requirement "$locked/opencv.txt" ;;
esac

# The drivers of a Raspberry Pi cannot be built elsewhere, and the light strip's driver depends on the generation.
lists=
model=${MODEL:-/proc/device-tree/model}
case ${BOARDS:-$([ ! -r "$model" ] || tr -d '\0' < "$model")} in
    all) extras=$extras,pi,pi5 lists='drivers-pi.txt drivers-pi5.txt' ;;
    "Raspberry Pi "[5-9]* | "Raspberry Pi Compute Module "[5-9]*) extras=$extras,pi5 lists=drivers-pi5.txt ;;
    "Raspberry Pi"*) extras=$extras,pi lists=drivers-pi.txt ;;
esac
for list in $lists; do set -- "$@" --requirement "$locked/$list"; done

pip() {
    environment=$1
    command=$2
    shift 2
    "$environment/bin/python3" -m pip "$command" --quiet --disable-pip-version-check "$@"
}

"$python" -m venv --system-site-packages "$prefix"
# Every file must match a hash in the lists.
pip "$prefix" install --no-deps --require-hashes "$@"

# The build tools are locked as well, in an environment of their own.
"$python" -m venv "$work/build"
pip "$work/build" install --no-deps --require-hashes --requirement "$locked/build.txt"
pip "$work/build" wheel --no-deps --no-build-isolation --wheel-dir "$work/dist" "$work/program"
wheel=$(echo "$work"/dist/*.whl)
# Reinstall even the same version, because its modules may have changed.
pip "$prefix" install --no-deps --force-reinstall "$wheel"
# Everything is installed already, except packages that a Raspberry Pi's distribution should have provided but did not.
pip "$prefix" install --constraint "$work/constraints.txt" "${wheel}[$extras]"
