package tools_test

import (
	"strings"
	"testing"

	"khatm/service/internal/tools"
)

func TestWeigh(t *testing.T) {
	for _, c := range []struct {
		name, xml string
		want      int
	}{
		{"nothing", "", 0},
		{"elements", "<a><b/><c></c></a>", 3},
		{"attributes", `<a x="1" y='2'/>`, 3},
		{"attributes with white space", "<a x = \"1\" y\t=\r\n'2'/>", 3},
		{"equals signs in a text", "<a>" + strings.Repeat("=", 1000) + "</a>", 1},
		{"equals signs in a value", `<a x="y=z&amp;a=b"/>`, 2},
		{"at the end", "<a x=", 1},
	} {
		if got := tools.Weigh([]byte(c.xml)); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}
