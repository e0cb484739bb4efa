package admin

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/pdfa"
	"khatm/service/internal/continuity"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/witness"
)

// Continuity tells whether the database has every issued document, and what it
// lacks according to the marks.
type Continuity struct {
	Stopped    bool          `json:"stopped"`           // whether issuing is stopped
	Since      *time.Time    `json:"since,omitempty"`   // when it was stopped
	Reason     string        `json:"reason,omitempty"`  // why it was stopped
	Generation int64         `json:"generation"`        // increases with each recovery
	Marks      bool          `json:"marks"`             // whether there are marks to compare with
	Problem    string        `json:"problem,omitempty"` // why a server would stop issuing
	Missing    []string      `json:"missing"`           // what is in the marks and not in the database
	Trail      string        `json:"trail,omitempty"`   // how the audit trail differs from its head
	Devices    []DeviceChain `json:"devices"`
}

// DeviceChain is the end of the chain of a device.
type DeviceChain struct {
	Organisation     uuid.UUID `json:"organisation"`
	OrganisationName string    `json:"organisation_name"`
	Device           uuid.UUID `json:"device"`
	Name             string    `json:"name"`
	Database         int64     `json:"database"` // counter of the last document
	Marks            int64     `json:"marks"`    // counter in the marks; 0 for none
}

// ShowContinuity compares the database with the marks in the given folders. It
// changes nothing.
func (a *Admin) ShowContinuity(ctx context.Context, marks []string) (Continuity, error) {
	seen, err := a.survey(ctx, marks)
	if err != nil {
		return Continuity{}, err
	}
	state := seen.facts.State
	c := Continuity{Stopped: state.Stopped(), Reason: state.Reason, Generation: state.Generation, Problem: seen.facts.Judge(), Marks: seen.facts.Marks != nil, Missing: []string{}, Devices: []DeviceChain{}}
	if c.Stopped {
		at := riyadh(state.StoppedAt)
		c.Since = &at
	}
	for _, d := range seen.facts.Differences {
		c.Missing = append(c.Missing, d.String())
	}
	if seen.facts.Trail != nil {
		c.Trail = seen.facts.Trail.Error()
	}
	for _, d := range seen.devices {
		one := DeviceChain{Organisation: d.Organisation, OrganisationName: seen.names[d.Organisation].name, Device: d.Device, Name: d.Name, Database: d.End.Counter}
		if seen.facts.Marks != nil {
			one.Marks = seen.facts.Marks.Books[d.Organisation].Devices[d.Device].Counter
		}
		c.Devices = append(c.Devices, one)
	}
	return c, nil
}

// Recovery is the operator's evidence about missing documents.
type Recovery struct {
	Marks     []string // folders of marks
	Complete  bool     // the operator confirms that nothing is missing
	Last      []LastDocument
	Numbers   []string // last numbers, as INV-2026-000123 or ORGANISATION=INV-2026-000123
	Unchanged []string // devices without missing documents
	Retired   []string // devices to retire, whose chain ends
}

// LastDocument is the last document of a device.
type LastDocument struct {
	Device string // empty for the device that stamped it
	Name   string // file name
	Data   []byte // XML, or a PDF with embedded XML
}

// Recovered is the result of a recovery.
type Recovered struct {
	Gaps     []string `json:"gaps"`     // counters recorded as missing
	Numbers  []string `json:"numbers"`  // numbers recorded as missing
	Prefixes []string `json:"prefixes"` // new number prefixes of organisations
	Retired  []string `json:"retired"`  // retired devices
}

// ErrNothingToRecover is the error of Recover if issuing is not stopped.
var ErrNothingToRecover = errors.New("nothing to recover: issuing is not stopped")

