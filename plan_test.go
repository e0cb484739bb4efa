package khatm_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// house says which part of the lot a package belongs to.
type house string

const (
	library house = "library" // the document library: pure, importable by anyone
	service house = "service" // the service, its web app and its operator commands
	double  house = "double"  // the authority's double, a product of its own
	yard    house = "yard"    // what stands outside: commands, end-to-end tests, benchmarks
)

// room is one row of the floor plan: a folder, and which other folders of this
// module its non-test files may import.
type room struct {
	house house
	dir   string
	may   string
}

// floor is the plan. In the last column a name that is no folder at the root
// stands under service/internal, and service/internal/* means all that is
// there. A row may be there before its folder is; a folder may not be there
// before its row. ARCHITECTURE.md shows the same table and is held to it.
var floor = []room{
	{library, "money", ""},
	{library, "jsontree", ""},
	{library, "qr", ""},
	{library, "witness", ""},
	{library, "pdfa", ""},
	{library, "codes", "money"},
	{library, "ubl", "money"},
	{library, "rules", "codes money ubl"},
	{library, "invoice", "codes jsontree money ubl"},
	{library, "seal", "qr ubl"},
	{library, "sample", "codes invoice money seal"},
	{library, "paper", "codes money pdfa qr ubl"},
	{library, "audit", "witness"},

	{service, "service/internal/fault", ""},
	{service, "service/internal/ready", "fault"},
	{service, "service/internal/clock", ""},
	{service, "service/internal/disk", ""},
	{service, "service/internal/work", ""},
	{service, "service/internal/limit", ""},
	{service, "service/internal/org", "codes fault money"},
	{service, "service/internal/device", "fault org"},
	{service, "service/internal/trade", "codes fault money org"},
	{service, "service/internal/ledger", "codes device fault invoice money org trade"},
	{service, "service/internal/vault", "fault seal"},
	{service, "service/internal/blob", "fault"},
	{service, "service/internal/mail", "fault org"},
	{service, "service/internal/mail/mailtest", ""},
	{service, "service/internal/authority", "device fault ledger"},
	{service, "service/internal/continuity", "org ready"},
	{service, "service/internal/account", "codes fault org"},
	{service, "service/internal/issue", "codes device fault invoice ledger money org qr ready rules seal trade ubl"},
	{service, "service/internal/submit", "device fault ledger org witness work"},
	{service, "service/internal/render", "fault ledger org paper"},
	{service, "service/internal/onboard", "codes device fault invoice ledger org qr rules seal ubl work"},
	{service, "service/internal/share", "fault invoice issue ledger mail money org work"},
	{service, "service/internal/store", "account codes continuity device fault invoice issue ledger limit mail money onboard org share submit trade work"},
	{service, "service/internal/store/pgtest", "internal/testtool"},
	{service, "service/internal/store/storetest", "store service/internal/store/pgtest"},
	{service, "service/internal/backup", "blob fault org store"},
	{service, "service/internal/codec", "fault jsontree money"},
	{service, "service/internal/wire", "codec fault limit org"},
	{service, "service/internal/wire/wiretest", "money wire"},
	{service, "service/internal/docs", ""},
	{service, "service/internal/api", "codec codes device fault invoice issue ledger money org render submit trade wire"},
	{service, "service/internal/tools", "codes fault invoice money paper pdfa qr rules ubl wire witness"},
	{service, "service/internal/guest", "codes fault ledger money org qr render share tools wire"},
	{service, "service/internal/app", "account api codec codes device fault invoice issue ledger mail money onboard org share submit trade web wire"},
	{service, "service", "service/internal/* web"},
	{service, "service/admin", "account audit authority backup blob codes continuity device disk fault issue ledger mail money onboard org pdfa store trade ubl vault witness"},
	{service, "web", ""},

	{double, "simulator/internal/ca", "witness"},
	{double, "simulator/internal/journal", ""},
	{double, "simulator/internal/mood", ""},
	{double, "simulator/internal/judge", "codes rules ubl witness"},
	{double, "simulator", "simulator/internal/*"},

	{yard, ".", ""},
	{yard, "cmd/khatm", "audit codes invoice money paper qr rules sample seal service service/admin simulator ubl witness"},
	{yard, "internal/testtool", ""},
	{yard, "e2e", ""},
	{yard, "bench", "audit codes invoice money paper pdfa qr rules sample seal simulator ubl witness"},
}

