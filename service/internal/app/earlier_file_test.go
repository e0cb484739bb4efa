package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/spreadsheet"
)

const earlierFilePath = servicetest.EarlierPath + "file/"

// earlierFates returns the fates of the rows of a response, such as "2 create".
func earlierFates(t *testing.T, answer servicetest.Record) string {
	t.Helper()
	var all []string
	for _, one := range earlierFileRows(t, answer) {
		all = append(all, fmt.Sprint(one["row"], " ", one["fate"]))
	}
	return strings.Join(all, ", ")
}

func earlierFileRows(t *testing.T, answer servicetest.Record) (all []servicetest.Record) {
	t.Helper()
	for _, row := range servicetest.List(t, answer, "rows") {
		r, _ := row.(servicetest.Record)
		all = append(all, r)
	}
	return all
}

// registered returns the number of earlier invoices of the organisation.
func registered(t *testing.T, h *servicetest.Instance, user string) any {
	t.Helper()
	return h.As(user, http.MethodGet, servicetest.EarlierPath, "").Wants(t, http.StatusOK)["total"]
}

// A file is registered once: invoices of several rows, buyers by name, VAT number
// and UUID, and only those without problems.
func TestEarlierInvoicesOfAFile(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.Accountant, h.Org)
		client := h.Client(h.Org, "Al Noor")
		file := "number,issue_date,simplified,buyer,vat_registration_number,buyer_name,vat_category_code,vat_rate,taxable_amount,vat_amount,Remark\n" +
			"A-1,2025-12-31,simplified,,,,S,15%,\"1,000.00\",150,=1+1\n" +
			"A-2,2025/12/30,standard,,,Al  Noor ,S,15,100,15,\n" +
			"A-3,2025-12-31,no," + client.ID.String() + ",,,S,15,200.00,30.00,\n" +
			"A-4,2025-12-31,tax invoice,," + client.VATNumber + ",Other name,Z,0,50,0,\n" +
			"A-2,,,,,,e,0,25,0,\n" +
			"A-1,2025-12-31,simplified,,,,S,15,1000,150.00,\n" +
			"A-5,2025-12-31,standard,,,,S,15,100,15,\n" +
			"A-6,2025-12-31,simplified,,,,S,15,100,15,\n" +
			"A-6,2025-12-30,simplified,,,,Z,0,100,0,\n" +
			"A-7,31.12.2025,royal,,,,S,15,100,17,\n" +
			"A-8,2025-12-31,simplified,,,,S,15,100,17,\n" +
			",2025-12-31,simplified,,,,S,15,x,15,\n" +
			"A-9,2025-12-31,standard,,,Unknown,S,15,100,15,\n" +
			"A-10,2025-12-31,simplified,,,,S,15,100,15,\n" +
			"A-10,2025-12-31,simplified,,,,S,15,100.01,15,\n"
		const want = "2 create, 3 create, 4 create, 5 create, 6 create, 7 repeated, 8 refused, 9 refused, 10 refused, 11 refused, 12 refused, 13 refused, 14 refused, 15 refused, 16 refused"
		send := func(query string) servicetest.Record {
			return h.Upload(user, earlierFilePath+query, servicetest.EarlierFile(t, file)).Wants(t, http.StatusOK)
		}
		tried := send("?dry_run=true")
		servicetest.Same(t, "fates of the dry run", earlierFates(t, tried), want)
		servicetest.Same(t, "dry run", []any{tried["dry_run"], earlierFileRows(t, tried)[0]["record"], earlierFileRows(t, tried)[0]["message_ar"]}, []any{true, nil, "ستُسجَّل."})
		servicetest.Same(t, "invoices after the dry run", fmt.Sprint(registered(t, h, user)), "0")

		done := send("?dry_run=false")
		rows := earlierFileRows(t, done)
		servicetest.Same(t, "fates", earlierFates(t, done), want)
		servicetest.Same(t, "counts", fmt.Sprint(done["counts"], " ", done["invoices"], " ", done["rows_total"], " ", done["ignored_columns"]), "map[create:5 differs:0 refused:9 repeated:1 unchanged:0] 4 15 [Remark]")
		servicetest.Same(t, "words", []any{rows[0]["message"], rows[5]["message"]}, []any{"Registered.", "Repeats row 2."})
		servicetest.Same(t, "invoices", fmt.Sprint(registered(t, h, user)), "4")
		var problems []string
		for _, row := range rows[6:] {
			var fields []string
			for _, p := range servicetest.List(t, row, "problems") {
				problem, _ := p.(servicetest.Record)
				fields = append(fields, servicetest.Text(problem["field"]))
			}
			problems = append(problems, strings.Join(fields, " "))
		}
		servicetest.Same(t, "fields with problems", strings.Join(problems, ", "),
			"buyer_name, , issue_date, simplified vat_amount issue_date, vat_amount, taxable_amount number, buyer_name, , vat_category_code")
		problem, _ := servicetest.List(t, rows[8], "problems")[0].(servicetest.Record)
		servicetest.Same(t, "problem", []any{problem["message"], problem["message_ar"]},
			[]any{"must be the same as in row 9 of the invoice", "تاريخ الإصدار: يجب أن تكون القيمة كما في الصف 9 من الفاتورة نفسها."})

		two := h.As(user, http.MethodGet, servicetest.EarlierPath+servicetest.Text(rows[1]["record"])+"/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "invoice of two rows", []any{two["number"], two["issue_date"], two["simplified"], two["buyer"], two["currency"], two["total_with_vat"], len(servicetest.List(t, two, "totals"))},
			[]any{"A-2", "2025-12-30", false, client.ID.String(), "SAR", "140.00", 2})
		trail := h.As(h.Session(org.Admin, h.Org), http.MethodGet, "/app/api/trail/?action=earlier.create", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "entries of the trail", len(servicetest.List(t, trail, "entries")), 4)

		// The same file again registers nothing, nor do its rows in another order.
		again := strings.ReplaceAll(want, "create", "unchanged")
		servicetest.Same(t, "the same file again", earlierFates(t, send("")), again)
		const turned = "number,issue_date,simplified,buyer_name,vat_category_code,vat_rate,taxable_amount,vat_amount\nA-2,2025-12-30,standard,Al Noor,E,0,25,0\nA-2,,,,S,15,100,15\n" +
			"A-1,2025-12-31,simplified,,S,15,1000,150.01\n"
		servicetest.Same(t, "another order and other data", earlierFates(t, h.Upload(user, earlierFilePath, servicetest.EarlierFile(t, turned)).Wants(t, http.StatusOK)), "2 unchanged, 3 unchanged, 4 differs")
		servicetest.Same(t, "invoices at the end", fmt.Sprint(registered(t, h, user)), "4")

		// Clients of another organisation are not found, and the numbers are free there.
		stranger := h.Session(org.Accountant, h.Organisation("Other", "business"))
		servicetest.Same(t, "another organisation", earlierFates(t, h.Upload(stranger, earlierFilePath, servicetest.EarlierFile(t, file)).Wants(t, http.StatusOK)),
			"2 create, 3 refused, 4 refused, 5 refused, 6 refused, 7 repeated, 8 refused, 9 refused, 10 refused, 11 refused, 12 refused, 13 refused, 14 refused, 15 refused, 16 refused")
	})
}

