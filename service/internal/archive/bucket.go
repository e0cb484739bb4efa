package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"khatm/service/internal/s3"
)

// requestTimeout limits the time of a write, including its repetitions.
const requestTimeout = 30 * time.Second

// tries is the maximum number of attempts for each request.
const tries = 5

// bucket is an archive in S3. Its objects are never changed, except heartbeats.
type bucket struct {
	s3.Address
	client s3.Client
	now    func() time.Time
}

func openBucket(ctx context.Context, text string, now func() time.Time) (*bucket, error) {
	a, err := parseAddress(text)
	if err != nil {
		return nil, err
	}
	client, err := a.Client(tries)
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	b := &bucket{Address: a, client: client, now: now}
	if _, err := b.list(ctx, "epochs"); err != nil {
		return nil, fmt.Errorf("open the archive in bucket %s: %w", a.Bucket, err)
	}
	return b, nil
}

// parseAddress parses the address of an archive.
func parseAddress(text string) (s3.Address, error) {
	a, err := s3.Parse(text, "archive")
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return a, err
}

// SameLocation reports whether two locations are the same archive. Addresses in S3 can
// differ in parameters such as lock.
func SameLocation(a, b string) bool { return a == b || s3.SameFolder(a, b) }

// IsBucket reports whether a location is the address of an S3 bucket.
func IsBucket(location string) bool { return s3.IsAddress(location) }

func (b *bucket) atomic() bool { return true }

func (b *bucket) key(name string) string { return b.Prefix + name }

// ErrIncomplete reports an object in S3 that can be neither read nor created. A server
// that was killed while it stored an object can leave it so.
var ErrIncomplete = errors.New("the object does not exist, but the S3 server refuses to create it; remove what is left of it on the S3 server")

// Limits of the time that create waits for another request for the same object.
const (
	firstWait = 10 * time.Millisecond
	mostWait  = 500 * time.Millisecond
)

// incompleteWait limits the time that create waits for an object that is being stored.
// It is shorter in tests.
var incompleteWait = 2 * time.Second

// create succeeds if the object exists with the same content: the response to an
// earlier request may have been lost, and the client repeats requests. It returns an
// error that wraps ErrIncomplete if the object can be neither read nor created.
func (b *bucket) create(ctx context.Context, name string, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if err := b.tryCreate(ctx, name, text); err != nil {
		return fmt.Errorf("store %s: %w", name, err)
	}
	return nil
}

