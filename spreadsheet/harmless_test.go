package spreadsheet_test

import (
	"testing"

	"khatm/spreadsheet"
)

func TestHarmless(t *testing.T) {
	for text, formula := range map[string]bool{
		"=cmd|' /C calc'!A0": true, "+1+2": true, "-1+2": true, "@SUM(A1)": true, "\t=1+1": true, "\r=1+1": true, "\ta": true,
		" =1+1": true, "\n=1+1": true, "\u00a0-1+2": true, "\u200f=1+1": true, "\u2066 \u200b+1+2": true, "＝1+1": true, "＠a": true,
		"": false, " ": false, "a=1": false, "\u200fعربي=1": false, "1-2 kg": false, "'=1+1": false, "\xff=1": false,
	} {
		want := text
		if formula {
			want = "'" + text
		}
		if got := spreadsheet.Harmless(text); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", text, got, want)
		}
	}
}
