package intake

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// Register stores the invoices of older systems.
type Register interface {
	// BuyersAmong returns the clients that have one of the ids, VAT numbers or names.
	BuyersAmong(ctx context.Context, of org.Tenant, ids []uuid.UUID, vatNumbers, names []string) ([]trade.Client, error)
	Earlier(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]issue.Earlier, error)
	AddEarlier(ctx context.Context, by org.Actor, all ...issue.Earlier) error
}

// Registered is what became of a file with invoices of an older system.
type Registered struct {
	Rows     []Result
	Invoices int      // that were registered, or would be
	Unknown  []string // headings of columns that are not read
}

// InvoiceOptions are the choices of the person who sends a file.
type InvoiceOptions struct {
	Columns []Column
	DryRun  bool // determine the fates and change nothing
}

// RegisterInvoices registers the invoices of a file: those without problems, also if
// others have some. Rows with the same number are the totals of one invoice.
func RegisterInvoices(ctx context.Context, in Register, by org.Actor, file io.ReaderAt, size int64, o InvoiceOptions, now time.Time) (Registered, error) {
	table, err := Open(file, size, Invoices, Options{Columns: o.Columns})
	if err != nil {
		return Registered{}, err
	}
	f, err := readInvoices(table)
	if err != nil {
		return Registered{}, err
	}
	if err := f.findBuyers(ctx, in, by.Tenant); err != nil {
		return Registered{}, err
	}
	f.check(by.Tenant, now)
	for range 3 { // again if another request registers one of them at the same time
		err = f.register(ctx, in, by, o.DryRun)
		if fault.CodeOf(err) != fault.AlreadyExists {
			break
		}
	}
	done := Registered{Rows: f.results, Unknown: table.Unknown()}
	for _, i := range f.invoices {
		if i.rows[0].Fate == Create {
			done.Invoices++
		}
	}
	return done, err
}

// findBuyers finds the clients that the rows name.
func (f *invoiceFile) findBuyers(ctx context.Context, in Register, of org.Tenant) error {
	var ids []uuid.UUID
	var vatNumbers, names []string
	for _, i := range f.invoices {
		id, err := uuid.Parse(i.of["buyer"])
		switch {
		case i.of["buyer"] != "" && err == nil:
			ids = append(ids, id)
		case i.of["buyer"] != "":
			names = append(names, i.of["buyer"])
		case i.of["vat_registration_number"] != "":
			vatNumbers = append(vatNumbers, i.of["vat_registration_number"])
		case i.of["buyer_name"] != "":
			names = append(names, i.of["buyer_name"])
		}
	}
	found, err := in.BuyersAmong(ctx, of, unique(ids), unique(vatNumbers), unique(names))
	if err != nil {
		return err
	}
	clients := map[uuid.UUID]trade.Client{}
	for _, c := range found {
		clients[c.ID] = c
	}
	for _, i := range f.invoices {
		i.findBuyer(clients)
	}
	return nil
}

func unique[T comparable](all []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(all, func(one T) bool {
		again := seen[one]
		seen[one] = true
		return again
	})
}

