package app

import (
	"bytes"
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/render"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
	"khatm/spreadsheet"
)

// mostDebtors is the maximum number of clients in a file.
const mostDebtors = 20_000

func (s *Surface) accountExportRows() []wire.Route {
	const formula = "In CSV and XLSX a text that a spreadsheet would read as a formula begins with an apostrophe."
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/buyers/{buyer_id}/statement/export/", Name: "export-statement", Tag: tagStatements, Access: wire.People, Scope: org.PaymentGet,
			Whole: true, Memory: func(int) int64 { return exportMemory },
			Codes:   []fault.Code{fault.BuyerNotFound, fault.ExportTooLarge},
			Summary: "Export the statement of a client", Doc: "Returns the same statement as a file. " + formula,
		}, s.exportStatement),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: ageingPath + "export/", Name: "export-ageing", Tag: tagStatements, Access: wire.People, Scope: org.PaymentGet,
			Whole: true, Memory: func(int) int64 { return exportMemory },
			Codes:   []fault.Code{fault.ExportTooLarge},
			Summary: "Export what clients owe by age", Doc: "Returns all clients with open invoices, at most 20,000, and the sums of each currency as a file. " + formula,
		}, s.exportAgeing),
	}
}

// Papers draws PDFs about payments.
type Papers interface {
	// Receipt draws a receipt of a client, or of nobody if client is nil.
	Receipt(ctx context.Context, of org.Tenant, r payment.Recorded, client *trade.Client, language string) (render.PDF, error)
	Statement(ctx context.Context, of org.Tenant, client trade.Client, p payment.Period, list []payment.Statement, today, language string) (render.PDF, error)
	Ageing(ctx context.Context, of org.Tenant, debtors []payment.Debtor, totals []payment.Aged, today, language string) (render.PDF, error)
}

// pdfOf returns a PDF as a download.
func pdfOf(pdf render.PDF, err error) (*accountFile, error) {
	if err != nil {
		return nil, err
	}
	return &accountFile{wire.File{Type: "application/pdf", Name: pdf.Name, Bytes: pdf.Data}}, nil
}

// fileForm selects the format and the languages of a file.
type fileForm struct {
	Format   string `query:"format" default:"xlsx" enum:"xlsx,csv,pdf" doc:"xlsx, csv or pdf. A PDF has at most 5,000 lines."`
	Language string `query:"language" default:"ar_en" enum:"ar_en,ar,en" doc:"Language of the file: ar_en Arabic with English beside it, ar Arabic, en English."`
}

// word returns a term in the languages of the file.
func (f fileForm) word(key string) string {
	w := codes.MustWord(key)
	switch f.Language {
	case "en":
		return w.EN
	case "ar":
		return w.AR
	}
	return w.AR + " / " + w.EN
}

// name returns the name of a client in the languages of the file.
func (f fileForm) name(english, arabic string) string {
	switch {
	case arabic == "" || f.Language == "en":
		return english
	case f.Language == "ar" || arabic == english:
		return arabic
	}
	return arabic + " / " + english
}

// words returns headings.
func (f fileForm) words(keys ...string) []spreadsheet.Cell {
	all := make([]spreadsheet.Cell, len(keys))
	for i, key := range keys {
		all[i] = spreadsheet.Heading(f.word(key))
	}
	return all
}

// table returns a file with the rows that fill writes.
func (f fileForm) table(name, title string, fill func(*spreadsheet.Writer) error) (*accountFile, error) {
	kind, media := spreadsheet.XLSX, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	if f.Format == "csv" {
		kind, media = spreadsheet.CSV, csvMedia
	}
	var out bytes.Buffer
	w := spreadsheet.NewWriter(&out, kind, spreadsheet.Sheet{Name: title, RightToLeft: f.Language != "en", Frozen: 1})
	err := fill(w)
	if err == nil {
		err = w.Close()
	}
	return &accountFile{wire.File{Type: media, Name: name + "." + f.Format, Bytes: out.Bytes()}}, err
}

// csvMedia is the media type of CSV files.
const csvMedia = "text/csv; charset=utf-8"

type accountFile struct {
	wire.File `media:"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,text/csv,application/pdf"`
}

type exportStatement struct {
	statementQuery
	fileForm
}

