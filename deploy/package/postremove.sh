#!/bin/sh
# Keeps the invoices and the master key, which must be kept for years, also when dpkg
# purges the package. A purge removes the file with passwords, which postinstall.sh
# has created.
set -eu

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
if [ "${1:-}" = purge ]; then
	rm -f /etc/khatm/secrets.env
fi
case "${1:-}" in
purge | 0)
	if [ -d /var/lib/khatm ]; then
		echo "Khatm is removed. Invoices and the master key remain in /var/lib/khatm and /etc/khatm/keys."
	fi
	;;
esac
