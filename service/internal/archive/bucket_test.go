package archive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"khatm/internal/testtool"
	"khatm/service/internal/archive"
	"khatm/service/internal/s3/s3test"
)

func TestS3(t *testing.T) {
	s := s3test.Start(t)
	t.Run("append and read", func(t *testing.T) { testBucket(t, s) })
	t.Run("epochs", func(t *testing.T) { testEpochs(t, s.Address(s.Bucket(false), "")) })
	t.Run("epoch is begun once", func(t *testing.T) { testBegunOnce(t, s.Address(s.Bucket(false), "")) })
	t.Run("damage", func(t *testing.T) { testBucketDamage(t, s) })
	t.Run("compaction", func(t *testing.T) { testCompaction(t, s) })
	t.Run("compaction stops halfway", func(t *testing.T) { testCompactionStops(t, s) })
	t.Run("compaction of some days", func(t *testing.T) { testCompactionOfDays(t, s) })
	t.Run("compaction while reading", func(t *testing.T) { testCompactionWhileReading(t, s) })
	t.Run("listed again", func(t *testing.T) { testListedAgain(t, s) })
	t.Run("compaction while writing", func(t *testing.T) { testCompactionWhileWriting(t, s) })
	t.Run("object of a killed server", func(t *testing.T) { testIncompleteObject(t, s) })
	t.Run("object lock", func(t *testing.T) { testObjectLock(t, s) })
	t.Run("probe", func(t *testing.T) { testProbe(t, s) })
	t.Run("no bucket", func(t *testing.T) {
		if _, err := archive.Open(context.Background(), options(s.Address("no-such-bucket", ""))); err == nil || strings.Contains(err.Error(), os.Getenv("AWS_SECRET_ACCESS_KEY")) {
			t.Errorf("Open of a missing bucket: %v", err)
		}
	})
}