// Recover resumes issuing if the operator's evidence accounts for every missing
// document. Otherwise it changes nothing, and the error lists what is not
// accounted for.
func (a *Admin) Recover(ctx context.Context, r Recovery) (Recovered, error) {
	seen, plan, err := a.plan(ctx, r)
	if err != nil {
		return Recovered{}, err
	}
	if !seen.facts.State.Stopped() {
		reason := seen.facts.Judge()
		if reason == "" && len(plan.Gaps)+len(plan.Numbers)+len(plan.Retired) == 0 {
			return Recovered{}, ErrNothingToRecover
		}
		// No server has stopped issuing. Servers must not issue between the plan
		// and the recovery, so stop them and plan again.
		if err := a.store.StopIssuing(ctx, cmp.Or(reason, "the operator runs khatm recover")); err != nil {
			return Recovered{}, err
		}
		if seen, plan, err = a.plan(ctx, r); err != nil {
			return Recovered{}, err
		}
	}
	plan.Generation = max(plan.Generation, seen.head.Generation+1)
	ring, err := a.ring(ctx)
	if err != nil {
		return Recovered{}, err
	}
	end, err := a.store.TrailEnd(ctx)
	if err != nil {
		return Recovered{}, err
	}
	if plan.TrailHead, err = continuity.SealHead(org.TrailHead{Link: end, Generation: plan.Generation}, ring.Seal); err != nil {
		return Recovered{}, err
	}
	if err := a.store.Recover(ctx, a.by(org.Tenant{}), plan); err != nil {
		return Recovered{}, err
	}
	return recoveredOf(plan), a.replaceHead(ctx, ring, org.TrailHead{Link: end, Generation: plan.Generation})
}

// plan computes a recovery from the operator's evidence.
func (a *Admin) plan(ctx context.Context, r Recovery) (*survey, continuity.Recovery, error) {
	seen, err := a.survey(ctx, r.Marks)
	if err != nil {
		return nil, continuity.Recovery{}, err
	}
	evidence, err := seen.evidence(ctx, r)
	if err != nil {
		return nil, continuity.Recovery{}, err
	}
	plan, err := continuity.Plan(seen.facts, seen.books, seen.devices, evidence)
	return seen, plan, err
}

func recoveredOf(p continuity.Recovery) Recovered {
	r := Recovered{Gaps: []string{}, Numbers: []string{}, Prefixes: []string{}, Retired: []string{}}
	for _, g := range p.Gaps {
		r.Gaps = append(r.Gaps, fmt.Sprintf("device %s: counters %d to %d", g.Device, g.First, g.Last))
	}
	for _, n := range p.Numbers {
		if n.First == 0 {
			r.Prefixes = append(r.Prefixes, fmt.Sprintf("organisation %s: new prefix %s", n.Organisation, n.To.Prefix))
			continue
		}
		r.Numbers = append(r.Numbers, fmt.Sprintf("organisation %s: %s%06d to %06d", n.Organisation, n.To.Series(), n.First, n.To.Last))
	}
	for _, d := range p.Retired {
		r.Retired = append(r.Retired, d.Device.String())
	}
	return r
}

// survey is the state of the installation that a recovery depends on.
type survey struct {
	facts   continuity.Facts
	books   continuity.Books
	devices []continuity.Device
	tokens  map[uuid.UUID][][]byte // certificates of a device, as DER
	names   map[uuid.UUID]seller
	head    org.TrailHead
}

type seller struct{ name, vat string }

