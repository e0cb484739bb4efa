package main

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// packages writes the deb and the rpm package for a Linux target.
func (r *release) packages(ctx context.Context, target string) error {
	processor, isLinux := strings.CutPrefix(target, "linux/")
	if !isLinux {
		return nil
	}
	if err := r.compressManual(); err != nil {
		return err
	}
	env := []string{
		"KHATM_ARCH=" + processor, "KHATM_VERSION=" + r.version, "KHATM_PROGRAM=" + r.program(target), "KHATM_EXTRAS=" + r.work,
		"SOURCE_DATE_EPOCH=" + strconv.FormatInt(r.time.Unix(), 10),
	}
	for _, format := range []string{"deb", "rpm"} {
		file := filepath.Join(r.dir, r.file("-linux-"+processor+"."+format))
		if _, err := output(ctx, env, tool("nfpm", "package", "--config", "deploy/package/nfpm.yaml", "--packager", format, "--target", file)...); err != nil {
			return err
		}
	}
	return nil
}

// compressManual compresses the manual pages into the folder man1.
func (r *release) compressManual() error {
	pages, err := filepath.Glob(filepath.Join(r.work, "man", "*.1"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.work, "man1"), 0o755); err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		err = writeFile(filepath.Join(r.work, "man1", filepath.Base(page)+".gz"), func(to io.Writer) error {
			compressed, err := gzip.NewWriterLevel(to, gzip.BestCompression)
			if err != nil {
				return err
			}
			_, err = compressed.Write(text)
			return errors.Join(err, compressed.Close())
		})
		if err != nil {
			return err
		}
	}
	return nil
}
