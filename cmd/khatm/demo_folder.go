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

// demoCredentials is the content of credentials.json: what a program needs to use
// the demo.
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

// demoKept is the state that the demo stores between starts, in demo.json.
type demoKept struct {
	demoCredentials
	NameArabic string               `json:"name_arabic"` // of the company
	Terms      uuid.UUID            `json:"terms"`       // reason whose description is the payment terms of invoices
	Goods      demoGoods            `json:"goods"`       // items of the first invoice
	Settled    bool                 `json:"settled"`     // the company is registered and its devices can issue
	Documents  map[string]uuid.UUID `json:"documents"`   // the documents it has issued, by what they demonstrate
}

type demoGoods struct {
	Beans    uuid.UUID `json:"beans"`
	Grinder  uuid.UUID `json:"grinder"`
	Training uuid.UUID `json:"training"`
}

// demoFolder is the data folder of the demo.
type demoFolder struct {
	path        string
	credentials string // path of the credentials file
	kept        demoKept
}

// demoFile stores the state of the demo and marks a folder as its data folder.
const demoFile = "demo.json"

// openDemoFolder reads the state in a folder. It changes nothing.
func openDemoFolder(ctx context.Context, path, credentials string) (*demoFolder, error) {
	f := &demoFolder{path: path, credentials: credentials}
	if credentials == "" {
		f.credentials = filepath.Join(path, "credentials.json")
	} else if info, err := os.Stat(filepath.Dir(credentials)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--credentials %s: folder %s does not exist", credentials, filepath.Dir(credentials))
	}
	if _, runs := findEmbedded(ctx, path); runs {
		return nil, fmt.Errorf("a server is already running on %s: use it (its addresses are in %s), stop it, or choose another folder with --data", path, f.credentials)
	}
	text, err := os.ReadFile(filepath.Join(path, demoFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, f.checkEmpty()
	case err != nil:
		return nil, fmt.Errorf("%s cannot be the data folder of the demo: %w", path, err)
	}
	if err := json.Unmarshal(text, &f.kept); err != nil {
		return nil, fmt.Errorf("read %s: %w; remove the folder and start again", filepath.Join(path, demoFile), err)
	}
	return f, nil
}

// checkEmpty returns an error if the folder has other content.
func (f *demoFolder) checkEmpty() error {
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be the data folder of the demo: %w", f.path, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty and not a data folder of the demo: choose a new folder with --data", f.path)
	}
	return nil
}

// create creates the folder and saves the address that the demo serves now.
func (f *demoFolder) create(url string) error {
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return fmt.Errorf("create the data folder of the demo: %w", err)
	}
	f.kept.BaseURL, f.kept.PublicURL, f.kept.AppURL = url+"/v1", url+"/v1-3", url
	return f.save()
}

// save writes the state to the folder.
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