func testBucket(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(false)
	for n := 1; n <= 2; n++ {
		a := open(t, options(s.Address(bucket, "")))
		var err error
		if n == 1 {
			err = a.Begin(context.Background(), 1)
		} else {
			err = a.Join(context.Background(), 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		add(t, a, 10*n)
		add(t, a, 10*n+1, 10*n+2)
	}
	wantLines(t, open(t, options(s.Address(bucket, ""))), 10, 11, 12, 20, 21, 22)
	want := []string{
		"archive/epochs/000001",
		"archive/journal/000001/web-1.000001/2026-11-18/000000000001.jsonl.zst",
		"archive/journal/000001/web-1.000001/2026-11-18/000000000002.jsonl.zst",
		"archive/journal/000001/web-1.000001/began",
		"archive/journal/000001/web-1.000002/2026-11-18/000000000001.jsonl.zst",
		"archive/journal/000001/web-1.000002/2026-11-18/000000000002.jsonl.zst",
		"archive/journal/000001/web-1.000002/began",
	}
	if got := s.Keys(bucket); !slices.Equal(got, want) {
		t.Errorf("objects = %q, want %q", got, want)
	}
}

// An object is stored completely or not at all, so any damage is an error.
func testBucketDamage(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(false)
	a := begin(t, options(s.Address(bucket, "")), 1)
	add(t, a, 1)
	add(t, a, 2)
	add(t, a, 3)
	key := func(n int) string {
		return fmt.Sprintf("archive/journal/000001/web-1.000001/2026-11-18/%012d.jsonl.zst", n)
	}
	s.Change(bucket, key(3), func(text []byte) []byte { return text[:len(text)-1] })
	if got, report, err := read(t, a); !errors.Is(err, archive.ErrDamaged) || len(got) != 2 || len(report.Damaged) != 1 {
		t.Errorf("with a short object: %q, %+v, %v", got, report, err)
	}
	s.Change(bucket, key(2), func([]byte) []byte { return nil })
	s.Change(bucket, key(3), func([]byte) []byte { return nil })
	wantLines(t, a, 1) // no later object shows that the last ones are missing
	add(t, a, 4)
	if got, _, err := read(t, a); !errors.Is(err, archive.ErrDamaged) || len(got) != 2 {
		t.Errorf("without two objects: %q, %v", got, err)
	}
}

// fill writes some batches on each of three days.
func fill(t *testing.T, location string) (a *archive.Archive, all []int) {
	t.Helper()
	clock := testtool.NewClock(today)
	o := options(location)
	o.Now = clock.Now
	a = begin(t, o, 1)
	for day := range 3 {
		for n := range 4 {
			add(t, a, 10*day+n, 1000+10*day+n)
			all = append(all, 10*day+n, 1000+10*day+n)
		}
		if day < 2 {
			clock.Advance(24 * time.Hour)
		}
	}
	return a, all
}

// names returns the names of the objects with batches.
func names(s *s3test.Server, bucket string) []string {
	var all []string
	for _, key := range s.Keys(bucket) {
		if strings.HasSuffix(key, ".zst") {
			all = append(all, path.Base(path.Dir(key))+"/"+strings.TrimSuffix(path.Base(key), ".jsonl.zst"))
		}
	}
	return all
}

var compacted = []string{
	"2026-11-18/000000000001-000000000004",
	"2026-11-19/000000000005-000000000008",
	"2026-11-20/000000000009", "2026-11-20/000000000010", "2026-11-20/000000000011", "2026-11-20/000000000012",
}

func testCompaction(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(false)
	a, all := fill(t, s.Address(bucket, ""))
	wantLines(t, a, all...)
	for range 2 { // the second call changes nothing
		if _, err := a.Compact(context.Background(), ""); err != nil {
			t.Fatal(err)
		}
		if got := names(s, bucket); !slices.Equal(got, compacted) {
			t.Errorf("objects = %q, want %q", got, compacted)
		}
		if report := wantLines(t, a, all...); report.Files != 6 {
			t.Errorf("%d objects were read, want 6", report.Files)
		}
	}
	add(t, a, 5000)
	wantLines(t, a, append(all, 5000)...)

	// A damaged object is not combined, and nothing is removed.
	bucket = s.Bucket(false)
	a, _ = fill(t, s.Address(bucket, ""))
	key := slices.IndexFunc(s.Keys(bucket), func(key string) bool { return strings.HasSuffix(key, "000000000002.jsonl.zst") })
	s.Change(bucket, s.Keys(bucket)[key], func(text []byte) []byte { text[150]++; return text })
	if _, err := a.Compact(context.Background(), ""); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("compaction of a damaged object: %v", err)
	}
	if got := names(s, bucket); !slices.Contains(got, "2026-11-18/000000000001") || !slices.Contains(got, "2026-11-19/000000000005-000000000008") {
		t.Errorf("objects = %q", got)
	}
}

// A compaction that stops after any step leaves an archive with the same lines, and
// the next one finishes.
func testCompactionStops(t *testing.T, s *s3test.Server) {
	for _, removed := range []int{0, 1, 4} {
		bucket := s.Bucket(false)
		a, all := fill(t, s.Address(bucket, ""))
		folder := "archive/journal/000001/web-1.000001/2026-11-18/"
		combine(t, s, bucket, folder, 4)
		for n := range removed {
			s.Change(bucket, fmt.Sprintf("%s%012d.jsonl.zst", folder, n+1), func([]byte) []byte { return nil })
		}
		wantLines(t, a, all...)
		if _, err := a.Compact(context.Background(), ""); err != nil {
			t.Fatal(err)
		}
		if got := names(s, bucket); !slices.Equal(got, compacted) {
			t.Errorf("objects = %q, want %q", got, compacted)
		}
		wantLines(t, a, all...)
	}
}

// Days are compacted an hour after they end, and once. The last object of a journal
// stays, because its writer may store it again.
func testCompactionOfDays(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(false)
	clock := testtool.NewClock(time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))
	o := options(s.Address(bucket, ""))
	o.Now = clock.Now
	a := begin(t, o, 1)
	for n := range 8 {
		add(t, a, n)
		if n == 3 {
			clock.Advance(24 * time.Hour)
		}
	}
	compact := func(after, through string, combined int64, want ...string) {
		t.Helper()
		before := a.Stats().Combined
		got, err := a.Compact(context.Background(), after)
		if err != nil || got != through || a.Stats().Combined-before != combined {
			t.Errorf("Compact = %s, %v, with %d objects, want %s with %d", got, err, a.Stats().Combined-before, through, combined)
		}
		if got := names(s, bucket); !slices.Equal(got, want) {
			t.Errorf("objects = %q, want %q", got, want)
		}
		wantLines(t, a, 0, 1, 2, 3, 4, 5, 6, 7)
	}
	second := []string{"2026-11-19/000000000005", "2026-11-19/000000000006", "2026-11-19/000000000007", "2026-11-19/000000000008"}
	compact("2026-11-18", "2026-11-18", 0, append([]string{"2026-11-18/000000000001", "2026-11-18/000000000002", "2026-11-18/000000000003", "2026-11-18/000000000004"}, second...)...)
	clock.Advance(12*time.Hour + 59*time.Minute) // 00:59
	compact("", "2026-11-18", 4, append([]string{"2026-11-18/000000000001-000000000004"}, second...)...)
	clock.Advance(time.Minute)
	compact("2026-11-18", "2026-11-19", 3, "2026-11-18/000000000001-000000000004", "2026-11-19/000000000005-000000000007", "2026-11-19/000000000008")
}

