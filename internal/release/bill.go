package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// bill is a software bill of materials in the format of CycloneDX 1.5.
type bill struct {
	Schema      string      `json:"$schema"`
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Ref      string    `json:"bom-ref"`
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licenses []license `json:"licenses,omitempty"`
	URL      string    `json:"purl"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	Expression string `json:"expression"`
}

// writeBill writes the bill of materials: the Go modules of all programs, as the
// linker recorded them, and the packages of the web app.
func (r *release) writeBill() error {
	components := map[string]component{}
	for _, target := range r.targets {
		info, err := buildinfo.ReadFile(r.program(target))
		if err != nil {
			return err
		}
		for _, c := range goComponents(info) {
			components[c.Ref] = c
		}
	}
	lock, err := os.ReadFile(filepath.Join("web", "package-lock.json"))
	if err != nil {
		return err
	}
	packages, err := npmComponents(lock)
	if err != nil {
		return fmt.Errorf("web/package-lock.json: %w", err)
	}
	for _, c := range packages {
		components[c.Ref] = c
	}
	text, err := json.MarshalIndent(newBill(r.version, r.time, components), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, r.file(".cdx.json")), append(text, '\n'), 0o644)
}

func newBill(version string, at time.Time, components map[string]component) bill {
	whole := golang("khatm", version)
	whole.Type, whole.Licenses = "application", []license{{"Apache-2.0"}}
	b := bill{
		Schema: "http://cyclonedx.org/schema/bom-1.5.schema.json", Format: "CycloneDX", SpecVersion: "1.5", Version: 1,
		Metadata: metadata{Timestamp: at.Format(time.RFC3339), Component: whole},
	}
	for _, c := range components {
		b.Components = append(b.Components, c)
	}
	slices.SortFunc(b.Components, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	return b
}

// golang returns the component of a Go module.
func golang(path, version string) component {
	url := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Ref: url, Type: "library", Name: path, Version: version, URL: url}
}

// goComponents returns the modules of a program, and the standard library.
func goComponents(info *buildinfo.BuildInfo) []component {
	all := []component{golang("std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		c := golang(module.Path, module.Version)
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:")); err == nil && len(sum) > 0 {
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
		}
		all = append(all, c)
	}
	return all
}

// npmComponents returns the packages of a package-lock.json that are part of the web
// app, and not only of its development.
func npmComponents(lock []byte) ([]component, error) {
	var read struct {
		Packages map[string]struct {
			Version   string `json:"version"`
			Integrity string `json:"integrity"`
			License   string `json:"license"`
			Dev       bool   `json:"dev"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(lock, &read); err != nil {
		return nil, err
	}
	var all []component
	for path, p := range read.Packages {
		_, name, found := cutLast(path, "node_modules/")
		if !found || p.Dev {
			continue
		}
		url := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		c := component{Ref: url, Type: "library", Name: name, Version: p.Version, URL: url}
		if p.License != "" {
			c.Licenses = []license{{p.License}}
		}
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.Integrity, "sha512-")); err == nil && len(sum) > 0 {
			c.Hashes = []hash{{"SHA-512", hex.EncodeToString(sum)}}
		}
		all = append(all, c)
	}
	return all, nil
}

// cutLast is like strings.Cut at the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}