// junkDrawers are names that say where code was put and not what it is.
var junkDrawers = []string{"utils", "common", "models", "types", "helpers", "core"}

func TestFloorPlan(t *testing.T) {
	report(t, planFaults(floor))
	report(t, importFaults(floor, thisTree(t)))
}

func TestArchitecturePageShowsTheFloorPlan(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	report(t, pageFaults(floor, string(page), thisTree(t)))
}

// planFaults judges the table itself, without looking at any source.
func planFaults(plan []room) []string {
	var faults []string
	seen := map[string]bool{}
	for _, r := range plan {
		if seen[r.dir] {
			faults = append(faults, fmt.Sprintf("%s has two rows", r.dir))
		}
		seen[r.dir] = true
		if slices.Contains(junkDrawers, path.Base(r.dir)) {
			faults = append(faults, fmt.Sprintf("%s is no name for a package", r.dir))
		}
		for _, to := range allowed(plan, r) {
			target := find(plan, to)
			switch {
			case target == nil:
				faults = append(faults, fmt.Sprintf("%s may import %s, which has no row", r.dir, to))
			case r.house == library && target.house != library:
				faults = append(faults, fmt.Sprintf("%s is of the library and may not import %s", r.dir, to))
			}
		}
	}
	if circle := circleIn(plan); circle != nil {
		faults = append(faults, "the plan goes in a circle: "+strings.Join(circle, " → "))
	}
	return faults
}

// circleIn finds one cycle of allowed imports, or nil.
func circleIn(plan []room) []string {
	done := map[string]bool{}
	var visit func(dir string, way []string) []string
	visit = func(dir string, way []string) []string {
		if i := slices.Index(way, dir); i >= 0 {
			return append(way[i:], dir)
		}
		r := find(plan, dir)
		if r == nil || done[dir] {
			return nil
		}
		for _, to := range allowed(plan, *r) {
			if circle := visit(to, append(slices.Clone(way), dir)); circle != nil {
				return circle
			}
		}
		done[dir] = true
		return nil
	}
	for _, r := range plan {
		if circle := visit(r.dir, nil); circle != nil {
			return circle
		}
	}
	return nil
}

// importFaults holds the sources to the plan.
//
// Files that are built, and test files inside their package, keep to their row.
// External tests see more, because a judge must stand outside what it judges
// (seal is tested by witness, which seal may not import): those of a library
// package may import any library package and never a service package; those of
// the other houses are bound by the compiler alone, and so is every test of the
// yard, where nothing can be imported from.
func importFaults(plan []room, all []source) []string {
	var faults []string
	for _, s := range all {
		from := find(plan, s.dir)
		if from == nil {
			faults = append(faults, fmt.Sprintf("%s: package %s is not on the floor plan", s.path, s.dir))
			continue
		}
		if slices.Contains(junkDrawers, strings.TrimSuffix(s.tree.Name.Name, "_test")) {
			faults = append(faults, fmt.Sprintf("%s: %s is no name for a package", s.path, s.tree.Name.Name))
		}
		for _, imported := range s.imports() {
			to, ours := folder(imported)
			if ours && !mayImport(plan, s, *from, to) {
				faults = append(faults, fmt.Sprintf("%s: %s may not import %s", s.path, s.dir, to))
			}
		}
	}
	return faults
}

