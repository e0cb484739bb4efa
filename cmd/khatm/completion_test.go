package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
)

func TestCompletions(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []string
		want  []string // all completions, if there are few
		some  []string // some of them
		not   []string
	}{
		{name: "commands", words: []string{""}, some: []string{"serve", "org", "version"}, not: []string{"complete", "--help"}},
		{name: "beginning of a command", words: []string{"se"}, want: []string{"serve", "setup-link"}},
		{name: "subcommands", words: []string{"vault", ""}, some: []string{"rotate"}, not: []string{"serve"}},
		{name: "flags", words: []string{"serve", "--log-"}, want: []string{"--log-format", "--log-level"}},
		{name: "flags of every command", words: []string{"serve", "--ver"}, want: []string{"--version"}},
		{name: "flag that can be negated", words: []string{"org", "create", "--no-"}, want: []string{"--no-amount-in-words"}},
		{name: "flags of the default command", words: []string{"rules", "--la"}, want: []string{"--lang"}},
		{name: "values", words: []string{"serve", "--log-format", ""}, want: []string{"json", "text"}},
		{name: "values after =", words: []string{"serve", "--log-format=t"}, want: []string{"--log-format=text"}},
		{name: "values as bash splits them", words: []string{"serve", "--log-format", "=", "t"}, want: []string{"text"}},
		{name: "no value yet, as bash splits it", words: []string{"serve", "--log-format", "="}, want: []string{"json", "text"}},
		{name: "after a value", words: []string{"serve", "--data", "org", "--log-f"}, want: []string{"--log-format"}},
		{name: "after a flag without a value", words: []string{"org", "list", "--json", "--dat"}, want: []string{"--data", "--database"}},
		{name: "arguments with a list", words: []string{"completion", ""}, want: []string{"bash", "zsh", "fish"}},
		{name: "names of files", words: []string{"validate", "in"}},
		{name: "value without a list", words: []string{"serve", "--data", ""}},
		{name: "no flags after --", words: []string{"validate", "--", "--js"}},
		{name: "unknown flag", words: []string{"serve", "--nothing=x"}},
		{name: "no words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, stderr strings.Builder
			if code := run(append([]string{"complete", "--"}, c.words...), &out, &stderr); code != 0 {
				t.Fatalf("exit code = %d, want 0: %s", code, stderr.String())
			}
			var got []string
			for line := range strings.Lines(out.String()) {
				word, help, _ := strings.Cut(line, "\t")
				if got = append(got, word); strings.TrimSpace(help) == "" {
					t.Errorf("%s has no explanation", word)
				}
			}
			if c.some == nil && !slices.Equal(got, c.want) {
				t.Errorf("completions = %q, want %q", got, c.want)
			}
			for _, word := range c.some {
				if !slices.Contains(got, word) {
					t.Errorf("completions = %q, want also %s", got, word)
				}
			}
			for _, word := range c.not {
				if slices.Contains(got, word) {
					t.Errorf("completions contain %s", word)
				}
			}
		})
	}
}

// TestCompletionInBash runs the script in bash, with this test program as khatm.
func TestCompletionInBash(t *testing.T) {
	bash := testtool.Path(t, "bash")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "khatm")); err != nil { // testscript.Main runs khatm under this name
		t.Fatal(err)
	}
	shell := exec.Command(bash, "--norc", "-c", `eval "$(khatm completion bash)"
COMP_WORDS=(khatm serve --log-format = ""); COMP_CWORD=4; _khatm khatm; echo "${COMPREPLY[*]}"
COMP_WORDS=(khatm "vault" "ro" "--data"); COMP_CWORD=2; _khatm khatm; echo "${COMPREPLY[*]}"
complete -p khatm`)
	shell.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	got, err := shell.CombinedOutput()
	if want := "json text\nrotate\ncomplete -o default -F _khatm khatm\n"; err != nil || string(got) != want {
		t.Errorf("bash printed %q, want %q: %v", got, want, err)
	}
}

func TestCompletionKnowsItsShells(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		var out, stderr strings.Builder
		if code := run([]string{"completion", shell}, &out, &stderr); code != 0 || !strings.Contains(out.String(), " complete -- ") {
			t.Errorf("khatm completion %s: exit code %d, %q %q", shell, code, out.String(), stderr.String())
		}
	}
	var out, stderr strings.Builder
	if code := run([]string{"completion", "cmd"}, &out, &stderr); code != 2 {
		t.Errorf("exit code of an unknown shell = %d, want 2", code)
	}
}
