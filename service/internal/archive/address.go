package archive

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/encrypt"
)

// address is a parsed s3:// address.
type address struct {
	bucket     string
	prefix     string // ends with a slash, unless it is empty
	endpoint   string // host and port
	plain      bool   // HTTP without TLS
	region     string
	encryption encrypt.ServerSide // nil: as the bucket is configured
	lock       minio.RetentionMode
	retain     time.Duration
}

// retainDays is the default time that objects are locked: seven years, because
// documents must be kept for six years after the end of their tax period.
const retainDays = 7*365 + 2

// parseAddress parses an address. Its errors contain no part of the address, which
// may have a secret by mistake.
func parseAddress(text string) (address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return address{}, fmt.Errorf("%w: the s3:// address of the archive cannot be parsed", ErrInvalid)
	}
	if u.User != nil {
		return address{}, fmt.Errorf("%w: the s3:// address of the archive must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", ErrInvalid)
	}
	if u.Host == "" || u.Fragment != "" {
		return address{}, fmt.Errorf("%w: the address of the archive must be s3://BUCKET/PREFIX", ErrInvalid)
	}
	a := address{bucket: u.Host, prefix: strings.Trim(u.Path, "/")}
	if a.prefix != "" {
		a.prefix += "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return address{}, fmt.Errorf("%w: the parameters of the archive's address cannot be parsed", ErrInvalid)
	}
	return a, a.parse(query)
}

// SameLocation reports whether two locations are the same archive. Addresses in S3 can
// differ in parameters such as lock.
func SameLocation(a, b string) bool {
	if a == b {
		return true
	}
	if !IsBucket(a) || !IsBucket(b) {
		return false
	}
	x, err := parseAddress(a)
	if err != nil {
		return false
	}
	y, err := parseAddress(b)
	return err == nil && x.endpoint == y.endpoint && x.bucket == y.bucket && x.prefix == y.prefix
}

// IsBucket reports whether a location is the address of an S3 bucket.
func IsBucket(location string) bool { return strings.HasPrefix(location, "s3:") }

var parameters = []string{"endpoint", "region", "encryption", "kms-key", "lock", "retain-days"}

// parse sets the parameters of an address.
func (a *address) parse(query url.Values) error {
	for name, values := range query {
		if !slices.Contains(parameters, name) || len(values) != 1 {
			return fmt.Errorf("%w: the address of the archive has an unknown or repeated parameter", ErrInvalid)
		}
	}
	a.region = query.Get("region")
	err := errors.Join(a.parseEndpoint(query.Get("endpoint")), a.parseLock(query.Get("lock"), query.Get("retain-days")))
	if err != nil {
		return err
	}
	switch key := query.Get("kms-key"); query.Get("encryption") {
	case "":
	case "AES256":
		a.encryption = encrypt.NewSSE()
	case "aws:kms":
		a.encryption, err = encrypt.NewSSEKMS(key, nil)
	default:
		err = fmt.Errorf("%w: encryption of the archive must be AES256 or aws:kms", ErrInvalid)
	}
	return err
}

// parseEndpoint parses the address of the S3 server. The archive contains personal
// data, so it is sent without TLS only within this machine.
func (a *address) parseEndpoint(text string) error {
	if text == "" {
		if a.region == "" {
			return fmt.Errorf("%w: the address of the archive must have an endpoint or a region", ErrInvalid)
		}
		a.endpoint = "s3." + a.region + ".amazonaws.com"
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("%w: endpoint of the archive must be https://HOST or https://HOST:PORT", ErrInvalid)
	}
	a.endpoint, a.plain = u.Host, u.Scheme == "http"
	if ip := net.ParseIP(u.Hostname()); a.plain && u.Hostname() != "localhost" && !ip.IsLoopback() {
		return fmt.Errorf("%w: endpoint of the archive must use https, because the archive contains personal data", ErrInvalid)
	}
	return nil
}

func (a *address) parseLock(mode, days string) error {
	switch mode {
	case "":
		if days != "" {
			return fmt.Errorf("%w: retain-days of the archive needs lock", ErrInvalid)
		}
		return nil
	case "governance":
		a.lock = minio.Governance
	case "compliance":
		a.lock = minio.Compliance
	default:
		return fmt.Errorf("%w: lock of the archive must be governance or compliance", ErrInvalid)
	}
	n := retainDays
	if days != "" {
		var err error
		if n, err = strconv.Atoi(days); err != nil || n < 1 || n > 36500 {
			return fmt.Errorf("%w: retain-days of the archive must be a number of days", ErrInvalid)
		}
	}
	a.retain = time.Duration(n) * 24 * time.Hour
	return nil
}
