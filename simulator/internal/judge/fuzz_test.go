package judge_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"khatm/simulator/internal/judge"
)

// FuzzJudge checks that any document gets a deterministic verdict with complete
// messages, and that a document passes only if it matches the request. It
// inserts a piece into a valid document, because whole documents are too long
// to be found by chance, or uses the piece alone.
func FuzzJudge(f *testing.F) {
	w := newFixture(f)
	bases := []judge.Submission{w.submission(w.simplified), w.submission(w.standard), w.submission(nil)}
	for i, piece := range []string{"", "x", "<!-- x -->", "<![CDATA[x]]>", "\n", "&amp;", "<Invoice/>", "<cbc:ID>QR</cbc:ID>", "</Invoice>"} {
		for _, at := range []int{0, 2400, 4000, 4700, 7000, len(w.simplified) - 10} {
			f.Add(byte(i), uint16(at), uint16(i), []byte(piece))
		}
	}
	f.Fuzz(func(t *testing.T, choice byte, at, cut uint16, piece []byte) {
		s := bases[int(choice)%len(bases)]
		base := s.Document
		from := min(int(at), len(base))
		s.Document = slices.Concat(base[:from], piece, base[min(from+int(cut), len(base)):])
		s.Endpoint = []judge.Endpoint{s.Endpoint, judge.Reporting, judge.Clearance, judge.Compliance}[choice>>2&3]
		s.ClearanceOff, s.Language = choice&16 > 0, []string{"en", "ar"}[choice>>5&1]
		j := judge.Judge{Lax: choice&64 > 0}
		v := j.Judge(s, later)
		if again := j.Judge(s, later); !reflect.DeepEqual(v, again) {
			t.Errorf("second verdict = %+v, want %+v", again, v)
		}
		wellSaid(t, v)
		if v.Status() != "ERROR" && (v.UUID != s.UUID || v.Hash != s.Hash || v.Report == nil) {
			t.Errorf("verdict = %+v, want ERROR because the document does not match the request", v)
		}
	})
}

func wellSaid(t *testing.T, v judge.Verdict) {
	t.Helper()
	if v.Info == nil || v.Warnings == nil || v.Errors == nil || len(v.Info)+len(v.Errors) == 0 {
		t.Errorf("verdict = %+v, want lists that are not nil and at least one message", v)
	}
	for _, list := range [][]judge.Message{v.Info, v.Warnings, v.Errors} {
		for _, m := range list {
			if m.Code == "" || m.Category == "" || m.Message == "" || m.Type == "" || m.Status == "" || !utf8.ValidString(m.Message) {
				t.Errorf("message = %+v, want all fields set and valid UTF-8", m)
			}
		}
		if _, err := json.Marshal(list); err != nil {
			t.Error(err)
		}
	}
}
