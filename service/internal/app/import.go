package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Imports stores the imports of an organisation.
type Imports interface {
	// Upload counts the rows of a file, stores it and begins to check it. It also
	// returns the headings of columns that are not imported.
	Upload(ctx context.Context, by org.Actor, j intake.Job, file []byte) (intake.Job, []string, error)
	Import(ctx context.Context, of org.Tenant, id uuid.UUID) (intake.Job, error)
	Imports(ctx context.Context, of org.Tenant, page org.Page) (org.List[intake.Job], error)
	ImportRows(ctx context.Context, of org.Tenant, id uuid.UUID, fate intake.Fate, after, most int) ([]intake.Result, error)
	RunImport(ctx context.Context, by org.Actor, id uuid.UUID) (intake.Job, error)
	CancelImport(ctx context.Context, by org.Actor, id uuid.UUID) (intake.Job, error)
}

const tagImports = "Imports"

const (
	importsPath = "/api/imports/"
	importPath  = importsPath + "{import_id}/"
)

// maxImportForm is the maximum size of a form with a file.
const maxImportForm = intake.MaxFile + 64<<10

func (s *Surface) importRows() []wire.Route {
	row := func(method, path, name string, status int, codes ...fault.Code) wire.Route {
		return wire.Route{Method: method, Path: path, Name: name, Tag: tagImports, Access: wire.People, Scope: org.ImportCreate, Status: status, Codes: codes}
	}
	told := func(r wire.Route, summary, doc string) wire.Route {
		r.Summary, r.Doc = summary, doc
		return r
	}
	upload := told(row(http.MethodPost, importsPath, "create-import", http.StatusAccepted,
		fault.FileTooLarge, fault.ImportUnreadable, fault.ImportTooManyRows, fault.ImportUnpacked, fault.ImportEmpty, fault.ImportColumns, fault.ImportTooMany, fault.FilesUnavailable),
		"Upload a file to import",
		"Uploads a table of clients or items and begins to check it: CSV in UTF-8 or Windows-1256, or XLSX, of at most 50,000 rows and 20 MB. "+
			"The first row contains the headings: names of fields of the API, or their names in English or Arabic. Nothing is imported until you run it. "+
			"Formulas are never computed; a cell has the value that was saved with it.")
	upload.MaxBody, upload.Example = maxImportForm, `{"kind": "clients", "columns": [{"field": "industry", "value": "OTHER"}]}`
	return []wire.Route{
		wire.Serve(upload, s.createImport),
		wire.Serve(told(row(http.MethodGet, importsPath, "list-imports", 0), "List imports", "Returns the imports of your organisation, newest first. The last 50 that have ended are kept."), s.listImports),
		wire.Serve(told(row(http.MethodGet, importPath, "get-import", 0, fault.ImportNotFound), "Read an import", "Returns the state of an import and its progress."), s.getImport),
		wire.Serve(told(row(http.MethodGet, importPath+"progress/", "follow-import", 0, fault.ImportNotFound),
			"Follow an import", "Streams the import whenever its progress changes. The stream ends when nothing is in progress."), s.followImport),
		wire.Serve(told(row(http.MethodGet, importPath+"rows/", "list-import-rows", 0, fault.ImportNotFound),
			"List the fates of rows", "Returns what happened to each row of the file, or would happen if the import has only been checked."), s.listImportRows),
		wire.Serve(exportImport(told(row(http.MethodGet, importPath+"rows/export/", "export-import-rows", 0, fault.ImportNotFound),
			"Export the fates of rows", "Returns the fates of all rows as CSV or XLSX, in English or Arabic. A text that a spreadsheet would read as a formula begins with an apostrophe.")), s.exportImportRows),
		wire.Serve(told(row(http.MethodPost, importPath+"run/", "run-import", http.StatusAccepted, fault.ImportNotFound, fault.ImportState),
			"Run an import", "Begins to import a file that has been checked. Rows are compared with the records again, so that nothing is created twice. Running it again while it runs changes nothing."), s.runImport),
		wire.Serve(told(row(http.MethodPost, importPath+"cancel/", "cancel-import", 0, fault.ImportNotFound, fault.ImportState),
			"Cancel an import", "Ends an import. What it has already imported remains."), s.cancelImport),
	}
}

// Import is an import in a response.
type Import struct {
	UUID      uuid.UUID    `json:"uuid" doc:"UUID of the import."`
	Kind      string       `json:"kind" enum:"clients,items" doc:"What the rows are."`
	State     string       `json:"state" enum:"checking,checked,running,done,failed,cancelled" doc:"checking: the fates of rows are determined; checked: it can be run; running; done; failed: see problem; cancelled."`
	Filename  string       `json:"filename" example:"clients.csv" doc:"Name of the file."`
	Update    bool         `json:"update_existing" doc:"Whether existing records are changed."`
	RowsTotal int          `json:"rows_total" example:"50000" doc:"Number of rows, without the headings."`
	RowsDone  int          `json:"rows_done" example:"12400" doc:"Number of rows that were checked, or imported once it runs."`
	Counts    importCounts `json:"counts" doc:"Number of rows by fate, among those that are done."`
	Problem   *importIssue `json:"problem" doc:"Why it failed; null otherwise."`
	CreatedBy string       `json:"created_by" example:"noura@example.sa" doc:"Person who uploaded the file, or who ran it."`
	CreatedAt time.Time    `json:"created_at" doc:"Time of the upload."`
	ChangedAt time.Time    `json:"changed_at" doc:"Time of the last progress."`
}

