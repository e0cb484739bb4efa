// Package sheet reads rule sheets of the tax authority and compares those of two
// kits. A sheet is a Schematron schema (.sch) or the XSLT stylesheet that was
// compiled from it (.xsl).
//
// The package does not evaluate rules; package rules does. It shows what a new
// kit changes, so that package rules can be changed in the same way.
package sheet

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Rule is everything that the sheets of a kit say about one id. A rule may
// consist of several assertions. The lists are sorted and have no duplicates.
type Rule struct {
	Flags []string // error or warning
	Texts []string

	// What the assertions test: context, conditions and variables. Schemas and
	// compiled stylesheets cannot be compared with each other.
	schema, compiled []string
}

// Kit contains the rules of a kit by id.
type Kit map[string]*Rule

// maxSheet limits the size of a sheet. The largest official one has 320 KB.
const maxSheet = 32 << 20

// Open reads all sheets in a file system: the files that end with .sch, .xsl or
// .xslt.
func Open(files fs.FS) (Kit, error) {
	kit := Kit{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !IsSheet(name) {
			return err
		}
		file, err := files.Open(name)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		if err := kit.Add(file); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	return kit, err
}

// IsSheet reports whether a file name is that of a sheet.
func IsSheet(name string) bool {
	return slices.Contains([]string{".sch", ".xsl", ".xslt"}, strings.ToLower(path.Ext(name)))
}

// Add reads a sheet and adds its rules.
func (k Kit) Add(sheet io.Reader) error {
	root, err := parse(io.LimitReader(sheet, maxSheet))
	if err != nil {
		return err
	}
	k.collect(root, scope{variables: map[string]string{}})
	return nil
}

// assertion is one assertion of a sheet.
type assertion struct {
	id, flag, text string
	condition      string
	compiled       bool
}

func (k Kit) add(a assertion) {
	if a.id == "" {
		a.id = "without id: " + a.text
	}
	rule := k[a.id]
	if rule == nil {
		rule = &Rule{}
		k[a.id] = rule
	}
	insert(&rule.Flags, a.flag)
	insert(&rule.Texts, a.text)
	if a.compiled {
		insert(&rule.compiled, a.condition)
	} else {
		insert(&rule.schema, a.condition)
	}
}

// insert adds a text to a sorted list, unless the list contains it.
func insert(list *[]string, text string) {
	if at, found := slices.BinarySearch(*list, text); !found {
		*list = slices.Insert(*list, at, text)
	}
}