// Files in Arabic are read as they are exported: Windows-1256 with semicolons, and
// workbooks with dates and Arabic digits.
func TestEarlierInvoicesOfAnArabicFile(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.Accountant, h.Org)
		const headings = "رقم الفاتورة;تاريخ الإصدار;نوع الفاتورة;العملة;فئة الضريبة;نسبة الضريبة;المبلغ قبل الضريبة;الضريبة"
		encoded, err := charmap.Windows1256.NewEncoder().String(headings + "\nق-1;2025-12-31;فاتورة ضريبية مبسطة;SAR;S;15;1,000.50;150.08\n")
		if err != nil {
			t.Fatal(err)
		}
		var book bytes.Buffer
		w := spreadsheet.NewWriter(&book, spreadsheet.XLSX, spreadsheet.Sheet{})
		for _, line := range []string{headings, "ق-1;٢٠٢٥-١٢-٣١;مبسطة;;S;١٥٪;١٬٠٠٠٫٥٠;١٥٠٫٠٨"} {
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
		for _, c := range []struct{ name, file, want string }{
			{"Windows-1256", encoded, "2 create"},
			{"a workbook", book.String(), "2 unchanged"},
		} {
			got := h.Upload(user, earlierFilePath, servicetest.EarlierFile(t, c.file)).Wants(t, http.StatusOK)
			servicetest.Same(t, c.name, earlierFates(t, got), c.want)
			servicetest.Same(t, "number", earlierFileRows(t, got)[0]["number"], any("ق-1"))
		}

		// Other headings and values for all rows are named in the form.
		fill := servicetest.FormBody(t,
			servicetest.Part{Field: "import_data", Content: `{"columns":[{"field":"number","heading":"Document"},{"field":"simplified","value":"simplified"},{"field":"vat_category_code","value":"S"},{"field":"vat_rate","value":"15"}]}`},
			servicetest.Part{Field: "file", Filename: "f.csv", Content: "Document\tDate\tNet amount\tVAT\nD-1\t2025-12-31\t10\t1.5\n"})
		servicetest.Same(t, "named columns", earlierFates(t, h.Upload(user, earlierFilePath, fill).Wants(t, http.StatusOK)), "2 create")
	})
}

