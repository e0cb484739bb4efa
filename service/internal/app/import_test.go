package app_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/spreadsheet"
)

const clientHeadings = "buyer_name,vat_registration_number,business_type,industry,street,building_number,district,city,province_state,postal_code,contact_email\n"

// fates returns the fates of the rows of an import, such as "2 create".
func fates(t *testing.T, h *servicetest.Instance, user, id string) string {
	t.Helper()
	var all []string
	for _, one := range importedRows(t, h, user, id) {
		all = append(all, fmt.Sprint(one["row"], " ", one["fate"]))
	}
	return strings.Join(all, ", ")
}

func importedRows(t *testing.T, h *servicetest.Instance, user, id string) (all []servicetest.Record) {
	t.Helper()
	list := h.As(user, http.MethodGet, servicetest.ImportsPath+id+"/rows/", "").Wants(t, http.StatusOK)
	for _, row := range servicetest.List(t, list, "rows") {
		r, _ := row.(servicetest.Record)
		all = append(all, r)
	}
	return all
}

// imported uploads a file, waits until it is checked, runs it and waits for its
// end. It returns the fates after both.
func imported(t *testing.T, h *servicetest.Instance, user, data, name, content string) (id, checked, done string) {
	t.Helper()
	fill := servicetest.FormBody(t, servicetest.Part{Field: "import_data", Content: data}, servicetest.Part{Field: "file", Filename: name, Content: content})
	id = servicetest.IDOf(h.Upload(user, servicetest.ImportsPath, fill).Wants(t, http.StatusAccepted))
	h.ImportIn(t, user, id, "checked")
	checked = fates(t, h, user, id)
	h.As(user, http.MethodPost, servicetest.ImportsPath+id+"/run/", "").Wants(t, http.StatusAccepted)
	h.ImportIn(t, user, id, "done")
	return id, checked, fates(t, h, user, id)
}