func (b *bucket) tryCreate(ctx context.Context, name string, text []byte) error {
	o := b.putOptions()
	o.SetMatchETagExcept("*")
	waited := time.Duration(0) // for an object that is being stored
	for wait := firstWait; ; wait = min(2*wait, mostWait) {
		err := b.put(ctx, name, text, o)
		switch code := minio.ToErrorResponse(err); {
		case err == nil:
			return nil
		case code.Code == "ConditionalRequestConflict": // another request for this object was in progress
		case code.StatusCode != http.StatusPreconditionFailed:
			return err
		default:
			stored, err := b.read(ctx, name)
			switch {
			case errors.Is(err, fs.ErrNotExist): // another request for this object is not complete yet
				if waited >= incompleteWait {
					return ErrIncomplete
				}
				waited += wait
			case err != nil:
				return err
			case !bytes.Equal(stored, text):
				return fs.ErrExist
			default:
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (b *bucket) put(ctx context.Context, name string, text []byte, o minio.PutObjectOptions) error {
	_, err := b.client.PutObject(ctx, b.Bucket, b.key(name), bytes.NewReader(text), int64(len(text)), o)
	return err
}

// putOptions returns the options of objects that are never changed. Object Lock
// requires a digest of the content.
func (b *bucket) putOptions() minio.PutObjectOptions {
	o := minio.PutObjectOptions{ContentType: "application/octet-stream", ServerSideEncryption: b.Encryption, SendContentMd5: true}
	if b.Lock != "" {
		o.Mode, o.RetainUntilDate = b.Lock, b.now().UTC().Add(b.Retain)
	}
	return o
}

func (b *bucket) replace(ctx context.Context, name string, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return b.put(ctx, name, text, minio.PutObjectOptions{ServerSideEncryption: b.Encryption, SendContentMd5: true})
}

func (b *bucket) read(ctx context.Context, name string) ([]byte, error) {
	r, err := b.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // read only
	return io.ReadAll(r)
}

func (b *bucket) open(ctx context.Context, name string) (io.ReadCloser, error) {
	o, err := b.client.GetObject(ctx, b.Bucket, b.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	return object{o, name}, nil
}

// object is an object that is read. Its first read fails if it does not exist.
type object struct {
	*minio.Object
	name string
}

// Read implements [io.Reader].
func (o object) Read(p []byte) (int, error) {
	n, err := o.Object.Read(p)
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		err = fmt.Errorf("%s: %w", o.name, fs.ErrNotExist)
	}
	return n, err
}

func (b *bucket) exists(ctx context.Context, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	_, err := b.client.StatObject(ctx, b.Bucket, b.key(name), minio.StatObjectOptions{})
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

func (b *bucket) modified(ctx context.Context, folder string) (map[string]time.Time, time.Time, error) {
	if err := b.replace(ctx, clockName, []byte("\n")); err != nil {
		return nil, time.Time{}, err
	}
	stat, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	now, err := b.client.StatObject(stat, b.Bucket, b.key(clockName), minio.StatObjectOptions{})
	if err != nil {
		return nil, time.Time{}, err
	}
	all := map[string]time.Time{}
	err = b.each(ctx, folder, false, func(o minio.ObjectInfo) error {
		all[path.Base(o.Key)] = o.LastModified
		return nil
	})
	return all, now.LastModified, err
}

func (b *bucket) list(ctx context.Context, folder string) ([]string, error) {
	var names []string
	err := b.each(ctx, folder, false, func(o minio.ObjectInfo) error {
		names = append(names, path.Base(o.Key))
		return nil
	})
	slices.Sort(names)
	return names, err
}

// each calls do for the objects in a folder, in the order of their keys, including
// those in its folders if deep is set and otherwise the folders themselves.
func (b *bucket) each(ctx context.Context, folder string, deep bool, do func(minio.ObjectInfo) error) error {
	ctx, cancel := context.WithCancel(ctx) // ends the listing
	defer cancel()
	for o := range b.client.ListObjects(ctx, b.Bucket, minio.ListObjectsOptions{Prefix: b.key(folder) + "/", Recursive: deep}) {
		if o.Err != nil {
			return o.Err
		}
		if err := do(o); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (b *bucket) settle(context.Context, string) error { return nil }

// bucketJournal writes one object for each batch. A process never continues the
// journal of an earlier one, which may still have a request in progress.
type bucketJournal struct {
	in     *bucket
	series string // the folder without its number
	folder string
	began  time.Time
	seq    uint64 // of the last stored batch
	day    string
	failed bool // the last attempt failed, and its object may exist
}

// journal begins a journal.
func (b *bucket) journal(ctx context.Context, folder string) (journal, error) {
	j := &bucketJournal{in: b, series: folder}
	if err := j.begin(ctx); err != nil {
		return nil, err
	}
	return j, nil
}

// mostIncomplete is how many journals begin skips because their first object can be
// neither read nor created.
const mostIncomplete = 3

// begin begins a journal in the first folder series.NNNNNN that does not exist.
func (j *bucketJournal) begin(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	names, err := j.in.list(ctx, path.Dir(j.series))
	if err != nil {
		return err
	}
	incomplete := 0
	for n := 1; ; n++ {
		folder := fmt.Sprintf("%s.%06d", j.series, n)
		if slices.Contains(names, path.Base(folder)) {
			continue
		}
		now := j.in.now().UTC()
		err := j.in.create(ctx, path.Join(folder, "began"), fmt.Appendf(nil, "%s\n", now.Format(time.RFC3339Nano)))
		switch {
		case err == nil:
			j.folder, j.began, j.seq, j.day, j.failed = folder, now, 0, "", false
			return nil
		case errors.Is(err, ErrIncomplete) && incomplete < mostIncomplete:
			incomplete++
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
}

// nextJournal is how old a journal without a batch must be before another one is begun
// in its place: a server that refuses all objects must not get many journals.
const nextJournal = time.Minute

// write stores a batch. If an earlier attempt failed and its object exists, the batch
// gets the next number; so numbers are unique and have no gap. If the object for a
// number can be neither read nor created, the batch is stored in another journal.
func (j *bucketJournal) write(ctx context.Context, p packed) (int, error) {
	for another := false; ; {
		if !j.failed {
			j.day = max(j.day, j.in.now().UTC().Format(time.DateOnly)) // never back, so that days are in the order of numbers
		}
		text := p.batch(j.seq + 1)
		err := j.in.create(ctx, path.Join(j.folder, j.day, objectName(j.seq+1, j.seq+1)), text)
		switch {
		case err == nil:
			j.seq, j.failed = j.seq+1, false
			return len(text), nil
		case errors.Is(err, ErrIncomplete) && !another && (j.seq > 0 || j.in.now().Sub(j.began) >= nextJournal):
			another = true
			err = j.begin(ctx)
		case j.failed && errors.Is(err, fs.ErrExist):
			j.seq, j.failed = j.seq+1, false
			continue
		}
		if err != nil {
			j.failed = true
			return 0, err
		}
	}
}

func (j *bucketJournal) position() journalPosition { return journalPosition{j.folder, j.seq} }

func (j *bucketJournal) close() error { return nil }

// objectName returns the name of an object with the batches from first to last. An
// object of several sorts before the objects that it replaces.
func objectName(first, last uint64) string {
	if first == last {
		return fmt.Sprintf("%012d%s", first, extension)
	}
	return fmt.Sprintf("%012d-%012d%s", first, last, extension)
}

// batchesOf parses the name of an object.
func batchesOf(key string) (first, last uint64, ok bool) {
	name := path.Base(key)
	if !strings.HasSuffix(name, extension) {
		return 0, 0, false
	}
	if n, _ := fmt.Sscanf(name, "%012d-%012d", &first, &last); n == 1 {
		last = first
	}
	return first, last, objectName(first, last) == name
}
