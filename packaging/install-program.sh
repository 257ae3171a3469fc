#!/bin/sh
# Installs the program and the drivers of this machine into an environment that sees the system's packages:
#
#     packaging/install-program.sh PYTHON PREFIX
#
# MODEL may name a file that says which board this is, in the place of the device tree's. BOARDS=all takes the
# drivers of every Raspberry Pi, BOARDS=none of none, whatever this machine is. PARTS=hall adds what a club's hall needs; an
# environment that has it keeps it.
set -eu

python=$1
prefix=$2
project=$(cd "$(dirname "$0")/.." && pwd)

# A Zero 2 keeps /tmp in its 512 MB of memory, where OpenCV's wheel and a build do not fit.
work=$(mktemp -d "${TMPDIR:-/var/tmp}/quilt-companion.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export TMPDIR="$work"

# A card's first start may come before its Wi-Fi is steady.
export PIP_RETRIES="${PIP_RETRIES:-8}" PIP_DEFAULT_TIMEOUT="${PIP_DEFAULT_TIMEOUT:-60}"

# A copy without what earlier builds have left: setuptools would install modules from build/ that are there no more.
mkdir "$work/program"
for each in companion vision calibration hardware systemd docs catalogues.py setup.py pyproject.toml MANIFEST.in README.md LICENSE; do
    cp -R "$project/$each" "$work/program/"
done

locked=$project/packaging/locked
# A table on a broker needs one small package more, which every installation gets.
set -- --requirement "$locked/program.txt" --requirement "$locked/mqtt.txt"
extras=mqtt
if [ "${PARTS-}" = hall ] || ls -d "$prefix"/lib/python3.*/site-packages/sqlalchemy > /dev/null 2>&1; then
    set -- "$@" --requirement "$locked/hall.txt"
    extras=mqtt,hall
fi

# What the system brings stays as it is. The camera's packages of bookworm are built for NumPy 1, and would not load beside
# NumPy 2; OpenCV 4.11 is the last that takes that one.
: > "$work/constraints.txt"
case $("$python" -c 'from importlib import metadata; print(metadata.version("numpy"))' 2> /dev/null || true) in
    0.* | 1.*)
        set -- "$@" --requirement "$locked/opencv-numpy1.txt"
        printf 'numpy<2\nopencv-python-headless<4.12\n' > "$work/constraints.txt"
        ;;
    "") set -- "$@" --requirement "$locked/numpy.txt" --requirement "$locked/opencv.txt" ;;
    *) set -- "$@" --requirement "$locked/opencv.txt" ;;
esac

# The drivers of a Raspberry Pi cannot even be built elsewhere, and each generation's strip has its own.
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
# Each file must be one of those whose hashes are in the lists.
pip "$prefix" install --no-deps --require-hashes "$@"

# Built by locked tools, too, in an environment of their own.
"$python" -m venv "$work/build"
pip "$work/build" install --no-deps --require-hashes --requirement "$locked/build.txt"
pip "$work/build" wheel --no-deps --no-build-isolation --wheel-dir "$work/dist" "$work/program"
wheel=$(echo "$work"/dist/*.whl)
# The same version may hold other modules by now.
pip "$prefix" install --no-deps --force-reinstall "$wheel"
# Everything is there already, but what a Raspberry Pi's distribution should have brought and has not.
pip "$prefix" install --constraint "$work/constraints.txt" "${wheel}[$extras]"
