package account

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238 codes use HMAC-SHA-1, which is not broken
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Parameters of the codes of RFC 6238 that all authenticator apps support.
const (
	totpBytes  = 20 // of a secret
	totpDigits = 6
	totpPeriod = 30 * time.Second
	totpSkew   = 1 // steps by which the clock of a phone may differ
)

// base32Text is the alphabet of secrets and recovery codes.
var base32Text = base32.StdEncoding.WithPadding(base32.NoPadding)

// stepOf returns the number of the period that contains a time.
func stepOf(at time.Time) int64 { return at.Unix() / int64(totpPeriod.Seconds()) }

// totp returns the code of a secret in a step.
func totp(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, step) // a hash returns no error
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, number%1_000_000)
}

// usedStep returns the step after last whose code was entered, among those that
// are valid at the given time.
func usedStep(secret []byte, code string, at time.Time, last int64) (step int64, found bool) {
	for near := stepOf(at) - totpSkew; near <= stepOf(at)+totpSkew; near++ {
		same := subtle.ConstantTimeCompare([]byte(totp(secret, near)), []byte(code)) == 1
		if same && near > last && !found {
			step, found = near, true
		}
	}
	return step, found
}

// otpauthURL returns the address that authenticator apps read from a QR code.
func otpauthURL(email, secret string) string {
	const issuer = "Khatm"
	u := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + email}
	u.RawQuery = url.Values{
		"secret": {secret}, "issuer": {issuer}, "algorithm": {"SHA1"}, "digits": {fmt.Sprint(totpDigits)}, "period": {fmt.Sprint(int(totpPeriod.Seconds()))},
	}.Encode()
	return u.String()
}

// cleanCode returns a code without spaces and hyphens, in capital letters and the
// digits 0 to 9.
func cleanCode(code string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '٠' && r <= '٩':
			return r - '٠' + '0'
		case r >= '۰' && r <= '۹':
			return r - '۰' + '0'
		case r == ' ' || r == '-' || r == '\u00a0':
			return -1
		}
		return r
	}, strings.ToUpper(strings.TrimSpace(code)))
}

// looksLikeTOTP reports whether a clean code has the form of an app's code.
func looksLikeTOTP(code string) bool {
	return len(code) == totpDigits && strings.Trim(code, "0123456789") == ""
}
