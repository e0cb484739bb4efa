package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/wire"
	"khatm/spreadsheet"
)

type followImport struct {
	oneImport
	wire.Resume
}

// followImport reads the import again and again, so that it works on every server of
// the installation.
func (s *Surface) followImport(ctx context.Context, c wire.Caller, in *followImport) (*wire.Events[Import], error) {
	of := c.Actor.Tenant
	if _, err := s.Imports.Import(ctx, of, in.ID); err != nil {
		return nil, err
	}
	last, ended := in.LastEventID, false
	return &wire.Events[Import]{Next: func(ctx context.Context) (wire.Event[Import], error) {
		for !ended {
			j, err := s.Imports.Import(ctx, of, in.ID)
			if err != nil {
				return wire.Event[Import]{}, err
			}
			ended = !j.State.Active()
			if id := fmt.Sprintf("%s-%d", j.State, j.Done); id != last {
				last = id
				return wire.Event[Import]{ID: id, Data: *importOf(j)}, nil
			}
			if ended {
				break
			}
			select {
			case <-ctx.Done():
				return wire.Event[Import]{}, ctx.Err()
			case <-time.After(followEvery):
			}
		}
		return wire.Event[Import]{}, io.EOF
	}}, nil
}

type listImportRows struct {
	oneImport
	Fate  string `query:"fate" optional:"true" enum:"create,change,unchanged,differs,repeated,refused" doc:"Only rows with this fate."`
	After int    `query:"after_row" default:"0" minimum:"0" maximum:"1000000000" doc:"Only rows after this one: next_row of the previous response."`
	Size  int    `query:"page_size" default:"100" minimum:"1" maximum:"500" doc:"Maximum number of rows."`
}

// ImportRow is the fate of a row in a response.
type ImportRow struct {
	Row       int           `json:"row" example:"17" doc:"Number of the row, as a spreadsheet shows it."`
	Name      string        `json:"name" example:"Al Noor Trading" doc:"Name of the client or item in the row."`
	Fate      string        `json:"fate" enum:"create,change,unchanged,differs,repeated,refused" doc:"What happens to the row, or what has happened once the import has run."`
	Message   string        `json:"message" doc:"The fate in words."`
	MessageAR string        `json:"message_ar" doc:"The same in Arabic."`
	Record    *uuid.UUID    `json:"record" doc:"UUID of the client or item; null if it does not exist."`
	Problems  []importIssue `json:"problems" doc:"What must be corrected in a refused row."`
}

type importRowsList struct {
	Rows []ImportRow `json:"rows" doc:"Rows in the order of the file."`
	Next *int        `json:"next_row" doc:"Send it as after_row to get the next rows; null if there are no more."`
}

func (s *Surface) listImportRows(ctx context.Context, c wire.Caller, in *listImportRows) (*importRowsList, error) {
	j, err := s.Imports.Import(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.Imports.ImportRows(ctx, c.Actor.Tenant, in.ID, intake.Fate(in.Fate), in.After, in.Size+1)
	if err != nil {
		return nil, err
	}
	out := &importRowsList{}
	for n, r := range found {
		if n == in.Size {
			out.Next = &out.Rows[n-1].Row
			break
		}
		out.Rows = append(out.Rows, importRowOf(j, r))
	}
	return out, nil
}

func importRowOf(j intake.Job, r intake.Result) ImportRow {
	words := fateWords(j, r)
	out := ImportRow{Row: r.Row, Name: r.Name, Fate: string(r.Fate), Message: words.EN, MessageAR: words.AR}
	if r.Record != uuid.Nil {
		out.Record = &r.Record
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, issueOf(j.Kind, p))
	}
	return out
}

func issueOf(kind intake.Kind, p fault.Problem) importIssue {
	return importIssue{p.Path, string(p.Code), p.Message, labelled(kind.Title(p.Path).AR, p.MessageAR)}
}

// labelled returns a text about a field that begins with its name. The name is empty
// if the text is about the whole row.
func labelled(name, text string) string { return strings.TrimPrefix(name+": "+text, ": ") }

