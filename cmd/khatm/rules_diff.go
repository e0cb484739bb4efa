package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"khatm/rules/sheet"
)

// diffRules compares the rule sheets of two kits.
type diffRules struct {
	Old  string `arg:"" help:"Folder of the older kit, or one of its sheets (.sch, .xsl)."`
	New  string `arg:"" help:"Folder of the newer kit, or one of its sheets."`
	JSON bool   `help:"Print JSON, one object per line."`
}

// Run prints the differences. The exit code is 0 if there are none, 1 if there
// are some, and 2 if a kit cannot be read.
func (d diffRules) Run(console *console) error {
	var kits [2]sheet.Kit
	for i, path := range []string{d.Old, d.New} {
		kit, err := readKit(path)
		if err != nil {
			fmt.Fprintln(console.err, "khatm:", err)
			return someUnreadable
		}
		kits[i] = kit
	}
	changes := sheet.Compare(kits[0], kits[1])
	if err := d.print(console.out, kits, changes); err != nil {
		return err
	}
	if len(changes) > 0 {
		return someFailed
	}
	return nil
}

// readKit reads a sheet, or all sheets below a folder.
func readKit(path string) (sheet.Kit, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w; give a folder or a sheet of the authority's kit", err)
	}
	kit := sheet.Kit{}
	if info.IsDir() {
		kit, err = sheet.Open(os.DirFS(path))
	} else {
		err = addSheet(kit, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(kit) == 0 {
		return nil, fmt.Errorf("%s: contains no rules; give a folder or a sheet (.sch, .xsl) of the authority's kit", path)
	}
	return kit, nil
}

func addSheet(kit sheet.Kit, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return kit.Add(file)
}

func (d diffRules) print(out io.Writer, kits [2]sheet.Kit, changes []sheet.Change) error {
	if d.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		for _, c := range changes {
			if err := encoder.Encode(c); err != nil {
				return err
			}
		}
		return nil
	}
	counts := map[sheet.Kind]int{}
	var text strings.Builder
	for _, c := range changes {
		counts[c.Kind]++
		fmt.Fprintf(&text, "%s: %s\n", c.ID, c.Kind)
		if c.Kind != sheet.Added {
			fmt.Fprintf(&text, "  - %s\n", c.Old)
		}
		if c.Kind != sheet.Removed {
			fmt.Fprintf(&text, "  + %s\n", c.New)
		}
	}
	fmt.Fprintf(&text, "%d rules, then %d: %d added, %d removed; %d severities, %d texts and %d conditions changed\n",
		len(kits[0]), len(kits[1]), counts[sheet.Added], counts[sheet.Removed], counts[sheet.Severity], counts[sheet.Text], counts[sheet.Condition])
	_, err := io.WriteString(out, text.String())
	return err
}
