package server

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"khatm/service/internal/blob"
)

// files reads and writes whole files.
type files struct{ disk *blob.Disk }

// Put stores a file with a maximum size of most bytes.
func (f files) Put(ctx context.Context, key string, from io.Reader, most int64) error {
	_, err := f.disk.Put(ctx, key, from, most)
	return err
}

// Read returns the content of a file.
func (f files) Read(ctx context.Context, key string) ([]byte, error) {
	file, _, err := f.disk.Open(ctx, key)
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

// Keep stores data as a file.
func (f files) Keep(ctx context.Context, key string, data []byte) error {
	return f.Put(ctx, key, bytes.NewReader(data), int64(len(data)))
}

// Remove deletes a file.
func (f files) Remove(ctx context.Context, key string) error { return f.disk.Remove(ctx, key) }
