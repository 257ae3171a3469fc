#!/bin/sh
# Builds a Debian package of the program for this machine's release and architecture:
#
#     packaging/deb/build.sh FOLDER
#
# The program is in a virtual environment in /usr/lib with access to the system's packages; the environment contains what
# Debian does not have. Needs python3-venv, python3-numpy, dpkg-dev, and on a Raspberry Pi the apt packages of docs/build.md.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:?"usage: build.sh FOLDER"}" && cd "$1" && pwd)
python=/usr/bin/python3
name=quilt-companion
lib=/usr/lib/$name

version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$project/pyproject.toml")
# The version is the same between releases; the commit's date lets apt recognise the newer package.
version=$version$(TZ=UTC git -C "$project" log -1 --date=format-local:%Y%m%d.%H%M --format=+git%cd.%h 2> /dev/null || true)
arch=$(dpkg --print-architecture)
minor=$("$python" -c 'import sys; print(sys.version_info.minor)')
release=$(sed -n 's/^VERSION_ID="\{0,1\}\([0-9.]*\).*/\1/p' /etc/os-release)
full=$version-1+deb$release

stage=$(mktemp -d "${TMPDIR:-/var/tmp}/$name-deb.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 130' INT TERM
umask 022
chmod 755 "$stage"

# One package serves every board of an architecture: the program imports the light strip's library for its board.
case $arch in arm64) BOARDS=all ;; *) BOARDS=none ;; esac
PARTS=hall
export BOARDS PARTS
"$project/packaging/install-program.sh" "$python" "$stage$lib"

# Remove what only an environment for further installation needs, and bytecode, which contains the build folder's path.
find "$stage$lib" -depth -name __pycache__ -exec rm -rf {} +
rm -rf "$stage$lib"/bin/[Aa]ctivate* "$stage$lib"/lib/python3.*/site-packages/pip "$stage$lib"/lib/python3.*/site-packages/pip-*
rm -rf "$stage$lib"/lib/python3.*/site-packages/setuptools* "$stage$lib"/lib/python3.*/site-packages/_distutils_hack
rm -f "$stage$lib"/lib/python3.*/site-packages/distutils-precedence.pth "$stage$lib/.gitignore"
find "$stage$lib/bin" -type f ! -name companion -delete
sed -i "1s|.*|#!$lib/bin/python3|" "$stage$lib/bin/companion"
sed -i "s|$stage||g" "$stage$lib/pyvenv.cfg"
find "$stage$lib" -name direct_url.json -delete
find "$stage$lib" -name RECORD -exec sed -i '/__pycache__/d; /direct_url.json/d' {} +
find "$stage$lib" -name '*.so*' -type f -exec chmod 644 {} +
# Modules need no shebang and no executable bit.
find "$stage$lib/lib" -type f -name '*.py' -exec sed -i '1{/^#!/d}' {} + -exec chmod 644 {} +
ln -sf ../../../bin/python3 "$stage$lib/bin/python3"
find "$stage$lib/bin" -type l ! -name python3 -delete

command=/usr/bin/companion
mkdir -p "$stage/usr/bin" "$stage/usr/lib/systemd/system" "$stage/usr/lib/sysusers.d" "$stage/usr/lib/tmpfiles.d" \
    "$stage/usr/lib/udev/rules.d" "$stage/etc/avahi/services" "$stage/usr/share/doc/$name" "$stage/usr/share/man/man1" \
    "$stage/usr/share/lintian/overrides" "$stage/DEBIAN"
ln -s "../lib/$name/bin/companion" "$stage$command"
fill() { sed -e 's/Written by "companion install"/Part of the package quilt-companion/' \
    -e 's/Written by "companion install --hall"/Part of the package quilt-companion/' \
    -e 's/; "companion install --remove" takes it away//' -e "s|@COMMAND@|$command|g" -e 's/@PORT@/8080/g' "$1"; }
fill "$project/systemd/quilt-companion.service" > "$stage/usr/lib/systemd/system/$name.service"
fill "$project/systemd/$name-hall.service" > "$stage/usr/lib/systemd/system/$name-hall.service"
fill "$project/systemd/sysusers.conf" > "$stage/usr/lib/sysusers.d/$name.conf"
fill "$project/systemd/tmpfiles.conf" > "$stage/usr/lib/tmpfiles.d/$name.conf"
fill "$project/systemd/udev.rules" > "$stage/usr/lib/udev/rules.d/70-$name.rules"
fill "$project/systemd/avahi.service" > "$stage/etc/avahi/services/$name.service"
echo "/etc/avahi/services/$name.service" > "$stage/DEBIAN/conffiles"

cp "$here/copyright" "$stage/usr/share/doc/$name/copyright"
printf '%s (%s) stable; urgency=medium\n\n  * What has changed is told by CHANGELOG.md of the source.\n\n -- %s  %s\n' \
    "$name" "$full" "The Quilt Companion <quilt-companion@localhost>" "$(date -R -r "$project/CHANGELOG.md")" \
    | gzip -9n > "$stage/usr/share/doc/$name/changelog.Debian.gz"
gzip -9nc "$here/companion.1" > "$stage/usr/share/man/man1/companion.1.gz"
cp "$here/lintian-overrides" "$stage/usr/share/lintian/overrides/$name"
for script in preinst postinst prerm postrm; do
    [ -e "$here/$script" ] && install -m 755 "$here/$script" "$stage/DEBIAN/$script"
done

depends="python3 (>= 3.$minor), python3 (<< 3.$((minor + 1))), python3-numpy, libc6, libgcc-s1, libstdc++6, zlib1g, systemd"
recommends="avahi-daemon"
[ "$arch" = arm64 ] && recommends="$recommends, python3-picamera2, python3-gpiozero, python3-lgpio"
cat > "$stage/DEBIAN/control" <<EOF
Package: $name
Version: $full
Architecture: $arch
Maintainer: The Quilt Companion <quilt-companion@localhost>
Installed-Size: $(du -k -s --exclude=DEBIAN "$stage" | cut -f1)
Depends: $depends
Recommends: $recommends
Suggests: espeak-ng, alsa-utils
Section: misc
Priority: optional
Description: camera that keeps the books of Patchwork and Kvilt
 A camera hangs over the table while people play with the real pieces. The
 companion sees which patch was laid where, checks every move against the
 rules, and keeps buttons, time, income, turns and the score. A strip of
 lights and a page on every phone in the room tell the rest.
 .
 This package brings the program and its service, with the Python packages
 that Debian does not have in an environment of their own.
EOF
(cd "$stage" && find . -path ./DEBIAN -prune -o -type f -print0 | sort -z | xargs -0 md5sum | sed 's|  \./|  |' > DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz -z3 --build "$stage" "$out/${name}_${full}_$arch.deb" > /dev/null
echo "$out/${name}_${full}_$arch.deb"
