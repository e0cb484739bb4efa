package export

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/device"
	"khatm/service/internal/store"
)

// A declared gap begins a new row, which has the hash of the last missing document.
func TestChainWithAGap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := createFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	x := &exporting{folder: f}
	chains, err := x.table("chains.csv", chainColumns)
	if err != nil {
		t.Fatal(err)
	}
	d := store.KeptDevice{Device: device.Device{SerialNumber: "1-Khatm", CommonName: "Till"}}
	d.Gaps = slices.Grow(d.Gaps, 1)[:1]
	d.Gaps[0].First, d.Gaps[0].Last, d.Gaps[0].Hash = 3, 4, "gap"
	c := &chain{seller: &seller{exporting: x, chains: chains}, device: d}
	for _, counter := range []int64{1, 2, 5} {
		if err := c.enter(t.Context(), counter); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	if err := chains.finish(); err != nil {
		t.Fatal(err)
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "chains.csv"))
	if err != nil {
		t.Fatal(err)
	}
	id := c.device.ID.String()
	want := []string{id + ",1,2,0," + device.GenesisHash + ",1-Khatm,Till", id + ",5,5,4,gap,1-Khatm,Till"}
	if got := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("chains.csv has the rows %q, want %q", got, want)
	}
}
