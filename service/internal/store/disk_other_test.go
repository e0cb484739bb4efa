//go:build !linux

package store_test

import "errors"

func runFullDisk([]string) error {
	return errors.New("mounting a small disk is only supported on Linux")
}