func TestEarlierInvoicesOfAFileThatIsRefused(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.Accountant, h.Org)
		const row = "A,2025-12-31,simplified,,S,15,1,0.15\n"
		for _, c := range []struct{ name, file, code string }{
			{"too many rows", servicetest.EarlierHeadings + strings.Repeat(row, 1001), "import_too_many_rows"},
			{"too large", servicetest.EarlierHeadings + strings.Repeat("x", 5<<20), "file_too_large"},
			{"a zip bomb", bomb(t), "import_unpacked_too_large"},
			{"not a table", "\x89PNG\x00\x00", "import_unreadable"},
			{"no rows", servicetest.EarlierHeadings, "import_empty"},
			{"missing columns", "number,issue_date\nA,2025-12-31\n", "import_columns"},
		} {
			wantCode(t, c.name, h.Upload(user, earlierFilePath, servicetest.EarlierFile(t, c.file)), http.StatusBadRequest, c.code)
		}
		long := h.Upload(user, earlierFilePath, servicetest.EarlierFile(t, servicetest.EarlierHeadings+strings.Repeat(row, 1001)))
		if !strings.Contains(long.Body, "more than 1000 rows") || !strings.Contains(long.Body, "أكثر من 1000 صف") {
			t.Errorf("too many rows: %s, want the limit", long.Body)
		}
		most := h.Upload(user, earlierFilePath, servicetest.EarlierFile(t, servicetest.EarlierHeadings+strings.Repeat(row, 1000))).Wants(t, http.StatusOK)
		servicetest.Same(t, "counts of 1,000 rows", fmt.Sprint(most["counts"]), "map[create:1 differs:0 refused:0 repeated:999 unchanged:0]")
		if got := h.Upload(user, earlierFilePath+"?dry_run=maybe", servicetest.EarlierFile(t, servicetest.EarlierHeadings+row)).Problems(t); len(got) != 1 || !strings.HasPrefix(got[0], "dry_run: ") {
			t.Errorf("dry_run=maybe: problems %q, want one of dry_run", got)
		}
	})
}
