// Package s3test runs an S3 server for tests: versitygw, which stores objects in a
// folder.
package s3test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"khatm/internal/testtool"
)

// Credentials of the server.
const (
	accessKey = "khatm-test"
	secretKey = "khatm-test-secret"
)

// Server is an S3 server on loopback.
type Server struct {
	Client *minio.Client

	tb      testing.TB
	program string
	addr    string
	dir     string
	process *exec.Cmd
	buckets int
}

// Start starts a server until the end of the test, and sets the environment variables
// with its credentials. It skips the test if versitygw is not installed.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{tb: tb, program: testtool.Path(tb, "versitygw"), dir: tb.TempDir()}
	tb.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	tb.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
	l, err := net.Listen("tcp", testtool.Loopback())
	if err != nil {
		tb.Fatal(err)
	}
	s.addr = l.Addr().String()
	if err := l.Close(); err != nil {
		tb.Fatal(err)
	}
	for _, folder := range []string{"objects", "versions", "metadata"} {
		if err := os.Mkdir(s.dir+"/"+folder, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	s.Client, err = minio.New(s.addr, &minio.Options{Creds: credentials.NewStaticV4(accessKey, secretKey, ""), Region: "us-east-1"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Kill)
	s.Restart()
	return s
}

// Folder returns the folder in which the server keeps the archive at Address, each object
// in a file whose time is that of the object.
func (s *Server) Folder(bucket string) string { return s.dir + "/objects/" + bucket + "/archive" }

// Restart starts the server after Kill and waits until it accepts connections.
func (s *Server) Restart() {
	s.tb.Helper()
	s.process = exec.Command(s.program, "--port", s.addr, "--quiet", "--keep-alive", "posix",
		"--sidecar", s.dir+"/metadata", "--versioning-dir", s.dir+"/versions", s.dir+"/objects")
	s.process.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+accessKey, "ROOT_SECRET_KEY="+secretKey)
	if err := s.process.Start(); err != nil {
		s.tb.Fatal(err)
	}
	for range 1000 {
		c, err := net.Dial("tcp", s.addr)
		if err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.tb.Fatal("versitygw does not accept connections")
}

// Kill kills the server.
func (s *Server) Kill() {
	if s.process != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait() // fails, because it was killed
		s.process = nil
	}
}

// Bucket creates a bucket, with Object Lock if locked is set, and returns its name.
func (s *Server) Bucket(locked bool) string {
	s.tb.Helper()
	s.buckets++
	name := fmt.Sprint("bucket-", s.buckets)
	if err := s.Client.MakeBucket(context.Background(), name, minio.MakeBucketOptions{ObjectLocking: locked}); err != nil {
		s.tb.Fatal(err)
	}
	return name
}

// Address returns the address of an archive in a bucket. Parameters such as
// lock=governance may follow.
func (s *Server) Address(bucket, parameters string) string {
	text := "s3://" + bucket + "/archive?endpoint=http://" + s.addr + "&region=us-east-1"
	if parameters != "" {
		text += "&" + parameters
	}
	return text
}

// Keys returns the keys of the objects in a bucket.
func (s *Server) Keys(bucket string) []string {
	s.tb.Helper()
	var keys []string
	for o := range s.Client.ListObjectsIter(context.Background(), bucket, minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			s.tb.Fatal(o.Err)
		}
		keys = append(keys, o.Key)
	}
	return keys
}

// LeaveAttributes stores the attributes of an object without the object, as a server does
// that is killed while it stores the object.
func (s *Server) LeaveAttributes(bucket, key string) {
	s.tb.Helper()
	folder := s.attributes(bucket, key)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		s.tb.Fatal(err)
	}
	if err := os.WriteFile(folder+"/etag", []byte(`"00000000000000000000000000000000"`), 0o600); err != nil {
		s.tb.Fatal(err)
	}
}

// RemoveAttributes undoes LeaveAttributes.
func (s *Server) RemoveAttributes(bucket, key string) {
	s.tb.Helper()
	if err := os.RemoveAll(s.attributes(bucket, key)); err != nil {
		s.tb.Fatal(err)
	}
}

// attributes returns the folder with the attributes of an object.
func (s *Server) attributes(bucket, key string) string {
	return s.dir + "/metadata/" + bucket + "/" + key + "/meta"
}

// Change replaces the content of an object by what change returns; nil removes it.
func (s *Server) Change(bucket, key string, change func([]byte) []byte) {
	s.tb.Helper()
	ctx := context.Background()
	o, err := s.Client.GetObject(ctx, bucket, key, minio.GetObjectOptions{})
	if err != nil {
		s.tb.Fatal(err)
	}
	defer func() { _ = o.Close() }()
	text, err := io.ReadAll(o)
	if err != nil {
		s.tb.Fatal(err)
	}
	if text = change(text); text == nil {
		err = s.Client.RemoveObject(ctx, bucket, key, minio.RemoveObjectOptions{})
	} else {
		_, err = s.Client.PutObject(ctx, bucket, key, bytes.NewReader(text), int64(len(text)), minio.PutObjectOptions{})
	}
	if err != nil {
		s.tb.Fatal(err)
	}
}
