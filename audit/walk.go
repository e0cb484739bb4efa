package audit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/google/uuid"

	"khatm/witness"
)

// Walk audits all data of a source. It returns an error if the data cannot be
// read; everything that is wrong with the data is a fault in the report.
func Walk(ctx context.Context, source Source, options Options) (report *Report, err error) {
	if options.Workers <= 0 {
		options.Workers = runtime.GOMAXPROCS(0)
	}
	if options.Progress == nil {
		options.Progress = func(int64, int64) {}
	}
	w := newWalk(source, options)
	defer func() { err = errors.Join(err, w.close()) }()
	steps := []func(context.Context) error{
		w.takeDevices, w.takeClients, w.takeDocuments, w.takeTrail, w.judgeUsage, w.takeAuthority,
		w.takeNumberGaps, w.judgeNumbers, w.judgePlaces, w.judgeKeys, w.judgeFacts,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
	}
	if w.gaps > 0 {
		w.report.remark("documents that were issued but are not in the store, as declared when it was recovered: %d", w.gaps)
	}
	if w.released > 0 {
		w.report.remark("documents dated before their predecessor, which an operator declared to be dated in the future: %d", w.released)
	}
	if w.unstamped > 0 {
		w.report.remark("documents recorded as CLEARED without the authority's stamp: %d", w.unstamped)
	}
	return w.report, nil
}

// walk is the state of an audit.
type walk struct {
	source  Source
	options Options
	report  *Report

	devices []*unit
	byID    map[uuid.UUID]*unit
	byName  map[string]uint32 // indexes of devices by their name at the authority

	total, done int64
	gaps        int64                // documents declared to be missing
	released    int64                // documents after a declared release
	unstamped   int64                // documents recorded as cleared without the authority's stamp
	months      map[month]int64      // documents issued
	series      map[seriesKey]string // the text before the number
	skipped     map[seriesKey][]NumberGap
	requests    map[uint32]*deviceRequests

	facts     *sorter // of documents
	positions *sorter // in chains, as the authority saw them
	numbers   *sorter
	keys      *sorter // Idempotency-Keys
}

func newWalk(source Source, options Options) *walk {
	sorted := func(size int) *sorter { return &sorter{size: size, scratch: options.Scratch} }
	return &walk{
		source: source, options: options, report: &Report{lines: map[uuid.UUID]*Line{}},
		byID: map[uuid.UUID]*unit{}, byName: map[string]uint32{},
		months: map[month]int64{}, series: map[seriesKey]string{}, skipped: map[seriesKey][]NumberGap{}, requests: map[uint32]*deviceRequests{},
		facts: sorted(factSize), positions: sorted(positionSize), numbers: sorted(numberSize), keys: sorted(keySize),
	}
}

func (w *walk) close() error {
	var all error
	for _, s := range []*sorter{w.facts, w.positions, w.numbers, w.keys} {
		all = errors.Join(all, s.close())
	}
	return all
}

// unit is a device with its parsed certificates.
type unit struct {
	Device
	place        uint32 // index in the list
	certificates []*witness.Certificate
	names        []uint32 // indexes of the devices with the same names at the authority, mostly only its own
	line         *Line
}

// takeDevices reads the list of devices.
func (w *walk) takeDevices(ctx context.Context) error {
	for d, err := range w.source.Devices(ctx) {
		if err != nil {
			return fmt.Errorf("read the devices: %w", err)
		}
		u := &unit{Device: d, place: uint32(len(w.devices)), line: w.report.line(d)}
		w.devices = append(w.devices, u)
		w.byID[d.ID] = u
		w.total += d.Counter
		for _, der := range d.Certificates {
			c, err := witness.ReadCertificate(der)
			if err != nil {
				w.report.find(Fault{Invariant: DocumentsVerify, Organisation: d.Organisation, Device: d.ID, Text: fmt.Sprintf("a certificate of the device cannot be read: %v", err)})
				continue
			}
			u.certificates = append(u.certificates, c)
			w.name(u, c.VATNumber+" "+c.DeviceSerial)
		}
	}
	return nil
}

// name records a name under which the authority knows a device. Two devices of
// one taxpayer may share a name, and then the name does not tell them apart.
func (w *walk) name(u *unit, name string) {
	if _, taken := w.byName[name]; !taken {
		w.byName[name] = u.place
	}
	if at := w.byName[name]; !slices.Contains(u.names, at) {
		u.names = append(u.names, at)
	}
}
