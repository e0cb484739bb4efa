// Package s3 parses the addresses of folders in S3 buckets, and connects to them. It
// does not know what they contain.
package s3

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

// Address is a parsed s3:// address.
type Address struct {
	Bucket     string
	Prefix     string // ends with a slash, unless it is empty
	Endpoint   string // host and port
	Plain      bool   // HTTP without TLS
	Region     string
	Encryption encrypt.ServerSide // nil: as the bucket is configured
	Lock       minio.RetentionMode
	Retain     time.Duration
}

// retainDays is the default time that objects are locked: seven years, because
// documents must be kept for six years after the end of their tax period.
const retainDays = 7*365 + 2

// Parse parses an address of what, such as "archive". Its errors contain no part of
// the address, which may have a secret by mistake.
func Parse(text, what string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Address{}, fmt.Errorf("the s3:// address of the %s cannot be parsed", what)
	}
	if u.User != nil {
		return Address{}, fmt.Errorf("the s3:// address of the %s must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", what)
	}
	if u.Host == "" || u.Fragment != "" {
		return Address{}, fmt.Errorf("the address of the %s must be s3://BUCKET/PREFIX", what)
	}
	a := Address{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/")}
	if a.Prefix != "" {
		a.Prefix += "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Address{}, fmt.Errorf("the parameters of the address of the %s cannot be parsed", what)
	}
	return a, a.parse(query, what)
}

// IsAddress reports whether a location is the address of an S3 bucket.
func IsAddress(location string) bool { return strings.HasPrefix(location, "s3:") }

// Same reports whether two addresses are of the same folder. They can differ in
// parameters such as lock.
func (a Address) Same(b Address) bool {
	return a.Endpoint == b.Endpoint && a.Bucket == b.Bucket && a.Prefix == b.Prefix
}

// SameFolder reports whether two locations are addresses of the same folder.
func SameFolder(a, b string) bool {
	if !IsAddress(a) || !IsAddress(b) {
		return false
	}
	x, err := Parse(a, "folder")
	if err != nil {
		return false
	}
	y, err := Parse(b, "folder")
	return err == nil && x.Same(y)
}

var parameters = []string{"endpoint", "region", "encryption", "kms-key", "lock", "retain-days"}

// parse sets the parameters of an address of what.
func (a *Address) parse(query url.Values, what string) error {
	for name, values := range query {
		if !slices.Contains(parameters, name) || len(values) != 1 {
			return fmt.Errorf("the address of the %s has an unknown or repeated parameter", what)
		}
	}
	a.Region = query.Get("region")
	err := errors.Join(a.parseEndpoint(query.Get("endpoint"), what), a.parseLock(query.Get("lock"), query.Get("retain-days"), what))
	if err != nil {
		return err
	}
	switch key := query.Get("kms-key"); query.Get("encryption") {
	case "":
	case "AES256":
		a.Encryption = encrypt.NewSSE()
	case "aws:kms":
		a.Encryption, err = encrypt.NewSSEKMS(key, nil)
	default:
		err = fmt.Errorf("encryption of the %s must be AES256 or aws:kms", what)
	}
	return err
}

// parseEndpoint parses the address of the S3 server. Personal data is sent without TLS
// only within this machine.
func (a *Address) parseEndpoint(text, what string) error {
	if text == "" {
		if a.Region == "" {
			return fmt.Errorf("the address of the %s must have an endpoint or a region", what)
		}
		a.Endpoint = "s3." + a.Region + ".amazonaws.com"
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("endpoint of the %s must be https://HOST or https://HOST:PORT", what)
	}
	a.Endpoint, a.Plain = u.Host, u.Scheme == "http"
	if ip := net.ParseIP(u.Hostname()); a.Plain && u.Hostname() != "localhost" && !ip.IsLoopback() {
		return fmt.Errorf("endpoint of the %[1]s must use https, because the %[1]s contains personal data", what)
	}
	return nil
}

func (a *Address) parseLock(mode, days, what string) error {
	switch mode {
	case "":
		if days != "" {
			return fmt.Errorf("retain-days of the %s needs lock", what)
		}
		return nil
	case "governance":
		a.Lock = minio.Governance
	case "compliance":
		a.Lock = minio.Compliance
	default:
		return fmt.Errorf("lock of the %s must be governance or compliance", what)
	}
	n := retainDays
	if days != "" {
		var err error
		if n, err = strconv.Atoi(days); err != nil || n < 1 || n > 36500 {
			return fmt.Errorf("retain-days of the %s must be a number of days", what)
		}
	}
	a.Retain = time.Duration(n) * 24 * time.Hour
	return nil
}