func (a *Admin) survey(ctx context.Context, folders []string) (*survey, error) {
	s := &survey{tokens: map[uuid.UUID][][]byte{}, names: map[uuid.UUID]seller{}}
	marks, err := a.readMarks(ctx, folders)
	if err != nil {
		return nil, err
	}
	if s.facts, s.books, err = continuity.Gather(ctx, a.store, marks); err != nil {
		return nil, err
	}
	if s.head, s.facts.Trail, err = a.checkHead(ctx); err != nil {
		return nil, err
	}
	err = a.eachOrganisation(ctx, func(o org.Organisation) error {
		s.names[o.ID] = seller{o.Name, o.VATNumber}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, a.store.Snapshot(ctx, func(p *store.Snapshot) error {
		all, err := p.AllDevices(ctx)
		for _, d := range all {
			if d.Retired {
				continue
			}
			s.devices = append(s.devices, continuity.Device{
				DeviceID: continuity.DeviceID{Organisation: d.Organisation, Device: d.ID}, Name: d.CommonName, Pending: !d.CanIssue(),
				End: continuity.End{Counter: d.Counter, Hash: d.LastHash}, IssuedAt: d.LastIssuedAt,
			})
			for _, token := range d.Tokens {
				s.tokens[d.ID] = append(s.tokens[d.ID], store.CertificateOf(token))
			}
		}
		return err
	})
}

// readMarks reads and joins the marks of this installation in the given folders.
func (a *Admin) readMarks(ctx context.Context, folders []string) (*continuity.Record, error) {
	installation, err := a.store.Installation(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range folders {
		paths = append(paths, filepath.Join(f, installation.String()))
	}
	return continuity.ReadMarks(paths...)
}

// checkHead compares the audit trail with its head outside the database. broken is
// not nil if they differ or the head is invalid.
func (a *Admin) checkHead(ctx context.Context) (head org.TrailHead, broken, err error) {
	sealed, err := a.head(ctx)
	if err != nil || sealed == nil {
		return head, nil, err
	}
	if head, broken, err = a.unsealHead(ctx, sealed); broken != nil || err != nil {
		return head, broken, err
	}
	err = a.store.CheckTrail(ctx, head.Link)
	if errors.Is(err, org.ErrTrailBroken) {
		return head, err, nil
	}
	return head, nil, err
}

// evidence parses and verifies the operator's evidence.
func (s *survey) evidence(ctx context.Context, r Recovery) (continuity.Evidence, error) {
	e := continuity.Evidence{Complete: r.Complete, Numbers: map[uuid.UUID]map[string]continuity.Number{}}
	var problems []error
	for _, file := range r.Last {
		last, err := s.last(ctx, file)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", file.Name, err))
			continue
		}
		e.Last = append(e.Last, last)
	}
	for _, text := range r.Numbers {
		if err := s.number(e.Numbers, text); err != nil {
			problems = append(problems, err)
		}
	}
	ids := func(texts []string) (all []uuid.UUID) {
		for _, text := range texts {
			id, err := uuid.Parse(text)
			if err != nil {
				problems = append(problems, fmt.Errorf("%q is not a device ID: see khatm device list --org ID", text))
			}
			all = append(all, id)
		}
		return all
	}
	e.Unchanged, e.Retired = ids(r.Unchanged), ids(r.Retired)
	return e, errors.Join(problems...)
}

// last verifies a document and finds its device.
func (s *survey) last(ctx context.Context, file LastDocument) (continuity.Last, error) {
	xml, err := invoiceXML(ctx, file.Data)
	if err != nil {
		return continuity.Last{}, err
	}
	report, err := witness.Verify(xml, witness.Expect{RequireStamp: true})
	if err != nil {
		return continuity.Last{}, err
	}
	if len(report.Findings) > 0 {
		return continuity.Last{}, fmt.Errorf("its stamp does not verify: %s", report.Findings[0].Message)
	}
	l := continuity.Last{Hash: report.Hash, PreviousHash: report.PreviousHash}
	if l.Counter, err = strconv.ParseInt(report.Counter, 10, 64); err != nil || l.Counter < 1 {
		return l, fmt.Errorf("its counter is %q, want a number of at least 1", report.Counter)
	}
	if l.IssuedAt, err = time.ParseInLocation(time.DateOnly+"T"+time.TimeOnly, report.IssueDate+"T"+report.IssueTime, riyadh(time.Time{}).Location()); err != nil {
		return l, fmt.Errorf("its issue date and time are invalid: %w", err)
	}
	if l.Device, err = s.deviceOf(file.Device, report); err != nil {
		return l, err
	}
	if l.Number, err = parseNumber(report.Number); err != nil {
		return l, err
	}
	l.Kind, err = s.kindOf(s.ownerOf(l.Device), l.Number)
	return l, err
}

// invoiceXML returns the data, or the XML that is embedded in it if it is a PDF.
func invoiceXML(ctx context.Context, data []byte) ([]byte, error) {
	if !bytes.HasPrefix(bytes.TrimLeft(data, "\xef\xbb\xbf \t\r\n"), []byte("%PDF-")) {
		return data, nil
	}
	files, err := pdfa.Extract(ctx, data, pdfa.Limits{})
	if err != nil {
		return nil, fmt.Errorf("read the PDF: %w", err)
	}
	for _, f := range files {
		if strings.HasSuffix(strings.ToLower(f.Name), ".xml") {
			return f.Data, nil
		}
	}
	return nil, errors.New("the PDF has no embedded XML")
}

// deviceOf returns the device of a document, by the certificate in the stamp. If
// the stamp is the authority's, it returns the device that the operator named, or
// the one whose last document in the marks has the same counter and hash.
func (s *survey) deviceOf(named string, r *witness.Report) (uuid.UUID, error) {
	owner, known := s.stampedBy(r)
	switch {
	case known && named != "" && owner.String() != strings.ToLower(named):
		return uuid.Nil, fmt.Errorf("it was stamped by device %s", owner)
	case known:
		return owner, nil
	case r.Simplified():
		return uuid.Nil, errors.New("its certificate belongs to no device in this database")
	}
	var found []uuid.UUID
	counter, _ := strconv.ParseInt(r.Counter, 10, 64)
	for _, d := range s.devices {
		marked := s.facts.Marks != nil && s.facts.Marks.Books[d.Organisation].Devices[d.Device] == continuity.End{Counter: counter, Hash: r.Hash}
		switch {
		case named != "" && d.Device.String() != strings.ToLower(named):
			continue
		case s.names[d.Organisation].vat != r.SellerVAT:
			if named != "" {
				return uuid.Nil, fmt.Errorf("its seller has the VAT number %s, but the organisation of the device has %s", r.SellerVAT, s.names[d.Organisation].vat)
			}
			continue
		case named != "" || marked:
			found = append(found, d.Device)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case named != "":
		return uuid.Nil, fmt.Errorf("device %s does not exist or is retired", named)
	}
	return uuid.Nil, errors.New("it has the authority's stamp, which does not identify the device: give DEVICE=FILE")
}

// stampedBy returns the device whose certificate is in the stamp, if there is one.
func (s *survey) stampedBy(r *witness.Report) (uuid.UUID, bool) {
	for id, certificates := range s.tokens {
		if r.Certificate != nil && slices.ContainsFunc(certificates, func(der []byte) bool { return bytes.Equal(der, r.Certificate.Raw) }) {
			return id, true
		}
	}
	return uuid.Nil, false
}

func (s *survey) ownerOf(device uuid.UUID) uuid.UUID {
	for _, d := range s.devices {
		if d.Device == device {
			return d.Organisation
		}
	}
	return uuid.Nil
}

// number parses INV-2026-000123, or ORGANISATION=INV-2026-000123 if there are
// several organisations, and adds it to into.
func (s *survey) number(into map[uuid.UUID]map[string]continuity.Number, text string) error {
	of, number, named := strings.Cut(text, "=")
	var organisation uuid.UUID
	var err error
	switch {
	case named:
		if organisation, err = uuid.Parse(of); err != nil {
			return fmt.Errorf("--number %s: %q is not an organisation ID: see khatm org list", text, of)
		}
	case len(s.names) == 1:
		number, organisation = text, slices.Collect(maps.Keys(s.names))[0]
	default:
		return fmt.Errorf("--number %s: there are several organisations: use ORGANISATION=%s", text, text)
	}
	n, err := parseNumber(number)
	if err != nil {
		return err
	}
	kind, err := s.kindOf(organisation, n)
	if err != nil {
		return err
	}
	if into[organisation] == nil {
		into[organisation] = map[string]continuity.Number{}
	}
	into[organisation][kind] = n
	return nil
}

// parseNumber parses a document number such as INV-2026-000123.
func parseNumber(text string) (n continuity.Number, err error) {
	parts := strings.Split(text, "-")
	if k := len(parts); k >= 3 {
		n.Prefix = strings.Join(parts[:k-2], "-")
		n.Year, err = strconv.Atoi(parts[k-2])
		if err == nil {
			n.Last, err = strconv.ParseInt(parts[k-1], 10, 64)
		}
		if err == nil && n.String() == text && n.Last > 0 {
			return n, nil
		}
	}
	return n, fmt.Errorf("%q is not a document number such as INV-2026-000123", text)
}

// kindOf returns the kind of document that a number belongs to, by its prefix.
func (s *survey) kindOf(organisation uuid.UUID, n continuity.Number) (string, error) {
	for _, kind := range continuity.Kinds() {
		prefix := kind
		if used, known := s.books[organisation].Numbers[kind]; known {
			prefix = used.Prefix
		}
		if prefix == n.Prefix {
			return kind, nil
		}
	}
	return "", fmt.Errorf("%s does not begin with a prefix of organisation %s", n, organisation)
}
