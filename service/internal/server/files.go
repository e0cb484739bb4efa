package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"khatm/service/internal/blob"
	"khatm/service/internal/intake"
	"khatm/service/internal/store"
)

// openFiles opens the files in the data folder, and the location of uploaded files.
func openFiles(ctx context.Context, c Config, kept *store.Store) (*blob.Files, error) {
	stored, err := kept.HasFiles(ctx)
	if err != nil {
		return nil, err
	}
	if stored && c.Blob != blob.Postgres {
		c.Log.Error("uploaded files are in the database, but the settings say another location, so pictures are not found", "fix", "set --blob postgres or KHATM_BLOB=postgres on every server")
	}
	uploads, err := blob.OpenUploads(c.Blob, kept.Files(), c.Now)
	if err != nil {
		return nil, err
	}
	disk, err := blob.OpenDisk(filepath.Join(c.Data, "files"))
	if err != nil {
		return nil, err
	}
	return &blob.Files{Disk: disk, Uploads: uploads}, nil
}

// moveEvery is how often a server looks for uploaded files that must be moved from the
// data folder. An operator command without --blob can store one there at any time.
const moveEvery = time.Minute

// startMoving starts the loop that moves uploaded files from the data folder to their
// location.
func (s *Server) startMoving() {
	if s.files.Uploads == nil {
		return
	}
	s.loops.Start("move uploaded files", moveEvery, func(ctx context.Context) error {
		moved, err := s.files.Move(ctx)
		if moved > 0 {
			s.config.Log.Info("moved uploaded files from the data folder to the location in --blob", "files", moved)
		}
		return err
	})
}

// files reads and writes whole files.
type files struct{ at blob.Store }

// Put stores a file with a maximum size of most bytes.
func (f files) Put(ctx context.Context, key string, from io.Reader, most int64) error {
	_, err := f.at.Put(ctx, key, from, most)
	return err
}

// Read returns the content of a file.
func (f files) Read(ctx context.Context, key string) ([]byte, error) {
	file, _, err := f.at.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return data, nil
}

// uploads are the files of imports.
type uploads struct {
	files
	all *blob.Files
}

// OpenFile returns a file that can be read at any place.
func (f uploads) OpenFile(ctx context.Context, key string) (intake.File, int64, error) {
	return f.all.OpenAt(ctx, key)
}

// Keep stores data as a file.
func (f files) Keep(ctx context.Context, key string, data []byte) error {
	return f.Put(ctx, key, bytes.NewReader(data), int64(len(data)))
}

// Remove deletes a file.
func (f files) Remove(ctx context.Context, key string) error { return f.at.Remove(ctx, key) }
