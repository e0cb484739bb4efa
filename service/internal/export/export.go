package export

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// Config configures an export.
type Config struct {
	Store        *store.Store
	From, To     string    // first and last issue date, YYYY-MM-DD
	Organisation uuid.UUID // uuid.Nil for all that issued documents in the period
	Program      string    // version of this program
	Now          func() time.Time
	Progress     func(done, total int64) // may be nil
}

// Result describes a complete export.
type Result struct {
	Organisations int
	Documents     int64
	Digest        string // SHA-256 of the manifest, in hexadecimal
}

// The files at the top of an export.
const (
	manifestFile = "manifest.sha256"
	contentsFile = "export.json"
)

var (
	//go:embed verify.sh
	verifier []byte
	//go:embed README.txt
	readme []byte
)

// format is the version of the layout.
const format = 1

// contents is the content of contentsFile.
type contents struct {
	Format        int            `json:"format"`
	From          string         `json:"from"`
	To            string         `json:"to"`
	CreatedAt     string         `json:"created_at"`
	Program       string         `json:"program"`
	Installation  uuid.UUID      `json:"installation"`
	Environment   string         `json:"environment"`
	Organisations []organisation `json:"organisations"`
}

// organisation is an organisation in contentsFile.
type organisation struct {
	ID         uuid.UUID `json:"id"`
	Name       string    `json:"name"`
	NameArabic string    `json:"name_arabic"`
	VATNumber  string    `json:"vat_number"`
	Folder     string    `json:"folder"`
	Documents  int64     `json:"documents"`
}

// Write writes an export into a folder, which must be empty or not exist. Only a
// complete export has a manifest.
func Write(ctx context.Context, c Config, dir string) (r Result, err error) {
	if err := c.check(); err != nil {
		return r, err
	}
	f, err := createFolder(dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	err = c.Store.Snapshot(ctx, func(kept *store.Snapshot) error {
		x := &exporting{Config: c, kept: kept, folder: f}
		r.Organisations, r.Documents, err = x.write(ctx)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Digest, err = f.finish()
	return r, err
}

func (c Config) check() error {
	for _, date := range []string{c.From, c.To} {
		if _, err := time.Parse(time.DateOnly, date); err != nil {
			return fmt.Errorf("%q is not a date such as 2026-01-31", date)
		}
	}
	if c.To < c.From {
		return fmt.Errorf("the period ends on %s, before it begins on %s", c.To, c.From)
	}
	return nil
}

// exporting is the state of an export.
type exporting struct {
	Config
	kept        *store.Snapshot
	folder      *folder
	done, total int64
}

// selected is an organisation to export, with its devices that issued documents.
type selected struct {
	org.Organisation
	ranges []store.IssuedRange
}

func (x *exporting) write(ctx context.Context) (organisations int, documents int64, err error) {
	holds, err := x.kept.Contents(ctx)
	if err != nil {
		return 0, 0, err
	}
	chosen, err := x.selected(ctx)
	if err != nil {
		return 0, 0, err
	}
	all, err := x.kept.AllDevices(ctx)
	if err != nil {
		return 0, 0, err
	}
	devices := map[uuid.UUID]store.KeptDevice{}
	for _, d := range all {
		devices[d.ID] = d
	}
	list := []organisation{}
	for _, o := range chosen {
		one := organisation{ID: o.ID, Name: o.Name, NameArabic: o.NameArabic, VATNumber: o.VATNumber, Folder: folderName(o.Organisation)}
		if one.Documents, err = x.organisation(ctx, one.Folder, o, devices); err != nil {
			return 0, 0, err
		}
		list, documents = append(list, one), documents+one.Documents
	}
	about, err := json.MarshalIndent(contents{
		Format: format, From: x.From, To: x.To, CreatedAt: riyadh(x.Now()), Program: x.Program,
		Installation: holds.Installation, Environment: holds.Environment, Organisations: list,
	}, "", "  ")
	if err != nil {
		return 0, 0, err
	}
	for name, data := range map[string][]byte{contentsFile: append(about, '\n'), "README.txt": readme, "verify.sh": verifier} {
		if _, err := x.folder.write(name, data); err != nil {
			return 0, 0, err
		}
	}
	return len(list), documents, nil
}

// selected returns the organisations to export and counts their documents.
func (x *exporting) selected(ctx context.Context) ([]selected, error) {
	all, err := x.kept.AllOrganisations(ctx)
	if err != nil {
		return nil, err
	}
	var chosen []selected
	for _, o := range all {
		if x.Organisation != uuid.Nil && x.Organisation != o.ID {
			continue
		}
		ranges, err := x.kept.IssuedBetween(ctx, o.ID, x.From, x.To)
		if err != nil {
			return nil, err
		}
		for _, r := range ranges {
			x.total += r.Last - r.First + 1
		}
		if len(ranges) > 0 || x.Organisation == o.ID {
			chosen = append(chosen, selected{o, ranges})
		}
	}
	switch {
	case len(chosen) > 0:
		return chosen, nil
	case x.Organisation != uuid.Nil:
		return nil, fmt.Errorf("there is no organisation %s: khatm org list shows them", x.Organisation)
	}
	return nil, fmt.Errorf("no document was issued from %s to %s", x.From, x.To)
}

// riyadh formats a time in the time zone of issue dates.
func riyadh(t time.Time) string { return t.In(invoice.Riyadh()).Format(time.RFC3339) }