func total(t *testing.T, h *servicetest.Instance, user, path string) int {
	t.Helper()
	n, err := strconv.Atoi(fmt.Sprint(h.As(user, http.MethodGet, "/v1/api/"+path, "").Wants(t, http.StatusOK)["total"]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestImportOfClients(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.Accountant, h.Org)
		before := total(t, h, user, "buyers/")
		const rows = "Al Noor,311111111100003,B2B,OTHER,King Road,1234,Al Olaya,Riyadh,Riyadh,12345,sara@alnoor.example\n" +
			"Cash client,,b2c,other,King Road,,,Jeddah,Makkah,,\n" +
			"Al Noor again,٣١١١١١١١١١٠٠٠٠٣,B2B,OTHER,King Road,1234,Al Olaya,Riyadh,Riyadh,12345,\n" +
			"=HYPERLINK(\"http://x\"),,B2C,OTHER,King Road,,,Jeddah,Makkah,,\n" +
			"Bad,12,B2B,OTHER,King Road,1,Al Olaya,Riyadh,,12345,nobody\n"
		const want = "2 create, 3 create, 4 repeated, 5 create, 6 refused"
		fill := servicetest.ImportBody(t, "clients", "clients.csv", clientHeadings+rows)
		id := servicetest.IDOf(h.Upload(user, servicetest.ImportsPath, fill).Wants(t, http.StatusAccepted))
		job := h.ImportIn(t, user, id, "checked")
		servicetest.Same(t, "fates of the check", fates(t, h, user, id), want)
		servicetest.Same(t, "progress", fmt.Sprint(job["rows_total"], " of ", job["rows_done"]), "5 of 5")
		servicetest.Same(t, "counts", fmt.Sprint(job["counts"]), "map[change:0 create:3 differs:0 refused:1 repeated:1 unchanged:0]")
		servicetest.Same(t, "clients after the check", total(t, h, user, "buyers/"), before)

		checked := importedRows(t, h, user, id)
		servicetest.Same(t, "words", []any{checked[2]["message"], checked[2]["message_ar"], checked[0]["message_ar"]}, []any{"Repeats row 2.", "تكرار للصف 2.", "سيُضاف."})
		var fields, arabic []string
		for _, p := range servicetest.List(t, checked[4], "problems") {
			problem, _ := p.(servicetest.Record)
			if text := servicetest.Text(problem["message_ar"]); !strings.ContainsAny(text, "ابتيم") {
				t.Errorf("problem %v has no text in Arabic", problem)
			}
			name, _, _ := strings.Cut(servicetest.Text(problem["message_ar"]), ": ")
			fields, arabic = append(fields, servicetest.Text(problem["field"])), append(arabic, name)
		}
		servicetest.Same(t, "fields with problems", strings.Join(fields, " "), "vat_registration_number building_number province_state contact_email")
		servicetest.Same(t, "names of the fields in Arabic", strings.Join(arabic, "، "), "الرقم الضريبي، رقم المبنى، المنطقة، البريد الإلكتروني")

		h.As(user, http.MethodPost, servicetest.ImportsPath+id+"/run/", "").Wants(t, http.StatusAccepted)
		h.ImportIn(t, user, id, "done")
		servicetest.Same(t, "fates of the run", fates(t, h, user, id), want)
		servicetest.Same(t, "words of the run", importedRows(t, h, user, id)[0]["message"], any("Created."))
		after := total(t, h, user, "buyers/")
		servicetest.Same(t, "clients after the run", after, before+3)
		record := h.As(user, http.MethodGet, "/v1/api/buyers/"+servicetest.Text(importedRows(t, h, user, id)[3]["record"])+"/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "a formula is a text", record["buyer_name"], any(`=HYPERLINK("http://x")`))
		trail := h.As(h.Session(org.Admin, h.Org), http.MethodGet, "/app/api/trail/?action=client.create&subject="+servicetest.IDOf(record), "").Wants(t, http.StatusOK)
		servicetest.Same(t, "entries of the trail", len(servicetest.List(t, trail, "entries")), 1)

		// The same file again creates nothing.
		_, checkedAgain, again := imported(t, h, user, `{"kind":"clients"}`, "clients.csv", clientHeadings+rows)
		const same = "2 unchanged, 3 unchanged, 4 repeated, 5 unchanged, 6 refused"
		servicetest.Same(t, "the same file again", []string{checkedAgain, again}, []string{same, same})
		servicetest.Same(t, "clients after the same file", total(t, h, user, "buyers/"), after)

		// Other data changes a record only if that is wanted; an empty cell changes nothing.
		const moved = "Al Noor,311111111100003,B2B,OTHER,Queen Road,1234,Al Olaya,Riyadh,Riyadh,12345,\n"
		_, _, kept := imported(t, h, user, `{"kind":"clients"}`, "c.csv", clientHeadings+moved)
		changedID, _, changed := imported(t, h, user, `{"kind":"clients","update_existing":true}`, "c.csv", clientHeadings+moved)
		servicetest.Same(t, "other data", []string{kept, changed}, []string{"2 differs", "2 change"})
		record = h.As(user, http.MethodGet, "/v1/api/buyers/"+servicetest.Text(importedRows(t, h, user, changedID)[0]["record"])+"/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "changed record", []any{record["street"], record["contact_email"]}, []any{"Queen Road", "sara@alnoor.example"})

		// Exported fates are not formulas.
		file := h.As(user, http.MethodGet, servicetest.ImportsPath+id+"/rows/export/?language=en", "")
		if file.Status != http.StatusOK || !strings.Contains(file.Body, `"'=HYPERLINK(`) || !strings.Contains(file.Body, "Repeats row 2.") || !strings.Contains(file.Body, "VAT number: must be 15 digits") {
			t.Errorf("export: status %d, %s", file.Status, file.Body)
		}
		for language, want := range map[string]string{"en": "Fate Create Create Repeated Create Refused", "ar": "النتيجة إضافة إضافة مكرر إضافة مرفوض"} {
			var fates []string
			for _, row := range tableOf(t, h.As(user, http.MethodGet, servicetest.ImportsPath+id+"/rows/export/?language="+language, "").Body) {
				fates = append(fates, row[2])
			}
			servicetest.Same(t, "fates in "+language, strings.Join(fates, " "), want)
		}
		file = h.As(user, http.MethodGet, servicetest.ImportsPath+id+"/rows/export/?format=xlsx", "")
		sheet, err := spreadsheet.NewReader(strings.NewReader(file.Body), int64(len(file.Body)), spreadsheet.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		heading, err := sheet.Read()
		servicetest.Same(t, "heading of the workbook", []any{heading[0], err}, []any{"الصف", nil})
		var last []string
		for range 5 {
			last, err = sheet.Read()
			if err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasPrefix(last[4], "الرقم الضريبي: يجب أن يتكون من 15 رقمًا") || strings.Contains(last[4], "_") {
			t.Errorf("problems in Arabic: %s", last[4])
		}
	})
}

func TestImportOfItems(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.Accountant, h.Org)
		before := total(t, h, user, "items/")
		const headings = "اسم الصنف;رقم الصنف;الباركود;السعر;الوحدة;فئة الضريبة;نسبة الضريبة;المخزون\n"
		const rows = "حاسوب محمول;LAP-15;628100;٤٬٢٠٠٫٥٠;PCE;S;15%;12.5\n" +
			"Mouse with wheel;;628200;10;PCE;S;15;\n" +
			"Keyboard;KEY-1;628200;10;PCE;S;15;\n" +
			"Mouse again;;628200;10;PCE;S;15;\n" +
			"Paper sheets;;;1.25;PCE;S;15;\n" +
			"Paper sheets;;;1.25;PCE;S;15;\n" +
			"Exempt thing;;;1;PCE;E;0;x\n"
		const want = "2 create, 3 create, 4 refused, 5 repeated, 6 create, 7 repeated, 8 refused"
		arabic, err := charmap.Windows1256.NewEncoder().String(strings.NewReplacer("٤٬٢٠٠٫٥٠", "4,200.50").Replace(headings + rows))
		if err != nil {
			t.Fatal(err)
		}
		id, checked, done := imported(t, h, user, `{"kind":"items"}`, "items.csv", arabic)
		servicetest.Same(t, "fates", []string{checked, done}, []string{want, want})
		servicetest.Same(t, "items", total(t, h, user, "items/"), before+3)
		item := h.As(user, http.MethodGet, "/v1/api/items/"+servicetest.Text(importedRows(t, h, user, id)[0]["record"])+"/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "item", []any{item["item_name"], item["item_net_price"], item["stock"]}, []any{"حاسوب محمول", "4200.50", "12.5"})

		// A workbook with the same rows creates nothing.
		var book bytes.Buffer
		w := spreadsheet.NewWriter(&book, spreadsheet.XLSX, spreadsheet.Sheet{})
		for _, line := range strings.Split(strings.TrimSpace(headings+rows), "\n") {
			var cells []spreadsheet.Cell
			for _, text := range strings.Split(line, ";") {
				cells = append(cells, spreadsheet.Text(text))
			}
			if err := w.Write(cells...); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, _, again := imported(t, h, user, `{"kind":"items"}`, "items.xlsx", book.String())
		servicetest.Same(t, "the same rows as a workbook", again, "2 unchanged, 3 unchanged, 4 refused, 5 repeated, 6 unchanged, 7 repeated, 8 refused")
		servicetest.Same(t, "items after the workbook", total(t, h, user, "items/"), before+3)
	})
}

func TestImportRefusesFiles(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.Accountant, h.Org)
		const good = "buyer_name,business_type,industry,street,province_state\n"
		long := good + strings.Repeat("A,B2C,OTHER,S,R\n", 50_001)
		for _, c := range []struct{ name, data, file, code string }{
			{"too many rows", `{"kind":"clients"}`, long, "import_too_many_rows"},
			{"too large", `{"kind":"clients"}`, good + strings.Repeat("x", 20<<20), "file_too_large"},
			{"a zip bomb", `{"kind":"clients"}`, bomb(t), "import_unpacked_too_large"},
			{"not a table", `{"kind":"clients"}`, "\x89PNG\x00\x00", "import_unreadable"},
			{"a damaged workbook", `{"kind":"clients"}`, "PK\x03\x04 no workbook", "import_unreadable"},
			{"no rows", `{"kind":"clients"}`, good, "import_empty"},
			{"nothing", `{"kind":"clients"}`, "\n", "import_empty"},
			{"missing columns", `{"kind":"clients"}`, "buyer_name,street\nA,B\n", "import_columns"},
			{"columns of items", `{"kind":"items"}`, good + "A,B2C,OTHER,S,R\n", "import_columns"},
			{"two columns of a field", `{"kind":"clients"}`, "Name," + good + "A,A,B2C,OTHER,S,R\n", "import_columns"},
		} {
			fill := servicetest.FormBody(t, servicetest.Part{Field: "import_data", Content: c.data}, servicetest.Part{Field: "file", Filename: "f", Content: c.file})
			wantCode(t, c.name, h.Upload(user, servicetest.ImportsPath, fill), http.StatusBadRequest, c.code)
		}
		for data, field := range map[string]string{
			`{"kind":"kings"}`: "import_data.kind",
			`{"kind":"clients","columns":[{"field":"king","value":"x"}]}`:                                            "import_data.columns.0.field",
			`{"kind":"clients","columns":[{"field":"city"}]}`:                                                        "import_data.columns.0.heading",
			`{"kind":"clients","columns":[{"field":"city","heading":"Town"}]}`:                                       "import_data.columns.0.heading",
			`{"kind":"clients","columns":[{"field":"city","value":"Abha"},{"field":"city","heading":"buyer_name"}]}`: "import_data.columns.1.field",
		} {
			fill := servicetest.FormBody(t, servicetest.Part{Field: "import_data", Content: data}, servicetest.Part{Field: "file", Filename: "f", Content: good + "A,B2C,OTHER,S,R\n"})
			got := h.Upload(user, servicetest.ImportsPath, fill).Problems(t)
			if len(got) != 1 || !strings.HasPrefix(got[0], field+": ") {
				t.Errorf("%s: problems %q, want one of %s", data, got, field)
			}
		}
		fill := servicetest.ImportBody(t, "clients", "f", "buyer_name,street\nA,B\n")
		missing := h.Upload(user, servicetest.ImportsPath, fill)
		if !strings.Contains(missing.Body, "نوع النشاط التجاري، القطاع، المنطقة.") {
			t.Errorf("missing columns: %s, want their names in Arabic", missing.Body)
		}
		servicetest.Same(t, "imports", servicetest.List(t, h.As(user, http.MethodGet, servicetest.ImportsPath, "").Wants(t, http.StatusOK), "imports"), []any{})
	})
}

