package app

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// maxEarlierForm is the maximum size of a form with a file of earlier invoices.
const maxEarlierForm = 5<<20 + 64<<10

func (s *Surface) earlierFileRow(path string) wire.Route {
	return wire.Serve(wire.Route{
		Method: http.MethodPost, Path: path, Name: "register-earlier-invoices-file", Tag: tagEarlier, Access: wire.People, Scope: org.EarlierCreate, Status: http.StatusOK,
		Codes:   []fault.Code{fault.FileTooLarge, fault.ImportUnreadable, fault.ImportTooManyRows, fault.ImportUnpacked, fault.ImportEmpty, fault.ImportColumns},
		MaxBody: maxEarlierForm,
		Summary: "Register earlier invoices from a file",
		Doc: "Registers the invoices of a table: CSV in UTF-8 or Windows-1256, or XLSX, of at most 1,000 rows and 5 MB. The first row contains the headings: names of fields, or their names in English or Arabic. " +
			"Each row is a total of an invoice; rows with the same number are the totals of one invoice, and only one of them needs its date, type, buyer and currency. " +
			"The buyer is an existing client, given as `buyer` (its UUID or name), `vat_registration_number` or `buyer_name`. The currency is SAR if it is not given. " +
			"Invoices without problems are registered even if others have some; an invoice is never registered in part. Sending the file again registers nothing twice.",
		Example: `{"columns": [{"field": "number", "heading": "Document"}, {"field": "currency", "value": "SAR"}]}`,
	}, s.registerEarlierFile)
}

type registerEarlierFile struct {
	DryRun bool           `query:"dry_run" default:"false" doc:"Determine the fates of the rows and register nothing."`
	Data   earlierColumns `form:"import_data" optional:"true" doc:"How to read the file, as JSON."`
	File   *wire.Upload   `file:"file" maxBytes:"5242880" media:"text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" required:"true" doc:"Table as CSV or XLSX, at most 5 MB. In a workbook the first visible worksheet is read."`
}

type earlierColumns struct {
	Columns []importColumn `json:"columns" optional:"true" maxItems:"30" doc:"Columns whose headings are not recognised, and values that are the same for all rows."`
}

// EarlierFile is what became of a file with earlier invoices.
type EarlierFile struct {
	DryRun   bool              `json:"dry_run" doc:"Whether nothing was registered."`
	Rows     int               `json:"rows_total" example:"120" doc:"Number of rows, without the headings."`
	Invoices int               `json:"invoices" example:"100" doc:"Number of invoices that were registered, or would be."`
	Counts   earlierFileCounts `json:"counts" doc:"Number of rows by fate."`
	Results  []EarlierFileRow  `json:"rows" doc:"Fates of all rows, in the order of the file."`
	Unknown  []string          `json:"ignored_columns" doc:"Headings of columns that are not read."`
}

type earlierFileCounts struct {
	Create    int `json:"create" doc:"Rows of new invoices."`
	Unchanged int `json:"unchanged" doc:"Rows of invoices that are registered with the same data."`
	Differs   int `json:"differs" doc:"Rows of invoices that are registered with other data, which is kept."`
	Repeated  int `json:"repeated" doc:"Rows that repeat an earlier row of the file."`
	Refused   int `json:"refused" doc:"Rows of invoices with problems."`
}

// EarlierFileRow is the fate of a row in a response.
type EarlierFileRow struct {
	Row       int           `json:"row" example:"17" doc:"Number of the row, as a spreadsheet shows it."`
	Number    string        `json:"number" example:"OLD-2025-17" doc:"Number of the invoice."`
	Fate      string        `json:"fate" enum:"create,unchanged,differs,repeated,refused" doc:"What happened to the row, or would happen."`
	Message   string        `json:"message" doc:"The fate in words."`
	MessageAR string        `json:"message_ar" doc:"The same in Arabic."`
	Record    *uuid.UUID    `json:"record" doc:"UUID of the registered invoice; null if it is not registered."`
	Problems  []importIssue `json:"problems" doc:"What must be corrected in a refused row."`
}

func (s *Surface) registerEarlierFile(ctx context.Context, c wire.Caller, in *registerEarlierFile) (*EarlierFile, error) {
	o := intake.InvoiceOptions{DryRun: in.DryRun}
	for _, one := range in.Data.Columns {
		o.Columns = append(o.Columns, intake.Column{Field: one.Field, Heading: one.Heading, Value: one.Value})
	}
	done, err := s.Earlier.RegisterFile(ctx, c.Actor, in.File.Bytes, o)
	if err != nil {
		return nil, err
	}
	n := map[intake.Fate]int{}
	out := &EarlierFile{DryRun: in.DryRun, Rows: len(done.Rows), Invoices: done.Invoices, Unknown: done.Unknown}
	for _, r := range done.Rows {
		n[r.Fate]++
		out.Results = append(out.Results, earlierFileRowOf(r, in.DryRun))
	}
	out.Counts = earlierFileCounts{n[intake.Create], n[intake.Unchanged], n[intake.Differs], n[intake.Repeated], n[intake.Refused]}
	return out, nil
}

func earlierFileRowOf(r intake.Result, dry bool) EarlierFileRow {
	words := earlierFateWords(r, dry)
	out := EarlierFileRow{Row: r.Row, Number: r.Name, Fate: string(r.Fate), Message: words.EN, MessageAR: words.AR}
	if r.Record != uuid.Nil {
		out.Record = &r.Record
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, issueOf(intake.Invoices, p))
	}
	return out
}

func earlierFateWords(r intake.Result, dry bool) codes.Word {
	switch {
	case r.Fate == intake.Create && dry:
		return codes.Word{EN: "Will be registered.", AR: "ستُسجَّل."}
	case r.Fate == intake.Create:
		return codes.Word{EN: "Registered.", AR: "سُجّلت."}
	case r.Fate == intake.Unchanged:
		return codes.Word{EN: "Already registered with the same data.", AR: "مسجلة مسبقًا بالبيانات نفسها."}
	case r.Fate == intake.Differs:
		return codes.Word{EN: "Already registered with other data, which cannot be changed. Check the number.", AR: "مسجلة مسبقًا ببيانات مختلفة لا يمكن تعديلها. تحقق من الرقم."}
	case r.Fate == intake.Repeated:
		return codes.Word{EN: fmt.Sprintf("Repeats row %d.", r.First), AR: fmt.Sprintf("تكرار للصف %d.", r.First)}
	}
	return codes.Word{EN: "Refused: correct the problems and send the file again.", AR: "مرفوضة: صحح المشكلات وأرسل الملف مرة أخرى."}
}
