package intake

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/trade"
	"khatm/ubl"
)

// Limits of a file with invoices of an older system.
const (
	MaxInvoiceRows = 1_000 // rows of a file, without the heading
	maxTotals      = 100   // rows of an invoice
)

// InvoiceMemory is what registering a file needs at most, in bytes.
const InvoiceMemory = 32 << 20

// shared are the fields that all rows of an invoice have in common. A row may leave
// them out if another one has them.
var shared = []string{"issue_date", "simplified", "buyer", "vat_registration_number", "buyer_name", "currency"}

// invoiceRow is a row of the file: a total of an invoice.
type invoiceRow struct {
	*Result
	number string
	of     map[string]string // the fields of shared that the row has, normalised
	total  ledger.Subtotal
}

func (r *invoiceRow) add(p fault.Problem) {
	r.Problems = append(r.Problems, worded([]fault.Problem{p})...)
}

// oldInvoice is an invoice of the file: all rows with its number.
type oldInvoice struct {
	rows   []*invoiceRow // without those that repeat another one
	of     map[string]string
	first  map[string]*invoiceRow // rows in which the fields of shared are given
	wanted issue.Earlier
	added  bool
}

// invoiceFile is a file that was read.
type invoiceFile struct {
	results  []Result
	invoices []*oldInvoice // in the order of their first rows
}

// readInvoices reads all rows of a table.
func readInvoices(table *Table) (*invoiceFile, error) {
	var rows []Row
	for {
		row, err := table.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fault.New(fault.ImportEmpty, "The file has no rows below the headings.")
	}
	f := &invoiceFile{results: make([]Result, len(rows))}
	numbered := map[string]*oldInvoice{}
	for n := range rows {
		r := readInvoiceRow(&rows[n], &f.results[n])
		if r.number == "" {
			r.Fate = Refused
			continue
		}
		i := numbered[r.number]
		if i == nil {
			i = &oldInvoice{of: map[string]string{}, first: map[string]*invoiceRow{}}
			numbered[r.number], f.invoices = i, append(f.invoices, i)
		}
		i.join(r)
	}
	return f, nil
}

// readInvoiceRow reads a row and adds its problems.
func readInvoiceRow(row *Row, into *Result) *invoiceRow {
	v := &values{of: row.values}
	r := &invoiceRow{Result: into, number: strings.TrimFunc(row.values["number"], ubl.IsInvisible), of: map[string]string{}}
	into.Row, into.Name = row.Number, r.number
	for _, name := range shared {
		if text, given := row.values[name]; given {
			r.of[name] = v.normalised(name, text)
		}
	}
	before := len(v.problems)
	r.total.Category = strings.ToUpper(strings.TrimFunc(row.values["vat_category_code"], ubl.IsInvisible))
	v.number("vat_rate", &r.total.Rate)
	v.number("taxable_amount", &r.total.Taxable)
	v.number("vat_amount", &r.total.VAT)
	v.required("vat_category_code", "vat_rate", "taxable_amount", "vat_amount")
	if field, problem := issue.CheckTotal(r.total); problem.EN != "" && len(v.problems) == before {
		v.problems = append(v.problems, fault.Problem{Path: field, Message: problem.EN, MessageAR: problem.AR})
	}
	v.required("number")
	if row.wrong != nil {
		v.problems = []fault.Problem{*row.wrong}
	}
	into.Problems = worded(v.problems)
	return r
}

// required adds a problem for each field without a value.
func (v *values) required(names ...string) {
	for _, name := range names {
		if _, given := v.of[name]; !given {
			v.problems = append(v.problems, fault.Problem{Path: name, Message: "Field required", Code: fault.FieldRequired})
		}
	}
}

// normalised returns a value of a field of shared, and adds a problem if it cannot be
// read.
func (v *values) normalised(name, text string) string {
	text = strings.TrimFunc(text, ubl.IsInvisible)
	switch name {
	case "issue_date":
		return dateOf(text)
	case "simplified":
		simplified, known := invoiceTypes[trade.Fold(text)]
		if !known {
			v.problems = append(v.problems, fault.Problem{Path: name, Message: "must be standard or simplified", MessageAR: "يجب أن يكون «فاتورة ضريبية» أو «فاتورة ضريبية مبسطة»."})
		}
		return fmt.Sprint(simplified)
	case "currency":
		return strings.ToUpper(text)
	}
	client := trade.Client{Name: text, VATNumber: text}
	problems := client.Check() // normalises it
	if name != "vat_registration_number" {
		return client.Name
	}
	for _, p := range problems {
		if p.Path == name {
			v.problems = append(v.problems, p)
		}
	}
	return client.VATNumber
}