// findBuyer sets the buyer of the invoice: the client that the field buyer names by
// its id or name, or else the one with the VAT number, or else with the name. A name
// also decides between several clients with a VAT number.
func (i *oldInvoice) findBuyer(among map[uuid.UUID]trade.Client) {
	buyer, vat, name := i.of["buyer"], i.of["vat_registration_number"], i.of["buyer_name"]
	named := func(c trade.Client) bool { return c.Name == name || c.NameArabic == name }
	field, fits := "buyer", func(c trade.Client) bool {
		return strings.EqualFold(c.ID.String(), buyer) || c.Name == buyer || c.NameArabic == buyer
	}
	switch {
	case buyer != "":
	case vat != "":
		field, fits = "vat_registration_number", func(c trade.Client) bool { return c.VATNumber == vat }
	case name != "":
		field, fits = "buyer_name", named
	default:
		if row := i.row("simplified"); i.of["simplified"] == "false" && !row.has("simplified") {
			row.add(fault.Problem{
				Path: "buyer_name", Message: "a standard invoice must have a buyer: its name, VAT number or UUID", Code: fault.FieldRequired,
				MessageAR: "يجب تحديد عميل الفاتورة الضريبية: اسمه أو رقمه الضريبي أو معرّفه.",
			})
		}
		return
	}
	var fitting []trade.Client
	for _, c := range among {
		if fits(c) {
			fitting = append(fitting, c)
		}
	}
	if field == "vat_registration_number" && len(fitting) > 1 {
		fitting = slices.DeleteFunc(fitting, func(c trade.Client) bool { return !named(c) })
	}
	switch {
	case i.row(field).has(field):
	case len(fitting) == 1:
		i.wanted.Buyer = fitting[0].ID
	case len(fitting) > 1:
		i.row(field).add(fault.Problem{
			Path: field, Message: fmt.Sprintf("%d clients have it: give the UUID of the client", len(fitting)),
			MessageAR: fmt.Sprintf("يوجد %d عملاء بهذه القيمة. حدد معرّف العميل.", len(fitting)),
		})
	default:
		i.row(field).add(fault.Problem{
			Path: field, Message: "the organisation has no such client: add the client first", MessageAR: "لا يوجد عميل بهذه القيمة. أضف العميل أولًا.",
		})
	}
}

// has reports whether a row has a problem of a field.
func (r *invoiceRow) has(field string) bool {
	return slices.ContainsFunc(r.Problems, func(p fault.Problem) bool { return p.Path == field })
}

// check checks the invoices and refuses those with problems.
func (f *invoiceFile) check(of org.Tenant, now time.Time) {
	f.invoices = slices.DeleteFunc(f.invoices, func(i *oldInvoice) bool {
		for _, name := range []string{"issue_date", "simplified"} {
			if i.first[name] == nil {
				i.rows[0].add(fault.Problem{Path: name, Message: "Field required", Code: fault.FieldRequired})
			}
		}
		if i.first["currency"] == nil {
			i.of["currency"] = codes.Riyal
		}
		r := issue.Registration{Number: i.rows[0].number, IssueDate: i.of["issue_date"], Simplified: i.of["simplified"] == "true", Currency: i.of["currency"]}
		for _, row := range i.rows {
			r.Totals = append(r.Totals, row.total)
		}
		buyer := i.wanted.Buyer
		wanted, problems := r.Check(of, now)
		for _, p := range problems {
			if row := i.row(p.Path); !strings.HasPrefix(p.Path, "totals") && !row.has(p.Path) { // totals are checked by row
				row.add(p)
			}
		}
		i.wanted, i.wanted.Buyer = wanted, buyer
		return i.refused()
	})
}

// register compares the invoices with those that are registered, and registers the
// others.
func (f *invoiceFile) register(ctx context.Context, in Register, by org.Actor, dry bool) error {
	var ids []uuid.UUID
	for _, i := range f.invoices {
		ids = append(ids, i.wanted.ID)
	}
	known, err := in.Earlier(ctx, by.Tenant, ids)
	if err != nil {
		return err
	}
	var missing []*oldInvoice
	for _, i := range f.invoices {
		kept, registered := known[i.wanted.ID]
		switch {
		case i.added:
		case registered && kept.Same(i.wanted):
			i.settle(Unchanged, i.wanted.ID)
		case registered:
			i.settle(Differs, i.wanted.ID)
		default:
			i.settle(Create, uuid.Nil)
			missing = append(missing, i)
		}
	}
	if dry {
		return nil
	}
	for some := range slices.Chunk(missing, Batch) {
		var all []issue.Earlier
		for _, i := range some {
			all = append(all, i.wanted)
		}
		if err := in.AddEarlier(ctx, by, all...); err != nil {
			return err
		}
		for _, i := range some {
			i.settle(Create, i.wanted.ID)
			i.added = true
		}
	}
	return nil
}
