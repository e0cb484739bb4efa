package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
)

// demoCredentials is what a program needs to play with the demo, as it stands
// in credentials.json.
type demoCredentials struct {
	BaseURL      string           `json:"base_url"`
	PublicURL    string           `json:"public_url"`
	AppURL       string           `json:"app_url"`
	Organisation demoOrganisation `json:"organisation"`
	Admin        demoAdmin        `json:"admin"`
	Keys         demoKeys         `json:"keys"`
	Devices      []demoDevice     `json:"devices"`
	Buyers       demoBuyers       `json:"buyers"`
	Items        demoItems        `json:"items"`
	Reasons      demoReasons      `json:"reasons"`
	Other        demoOther        `json:"other_organisation"`
}

type demoOrganisation struct {
	UUID uuid.UUID `json:"uuid"`
	Name string    `json:"name"`
}

type demoAdmin struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

type demoKeys struct {
	ViewInvoice   string `json:"ViewInvoice"`
	CreateInvoice string `json:"CreateInvoice"`
	Accountant    string `json:"Accountant"`
}

type demoDevice struct {
	ID     uuid.UUID `json:"device_id"`
	Seller uuid.UUID `json:"seller_id"`
	Type   string    `json:"invoice_type"`
	Status string    `json:"device_status"`
}

type demoBuyers struct {
	WithVAT    uuid.UUID `json:"with_vat"`
	WithoutVAT uuid.UUID `json:"without_vat"`
	Foreign    uuid.UUID `json:"foreign"`
}

type demoItems struct {
	Unlimited uuid.UUID `json:"unlimited"`
	Limited   uuid.UUID `json:"limited_stock"`
}

type demoReasons struct {
	Active   uuid.UUID `json:"active"`
	Inactive uuid.UUID `json:"inactive"`
}

type demoOther struct {
	UUID uuid.UUID `json:"uuid"`
	Key  string    `json:"key"`
}

// demoKept is what a second start must know.
type demoKept struct {
	demoCredentials
	Settled   bool                 `json:"settled"`   // the company is registered and its devices can issue
	Documents map[string]uuid.UUID `json:"documents"` // those it has issued, by what they show
}

// demoFolder is the folder of the demo.
type demoFolder struct {
	path        string
	credentials string // file
	kept        demoKept
}

// demoFile marks the folder as one of the demo and keeps what it must know.
const demoFile = "demo.json"

// openDemoFolder looks at a folder and changes nothing.
func openDemoFolder(ctx context.Context, path, credentials string) (*demoFolder, error) {
	f := &demoFolder{path: path, credentials: credentials}
	if credentials == "" {
		f.credentials = filepath.Join(path, "credentials.json")
	} else if info, err := os.Stat(filepath.Dir(credentials)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--credentials %s: there is no folder %s", credentials, filepath.Dir(credentials))
	}
	if _, runs := findEmbedded(ctx, path); runs {
		return nil, fmt.Errorf("a server runs on %s already: use that one (its addresses are in %s), stop it, or name another folder with --data", path, f.credentials)
	}
	text, err := os.ReadFile(filepath.Join(path, demoFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, f.empty()
	case err != nil:
		return nil, fmt.Errorf("%s cannot be the folder of the demo: %w", path, err)
	}
	if err := json.Unmarshal(text, &f.kept); err != nil {
		return nil, fmt.Errorf("read %s: %w; remove the folder and start again", filepath.Join(path, demoFile), err)
	}
	return f, nil
}

// empty refuses a folder that is in use for something else.
func (f *demoFolder) empty() error {
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be the folder of the demo: %w", f.path, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty and no folder of the demo: name a new one with --data", f.path)
	}
	return nil
}

// occupy makes the folder, and notes where it is served now.
func (f *demoFolder) occupy(url string) error {
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return fmt.Errorf("make the folder of the demo: %w", err)
	}
	f.kept.BaseURL, f.kept.PublicURL, f.kept.AppURL = url+"/v1", url+"/v1-3", url
	return f.save()
}

// save keeps what a second start must know, and what programs want to know.
func (f *demoFolder) save() error {
	return writeJSON(filepath.Join(f.path, demoFile), f.kept)
}

func writeJSON(path string, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return replaceFile(path, text.Bytes())
}