// bomb returns a workbook that is small and unpacks to gigabytes.
func bomb(t *testing.T) string {
	t.Helper()
	workbook, err := packedBomb()
	if err != nil {
		t.Fatal(err)
	}
	return workbook
}

// packedBomb is made once. It repeats one compressed mebibyte, because compressing them
// all takes longer than the tests that use it.
var packedBomb = sync.OnceValues(func() (string, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return &repeater{to: to}, nil })
	for _, part := range []struct {
		name, content string
		times         int
	}{
		{"_rels/.rels", `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`, 1},
		{"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="a"/></sheets></workbook>`, 1},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Type="x/worksheet" Target="sheet.xml"/></Relationships>`, 1},
		{"xl/sheet.xml", strings.Repeat(" ", 1<<20), 300},
	} {
		to, err := w.Create(part.name)
		for range part.times {
			if err == nil {
				_, err = to.Write([]byte(part.content))
			}
		}
		if err != nil {
			return "", err
		}
	}
	err := w.Close()
	return out.String(), err
})

// repeater compresses what is written to it. It repeats the result of a text that is
// written several times.
type repeater struct {
	to   io.Writer
	text []byte
	done bytes.Buffer // blocks of text that refer to nothing before them and end at a byte boundary
}

// Write implements [io.Writer].
func (r *repeater) Write(text []byte) (int, error) {
	if !bytes.Equal(text, r.text) {
		r.text = bytes.Clone(text)
		r.done.Reset()
		w, err := flate.NewWriter(&r.done, flate.BestCompression)
		if err == nil {
			_, err = w.Write(text)
		}
		if err == nil {
			err = w.Flush()
		}
		if err != nil {
			return 0, err
		}
	}
	_, err := r.to.Write(r.done.Bytes())
	return len(text), err
}

