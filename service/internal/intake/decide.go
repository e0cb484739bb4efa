package intake

import (
	"crypto/sha256"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
)

// Wanted are the records that a step needs to know: those that may be about the
// same client or item as one of its rows.
type Wanted struct {
	VATNumbers, ClientNames   []string // of clients; names of those without a VAT number
	SKUs, Barcodes, ItemNames []string // of items; names of those without both
	Identities, Codes         [][]byte // of earlier rows of the file
}

// Known are the records that exist.
type Known struct {
	Clients []trade.Client
	Items   []trade.Item
	Rows    map[string]int // numbers of earlier rows by identity
	Codes   map[string]int // numbers of earlier rows by barcode
}

// key returns an identity as it is stored.
func key(identity string) []byte {
	sum := sha256.Sum256([]byte(identity))
	return sum[:16]
}

// Step is a part of a job: some rows and what they would become.
type Step struct {
	job     Job
	Results []Result
	clients []trade.Client // by row, of a job of this kind
	items   []trade.Item
}

// NewStep reads the rows of a step.
func NewStep(job Job, rows []Row) *Step {
	s := &Step{job: job, Results: make([]Result, len(rows)), clients: make([]trade.Client, len(rows)), items: make([]trade.Item, len(rows))}
	for n := range rows {
		r := &s.Results[n]
		r.Row, r.row = rows[n].Number, &rows[n]
		var problems []fault.Problem
		var identity string
		if job.Kind == Items {
			i := &s.items[n]
			i.Active = true
			problems = fillItem(r.row, i)
			r.Name, identity = i.Name, identityOfItem(*i)
			if i.Barcode != "" {
				r.code = key(barcode(*i))
			}
		} else {
			c := &s.clients[n]
			problems = fillClient(r.row, c)
			r.Name, identity = c.Name, identityOfClient(*c)
		}
		r.identity = key(identity)
		if r.row.wrong != nil {
			problems = worded([]fault.Problem{*r.row.wrong})
		}
		if problems != nil {
			r.refuse(problems...)
		}
	}
	return s
}

func (r *Result) refuse(problems ...fault.Problem) {
	r.Fate, r.Problems, r.identity, r.code = Refused, problems, nil, nil
}

func (r *Result) repeat(first int) {
	r.Fate, r.First, r.identity, r.code = Repeated, first, nil, nil
}

// Wanted returns what the step needs to know.
func (s *Step) Wanted() Wanted {
	var w Wanted
	for n := range s.Results {
		r := &s.Results[n]
		if r.Fate != "" {
			continue
		}
		w.Identities = append(w.Identities, r.identity)
		if r.code != nil {
			w.Codes = append(w.Codes, r.code)
		}
		if s.job.Kind == Clients {
			c := &s.clients[n]
			if c.VATNumber != "" {
				w.VATNumbers = append(w.VATNumbers, c.VATNumber)
			} else {
				w.ClientNames = append(w.ClientNames, c.Name)
			}
			continue
		}
		i := &s.items[n]
		if i.SKU != "" {
			w.SKUs = append(w.SKUs, i.SKU)
		}
		if i.Barcode != "" {
			w.Barcodes = append(w.Barcodes, i.Barcode)
		}
		if i.SKU == "" && i.Barcode == "" {
			w.ItemNames = append(w.ItemNames, i.Name)
		}
	}
	return w
}

// Keep sets the fates of rows that were refused or repeated when the file was
// checked. before contains the results of the check.
func (s *Step) Keep(before []Result) {
	checked := map[int]Result{}
	for _, was := range before {
		checked[was.Row] = was
	}
	for n := range s.Results {
		r := &s.Results[n]
		if was := checked[r.Row]; was.Fate == Refused || was.Fate == Repeated {
			r.Fate, r.First, r.Problems, r.identity, r.code = was.Fate, was.First, was.Problems, nil, nil
		}
	}
}

// Decide sets the fates of the rows.
func (s *Step) Decide(known Known) {
	rows, codes := map[string]int{}, map[string]int{}
	for n := range s.Results {
		r := &s.Results[n]
		if r.Fate != "" {
			continue
		}
		first, again := find(string(r.identity), known.Rows, rows)
		other, used := find(string(r.code), known.Codes, codes)
		switch {
		case again:
			r.repeat(first)
			continue
		case used && s.items[n].SKU == "":
			r.repeat(other)
			continue
		case used:
			r.refuse(codeTaken("row"))
			continue
		}
		identity, code := string(r.identity), string(r.code)
		if s.job.Kind == Items {
			s.decideItem(n, known.Items)
		} else {
			s.decideClient(n, known.Clients)
		}
		if r.Fate == Refused {
			continue
		}
		rows[identity] = r.Row
		if code != "" {
			codes[code] = r.Row
		}
	}
}

