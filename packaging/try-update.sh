#!/bin/sh
# Tests `companion update`: updates an installed program to versions that start and to versions that do not, and fails if
# anything is not as expected. It changes the system: run it as root in a chroot or a container without systemd, after
# `make install` or first-boot.sh. PROJECT is a copy of the project, which is changed:
#
#     packaging/try-update.sh PROJECT
set -eu

project=$(cd "${1:?"usage: try-update.sh PROJECT"}" && pwd)
companion=/opt/quilt-companion/bin/companion
state=/var/lib/quilt-companion

fail() { echo "try-update: $*" >&2; exit 1; }
version_is() { [ "$($companion --version)" = "quilt-companion $1" ] || fail "$($companion --version) is installed $when"; }
runs() { kill -0 "$(cat /run/standin.pid 2> /dev/null)" 2> /dev/null || fail "the service does not run $when"; }
call_it() {
    sed -i "s/^version = .*/version = \"$1\"/" "$project/pyproject.toml"
    sed -i "s/^__version__ = .*/__version__ = \"$1\"/" "$project/companion/__init__.py"
}
spoil() { cp "$project/$1" "$project/$1.sound" && printf '%s\n' "$2" >> "$project/$1"; }
mend() { mv "$project/$1.sound" "$project/$1"; }

# The program takes this directory as the sign that systemd is running (sd_booted(3)).
booted=$([ ! -d /run/systemd/system ] || echo yes)
mkdir -p /run/systemd/system
install -m 755 "$project/tests/packaging/standin_systemctl.py" /usr/local/bin/systemctl
printf '#!/bin/sh\n' > /usr/local/bin/udevadm && chmod 755 /usr/local/bin/udevadm
$companion install > /dev/null
setpriv --reuid=quilt-companion --regid=quilt-companion --init-groups env HOME=$state \
    $companion play --simulate --autoplay --fast --games 1 --json --no-page --data $state > /dev/null
before=$($companion --version | cut -d' ' -f2)

when="after it was installed"
runs

when="after an update"
call_it 8.0.0
$companion update "$project"
version_is 8.0.0
runs
set -- "$state"/backups/before-update-*.zip
$companion restore --check "$1" | grep -q "1 game" || fail "the backup before the update is not sound"

when="after it was taken back"
$companion update --back
version_is "$before"
runs

when="after a version that cannot be imported"
call_it 8.0.1
spoil companion/__main__.py 'raise RuntimeError("planted: it cannot be imported")'
if $companion update "$project"; then fail "a version that cannot be imported was installed"; fi
mend companion/__main__.py
version_is "$before"
runs

when="after a version whose service does not become ready"
spoil companion/cli/serve.py 'def run(_): raise RuntimeError("planted: the service does not start")'
if $companion update "$project"; then fail "a version whose service does not start was installed"; fi
mend companion/cli/serve.py
version_is "$before"
runs
$companion games --limit 1 --data $state | grep -q . || fail "the games are gone $when"

when="after going on again, which failed updates have left open"
$companion update --back
version_is 8.0.0
runs
$companion update --back
version_is "$before"
runs

/usr/local/bin/systemctl stop quilt-companion.service
rm /usr/local/bin/systemctl /usr/local/bin/udevadm
[ "$booted" ] || rmdir /run/systemd/system
echo "try-update: updated, taken back, rolled back twice, gone on and taken back again"
