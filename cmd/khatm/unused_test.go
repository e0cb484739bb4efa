package main

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

// A command line with a command needs that command only, and every other needs all.
func TestUnusedCommands(t *testing.T) {
	known := func(args ...string) (names []string) {
		parser, err := kong.New(&commands{}, kong.IgnoreFields(unusedCommands(args)))
		if err != nil {
			t.Fatal(err)
		}
		for _, node := range parser.Model.Children {
			names = append(names, node.Name)
		}
		return names
	}
	all := known()
	if len(all) < 30 {
		t.Fatalf("commands %q, want all", all)
	}
	for _, name := range all {
		want := []string{name}
		if slices.Contains(needAll, name) {
			want = all
		}
		if got := known(name, "--help"); !slices.Equal(got, want) {
			t.Errorf("khatm %s knows the commands %q, want %q", name, got, want)
		}
	}
	for _, other := range []string{"--help", "help", "showversion", "^$"} {
		if got := known(other); !slices.Equal(got, all) {
			t.Errorf("khatm %s knows the commands %q, want all", other, got)
		}
	}
}
