package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/minio/minio-go/v7"

	"khatm/service/internal/fault"
	"khatm/service/internal/s3"
)

// Limits of requests to a bucket.
const (
	requestTimeout = 20 * time.Second // including repetitions, and time for the content
	slowest        = 256 << 10        // bytes per second
	tries          = 3                // attempts for each request
)

// bucket is a [Store] in S3.
type bucket struct {
	s3.Address
	client s3.Client
	now    func() time.Time
}

func openBucket(location string, now func() time.Time) (*bucket, error) {
	a, err := parseAddress(location)
	if err != nil {
		return nil, err
	}
	client, err := a.Client(tries)
	if err != nil {
		return nil, fmt.Errorf("open the file store: %w", err)
	}
	return &bucket{a, client, now}, nil
}

// Put implements [Store].
func (b *bucket) Put(ctx context.Context, key string, r io.Reader, limit int64) (Info, error) {
	if err := check(key); err != nil {
		return Info{}, err
	}
	from, info, err := measure(ctx, r, limit)
	if err != nil {
		return Info{}, fmt.Errorf("store file %s: %w", key, err)
	}
	o := minio.PutObjectOptions{ContentType: "application/octet-stream", ServerSideEncryption: b.Encryption, DisableMultipart: true}
	if b.Lock != "" { // needs a digest, for which the client keeps the content in memory
		o.Mode, o.RetainUntilDate, o.SendContentMd5 = b.Lock, b.now().UTC().Add(b.Retain), true
	}
	short, cancel := context.WithTimeout(ctx, timeFor(info.Size))
	defer cancel()
	if _, err := b.client.PutObject(short, b.Bucket, b.Prefix+key, from, info.Size, o); err != nil {
		return Info{}, b.failed(ctx, "store file "+key, err)
	}
	return info, nil
}

// Open implements [Store].
func (b *bucket) Open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	if err := check(key); err != nil {
		return nil, 0, err
	}
	short, cancel := context.WithCancel(ctx)
	limit := time.AfterFunc(requestTimeout, cancel)
	content, info, _, err := b.client.OpenObject(short, b.Bucket, b.Prefix+key, minio.GetObjectOptions{})
	if err != nil {
		cancel()
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			return nil, 0, fault.Missing("File")
		}
		return nil, 0, b.failed(ctx, "open file "+key, err)
	}
	limit.Reset(timeFor(info.Size))
	return &bucketReader{ctx: ctx, cancel: cancel, content: content, in: b, key: key, rest: info.Size}, info.Size, nil
}

// Remove implements [Store].
func (b *bucket) Remove(ctx context.Context, key string) error {
	if err := check(key); err != nil {
		return err
	}
	short, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err := b.client.RemoveObject(short, b.Bucket, b.Prefix+key, minio.RemoveObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchKey {
		return b.failed(ctx, "remove file "+key, err)
	}
	return nil
}

// timeFor returns how long a request with content of the given size may take.
func timeFor(size int64) time.Duration {
	return requestTimeout + time.Duration(size/slowest)*time.Second
}

func (b *bucket) failed(ctx context.Context, what string, err error) error {
	return outage(ctx, fmt.Errorf("%s in bucket %s: %w", what, b.Bucket, err))
}

// bucketReader reads an object.
type bucketReader struct {
	ctx     context.Context
	cancel  func()
	content io.ReadCloser
	in      *bucket
	key     string
	rest    int64 // bytes that were not read yet
}

// Read implements [io.Reader].
func (r *bucketReader) Read(p []byte) (int, error) {
	n, err := r.content.Read(p)
	if r.rest -= int64(n); errors.Is(err, io.EOF) && r.rest > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = r.in.failed(r.ctx, "read file "+r.key, err)
	}
	return n, err
}

// Close implements [io.Closer].
func (r *bucketReader) Close() error {
	defer r.cancel()
	return r.content.Close()
}
