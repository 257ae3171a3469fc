#!/bin/sh
# Tests a package: installs, upgrades, removes and purges it, and fails if anything is not as expected. It changes the system:
# run it as root in a chroot or a container.
#
#     packaging/deb/try.sh PACKAGE.deb [OLDER.deb]
#
# The upgrade starts from the older package; without one it is from the package to a copy with a higher version.
set -eu

package=${1:?"usage: try.sh PACKAGE.deb [OLDER.deb]"}
first=${2:-$package}
name=quilt-companion
config=/etc/$name/config.toml
state=/var/lib/$name
unit=/etc/systemd/system/multi-user.target.wants/$name.service

fail() { echo "try: $*" >&2; exit 1; }
there() { for each; do [ -e "$each" ] || [ -L "$each" ] || fail "$each is missing $when"; done; }
gone() { for each; do if [ -e "$each" ] || [ -L "$each" ]; then fail "$each is still there $when"; fi; done; }

when="after it was installed"
# dpkg must not ask about a file that `make install` has written: without a terminal it would fail.
if [ "$first" = "$package" ]; then
    mkdir -p /etc/avahi/services
    echo '<!-- Written by "companion install". -->' > /etc/avahi/services/$name.service
fi
dpkg --install "$first" > /dev/null < /dev/null
there "$config" "$state" "$unit" /usr/bin/companion
getent passwd $name > /dev/null || fail "there is no user $name"
companion --version
companion doctor --simulate > /dev/null || fail "companion doctor --simulate finds faults"
companion print mats --output /tmp/mats.pdf > /dev/null
[ "$(head -c 5 /tmp/mats.pdf)" = "%PDF-" ] || fail "no mats were printed"
companion play --simulate --autoplay --fast --games 1 --json --no-page --data /tmp/games | grep -q '"finished": *true' \
    || fail "no simulated game was played to its end"

as_service() { runuser -u $name -- env HOME="$state" "$@"; }
as_service companion play --simulate --autoplay --fast --games 1 --json --no-page --data "$state" > /dev/null \
    || fail "the service's user cannot play"
companion hall --help > /dev/null
/usr/lib/$name/bin/python3 -c 'import alembic, caissify_pairings, paho.mqtt.client, psycopg, sqlalchemy' \
    || fail "what a hall needs is not in the package"

when="after it was upgraded"
echo "# mine" >> "$config"
systemctl --quiet disable $name.service
work=$(mktemp -d)
newer=$package
if [ "$first" = "$package" ]; then
    dpkg-deb --raw-extract "$package" "$work/tree"
    sed -i 's/^Version: .*/&+1/' "$work/tree/DEBIAN/control"
    newer=$work/newer.deb
    dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/tree" "$newer" > /dev/null
fi
dpkg --compare-versions "$(dpkg-deb --field "$newer" Version)" gt "$(dpkg-deb --field "$first" Version)" \
    || fail "apt would not take $newer for the newer package"
dpkg --install "$newer" > /dev/null
rm -rf "$work"
there "$config" "$state/games/1.log"
gone "$unit"
systemctl --quiet enable $name.service
set -- "$state"/backups/before-update-*.zip
there "$1"
companion restore --check "$1" | grep -q "1 game" || fail "the backup before the upgrade is not sound"
[ "$(stat -c %U "$1")" = $name ] || fail "the backup is not the service's own"
grep -q "^# mine" "$config" || fail "the configuration was overwritten"
companion --version > /dev/null

when="after it was removed"
dpkg --remove $name > /dev/null
there "$config" "$state/games/1.log"
gone "$unit" /usr/bin/companion /usr/lib/$name /usr/lib/systemd/system/$name.service

when="after it was purged"
dpkg --purge $name > /dev/null
gone "$config" "$state" "$unit" /etc/avahi/services/$name.service
if dpkg --status $name > /dev/null 2>&1; then fail "dpkg still knows it"; fi
echo "try: installed, upgraded, removed, purged"
