#!/bin/sh
# Stops the service when the package is removed, but not when it is upgraded: dpkg
# calls this with remove or upgrade, rpm with the number of versions that remain.
set -eu

case "${1:-}" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now khatm.service || true
	fi
	;;
esac
