package khatm_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const contractPage = "docs/contract.md"

// untested maps the sections of the contract that need no test to the reason.
var untested = map[string]string{
	"1": "summarises the other sections",
}

func TestContractSectionsAreTested(t *testing.T) {
	report(t, contractFaults(readContract(t), thisTree(t), untested))
}

func TestContractExamplesAreJSON(t *testing.T) {
	examples := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(readContract(t), -1)
	if len(examples) == 0 {
		t.Errorf("%s has no JSON examples, want at least one", contractPage)
	}
	for _, e := range examples {
		if !json.Valid([]byte(e[1])) {
			t.Errorf("%s: this example is not valid JSON:\n%s", contractPage, e[1])
		}
	}
}

func readContract(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(contractPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// contractFaults compares the sections of the contract with the tests: each
// section without subsections must have a test, and each test must have the number
// of a section in its name.
func contractFaults(page string, all []source, untested map[string]string) []string {
	sections, tests := contractSections(page), contractTests(all)
	var faults []string
	for _, s := range sections {
		_, excused := untested[s]
		_, tested := tests[s]
		switch {
		case excused && tested:
			faults = append(faults, fmt.Sprintf("contract_test.go: section %s has a test now; remove it from untested", s))
		case !excused && !tested && isLeaf(s, sections):
			faults = append(faults, fmt.Sprintf("%s: section %s has no test; add one named %s…", contractPage, s, testPrefix(s)))
		}
	}
	for _, s := range slices.Sorted(maps.Keys(untested)) {
		if !slices.Contains(sections, s) {
			faults = append(faults, fmt.Sprintf("contract_test.go: %s has no section %s; remove it from untested", contractPage, s))
		}
	}
	for _, s := range slices.Sorted(maps.Keys(tests)) {
		if !slices.Contains(sections, s) {
			faults = append(faults, fmt.Sprintf("%s: there is no section %s in %s; add its heading there or correct the name", tests[s], s, contractPage))
		}
	}
	return faults
}

// conventions is the only section without a number.
const conventions = "Conventions"

var contractHeading = regexp.MustCompile(`(?m)^#{2,3} (?:([0-9]+)\. |([0-9]+\.[0-9]+) |(` + conventions + `)$)`)

// contractSections returns the sections of the page by number, such as "4" and
// "4.3".
func contractSections(page string) []string {
	var sections []string
	for _, m := range contractHeading.FindAllStringSubmatch(page, -1) {
		sections = append(sections, m[1]+m[2]+m[3])
	}
	return sections
}

// isLeaf reports whether a section has no subsections.
func isLeaf(section string, sections []string) bool {
	return !slices.ContainsFunc(sections, func(s string) bool { return strings.HasPrefix(s, section+".") })
}

var contractTest = regexp.MustCompile(`^TestInterface_(?:([0-9]+)(?:_([0-9]+))?|(` + conventions + `))_`)

// contractTests returns one test, with its position, for each section that has
// tests. The key of a test without a section number is its name.
func contractTests(all []source) map[string]string {
	tests := map[string]string{}
	for _, s := range all {
		if !s.isTest() {
			continue
		}
		for _, f := range functions(s) {
			name := f.Name.Name
			if f.Recv != nil || !strings.HasPrefix(name, "TestInterface") {
				continue
			}
			section := name
			if m := contractTest.FindStringSubmatch(name); m != nil {
				section = m[1] + m[3]
				if m[2] != "" {
					section += "." + m[2]
				}
			}
			tests[section] = s.at(f.Pos()) + ": " + name
		}
	}
	return tests
}

// testPrefix returns the prefix of the names of a section's tests.
func testPrefix(section string) string {
	return "TestInterface_" + strings.ReplaceAll(section, ".", "_") + "_"
}

func TestContractFaultsAreSeen(t *testing.T) {
	const page = "# Contract\n\n## Conventions\n\n## 4. Endpoints\n\n### 4.1 Invoices\n\n### 4.10 Items\n\n#### 4.10.1 no section\n\n## 6. Events\n"
	const whole = "Conventions_A 4_1_A 4_10_A 6_A"
	cases := []struct {
		name, tests string
		untested    map[string]string
		want        string
	}{
		{"all are tested", whole, nil, ""},
		{"a chapter is tested too", whole + " 4_A", nil, ""},
		{"a section without a test", "Conventions_A 4_1_A 6_A", nil, "docs/contract.md: section 4.10 has no test; add one named TestInterface_4_10_"},
		{"a chapter without sections and test", "Conventions_A 4_1_A 4_10_A", nil, "section 6 has no test"},
		{"conventions without a test", "4_1_A 4_10_A 6_A", nil, "section Conventions has no test"},
		{"a test without a section", whole + " 4_2_A", nil, "a_test.go:6: TestInterface_4_2_A: there is no section 4.2 in docs/contract.md"},
		{"a test of a subsection that does not exist", whole + " 6_1_A", nil, "there is no section 6.1"},
		{"a test without a number", whole + " A", nil, "there is no section TestInterface_A"},
		{"an excused section", "Conventions_A 4_1_A 4_10_A", map[string]string{"6": "says nothing"}, ""},
		{"an excused section with a test", whole, map[string]string{"6": "says nothing"}, "remove it from untested"},
		{"an excused section that is not there", whole, map[string]string{"7": "says nothing"}, "has no section 7"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := "package a\n"
			for name := range strings.FieldsSeq(c.tests) {
				text += "func TestInterface_" + name + "() {}\n"
			}
			wantFault(t, contractFaults(page, madeTree(t, "a_test.go", text), c.untested), c.want)
		})
	}
}
