package export

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// plainName matches texts that are used as names of files and folders.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// folderName returns the name of an organisation's folder: its VAT number and id.
func folderName(o org.Organisation) string {
	if plainName.MatchString(o.VATNumber) {
		return o.VATNumber + "-" + o.ID.String()
	}
	return o.ID.String()
}

// seller is an organisation whose folder is being written.
type seller struct {
	*exporting
	dir       string // relative to the export
	index     *table
	chains    *table
	documents int64
	stampers  map[string]bool // certificates in the authority's stamps, base64 of DER
}

// organisation writes the folder of an organisation and returns the number of its
// documents.
func (x *exporting) organisation(ctx context.Context, dir string, o selected, devices map[uuid.UUID]store.KeptDevice) (n int64, err error) {
	s := &seller{exporting: x, dir: dir, stampers: map[string]bool{}}
	if s.index, err = x.table(path.Join(dir, "index.csv"), indexColumns); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.index.close()) }()
	if s.chains, err = x.table(path.Join(dir, "chains.csv"), chainColumns); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.chains.close()) }()
	for _, r := range o.ranges {
		d, known := devices[r.Device]
		if !known || d.Organisation != o.ID {
			return 0, fmt.Errorf("organisation %s has documents of device %s, which it does not have: run khatm audit", o.ID, r.Device)
		}
		if err := s.device(ctx, d, r); err != nil {
			return 0, err
		}
	}
	for n, text := range slices.Sorted(maps.Keys(s.stampers)) {
		der, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return 0, fmt.Errorf("read the certificate of the authority's stamp: %w", err)
		}
		if err := s.certificate(fmt.Sprintf("authority-%d", n+1), der); err != nil {
			return 0, err
		}
	}
	return s.documents, errors.Join(s.index.finish(), s.chains.finish())
}

// device writes the certificates and the documents of a device.
func (s *seller) device(ctx context.Context, d store.KeptDevice, in store.IssuedRange) error {
	for n, token := range d.Tokens {
		if err := s.certificate(fmt.Sprintf("%s-%d", d.ID, n+1), store.CertificateOf(token)); err != nil {
			return err
		}
	}
	c := &chain{seller: s, device: d, next: in.First}
	if err := s.kept.Issued(ctx, d.Organisation, in, func(one store.Issued) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.enter(ctx, one.Counter); err != nil {
			return err
		}
		s.documents++
		s.done++
		if s.Progress != nil {
			s.Progress(s.done, s.total)
		}
		return s.document(one)
	}); err != nil {
		return err
	}
	return c.end()
}

func (s *seller) certificate(name string, der []byte) error {
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	_, err := s.folder.write(path.Join(s.dir, "certificates", name+".pem"), text)
	return err
}

// noteStamper remembers the certificate in the stamp of a document.
func (s *seller) noteStamper(stamped []byte) {
	_, rest, _ := bytes.Cut(stamped, []byte("<ds:X509Certificate>"))
	text, _, found := bytes.Cut(rest, []byte("</ds:X509Certificate>"))
	if found {
		s.stampers[string(text)] = true
	}
}
