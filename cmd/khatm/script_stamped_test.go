package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"khatm/sample"
)

// stamped writes a stamped standard and a stamped simplified invoice:
// stamped FOLDER
func stamped(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: stamped FOLDER")
	}
	device, err := sample.NewDevice(rand.Reader, time.Now())
	ts.Check(err)
	folder := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(folder, 0o755))
	for _, c := range []sample.Case{{Name: "standard", Facts: sample.Invoice()}, {Name: "simplified", Facts: sample.Simplified()}} {
		sealed, err := device.Seal(c.Facts)
		ts.Check(err)
		ts.Check(os.WriteFile(filepath.Join(folder, c.Name+".xml"), sealed.XML, 0o644))
	}
}
