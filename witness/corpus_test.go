package witness_test

import (
	"os"
	"path/filepath"
	"testing"

	"khatm/witness"
)

// TestConformanceOfficialSamples verifies the authority's own signed samples,
// which we may not redistribute: KHATM_CORPUS is the folder that contains them.
func TestConformanceOfficialSamples(t *testing.T) {
	corpus := os.Getenv("KHATM_CORPUS")
	if corpus == "" {
		t.Skip("KHATM_CORPUS is not set; set it to the folder that contains samples/official-*.xml")
	}
	files, err := filepath.Glob(filepath.Join(corpus, "samples", "official-*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 19 {
		t.Errorf("found %d samples, want 19", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			document, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			report, err := witness.Verify(document, witness.Expect{RequireStamp: true, PreviousHash: firstPrevious})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				t.Errorf("unexpected finding %+v", f)
			}
			if !report.Stamped || report.Certificate == nil {
				t.Error("report has no stamp or no certificate")
			}
		})
	}
}
