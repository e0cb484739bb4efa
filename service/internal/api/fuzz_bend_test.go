package api_test

import (
	"net/url"
	"strings"
)

// bend makes one or two unusual changes to a request.
func (d randomSource) bend(s *fuzzRequest, near *fuzzState) {
	for range 1 + d.IntN(2) {
		switch d.IntN(9) {
		case 0:
			s.method = one(d, []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "QUERY", "X"})
		case 1:
			d.bendPath(s, near)
		case 2, 3:
			d.bendQuery(s)
		case 4:
			s.header.Set("Content-Type", one(d, []string{
				"", "application/json", "application/json; charset=utf-16", "application/json;", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x",
				"multipart/form-data; boundary=\"\xff\"", "multipart/mixed; boundary=x", "application/x-www-form-urlencoded", "*/*", strings.Repeat("a", 5000), "\x00", "; ;",
			}))
		case 5:
			s.header.Set("Authorization", one(d, []string{
				"", "Bearer", "Bearer ", "Basic " + near.keys[0], near.keys[0], "bearer " + near.keys[0], "Bearer  " + near.keys[0], "Bearer " + near.keys[0][:12], "Bearer svc_", "Bearer " + strings.Repeat("x", 9000),
				"Bearer " + near.keys[0] + "x", "Bearer \xff\x00", "Bearer null", "Bearer ' OR 1=1 --",
			}))
		case 6:
			name := one(d, []string{"X-Active-Org", "If-None-Match", "Accept", "Content-Encoding", "Cookie", "Range", "Expect", "X-Forwarded-For", "Origin", "X-HTTP-Method-Override", "Accept-Language", "Host"})
			s.header.Set(name, one(d, []string{"", "*", "gzip", `"x"`, "accessToken=x", "bytes=0-1", "100-continue", "::1, 1.2.3.4", "null", "\xff\xfe", near.org, strings.Repeat("y", 3000), "DELETE"}))
		case 7:
			s.body = d.mutate(s.body)
		case 8:
			s.body = []byte(one(d, []string{"", "{", "null", "[]", strings.Repeat("[", 5000), strings.Repeat(`{"a":`, 100), "\x00", "\xff\xfe", strings.Repeat(" ", 100_000), strings.Repeat("9", 10_000)}))
		}
	}
}

func (d randomSource) bendPath(s *fuzzRequest, near *fuzzState) {
	switch d.IntN(7) {
	case 0:
		s.path = strings.TrimSuffix(s.path, "/")
	case 1:
		s.path += one(d, []string{"x", "/", "//", "..", "%2e%2e/", "%00", "%ff", "%2F", ";a=b", "logo/", "notes/", "clearance-reporting/", "images/1/", "images/99999999999999999999/", "\u0661/"})
	case 2:
		parts := strings.Split(s.path, "/")
		parts[d.IntN(len(parts))] = one(d, []string{
			"", ".", "..", "%2e", "null", "0", "%00", "%FF", "a%2Fb", near.foreign, strings.ToUpper(near.foreign), "%7B" + near.foreign + "%7D", strings.Repeat("a", 4000), "{buyer_id}", "*", "%25", "%D9%A1", "'",
		})
		s.path = strings.Join(parts, "/")
	case 3:
		s.path = strings.Replace(s.path, "/v1/", one(d, []string{"/", "/v2/", "/v1-3/", "/V1/", "/v1//", "//v1/"}), 1)
	case 4:
		s.path = strings.ToUpper(s.path)
	case 5:
		s.path = one(d, []string{"/", "/v1", "/v1/", "/v1/api/integrations/docs", "/v1/api/integrations/openapi.json", "/v1/api/integrations/docs/x", "/metrics", "/v1/api/invoices/", "*"})
	case 6:
		at := d.IntN(len(s.path))
		// No partial escapes: their effect depends on the id that follows, and ids
		// differ between the two services.
		s.path = s.path[:at] + one(d, []string{"%41", "%2D", "%7F", "\\", "é", "+", ":", "@"}) + s.path[at:]
	}
}

func (d randomSource) bendQuery(s *fuzzRequest) {
	name := one(d, []string{"page", "page_size", "cursor", "search_text", "vat_category_code", "category", "uuid", "invoice_status", "type_code", "device", "date_from", "answered_after", "", "page[]", "no_such"})
	switch d.IntN(5) {
	case 0:
		s.query[name] = []string{one(d, words), d.text(0, 50)}
	case 1:
		s.query.Set(name, strings.Repeat(one(d, words), 1+d.IntN(3000)))
	case 2:
		s.query.Set(name, one(d, []string{"0", "-1", "1e9", "1000000000", "9223372036854775807", "9223372036854775808", "1.0", " 1", "NaN", "true", "\x00", "\xff", "AAAAAAAAAAAAAAAAAAAAAA", "_____________________w"}))
	case 3:
		s.raw = one(d, []string{"%", "page=%zz", ";", "a;b", "&&&", "=", "page", "page&page=2", "?", strings.Repeat("a=b&", 2000), "page=1%00", "cursor=%F0%9F", "#"})
	case 4:
		s.query = url.Values{}
	}
}