// fateWords describes the fate of a row: what would happen to it, or once the
// import has reached it, what has happened.
func fateWords(j intake.Job, r intake.Result) codes.Word {
	happened := (j.State == intake.Running || j.State == intake.Done) && r.Record != uuid.Nil
	switch r.Fate {
	case intake.Create:
		if happened {
			return codes.Word{EN: "Created.", AR: "أُضيف."}
		}
		return codes.Word{EN: "Will be created.", AR: "سيُضاف."}
	case intake.Change:
		if happened && j.State == intake.Done {
			return codes.Word{EN: "The existing record was changed.", AR: "عُدّل السجل الموجود."}
		}
		return codes.Word{EN: "The existing record will be changed.", AR: "سيُعدّل السجل الموجود."}
	case intake.Unchanged:
		return codes.Word{EN: "Already exists with the same data.", AR: "موجود مسبقًا بالبيانات نفسها."}
	case intake.Differs:
		return codes.Word{EN: "Already exists with other data, which is kept.", AR: "موجود مسبقًا ببيانات مختلفة، وتبقى كما هي."}
	case intake.Repeated:
		return codes.Word{EN: fmt.Sprintf("Repeats row %d.", r.First), AR: fmt.Sprintf("تكرار للصف %d.", r.First)}
	}
	return codes.Word{EN: "Refused: correct the problems and import the file again.", AR: "مرفوض: صحح المشكلات واستورد الملف مرة أخرى."}
}

// fateNames are the names of the fates in files.
var fateNames = map[intake.Fate]codes.Word{
	intake.Create:    {EN: "Create", AR: "إضافة"},
	intake.Change:    {EN: "Change", AR: "تعديل"},
	intake.Unchanged: {EN: "Unchanged", AR: "دون تغيير"},
	intake.Differs:   {EN: "Differs", AR: "مختلف"},
	intake.Repeated:  {EN: "Repeated", AR: "مكرر"},
	intake.Refused:   {EN: "Refused", AR: "مرفوض"},
}

func fateName(f intake.Fate, arabic bool) string {
	if arabic {
		return fateNames[f].AR
	}
	return fateNames[f].EN
}

type exportImportRows struct {
	oneImport
	Fate     string `query:"fate" optional:"true" enum:"create,change,unchanged,differs,repeated,refused" doc:"Only rows with this fate."`
	Format   string `query:"format" default:"csv" enum:"csv,xlsx" doc:"Format of the file."`
	Language string `query:"language" default:"ar" enum:"ar,en" doc:"Language of the texts."`
}

type importRowsFile struct {
	wire.File `media:"text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"`
}

// exportImport limits the memory of an export.
func exportImport(r wire.Route) wire.Route {
	r.Whole, r.Memory = true, func(int) int64 { return exportMemory }
	return r
}

func (s *Surface) exportImportRows(ctx context.Context, c wire.Caller, in *exportImportRows) (*importRowsFile, error) {
	j, err := s.Imports.Import(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	kind, media := spreadsheet.CSV, csvMedia
	if in.Format == "xlsx" {
		kind, media = spreadsheet.XLSX, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	arabic := in.Language == "ar"
	headings := []string{"Row", "Name", "Fate", "Message", "Problems", "UUID"}
	if arabic {
		headings = []string{"الصف", "الاسم", "النتيجة", "الوصف", "المشكلات", "المعرّف الفريد"}
	}
	var out bytes.Buffer
	w := spreadsheet.NewWriter(&out, kind, spreadsheet.Sheet{Name: "Import", RightToLeft: arabic, Frozen: 1})
	if err := w.Write(cells(spreadsheet.Heading, headings...)...); err != nil {
		return nil, err
	}
	for after := 0; ; {
		found, err := s.Imports.ImportRows(ctx, c.Actor.Tenant, in.ID, intake.Fate(in.Fate), after, exportPart)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			if err := w.Write(fateCells(j, r, arabic)...); err != nil {
				return nil, err
			}
			after = r.Row
		}
		if len(found) < exportPart {
			break
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &importRowsFile{wire.File{Type: media, Name: "import." + in.Format, Bytes: out.Bytes()}}, nil
}

// exportPart is how many rows are read at a time.
const exportPart = 1000

func fateCells(j intake.Job, r intake.Result, arabic bool) []spreadsheet.Cell {
	one := importRowOf(j, r)
	message, record := one.Message, ""
	if arabic {
		message = one.MessageAR
	}
	if one.Record != nil {
		record = one.Record.String()
	}
	var problems []string
	for _, p := range one.Problems {
		text := labelled(j.Kind.Title(p.Field).EN, p.Message)
		if arabic {
			text = p.MessageAR
		}
		problems = append(problems, text)
	}
	return append([]spreadsheet.Cell{spreadsheet.Number(strconv.Itoa(one.Row))},
		cells(spreadsheet.Text, one.Name, fateName(r.Fate, arabic), message, strings.Join(problems, "; "), record)...)
}
