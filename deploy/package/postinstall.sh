#!/bin/sh
# Creates the user and the files that the package does not contain. It never replaces
# a file, and does not start or restart the service: after an upgrade the database may
# need khatmctl migrate first.
set -eu

if ! getent passwd khatm >/dev/null; then
	useradd --system --user-group --no-create-home --home-dir /var/lib/khatm --shell /usr/sbin/nologin khatm
fi
# The folder belongs to the service, because vault rotate writes to it.
if [ ! -d /etc/khatm/keys ]; then
	install -d -m 0700 -o khatm -g khatm /etc/khatm/keys
fi
if [ ! -e /etc/khatm/keys/pgpass ]; then
	install -m 0600 -o khatm -g khatm /dev/null /etc/khatm/keys/pgpass
fi
if [ ! -e /etc/khatm/secrets.env ]; then
	install -m 0600 /dev/null /etc/khatm/secrets.env
fi
install -d -m 0700 -o khatm -g khatm /var/lib/khatm
new=
if [ ! -e /etc/khatm/keys/master.key ]; then
	runuser -u khatm -- /usr/bin/khatm vault create /etc/khatm/keys/master.key
	new=1
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
# dpkg calls this with configure and the previous version, rpm with the number of
# installed versions.
case "${1:-}:${2:-}" in
configure:?* | [2-9]:*)
	cat <<-'END'
	Khatm is upgraded; a running service still has the previous version. Run
	  khatmctl backup FILE
	  systemctl stop khatm && khatmctl migrate && systemctl start khatm
	END
	;;
*)
	if [ -z "$new" ]; then
		echo "Khatm uses the master key in /etc/khatm/keys and the data in /var/lib/khatm, which were there before."
	fi
	cat <<-'END'
	Khatm is installed. Edit /etc/khatm/khatm.env, then run
	  systemctl enable --now khatm
	  khatmctl setup-link
	END
	;;
esac
