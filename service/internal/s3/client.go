package s3

import (
	"context"
	"io"
	"iter"
	"net/http"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Client has the methods of [minio.Client] that this program uses. They are functions,
// not methods of a type that contains the client: the linker keeps all methods of a
// type that reflection can reach, which for the client is a megabyte.
type Client struct {
	PutObject           func(ctx context.Context, bucket, key string, content io.Reader, size int64, o minio.PutObjectOptions) (minio.UploadInfo, error)
	GetObject           func(ctx context.Context, bucket, key string, o minio.GetObjectOptions) (*minio.Object, error)
	StatObject          func(ctx context.Context, bucket, key string, o minio.StatObjectOptions) (minio.ObjectInfo, error)
	RemoveObject        func(ctx context.Context, bucket, key string, o minio.RemoveObjectOptions) error
	ListObjects         func(ctx context.Context, bucket string, o minio.ListObjectsOptions) iter.Seq[minio.ObjectInfo]
	GetObjectLockConfig func(ctx context.Context, bucket string) (lock string, mode *minio.RetentionMode, validity *uint, unit *minio.ValidityUnit, err error)

	// OpenObject sends one request, for the properties of an object and its content.
	OpenObject func(ctx context.Context, bucket, key string, o minio.GetObjectOptions) (io.ReadCloser, minio.ObjectInfo, http.Header, error)
}

// Client returns a client with the credentials of the environment, of the file of the
// AWS tools or of the machine. It makes at most tries attempts for each request.
func (a Address) Client(tries int) (Client, error) {
	c, err := minio.New(a.Endpoint, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		}),
		Secure: !a.Plain, Region: a.Region, MaxRetries: tries,
	})
	if err != nil {
		return Client{}, err
	}
	return Client{
		PutObject: c.PutObject, GetObject: c.GetObject, StatObject: c.StatObject, RemoveObject: c.RemoveObject,
		ListObjects: c.ListObjectsIter, GetObjectLockConfig: c.GetObjectLockConfig, OpenObject: minio.Core{Client: c}.GetObject,
	}, nil
}