// A reader that has listed objects finds their lines after they were combined.
func testCompactionWhileReading(t *testing.T, s *s3test.Server) {
	a, all := fill(t, s.Address(s.Bucket(false), ""))
	have := map[string]bool{}
	_, err := a.Read(context.Background(), func(_ archive.Position, text []byte) (err error) {
		if len(have) == 0 {
			_, err = a.Compact(context.Background(), "")
		}
		have[string(text)] = true
		return err
	})
	if err != nil || len(have) != len(all) {
		t.Errorf("%d different lines were read, %v, want %d", len(have), err, len(all))
	}
}

// A journal that has a gap is listed again before it is reported.
func testListedAgain(t *testing.T, s *s3test.Server) {
	a := begin(t, options(s.Address(s.Bucket(false), "")), 1)
	for n := range 3 {
		add(t, a, n)
	}
	archive.OmitOnce(a, "000000000002.jsonl.zst")
	have := map[string]bool{}
	got, report, err := read(t, a)
	for _, l := range got {
		have[l] = true
	}
	if err != nil || len(have) != 3 || len(report.Damaged) > 0 {
		t.Errorf("%d different lines were read, %v, %v, want 3", len(have), report.Damaged, err)
	}
}

// Lines can be appended and read while objects are combined.
func testCompactionWhileWriting(t *testing.T, s *s3test.Server) {
	clock := testtool.NewClock(today)
	o := options(s.Address(s.Bucket(false), ""))
	o.Now = clock.Now
	a := begin(t, o, 1)
	var written atomic.Int64
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		defer close(done)
		for n := range 60 {
			if err := a.Append(context.Background(), [][]byte{line(n)}); err != nil {
				t.Error(err)
			}
			written.Store(int64(n) + 1)
			clock.Advance(5 * time.Hour)
		}
	})
	running := func() bool {
		select {
		case <-done:
			return false
		default:
			return true
		}
	}
	group.Go(func() {
		for running() {
			if _, err := a.Compact(context.Background(), ""); err != nil {
				t.Error(err)
			}
		}
	})
	reads := 0
	for running() {
		least := written.Load()
		have := map[string]bool{}
		got, _, err := read(t, a)
		for _, l := range got {
			have[l] = true
		}
		if err != nil || int64(len(have)) < least {
			t.Errorf("%d different lines were read, %v, want at least %d", len(have), err, least)
		}
		err = a.ReadEnds(context.Background(), func(archive.Position, []byte) error { return nil })
		if err != nil {
			t.Error(err)
		}
		reads++
	}
	group.Wait()
	if a.Stats().Combined == 0 || reads == 0 {
		t.Errorf("%d objects were combined during %d reads, want some", a.Stats().Combined, reads)
	}
	t.Logf("%d objects were combined during %d reads", a.Stats().Combined, reads)
}

