package audit_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"khatm/audit"
)

// recovered is a history whose store lost two documents of the first device and
// was recovered: it declares them as missing.
func recovered(t *testing.T) *history {
	t.Helper()
	h := made(t, 5)
	h.noClients = true // they were told of documents that are gone
	u := h.tills[0]
	lost := slices.Clone(u.documents[2:4])
	u.documents = slices.Delete(u.documents, 2, 4)
	last := lost[1]
	u.Gaps = []audit.Gap{{First: lost[0].Counter, Last: last.Counter, Hash: last.Hash, IssuedAt: last.IssuedAt}}
	for _, d := range lost {
		at := strings.LastIndex(d.Number, "-") + 1
		n, err := strconv.ParseInt(d.Number[at:], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		h.gaps = append(h.gaps, audit.NumberGap{Organisation: u.Organisation, Series: d.Number[:at], First: n, Last: n})
		h.trail = slices.DeleteFunc(h.trail, func(e audit.Entry) bool { return e.Subject == d.ID.String() })
		for i := range h.usage {
			m := d.CreatedAt.UTC()
			if o := &h.usage[i]; o.Organisation == u.Organisation && o.Month.Year() == m.Year() && o.Month.Month() == m.Month() {
				o.Used--
			}
		}
	}
	h.relink()
	return h
}

func TestDeclaredGapsAreNoFault(t *testing.T) {
	r := recovered(t).audited(t)
	for _, f := range r.Faults {
		t.Errorf("%s: %s", f.Invariant, f)
	}
	if !slices.ContainsFunc(r.Remarks, func(text string) bool { return strings.Contains(text, "recovered: 2") }) {
		t.Errorf("the gap is not mentioned: %q", r.Remarks)
	}
}

func TestGapsMustBeDeclaredExactly(t *testing.T) {
	cases := []struct {
		name   string
		change func(h *history)
		want   audit.Invariant
	}{
		{"no gap", func(h *history) { h.tills[0].Gaps = nil }, "I2"},
		{"too short", func(h *history) { h.tills[0].Gaps[0].Last-- }, "I2"},
		{"too long", func(h *history) { h.tills[0].Gaps[0].Last++ }, "I2"},
		{"begins too late", func(h *history) { h.tills[0].Gaps[0].First++ }, "I2"},
		{"another hash", func(h *history) { h.tills[0].Gaps[0].Hash = h.tills[0].documents[0].Hash }, "I3"},
		{"of another device", func(h *history) { h.tills[1].Gaps, h.tills[0].Gaps = h.tills[0].Gaps, nil }, "I2"},
		{"no number", func(h *history) { h.gaps = h.gaps[1:] }, "I12"},
		{"number of another organisation", func(h *history) { h.gaps[0].Organisation = h.tills[2].Organisation }, "I12"},
		{"the authority saw what no gap has", func(h *history) { h.tills[0].Gaps = nil }, "I1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := recovered(t)
			c.change(h)
			if r := h.audited(t); r.Broken[c.want] == 0 {
				t.Errorf("no fault of %s: %v", c.want, r.Broken)
			}
		})
	}
}

// What an abandoned device issued behind its last document is declared as lost.
func TestAbandonedDevice(t *testing.T) {
	h := recovered(t)
	u := h.tills[0]
	u.Gaps = nil
	u.documents = u.documents[:2]
	last := u.documents[1]
	u.Counter, u.LastHash, u.LastIssuedAt = last.Counter, last.Hash, last.IssuedAt
	r := h.audited(t)
	if r.Broken["I1"] == 0 {
		t.Error("documents are lost, and nothing is found")
	}
	u.Abandoned = true
	if r := h.audited(t); r.Broken["I1"] != 0 {
		t.Errorf("%v", r.Faults)
	}
}

// A gap may be the end of the chain, before the first document after it.
func TestGapAtTheEnd(t *testing.T) {
	h := made(t, 6)
	u := h.tills[1]
	u.Gaps = []audit.Gap{{First: u.Counter + 1, Last: u.Counter + 3, Hash: u.LastHash, IssuedAt: u.LastIssuedAt}}
	if r := h.audited(t); r.Sound() {
		t.Error("the device does not say that it ends behind the gap, and nothing is found")
	}
	u.Counter += 3
	if r := h.audited(t); !r.Sound() {
		t.Errorf("%v", r.Faults)
	}
}
