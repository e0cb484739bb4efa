package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"khatm/service/admin"
)

func TestSettingsFinding(t *testing.T) {
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	known := knownVariables(parser.Model.Node)
	for _, c := range []struct {
		name        string
		environment []string
		level       admin.Level
		says        string
	}{
		{"empty environment", nil, admin.OK, "0 KHATM_ environment variables"},
		{"other variables", []string{"PATH=/bin", "HOME=/"}, admin.OK, "0 KHATM_ environment variables"},
		{"known variables", []string{"KHATM_DATA=x", "KHATM_MASTER_KEY=y", "KHATM_RATE_LIMIT_CLIENTS=9", "KHATM_DEFAULT_PLAN=free"}, admin.OK, "4 KHATM_ environment variables"},
		{"misspelt variables", []string{"KHATM_DATA=x", "KHATM_PORT=8", "KHATM_DATABSE=y"}, admin.Warn, "KHATM_DATABSE, KHATM_PORT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := settingsFinding(known, c.environment)
			if got.Level != c.level || !strings.Contains(got.Says, c.says) {
				t.Errorf("got %s %q, want %s %q", got.Level, got.Says, c.level, c.says)
			}
		})
	}
}

// Every flag of khatm serve has its own KHATM_ environment variable.
func TestEverySettingHasAVariable(t *testing.T) {
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Children {
		if command.Name != "serve" {
			continue
		}
		seen := map[string]bool{}
		for _, flag := range command.Flags {
			if len(flag.Envs) == 0 || !strings.HasPrefix(flag.Envs[0], "KHATM_") || seen[flag.Envs[0]] {
				t.Errorf("variables of --%s = %v, want a KHATM_ variable that no other flag has", flag.Name, flag.Envs)
				continue
			}
			seen[flag.Envs[0]] = true
		}
		if len(seen) < 10 {
			t.Errorf("khatm serve has %d flags with variables, want at least 10", len(seen))
		}
		return
	}
	t.Error("there is no command serve")
}
