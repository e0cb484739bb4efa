package archive_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/archive"
	"khatm/service/internal/s3/s3test"
)

// endlessWriter is the environment variable that makes the test binary append lines to
// the archive at its value and print them, until it is killed.
const endlessWriter = "KHATM_TEST_ARCHIVE_WRITER"

func TestMain(m *testing.M) {
	if location := os.Getenv(endlessWriter); location != "" {
		fmt.Println(appendForEver(location))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func appendForEver(location string) error {
	ctx := context.Background()
	a, err := archive.Open(ctx, options(location))
	if err != nil {
		return err
	}
	newest, err := a.Newest(ctx)
	switch {
	case err != nil:
		return err
	case newest.Number == 0:
		err = a.Begin(ctx, 1)
	default:
		err = a.Join(ctx, 1)
	}
	for n := 0; err == nil; n++ {
		text := fmt.Appendf(nil, `{"process":%d,"n":%d}`, os.Getpid(), n)
		if err = a.Append(ctx, [][]byte{text}); err == nil {
			fmt.Printf("%s\n", text)
		}
	}
	return err
}

// Every line that killed servers reported as written is in the archive, in the order of
// each.
func TestKilled(t *testing.T) {
	t.Run("folder", func(t *testing.T) { testKilled(t, t.TempDir()) })
	t.Run("S3", func(t *testing.T) {
		s := s3test.Start(t)
		testKilled(t, s.Address(s.Bucket(false), ""))
	})
}

func testKilled(t *testing.T, location string) {
	t.Helper()
	var want []string
	for round := range 10 {
		want = append(want, testtool.KillAfter(t, testtool.Self(t, endlessWriter, location), 1+3*round, func(line string) bool {
			return strings.HasPrefix(line, `{"process":`)
		})...)
	}
	got, _, err := read(t, open(t, options(location)))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, l := range want {
		for at < len(got) && got[at] != l {
			at++ // written, and the process was killed before it printed the line
		}
		if at == len(got) {
			t.Fatalf("line %s is missing or in the wrong order", l)
		}
	}
}