// find returns the row with a key in one of the maps.
func find(key string, maps ...map[string]int) (row int, found bool) {
	for _, m := range maps {
		if row, found = m[key]; found && key != "" {
			return row, true
		}
	}
	return 0, false
}

func (s *Step) decideClient(n int, known []trade.Client) {
	r, identity := &s.Results[n], identityOfClient(s.clients[n])
	at := slices.IndexFunc(known, func(c trade.Client) bool { return identityOfClient(c) == identity })
	if at < 0 {
		r.Fate = Create
		return
	}
	before, after := known[at], known[at]
	_ = before.Check() // normalises it
	problems := fillClient(r.row, &after)
	r.found(after.ID, sameClient(before, after), s.job.Options.Update, problems)
	s.clients[n] = after
}

func (s *Step) decideItem(n int, known []trade.Item) {
	r, wanted := &s.Results[n], s.items[n]
	identity := identityOfItem(wanted)
	owner := slices.IndexFunc(known, func(i trade.Item) bool { return wanted.Barcode != "" && i.Barcode == wanted.Barcode })
	at := slices.IndexFunc(known, func(i trade.Item) bool { return identityOfItem(i) == identity })
	if at < 0 && wanted.SKU == "" {
		at = owner
	}
	switch {
	case owner >= 0 && owner != at:
		r.refuse(codeTaken("item"))
	case at < 0:
		r.Fate = Create
	default:
		before, after := known[at], known[at]
		_ = before.Check() // normalises it
		problems := fillItem(r.row, &after)
		r.found(after.ID, sameItem(before, after), s.job.Options.Update, problems)
		s.items[n] = after
	}
}

// found sets the fate of a row whose record exists.
func (r *Result) found(id uuid.UUID, same, update bool, problems []fault.Problem) {
	switch {
	case same:
		r.Fate, r.Record = Unchanged, id
	case !update:
		r.Fate, r.Record = Differs, id
	case problems != nil:
		r.refuse(problems...)
		r.Record = id
	default:
		r.Fate, r.Record = Change, id
	}
}

// Number gives the records that are created their ids and their time.
func (s *Step) Number(id func() uuid.UUID, now time.Time) {
	for n := range s.Results {
		if r := &s.Results[n]; r.Fate == Create {
			r.Record = id()
			s.clients[n].ID, s.clients[n].CreatedAt = r.Record, now
			s.items[n].ID, s.items[n].CreatedAt = r.Record, now
		}
	}
}

// Job returns the job after the step.
func (s *Step) Job() Job {
	next := s.job
	next.Counts = maps.Clone(s.job.Counts)
	if next.Counts == nil {
		next.Counts = map[Fate]int{}
	}
	for n := range s.Results {
		next.Counts[s.Results[n].Fate]++
	}
	if next.Done += len(s.Results); next.Done >= next.Total {
		next.State = map[State]State{Checking: Checked, Running: Done}[next.State]
	}
	return next
}

// Kind returns what the rows are.
func (s *Step) Kind() Kind { return s.job.Kind }

// Client returns the client of a row that is created.
func (s *Step) Client(n int) trade.Client { return s.clients[n] }

// Item returns the item of a row that is created.
func (s *Step) Item(n int) trade.Item { return s.items[n] }

// FillClient sets the values of a row in a client.
func (s *Step) FillClient(n int, c *trade.Client) error {
	if problems := fillClient(s.Results[n].row, c); problems != nil {
		return fault.Wrong(problems...)
	}
	return nil
}

// FillItem sets the values of a row in an item.
func (s *Step) FillItem(n int, i *trade.Item) error {
	if problems := fillItem(s.Results[n].row, i); problems != nil {
		return fault.Wrong(problems...)
	}
	return nil
}

// codeTaken returns the problem of a barcode that another item or row has.
func codeTaken(by string) fault.Problem {
	return worded([]fault.Problem{{Path: "barcode", Message: "must not be the barcode of another " + by, Code: fault.BarcodeTaken}})[0]
}
