#!/bin/sh
# Writes packaging/locked/: the packages that `make install` installs, each version with the hashes of all its files:
#
#     packaging/lock.sh UV
#
# Each list holds for every system and Python that the program supports. Packages that a system may provide are separate:
# NumPy and OpenCV have lists of their own, and picamera2, gpiozero and lgpio come from a Raspberry Pi's distribution.
set -eu

uv=$1
project=$(cd "$(dirname "$0")/.." && pwd)
out=$project/packaging/locked
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

compile() {
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
        --no-emit-find-links --no-annotate "$@"
}

compile "$project/pyproject.toml" --no-emit-package numpy --no-emit-package opencv-python-headless -o program.txt
compile "$project/pyproject.toml" -o all.txt
names=$(sed -n 's/^\([a-z0-9._-]*\)==.*/\1/p' all.txt | sort -u)
only() {
    for each in $names; do [ "$each" = "$1" ] || printf ' --no-emit-package %s' "$each"; done
}
# shellcheck disable=SC2046  # names of packages, and options
compile "$project/pyproject.toml" $(only numpy) -o numpy.txt
# shellcheck disable=SC2046
compile "$project/pyproject.toml" $(only opencv-python-headless) -o opencv.txt
printf 'numpy<2\nopencv-python-headless<4.12\n' > old.in
# shellcheck disable=SC2046
compile "$project/pyproject.toml" --constraint old.in $(only opencv-python-headless) -o opencv-numpy1.txt

printf "%s ; python_version < '3'\n" picamera2 gpiozero lgpio > system.in
for board in pi pi5; do
    # shellcheck disable=SC2046
    compile "$project/pyproject.toml" --extra "$board" --override system.in --constraint all.txt $(only none) \
        -o "drivers-$board.txt"
done
for part in mqtt https hall; do
    # shellcheck disable=SC2046
    compile "$project/pyproject.toml" --extra "$part" --constraint all.txt $(only none) -o "$part.txt"
done
printf 'setuptools>=77\nbabel>=2.14\nwheel\n' > build.in
compile build.in -o build.txt
mkdir -p "$out"
for each in program numpy opencv opencv-numpy1 mqtt https hall drivers-pi drivers-pi5 build; do cp "$each.txt" "$out/"; done
