package main

import (
	"fmt"
	"os"
	"strings"
)

// notes returns the section of the changelog about the release.
func (r *release) notes() (string, error) {
	page, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return "", err
	}
	name := "Unreleased"
	if r.isRelease() {
		name = strings.TrimPrefix(r.version, "v")
	}
	return section(string(page), name)
}

// section returns a section of a page in the form of Keep a Changelog, with its
// heading.
func section(page, name string) (string, error) {
	found := ""
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "## ["+name+"]"):
			found = line
		case found != "" && (strings.HasPrefix(line, "## ") || isReference(line)):
			return strings.TrimRight(found, "\n") + "\n", nil
		case found != "":
			found += line
		}
	}
	if found == "" {
		return "", fmt.Errorf("CHANGELOG.md has no section ## [%s]: rename the section [Unreleased], add the date and a new section [Unreleased]", name)
	}
	return strings.TrimRight(found, "\n") + "\n", nil
}

// isReference reports whether a line defines a link, such as those at the end of a
// changelog.
func isReference(line string) bool {
	return strings.HasPrefix(line, "[") && strings.Contains(line, "]: ")
}
