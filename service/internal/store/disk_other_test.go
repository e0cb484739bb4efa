//go:build !linux

package store_test

import "errors"

func playFullDisk([]string) error { return errors.New("a small disk is mounted on Linux only") }
