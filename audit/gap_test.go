package audit_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"khatm/audit"
)

// recovered returns the history of a recovered store, in which two documents of
// the first device are lost and declared as missing.
func recovered(t *testing.T) *history {
	t.Helper()
	h := made(t, 5)
	h.noClients = true // the client journal names the lost documents
	u := h.devices[0]
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

func TestDeclaredGapsAreNotFaults(t *testing.T) {
	r := recovered(t).audited(t)
	for _, f := range r.Faults {
		t.Errorf("unexpected fault of %s: %s", f.Invariant, f)
	}
	if !slices.ContainsFunc(r.Remarks, func(text string) bool { return strings.Contains(text, "recovered: 2") }) {
		t.Errorf("remarks = %q, want one with \"recovered: 2\"", r.Remarks)
	}
}

func TestGapsMustBeDeclaredExactly(t *testing.T) {
	cases := []struct {
		name   string
		change func(h *history)
		want   audit.Invariant
	}{
		{"no gap", func(h *history) { h.devices[0].Gaps = nil }, "I2"},
		{"too short", func(h *history) { h.devices[0].Gaps[0].Last-- }, "I2"},
		{"too long", func(h *history) { h.devices[0].Gaps[0].Last++ }, "I2"},
		{"begins too late", func(h *history) { h.devices[0].Gaps[0].First++ }, "I2"},
		{"another hash", func(h *history) { h.devices[0].Gaps[0].Hash = h.devices[0].documents[0].Hash }, "I3"},
		{"of another device", func(h *history) { h.devices[1].Gaps, h.devices[0].Gaps = h.devices[0].Gaps, nil }, "I2"},
		{"no number", func(h *history) { h.gaps = h.gaps[1:] }, "I12"},
		{"number of another organisation", func(h *history) { h.gaps[0].Organisation = h.devices[2].Organisation }, "I12"},
		{"document at the authority in no gap", func(h *history) { h.devices[0].Gaps = nil }, "I1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := recovered(t)
			c.change(h)
			if r := h.audited(t); r.Broken[c.want] == 0 {
				t.Errorf("faults %v, want one of %s", r.Broken, c.want)
			}
		})
	}
}

// Documents that an abandoned device issued after its last stored document are
// not faults.
func TestAbandonedDevice(t *testing.T) {
	h := recovered(t)
	u := h.devices[0]
	u.Gaps = nil
	u.documents = u.documents[:2]
	last := u.documents[1]
	u.Counter, u.LastHash, u.LastIssuedAt = last.Counter, last.Hash, last.IssuedAt
	r := h.audited(t)
	if r.Broken["I1"] == 0 {
		t.Error("lost documents of a device in use: no fault of I1, want one")
	}
	u.Abandoned = true
	if r := h.audited(t); r.Broken["I1"] != 0 {
		t.Errorf("lost documents of an abandoned device: faults %v, want none of I1", r.Faults)
	}
}

// A gap may be at the end of the chain, before any document follows it.
func TestGapAtTheEnd(t *testing.T) {
	h := made(t, 6)
	u := h.devices[1]
	u.Gaps = []audit.Gap{{First: u.Counter + 1, Last: u.Counter + 3, Hash: u.LastHash, IssuedAt: u.LastIssuedAt}}
	if r := h.audited(t); r.Sound() {
		t.Error("counter of the device before the gap: no faults, want one")
	}
	u.Counter += 3
	if r := h.audited(t); !r.Sound() {
		t.Errorf("gap at the end: faults %v, want none", r.Faults)
	}
}