func (s *Surface) exportStatement(ctx context.Context, c wire.Caller, in *exportStatement) (*accountFile, error) {
	client, p, list, err := s.statements(ctx, c.Actor.Tenant, &in.statementQuery)
	if err != nil {
		return nil, err
	}
	if in.Format == "pdf" {
		return pdfOf(s.Papers.Statement(ctx, c.Actor.Tenant, client, p, list, s.today(), in.Language))
	}
	name := in.name(client.Name, client.NameArabic)
	return in.table("statement", codes.MustWord("statement").AR, func(w *spreadsheet.Writer) error {
		err := w.Write(in.words("client", "currency", "date", "entry", "number", "due_date", "debit", "credit", "running_balance")...)
		for _, one := range list {
			if err == nil {
				err = w.Write(statementCells(name, one.Currency, in.word("opening_balance"), payment.Line{Balance: one.Opening})...)
			}
			for _, l := range one.Lines {
				if err == nil {
					err = w.Write(statementCells(name, one.Currency, in.word("entry_"+string(l.Entry)), l)...)
				}
			}
			if err == nil {
				err = w.Write(statementCells(name, one.Currency, in.word("closing_balance"), payment.Line{Balance: one.Closing})...)
			}
		}
		return err
	})
}

func statementCells(client, currency, entry string, l payment.Line) []spreadsheet.Cell {
	row := cells(spreadsheet.Text, client, currency, l.Date, entry, l.Number, l.Due)
	if l.Number == "" {
		return append(row, spreadsheet.Text(""), spreadsheet.Text(""), spreadsheet.Number(l.Balance.Fixed2()))
	}
	return append(row, cells(spreadsheet.Number, l.Debit.Fixed2(), l.Credit.Fixed2(), l.Balance.Fixed2())...)
}

type exportAgeing struct {
	ageingQuery
	fileForm
}

func (s *Surface) exportAgeing(ctx context.Context, c wire.Caller, in *exportAgeing) (*accountFile, error) {
	debtors, totals, err := s.debtors(ctx, c.Actor.Tenant, in.Currency, mostDebtors)
	if err != nil {
		return nil, err
	}
	if in.Format == "pdf" {
		return pdfOf(s.Papers.Ageing(ctx, c.Actor.Tenant, debtors, totals, s.today(), in.Language))
	}
	return in.table("ageing", codes.MustWord("ageing").AR, func(w *spreadsheet.Writer) error {
		err := w.Write(in.words("client", "currency", "not_due", "days_1_30", "days_31_60", "days_61_90", "over_90", "total", "client_credit")...)
		for _, d := range debtors {
			for _, a := range d.Owes {
				if err == nil {
					err = w.Write(append(ageingCells(in.name(d.Name, d.NameArabic), a), spreadsheet.Number(a.Credit.Fixed2()))...)
				}
			}
		}
		for _, a := range totals {
			if err == nil {
				err = w.Write(append(ageingCells(in.word("total"), a), spreadsheet.Text(""))...)
			}
		}
		return err
	})
}

func ageingCells(name string, a payment.Aged) []spreadsheet.Cell {
	row := cells(spreadsheet.Text, name, a.Currency)
	for _, owed := range a.Owed {
		row = append(row, spreadsheet.Number(owed.Fixed2()))
	}
	return append(row, spreadsheet.Number(a.Total.Fixed2()))
}

// debtors returns all clients that owe something, and the sums of what they owe.
func (s *Surface) debtors(ctx context.Context, of org.Tenant, currency string, most int) (all []payment.Debtor, totals []payment.Aged, err error) {
	if err := knownCurrency(currency); err != nil {
		return nil, nil, err
	}
	today := s.today()
	err = s.Statements.WalkDebtors(ctx, of, currency, today, func(d payment.Debtor) error {
		if len(all) == most {
			return fault.New(fault.ExportTooLarge, "The file would have more than %d clients.", most).Arabic("سيزيد عدد العملاء في الملف على %d.", most)
		}
		all = append(all, d)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	totals, err = s.Statements.OwedTotals(ctx, of, currency, today)
	return all, totals, err
}

type receiptPDF struct {
	oneReceipt
	Language string `query:"language" default:"ar_en" enum:"ar_en,ar,en" doc:"Language of the PDF: ar_en Arabic with English beside it, ar Arabic, en English."`
}

type receiptFile struct {
	wire.File `media:"application/pdf"`
}

func (s *Surface) receiptPDF(ctx context.Context, c wire.Caller, in *receiptPDF) (*receiptFile, error) {
	r, err := s.Payments.Receipt(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	var client *trade.Client
	if r.Client != uuid.Nil {
		found, err := s.Payments.Client(ctx, c.Actor.Tenant, r.Client)
		if err != nil {
			return nil, err
		}
		client = &found
	}
	file, err := pdfOf(s.Papers.Receipt(ctx, c.Actor.Tenant, r, client, in.Language))
	if err != nil {
		return nil, err
	}
	return &receiptFile{file.File}, nil
}