func mayImport(plan []room, s source, from room, to string) bool {
	switch {
	case s.isTest() && (from.house == yard || to == "internal/testtool"):
		return true
	case !s.isExternalTest():
		return slices.Contains(allowed(plan, from), to)
	case from.house != library:
		return true
	}
	target := find(plan, to)
	return target != nil && target.house == library
}

// folder turns an import path into a folder of this module.
func folder(imported string) (dir string, ours bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// allowed gives the folders a room may import, with short names resolved.
func allowed(plan []room, r room) []string {
	var dirs []string
	for _, name := range strings.Fields(r.may) {
		parent, all := strings.CutSuffix(name, "/*")
		if !all {
			dirs = append(dirs, resolve(plan, name))
			continue
		}
		for _, other := range plan {
			if path.Dir(other.dir) == parent {
				dirs = append(dirs, other.dir)
			}
		}
	}
	return dirs
}

// resolve finds the folder a name in the table stands for.
func resolve(plan []room, name string) string {
	if short := "service/internal/" + name; find(plan, name) == nil && find(plan, short) != nil {
		return short
	}
	return name
}

func find(plan []room, dir string) *room {
	i := slices.IndexFunc(plan, func(r room) bool { return r.dir == dir })
	if i < 0 {
		return nil
	}
	return &plan[i]
}

// shownRow is a row of the floor plan as ARCHITECTURE.md shows it.
type shownRow struct{ dir, may, state string }

// pageFaults holds ARCHITECTURE.md to the plan and to the disk. Its rows read
// | `package` | what it is | imports | state |, between two marks; the state is
// "planned" as long as the folder holds no Go file, and "built" from then on.
// The root, which has no code, has no row there.
func pageFaults(plan []room, page string, all []source) []string {
	state := map[string]string{}
	for _, s := range all {
		state[s.dir] = "built"
	}
	shown, err := pageRows(plan, page)
	if err != nil {
		return []string{err.Error()}
	}
	var faults []string
	for _, want := range plan {
		if want.dir != "." {
			faults = append(faults, rowFaults(want, cmp.Or(state[want.dir], "planned"), shown)...)
		}
	}
	for _, got := range shown {
		if find(plan, got.dir) == nil {
			faults = append(faults, fmt.Sprintf("ARCHITECTURE.md shows %s, which is not on the plan", got.dir))
		}
	}
	return faults
}

// rowFaults compares one row of the plan with what the page shows of it.
func rowFaults(want room, state string, shown []shownRow) []string {
	i := slices.IndexFunc(shown, func(r shownRow) bool { return r.dir == want.dir })
	if i < 0 {
		return []string{fmt.Sprintf("ARCHITECTURE.md does not show %s", want.dir)}
	}
	var faults []string
	if got := shown[i].may; !slices.Equal(strings.Fields(got), strings.Fields(want.may)) {
		faults = append(faults, fmt.Sprintf("ARCHITECTURE.md: %s imports %q, the plan says %q", want.dir, got, want.may))
	}
	if got := shown[i].state; got != state {
		faults = append(faults, fmt.Sprintf("ARCHITECTURE.md: %s is shown as %q and is %s", want.dir, got, state))
	}
	return faults
}

func pageRows(plan []room, page string) ([]shownRow, error) {
	_, rest, begun := strings.Cut(page, "<!-- floor plan -->")
	table, _, ended := strings.Cut(rest, "<!-- end of floor plan -->")
	if !begun || !ended {
		return nil, errors.New("ARCHITECTURE.md has no marked floor plan")
	}
	var rows []shownRow
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 || !strings.HasPrefix(strings.TrimSpace(cells[0]), "`") {
			continue
		}
		rows = append(rows, shownRow{
			dir:   resolve(plan, strings.Trim(cells[0], " `")),
			may:   strings.Trim(cells[2], " –"),
			state: strings.TrimSpace(cells[3]),
		})
	}
	return rows, nil
}