// Close implements [io.Closer].
func (r *repeater) Close() error {
	const emptyLastBlock = "\x01\x00\x00\xff\xff"
	_, err := io.WriteString(r.to, emptyLastBlock)
	return err
}

func TestImportCanBeFollowedAndCancelled(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.Accountant, h.Org)
		const row = "A client,B2C,OTHER,King Road,Riyadh\n"
		fill := servicetest.ImportBody(t, "clients", "f.csv", "buyer_name,business_type,industry,street,province_state\n"+row)
		id := servicetest.IDOf(h.Upload(user, servicetest.ImportsPath, fill).Wants(t, http.StatusAccepted))
		stream := h.As(user, http.MethodGet, servicetest.ImportsPath+id+"/progress/", "")
		if stream.Status != http.StatusOK || !strings.Contains(stream.Body, "id: checked-1\n") || !strings.Contains(stream.Body, `"rows_total":1,"rows_done":1`) || !strings.HasSuffix(stream.Body, "event: end\ndata: {}\n\n") {
			t.Errorf("stream: status %d, %s", stream.Status, stream.Body)
		}
		cancelled := h.As(user, http.MethodPost, servicetest.ImportsPath+id+"/cancel/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "state", cancelled["state"], any("cancelled"))
		for _, verb := range []string{"/cancel/", "/run/"} {
			wantCode(t, verb, h.As(user, http.MethodPost, servicetest.ImportsPath+id+verb, ""), http.StatusConflict, "import_state")
		}
		stranger := h.Session(org.Admin, h.Organisation("Other", "business"))
		for _, path := range []string{"/", "/rows/", "/progress/", "/rows/export/"} {
			servicetest.NoImport.Wants(t, path, h.As(stranger, http.MethodGet, servicetest.ImportsPath+id+path, ""))
		}
	})
}
