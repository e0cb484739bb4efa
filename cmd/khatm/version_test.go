package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuildOf(t *testing.T) {
	info := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "97362d4a"}, {Key: "vcs.time", Value: "2026-11-18T04:52:40Z"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		name, release string
		info          *debug.BuildInfo
		want          build
		first, second string
	}{
		{"release", "v1.2.0", info("v1.2.0", commit[:2]...), build{"v1.2.0", "97362d4a", "2026-11-18T04:52:40Z", false}, "khatm v1.2.0", "commit 97362d4a of 2026-11-18T04:52:40Z"},
		{"release without a repository", "v1.2.0", info("(devel)"), build{Version: "v1.2.0"}, "khatm v1.2.0", "go"},
		{"go build", "", info("v0.0.0-20261118045240-97362d4a1c21+dirty", commit...), build{"v0.0.0-20261118045240-97362d4a1c21+dirty", "97362d4a", "2026-11-18T04:52:40Z", true}, "khatm v0.0.0-20261118045240-97362d4a1c21+dirty", "commit 97362d4a of 2026-11-18T04:52:40Z, modified"},
		{"go install", "", info("v1.1.0"), build{Version: "v1.1.0"}, "khatm v1.1.0", "go"},
		{"go run", "", info("(devel)"), build{Version: "development"}, "khatm development", "go"},
		{"no build info", "", &debug.BuildInfo{}, build{Version: "development"}, "khatm development", "go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := buildOf(c.release, c.info)
			if got != c.want {
				t.Errorf("build = %+v, want %+v", got, c.want)
			}
			var out strings.Builder
			if err := got.print(&out); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(out.String(), "\n")
			if lines[0] != c.first || !strings.HasPrefix(lines[1], c.second) {
				t.Errorf("printed %q, want %q and %q…", out.String(), c.first, c.second)
			}
		})
	}
}

func TestVersionFlagAndCommand(t *testing.T) {
	var want strings.Builder
	if err := thisBuild().print(&want); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"version"}, {"--version"}, {"serve", "--version"}} {
		var out, stderr strings.Builder
		if code := run(args, &out, &stderr); code != 0 || out.String() != want.String() || stderr.Len() > 0 {
			t.Errorf("khatm %v: exit code %d, output %q, want 0 and %q; errors %q", args, code, out.String(), want.String(), stderr.String())
		}
	}
}
