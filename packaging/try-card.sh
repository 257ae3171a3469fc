#!/bin/sh
# Tests the card that installs itself: boots a trixie with the real cloud-init and systemd, whose user-data is the Imager's with
# packaging/user-data added before or after it, first without a network, then with one; and fails if anything is not as
# expected. The program itself is replaced by an empty one. Needs root, debootstrap, systemd-container and git; ROOT is kept for
# the next time:
#
#     packaging/try-card.sh ROOT
set -eu

base=${1:?"usage: try-card.sh ROOT"}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /var/tmp/try-card.XXXXXX)
trap 'rm -rf "$work"' EXIT
root=$work/root
seed=$root/var/lib/cloud/seed/nocloud
log=$root/boot/firmware/quilt-companion.log
failed="That failed. It is tried again"

fail() { echo "try-card: $* ($when)" >&2; tail -n 20 "$log" >&2 || true; exit 1; }
booted() { # SECONDS WORDS [OPTIONS]: boots until it restarts or WORDS, if any, are in its log, at most that long
    seconds=$1 words=$2; shift 2
    timeout "$seconds" systemd-nspawn -q -D "$root" --register=no --keep-unit --boot "$@" > "$work/console" 2>&1 < /dev/null &
    boot=$!
    while kill -0 "$boot" 2> /dev/null; do
        [ -z "$words" ] || ! grep -qs "$words" "$log" || kill "$boot" 2> /dev/null || true
        sleep 1
    done
    wait "$boot" || true
}

if [ ! -e "$base/.ready" ]; then
    debootstrap --variant=minbase --include=ca-certificates,cloud-init,systemd-sysv,dbus,udev,avahi-daemon,make,python3-venv,sudo \
        trixie "$base" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > /dev/null
    touch "$base/.ready"
fi

mkdir -p "$work/project/packaging"
cp "$here/first-boot.sh" "$work/project/packaging/"
touch "$work/project/packaging/install-program.sh"
printf 'install:\n\tinstall -D /bin/true /opt/quilt-companion/bin/companion\n' > "$work/project/Makefile"
git -C "$work/project" init -q
git -C "$work/project" add -A
git -C "$work/project" -c user.name=try -c user.email=try@localhost commit -qm project

imager() {
    printf 'hostname: %s\nmanage_etc_hosts: true\npackages:\n- avahi-daemon\nusers:\n- name: anna\n  groups: users,video\n' "$1"
    printf 'runcmd:\n  - [ touch, /root/runcmd-of-the-imager ]\n'
}
block() { sed "s|^    address=ADDRESS|    address=file:///srv/project|" "$here/user-data"; }

for order in before after; do
    for name in raspberrypi playroom; do
        when="the block $order the Imager's user-data, a machine called $name"
        rm -rf "$root"
        cp -a "$base" "$root"
        mkdir -p "$seed" "$root/boot/firmware"
        cp -R "$work/project" "$root/srv/"
        echo "$name" > "$root/etc/hostname"
        printf 'datasource_list: [NoCloud]\nnetwork: {config: disabled}\n' > "$root/etc/cloud/cloud.cfg.d/90-try.cfg"
        echo "instance-id: card" > "$seed/meta-data"
        case $order in
            before) { block; imager $name; } ;;
            after) { echo "#cloud-config"; imager $name; block; } ;;
        esac > "$seed/user-data"
        booted 200 "$failed" --private-network
        grep -q "$failed" "$log" || fail "without a network nothing was said"
        [ ! -e "$root/opt/quilt-companion/bin/companion" ] || fail "it was installed without a network"
        booted 400 ""
        [ -x "$root/opt/quilt-companion/bin/companion" ] || fail "it is not installed"
        grep -q "The quilt companion is installed" "$log" || fail "the log does not say that it is installed"
        [ -e "$root/root/runcmd-of-the-imager" ] || fail "the Imager's own commands were lost"
        grep -q "^anna:" "$root/etc/passwd" || fail "the user was lost"
        lines=$(wc -l < "$log")
        booted 60 ""
        expected=$name
        [ "$name" != raspberrypi ] || expected=quilt
        [ "$(cat "$root/etc/hostname")" = "$expected" ] || fail "it is called $(cat "$root/etc/hostname") after the restart"
        [ "$(wc -l < "$log")" = "$lines" ] || fail "it was installed again"
        echo "try-card: $when: installed, and called $expected"
    done
done