// dateOf returns a date such as 2025-12-31 that is written with slashes, with Arabic
// digits, or with a time behind it. Other texts are returned as they are.
func dateOf(text string) string {
	day, _, _ := strings.Cut(strings.ReplaceAll(text, "T", " "), " ")
	day = strings.ReplaceAll(trade.Number(day), "/", "-")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return text
	}
	return day
}

// invoiceTypes are the texts for a simplified invoice and for a standard one, folded.
var invoiceTypes = func() map[string]bool {
	types := map[string]bool{}
	for simplified, texts := range map[bool][]string{
		true:  {"simplified", "simplified tax invoice", "true", "yes", "1", "مبسطة", "ضريبية مبسطة", "فاتورة مبسطة", "فاتورة ضريبية مبسطة", "نعم"},
		false: {"standard", "tax invoice", "standard tax invoice", "false", "no", "0", "ضريبية", "فاتورة ضريبية", "قياسية", "لا"},
	} {
		for _, text := range texts {
			types[trade.Fold(text)] = simplified
		}
	}
	return types
}()

// join adds a row to the invoice. One that repeats another row is left out.
func (i *oldInvoice) join(r *invoiceRow) {
	same := func(other *invoiceRow) bool {
		return other.total.Category == r.total.Category && other.total.Rate.Equal(r.total.Rate)
	}
	if at := slices.IndexFunc(i.rows, same); at >= 0 && r.Problems == nil && i.rows[at].Problems == nil {
		other := i.rows[at]
		if other.total.Taxable.Equal(r.total.Taxable) && other.total.VAT.Equal(r.total.VAT) && i.agrees(r) {
			r.repeat(other.Row)
			return
		}
		r.add(fault.Problem{
			Path: "vat_category_code", Message: fmt.Sprintf("row %d has the total of this VAT category and rate", other.Row),
			MessageAR: fmt.Sprintf("يحتوي الصف %d على إجمالي هذه الفئة والنسبة.", other.Row),
		})
	}
	for _, name := range shared {
		text, given := r.of[name]
		switch first := i.first[name]; {
		case !given:
		case first == nil:
			i.first[name], i.of[name] = r, text
		case i.of[name] != text:
			r.add(fault.Problem{
				Path: name, Message: fmt.Sprintf("must be the same as in row %d of the invoice", first.Row),
				MessageAR: fmt.Sprintf("يجب أن تكون القيمة كما في الصف %d من الفاتورة نفسها.", first.Row),
			})
		}
	}
	if i.rows = append(i.rows, r); len(i.rows) == maxTotals+1 {
		r.add(fault.Problem{
			Message: fmt.Sprintf("An invoice must have at most %d totals.", maxTotals), MessageAR: fmt.Sprintf("لا يزيد عدد إجماليات الفاتورة على %d.", maxTotals),
		})
	}
}

// agrees reports whether no field of a row differs from the invoice.
func (i *oldInvoice) agrees(r *invoiceRow) bool {
	for name, text := range r.of {
		if i.first[name] != nil && i.of[name] != text {
			return false
		}
	}
	return true
}

// row returns the row in which a field of the invoice is given.
func (i *oldInvoice) row(name string) *invoiceRow { return cmp.Or(i.first[name], i.rows[0]) }

// refused reports whether a row has a problem, and refuses all rows of the invoice
// then.
func (i *oldInvoice) refused() bool {
	at := slices.IndexFunc(i.rows, func(r *invoiceRow) bool { return r.Problems != nil })
	if at < 0 {
		return false
	}
	for _, r := range i.rows {
		if r.Problems == nil {
			r.add(fault.Problem{
				Message: fmt.Sprintf("Row %d of the same invoice has a problem.", i.rows[at].Row), MessageAR: fmt.Sprintf("في الصف %d من الفاتورة نفسها مشكلة.", i.rows[at].Row),
			})
		}
		r.Fate = Refused
	}
	return true
}

// settle sets the fate of the rows of the invoice.
func (i *oldInvoice) settle(fate Fate, id uuid.UUID) {
	for _, r := range i.rows {
		r.Fate, r.Record = fate, id
	}
}