type importCounts struct {
	Create    int `json:"create" doc:"New records."`
	Change    int `json:"change" doc:"Existing records that are changed."`
	Unchanged int `json:"unchanged" doc:"Rows whose record exists with the same data."`
	Differs   int `json:"differs" doc:"Rows whose record exists with other data, and is not changed."`
	Repeated  int `json:"repeated" doc:"Rows about the same record as an earlier row of the file."`
	Refused   int `json:"refused" doc:"Rows with problems."`
}

type importIssue struct {
	Field     string `json:"field" example:"postal_code" doc:"Field of the problem; empty if it concerns the whole row or file."`
	Code      string `json:"code" example:"invalid_value" doc:"Code of the problem."`
	Message   string `json:"message" doc:"What is wrong."`
	MessageAR string `json:"message_ar" doc:"The same in Arabic, after the name of the field."`
}

func importOf(j intake.Job) *Import {
	n := j.Counts
	out := &Import{
		UUID: j.ID, Kind: string(j.Kind), State: string(j.State), Filename: j.Filename, Update: j.Options.Update, RowsTotal: j.Total, RowsDone: j.Done,
		Counts:    importCounts{n[intake.Create], n[intake.Change], n[intake.Unchanged], n[intake.Differs], n[intake.Repeated], n[intake.Refused]},
		CreatedBy: j.By.Name, CreatedAt: j.Created, ChangedAt: j.Changed,
	}
	if j.Problem != "" {
		why := j.Problem.Entry()
		out.Problem = &importIssue{"", string(j.Problem), why.Says + " " + why.Fix, why.SaysAR + " " + why.FixAR}
	}
	return out
}

type createImport struct {
	Data importData   `form:"import_data" doc:"How to import the file, as JSON."`
	File *wire.Upload `file:"file" maxBytes:"20971520" media:"text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" required:"true" doc:"Table as CSV or XLSX, at most 20 MB. In a workbook the first visible worksheet is read."`
}

type importData struct {
	Kind    string         `json:"kind" enum:"clients,items" example:"clients" doc:"What the rows are."`
	Update  bool           `json:"update_existing" optional:"true" doc:"Change existing records whose data differs. An empty cell never changes a value."`
	Columns []importColumn `json:"columns" optional:"true" maxItems:"30" doc:"Columns whose headings are not recognised, and values that are the same for all rows."`
}

type importColumn struct {
	Field   string `json:"field" minLength:"1" maxLength:"50" example:"industry" doc:"Name of the field, as in the API; additional_buyer_id_type and additional_buyer_id for an identification of a client."`
	Heading string `json:"heading" optional:"true" maxLength:"200" doc:"Heading of its column."`
	Value   string `json:"value" optional:"true" maxLength:"1000" example:"OTHER" doc:"Value for all rows, instead of a heading."`
}

type importCreated struct {
	Import
	Location string   `json:"location" header:"Location" example:"/api/imports/01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d80/" doc:"Path of the import below the base URL."`
	Unknown  []string `json:"ignored_columns" doc:"Headings of columns that are not imported."`
}

func (s *Surface) createImport(ctx context.Context, c wire.Caller, in *createImport) (*importCreated, error) {
	j := intake.Job{ID: s.NewID(), Kind: intake.Kind(in.Data.Kind), State: intake.Checking, Filename: in.File.Filename, By: c.Actor, Created: s.Now(), Changed: s.Now()}
	j.Options.Update = in.Data.Update
	for _, one := range in.Data.Columns {
		j.Options.Columns = append(j.Options.Columns, intake.Column{Field: one.Field, Heading: one.Heading, Value: one.Value})
	}
	j, unknown, err := s.Imports.Upload(ctx, c.Actor, j, in.File.Bytes)
	if err != nil {
		return nil, err
	}
	return &importCreated{Import: *importOf(j), Location: importsPath + j.ID.String() + "/", Unknown: unknown}, nil
}

type listImports struct{ api.PageQuery }

type importsList struct {
	Imports []Import `json:"imports" doc:"Imports on this page."`
	api.Envelope
}

func (s *Surface) listImports(ctx context.Context, c wire.Caller, in *listImports) (*importsList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, s.Imports.Imports, valueOf(importOf))
	return &importsList{rows, envelope}, err
}

type oneImport struct {
	ID uuid.UUID `path:"import_id" doc:"UUID of the import."`
}

func (s *Surface) getImport(ctx context.Context, c wire.Caller, in *oneImport) (*Import, error) {
	return importOr(s.Imports.Import(ctx, c.Actor.Tenant, in.ID))
}

func (s *Surface) runImport(ctx context.Context, c wire.Caller, in *oneImport) (*Import, error) {
	return importOr(s.Imports.RunImport(ctx, c.Actor, in.ID))
}

func (s *Surface) cancelImport(ctx context.Context, c wire.Caller, in *oneImport) (*Import, error) {
	return importOr(s.Imports.CancelImport(ctx, c.Actor, in.ID))
}

func importOr(j intake.Job, err error) (*Import, error) {
	if err != nil {
		return nil, err
	}
	return importOf(j), nil
}
