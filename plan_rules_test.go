package khatm_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// importable maps each layer to the layers that it may import. In addition,
// every layer but the library may import testtool.
var importable = map[layer][]layer{
	library:   {library},
	service:   {library, service},
	simulator: {library, simulator},
	command:   {library, service, simulator, command},
}

// testtool is the package that every test may import.
const testtool = "internal/testtool"

// vagueNames are package names that do not say what a package does.
var vagueNames = []string{"utils", "common", "models", "types", "helpers", "core"}

// planFaults checks the plan itself, without reading any source file.
func planFaults(plan []row) []string {
	var faults []string
	add := func(format string, args ...any) {
		faults = append(faults, "plan_test.go: "+fmt.Sprintf(format, args...))
	}
	named := map[string]string{} // base name → folder
	for _, r := range plan {
		base := path.Base(r.dir)
		switch first, taken := named[base]; {
		case taken && first == r.dir:
			add("%s has two rows; remove one", r.dir)
		case taken:
			add("%s and %s have the same base name; rename one of them", first, r.dir)
		}
		named[base] = r.dir
		if slices.Contains(vagueNames, base) {
			add("%s: rename %s after what the package is", r.dir, base)
		}
		for _, name := range strings.Fields(r.imports) {
			if to := findName(plan, name); to == nil {
				add("%s may import %s, which has no row; remove %s from the row of %s", r.dir, name, name, base)
			} else if !layerAllows(r, *to) {
				add("the %s layer may not import %s; remove %s from the row of %s", r.layer, to.dir, name, base)
			}
		}
	}
	if cycle := cycleIn(plan); cycle != nil {
		add("the rows form a cycle of imports, remove one of them: %s", strings.Join(cycle, " → "))
	}
	return faults
}

// layerAllows reports whether the layers of two packages allow the import.
func layerAllows(from, to row) bool {
	return slices.Contains(importable[from.layer], to.layer) || to.dir == testtool && from.layer != library
}

// cycleIn returns the names along one cycle of allowed imports, or nil.
func cycleIn(plan []row) []string {
	done := map[string]bool{}
	var visit func(name string, way []string) []string
	visit = func(name string, way []string) []string {
		if i := slices.Index(way, name); i >= 0 {
			return append(way[i:], name)
		}
		r := findName(plan, name)
		if r == nil || done[name] {
			return nil
		}
		for _, to := range strings.Fields(r.imports) {
			if cycle := visit(to, append(slices.Clone(way), name)); cycle != nil {
				return cycle
			}
		}
		done[name] = true
		return nil
	}
	for _, r := range plan {
		if cycle := visit(path.Base(r.dir), nil); cycle != nil {
			return cycle
		}
	}
	return nil
}

// importFaults reports packages without a row and imports that the plan does
// not allow.
func importFaults(plan []row, all []source) []string {
	var faults []string
	for _, s := range all {
		from := find(plan, s.dir)
		if from == nil {
			faults = append(faults, fmt.Sprintf("%s: package %s has no row; add one to plan_test.go", s.path, s.dir))
			continue
		}
		if name := strings.TrimSuffix(s.tree.Name.Name, "_test"); slices.Contains(vagueNames, name) {
			faults = append(faults, fmt.Sprintf("%s: rename package %s after what it is", s.path, name))
		}
		for _, imported := range s.imports() {
			if to, ours := folder(imported); ours {
				if advice := refusal(plan, s, *from, to); advice != "" {
					faults = append(faults, fmt.Sprintf("%s imports %s; %s", s.path, imported, advice))
				}
			}
		}
	}
	return faults
}

// refusal returns advice about an import that the plan does not allow, and "" for
// an allowed import.
//
// Non-test files and internal test files may import what their row lists. External
// tests of a library package may import any library package: seal is tested with
// witness, which seal must not import. External tests of the other layers, and all
// tests of the command layer, may import anything.
func refusal(plan []row, s source, from row, to string) string {
	target := find(plan, to)
	switch {
	case s.isTest() && (from.layer == command || to == testtool):
		return ""
	case s.isExternalTest() && from.layer != library:
		return ""
	case target == nil:
		return fmt.Sprintf("%s has no row in plan_test.go: remove the import", to)
	case !layerAllows(from, *target):
		return fmt.Sprintf("the %s layer may not import the %s layer: remove the import", from.layer, target.layer)
	case s.isExternalTest() || slices.Contains(strings.Fields(from.imports), path.Base(to)):
		return ""
	}
	return fmt.Sprintf("add %s to the row of %s in plan_test.go or remove the import", path.Base(to), path.Base(from.dir))
}

// unusedFaults reports rows without a package, and allowed imports that no non-test
// file of the package uses.
func unusedFaults(plan []row, all []source) []string {
	exists, used := map[string]bool{}, map[[2]string]bool{}
	for _, s := range all {
		exists[s.dir] = true
		for _, imported := range s.imports() {
			if to, ours := folder(imported); ours && !s.isTest() {
				used[[2]string{s.dir, path.Base(to)}] = true
			}
		}
	}
	var faults []string
	for _, r := range plan {
		if !exists[r.dir] {
			faults = append(faults, fmt.Sprintf("plan_test.go: %s has no Go files; remove its row", r.dir))
			continue
		}
		for _, name := range strings.Fields(r.imports) {
			if !used[[2]string{r.dir, name}] {
				faults = append(faults, fmt.Sprintf("plan_test.go: no non-test file of %s imports %s; remove %s from the row of %s",
					r.dir, name, name, path.Base(r.dir)))
			}
		}
	}
	return faults
}

// folder returns the folder of an import path, and whether it is in this module.
func folder(imported string) (dir string, ours bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// find returns the row of a folder, or nil.
func find(plan []row, dir string) *row {
	return findFunc(plan, func(r row) bool { return r.dir == dir })
}

// findName returns the row of a package by its base name, or nil.
func findName(plan []row, name string) *row {
	return findFunc(plan, func(r row) bool { return path.Base(r.dir) == name })
}

func findFunc(plan []row, match func(row) bool) *row {
	i := slices.IndexFunc(plan, match)
	if i < 0 {
		return nil
	}
	return &plan[i]
}
