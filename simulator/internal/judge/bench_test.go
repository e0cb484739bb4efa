package judge_test

import (
	"os"
	"testing"

	"khatm/rules"
	"khatm/simulator/internal/judge"
	"khatm/ubl"
	"khatm/witness"
)

// BenchmarkJudge measures the validation of a simplified document and its
// parts.
func BenchmarkJudge(b *testing.B) {
	for _, p := range partsOfJudgement(b) {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.run()
			}
		})
	}
}

// part is a function to measure.
type part struct {
	name string
	run  func()
}

func partsOfJudgement(t testing.TB) []part {
	w := newFixture(t)
	s := w.submission(w.simplified)
	root, err := ubl.Parse(w.simplified)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := ubl.Bind(root)
	if err != nil {
		t.Fatal(err)
	}
	return []part{
		{"whole", func() { judge.Judge{}.Judge(s, later) }},
		{"read", func() { _, _ = ubl.Read(w.simplified) }},
		{"rules", func() { rules.Check(inv, later) }},
		{"witness", func() { _, _ = witness.Verify(w.simplified, witness.Expect{}) }},
		{"schema", func() { rules.Schema(root) }},
		{"traps", func() { rules.Traps(root) }},
	}
}

// TestCostOfJudgement checks that the whole validation takes at most twice the
// sum of reading, rules and witness. It runs only with KHATM_BENCH=1.
func TestCostOfJudgement(t *testing.T) {
	if os.Getenv("KHATM_BENCH") != "1" {
		t.Skip("KHATM_BENCH is not 1")
	}
	spent := map[string]int64{}
	for _, p := range partsOfJudgement(t) {
		result := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				p.run()
			}
		})
		spent[p.name] = result.NsPerOp()
		t.Logf("%-8s %8d ns", p.name, result.NsPerOp())
	}
	sum := spent["read"] + spent["rules"] + spent["witness"]
	t.Logf("%.2f of the sum of reading, rules and witness", float64(spent["whole"])/float64(sum))
	if spent["whole"] > 2*sum {
		t.Errorf("the whole validation takes %d ns, want at most twice %d ns", spent["whole"], sum)
	}
}
