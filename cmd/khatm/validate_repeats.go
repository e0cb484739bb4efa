package main

import (
	"fmt"

	"khatm/rules"
)

var timesReported = rules.Words{EN: " (reported %d times)", AR: " (عدد مرات ظهورها: %d)"}

// withoutRepeats returns a verdict with equal consecutive findings as one, which
// says how often it was reported. The official sheets report some rules several
// times for one fault. The JSON output contains all findings.
func withoutRepeats(v verdict, language string) verdict {
	var kept []finding
	for i := 0; i < len(v.Findings); {
		f, n := v.Findings[i], 1
		for i+n < len(v.Findings) && v.Findings[i+n] == f {
			n++
		}
		i += n
		if n > 1 {
			f.Message += fmt.Sprintf(timesReported.In(language), n)
		}
		kept = append(kept, f)
	}
	v.Findings = kept
	return v
}