// combine stores the object of the first batches of a folder, as a compaction does.
func combine(t *testing.T, s *s3test.Server, bucket, folder string, count int) {
	t.Helper()
	var text strings.Builder
	for n := range count {
		s.Change(bucket, fmt.Sprintf("%s%012d.jsonl.zst", folder, n+1), func(part []byte) []byte {
			text.Write(part)
			return part
		})
	}
	_, err := s.Client.PutObject(context.Background(), bucket, fmt.Sprintf("%s000000000001-%012d.jsonl.zst", folder, count),
		strings.NewReader(text.String()), int64(text.Len()), minio.PutObjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// A server that was killed can be left with the attributes of an object that it did not
// store. It then refuses the object in each request.
func testIncompleteObject(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(false)
	a := begin(t, options(s.Address(bucket, "")), 1)
	add(t, a, 1)
	const key = "journal/000001/web-1.000001/2026-11-18/000000000002.jsonl.zst"
	s.LeaveAttributes(bucket, "archive/"+key)
	add(t, a, 2)
	add(t, a, 3)
	wantLines(t, a, 1, 2, 3)
	if journal, batch := a.Reached(); journal != "journal/000001/web-1.000002" || batch != 2 {
		t.Errorf("last batch %d of %s, want batch 2 of the second journal", batch, journal)
	}

	// It skips a few journals whose first object is like this, and then fails.
	archive.IncompleteWait(t, 20*time.Millisecond)
	refused := []string{
		"web-1.000002/2026-11-18/000000000003.jsonl.zst", "web-1.000003/began",
		"web-1.000004/began", "web-1.000005/began", "web-1.000006/began",
	}
	for _, key := range refused {
		s.LeaveAttributes(bucket, "archive/journal/000001/"+key)
	}
	err := a.Append(context.Background(), [][]byte{line(4)})
	if !errors.Is(err, archive.ErrIncomplete) || a.Stats().Failures != 1 {
		t.Errorf("append to a server that refuses several journals: %v, %d failures counted, want 1", err, a.Stats().Failures)
	}
	s.RemoveAttributes(bucket, "archive/journal/000001/"+refused[3])
	add(t, a, 5)
	wantLines(t, a, 1, 2, 3, 5)
	if journal, _ := a.Reached(); journal != "journal/000001/web-1.000005" {
		t.Errorf("journal = %s, want the first that can be begun", journal)
	}

	// A journal without a batch is kept for a while, so that few are begun.
	for _, key := range []string{"web-1.000005/2026-11-18/000000000002.jsonl.zst", "web-1.000007/2026-11-18/000000000001.jsonl.zst"} {
		s.LeaveAttributes(bucket, "archive/journal/000001/"+key)
	}
	for range 3 {
		if err := a.Append(context.Background(), [][]byte{line(6)}); !errors.Is(err, archive.ErrIncomplete) {
			t.Errorf("append to a new journal whose first batch is refused: %v", err)
		}
	}
	if got := strings.Count(strings.Join(s.Keys(bucket), " "), "/began"); got != 4 {
		t.Errorf("%d journals, want 4", got)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	s.LeaveAttributes(bucket, "archive/epochs/000002")
	err = open(t, options(s.Address(bucket, ""))).Begin(context.Background(), 2)
	if !errors.Is(err, archive.ErrIncomplete) || !strings.Contains(err.Error(), "store epochs/000002: the object does not exist, but the S3 server refuses to create it") {
		t.Errorf("begin an epoch whose object cannot be stored: %v", err)
	}
}

// Locked objects cannot be removed, and a compaction does not try.
func testObjectLock(t *testing.T, s *s3test.Server) {
	bucket := s.Bucket(true)
	a, all := fill(t, s.Address(bucket, "lock=compliance&retain-days=3000"))
	if _, err := a.Compact(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	if got := names(s, bucket); len(got) != 12+2 {
		t.Errorf("objects = %q, want the parts and two combined ones", got)
	}
	if report := wantLines(t, a, all...); report.Files != 6 {
		t.Errorf("%d objects were read, want 6", report.Files)
	}
	if _, err := a.Beat(context.Background(), 1, "token"); err != nil {
		t.Fatal(err)
	}
	for o := range s.Client.ListObjectsIter(context.Background(), bucket, minio.ListObjectsOptions{Recursive: true, WithVersions: true}) {
		err := s.Client.RemoveObject(context.Background(), bucket, o.Key, minio.RemoveObjectOptions{VersionID: o.VersionID})
		if heartbeat := strings.Contains(o.Key, "/heartbeats/"); (err == nil) != heartbeat {
			t.Errorf("removal of %s: %v", o.Key, err)
		}
	}
	info, err := s.Client.StatObject(context.Background(), bucket, "archive/epochs/000001", minio.StatObjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mode, until := info.Metadata.Get("X-Amz-Object-Lock-Mode"), info.Metadata.Get("X-Amz-Object-Lock-Retain-Until-Date")
	if want := today.Add(3000 * 24 * time.Hour).Format(time.RFC3339); mode != "COMPLIANCE" || until != want {
		t.Errorf("lock = %q until %q, want COMPLIANCE until %s", mode, until, want)
	}
}

// No acknowledged line is lost when the S3 server is killed while it is written to.
func TestS3ServerIsKilled(t *testing.T) {
	s := s3test.Start(t)
	bucket := s.Bucket(false)
	a := begin(t, options(s.Address(bucket, "")), 1)
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	failed := 0
	enough := make(chan bool, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				text := line(g*1_000_000 + n)
				err := a.Append(context.Background(), [][]byte{text})
				mu.Lock()
				if err == nil {
					acknowledged[string(text)] = true
				} else {
					failed++
				}
				mu.Unlock()
				select {
				case enough <- true:
				default:
				}
			}
		})
	}
	for range 10 {
		for range 8 {
			<-enough
		}
		s.Kill()
		s.Restart()
	}
	cancel()
	group.Wait()
	got, _, err := read(t, a)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]int{}
	for _, l := range got {
		have[l]++
	}
	for l := range acknowledged {
		if have[l] == 0 {
			t.Errorf("acknowledged line %s is lost", l)
		}
	}
	t.Logf("%d lines acknowledged, %d failed, %d in the archive", len(acknowledged), failed, len(got))
}
