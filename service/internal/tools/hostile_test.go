package tools_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

// listOf returns a JSON array of n elements.
func listOf(n int, one func(i int) string) string {
	var out strings.Builder
	out.WriteByte('[')
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(one(i))
	}
	out.WriteByte(']')
	return out.String()
}

func always(text string) func(int) string { return func(int) string { return text } }

// besides returns a minimal invoice with additional members. If lines are among
// them, they replace its own.
func besides(members string) string {
	head, lines, _ := strings.Cut(servicetest.Least, `"lines":`)
	if strings.Contains(members, `"lines":`) {
		return head + members + "}"
	}
	return head + members + `,"lines":` + lines
}

// hostileInvoices returns bodies that are meant to be costly to process.
func hostileInvoices(t *testing.T) []hostile {
	digits := strings.Repeat("9", 20)
	line := func(more string) string { return `{"item_name":"Arabic coffee","item_net_price":"8.70"` + more + `}` }
	rows := func(n int) string { return listOf(n, always("{}")) }
	advance := func(rows string) string { return `{"ref_num":"A","vat_breakdown":` + rows + `}` }
	text := strings.Repeat
	note := func(text string) string { return `{"note":"` + text + `"}` }
	numbered := func(name string) func(int) string {
		return func(i int) string { return line(`,"` + name + `":"` + strconv.Itoa(i) + `"`) }
	}
	return []hostile{
		{"49 advances of 4,000 rows", fixed(besides(`"prepaid_invoices":` + listOf(49, always(advance(rows(4_000))))))},
		{"4,000 advances of 40 rows", fixed(besides(`"prepaid_invoices":` + listOf(4_000, always(advance(rows(40))))))},
		{"4,000 empty advances", fixed(besides(`"prepaid_invoices":` + listOf(4_000, always(`{"ref_num":"A"}`))))},
		{"2 advances of 4,000 rows", fixed(besides(`"prepaid_invoices":` + listOf(2, always(advance(rows(4_000))))))},
		{"advances in unknown categories", fixed(besides(
			`"vat_breakdown":` + listOf(4_000, func(i int) string { return `{"vat_category_code":"B` + strconv.Itoa(i) + `"}` }) +
				`,"prepaid_invoices":` + listOf(2_400, always(advance(listOf(4, always(`{"vat_category_code":"X"}`))))) + `,"lines":` + listOf(4_000, always(line("")))))},
		{"more advances in unknown categories", fixed(besides(
			`"vat_breakdown":` + listOf(4_000, func(i int) string { return `{"vat_category_code":"B` + strconv.Itoa(i) + `"}` }) +
				`,"prepaid_invoices":` + listOf(2_100, always(advance(listOf(40, always(`{"vat_category_code":"X"}`)))))))},
		{"4,000 rows of VAT", fixed(besides(`"vat_breakdown":` + rows(4_000)))},
		{"4,000 rows of VAT at 4,000 rates", fixed(besides(`"vat_breakdown":` + listOf(4_000, func(i int) string { return `{"vat_rate":` + strconv.Itoa(i) + `}` })))},
		{"4,000 lines", fixed(besides(`"lines":` + listOf(4_000, always(line("")))))},
		{"4,000 lines without content", fixed(besides(`"lines":` + listOf(4_000, always(`{"item_name":"","item_net_price":-1}`))))},
		{"lines in 4,000 categories", fixed(besides(`"lines":` + listOf(4_000, numbered("vat_category_code"))))},
		{"lines at 4,000 rates", fixed(besides(`"lines":` + listOf(4_000, numbered("vat_rate")) +
			`,"document_level_allowances":` + listOf(4_000, func(i int) string { return `{"allowance_amount":1,"vat_rate":` + strconv.Itoa(3_999-i) + `}` })))},
		{"lines for 4,000 reasons", fixed(besides(`"lines":` + listOf(4_000, func(i int) string {
			return line(`,"vat_category_code":"Z","vat_exemption_reason_code":"R` + strconv.Itoa(i) + `"`)
		}) + `,"document_level_allowances":` + listOf(4_000, always(`{"allowance_amount":99,"vat_category_code":"Z"}`))))},
		{"4,000 discounts", fixed(besides(`"document_level_allowances":` + listOf(4_000, always(`{"allowance_amount":"-0.0001","reason_code":"x"}`))))},
		{"4,000 originals", fixed(besides(`"original_invoice_reference":` + listOf(4_000, always(`{"ref_num":"","issue_date":"x"}`))))},
		{"4,000 ids", fixed(besides(`"buyer":{"additional_buyer_id":` + listOf(4_000, always(`{"type_id":"NAT","value":"`+text("1", 900)+`"}`)) + `}`))},
		{"the longest numbers", fixed(besides(`"lines":` + listOf(4_000, always(`{"item_name":"Arabic coffee","item_net_price":`+digits+`.999999,"invoiced_quantity":`+digits+`.999999,"vat_rate":`+digits+`.999999}`))))},
		{"numbers that are too long", fixed(besides(`"lines":` + listOf(4, always(`{"item_name":"Arabic coffee","item_net_price":`+text("9", 900_000)+`}`))))},
		{"exponents", fixed(besides(`"lines":` + listOf(4_000, always(`{"item_name":"Arabic coffee","item_net_price":1e999999999,"invoiced_quantity":1e-999999999}`))))},
		{"the largest rate", fixed(besides(`"currency":"USD","exchange_rate":` + digits + `,"lines":` + listOf(4_000, always(line("")))))},
		{"4 MB of notes", fixed(besides(`"notes":` + listOf(820, always(note(text("n", 4_990))))))},
		{"4 MB that are longer in XML", fixed(besides(`"notes":` + listOf(820, always(note(text("&", 4_990))))))},
		{"line ends that are longer in XML", fixed(besides(`"notes":` + listOf(410, always(note(text(`\r`, 4_990))))))},
		{"4 MB of marks on a letter", fixed(besides(`"notes":` + listOf(400, always(note("a"+text("\u0301\u0316", 2_400))))))},
		{"texts that grow when they are normalized", fixed(besides(`"notes":` + listOf(270, always(note(text("\U0001d160", 3_700))))))},
		{"one note that is too long", fixed(besides(`"notes":` + listOf(1, always(note(text("n", 4_000_000))))))},
		{"4,000 lines of long names", fixed(besides(`"lines":` + listOf(4_000, always(`{"item_name":"`+text("نص ", 190)+`","item_net_price":1}`))))},
		{"lists in lists", fixed(text("[", 1_000_000))},
		{"objects in objects", fixed(text(`{"seller":`, 400_000))},
		{"lines of zeros", fixed(besides(`"lines":` + listOf(190_000, always("0"))))},
		{"unknown members", fixed(besides(membersOf(150_000)))},
		{"one member many times", fixed(besides(text(`"uuid":"",`, 180_000) + `"uuid":""`))},
		{"4,000 lines of everything", func() string { return asEverything(t, 4_000) }},
	}
}

// membersOf returns n unknown members.
func membersOf(n int) string {
	return strings.Trim(listOf(n, func(i int) string { return `"m` + strconv.Itoa(i) + `":0` }), "[]")
}

// asEverything returns an invoice with as much of everything as fits into a body.
func asEverything(t *testing.T, lines int) string {
	f := sample.Invoice()
	f.Identity = invoice.Identity{Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-14", IssueTime: "09:15:30"}
	for len(f.Lines) < lines {
		f.Lines = append(f.Lines, f.Lines[0])
	}
	for range 500 {
		f.Notes = append(f.Notes, invoice.Note{Language: "ar", Text: long(100)})
		f.Allowances = append(f.Allowances, invoice.Allowance{Amount: dec("0.01"), Category: "S", Rate: dec("15")})
		f.Advances = append(f.Advances, invoice.Advance{Number: "ADV", UUID: f.UUID, IssueDate: f.IssueDate, IssueTime: f.IssueTime,
			Breakdown: []invoice.Subtotal{{Tax: f.Lines[0].Tax, Taxable: dec("1.00"), Amount: dec("0.15")}}})
	}
	return servicetest.AsJSON(t, invoiceJSON(f))
}

// TestX2_HostileInvoicesAreBounded checks that each body is accepted or refused
// within 1,800 times the CPU time of deflating 120 KiB, in every format.
func TestX2_HostileInvoicesAreBounded(t *testing.T) {
	h := openTools(t)
	var worst time.Duration
	var slowest string
	deflate := servicetest.Deflating(t)
	most := 1800 * servicetest.CostOf(t, deflate)
	for _, b := range someOf(hostileInvoices(t), testtool.Scale(48, 16, 16), "4,000 lines of everything", "advances in unknown categories", "lines in 4,000 categories") {
		body := b.data()
		for _, call := range []struct{ tool, body string }{
			{"validate-zatca", body},
			{"export", `{"format":"pdf","invoice":` + body + `}`},
		} {
			spent := time.Hour
			for tries := 0; spent > most && tries < 5; tries++ { // retry on a busy machine
				if tries > 0 {
					most = 1800 * servicetest.CostOf(t, deflate)
				}
				before := servicetest.CPUTime(t)
				a := h.Tool(call.tool, call.body)
				spent = servicetest.CPUTime(t) - before
				if a.Status != http.StatusOK && a.Status != http.StatusBadRequest || len(a.Body) > 17<<20 {
					t.Errorf("%s: %s returned status %d with %d bytes; want 200 or 400 with at most 17 MiB", b.name, call.tool, a.Status, len(a.Body))
				}
			}
			if spent > most && !testtool.Raced {
				t.Errorf("%s: %s took %s, want at most %s", b.name, call.tool, spent, most)
			}
			if spent > worst {
				worst, slowest = spent, b.name+", "+call.tool
			}
		}
	}
	t.Logf("slowest: %s (%s)", worst, slowest)
}

// TestX2_MemoryOfEightInvoicesAtOnce checks that a server needs at most 256 MiB more
// than when idle while eight of each body are sent.
func TestX2_MemoryOfEightInvoicesAtOnce(t *testing.T) {
	if testtool.Raced {
		t.Skip("the race detector needs additional memory")
	}
	if !testtool.All() {
		t.Skip("runs with make check; floods of a service test its memory in every run")
	}
	m := measure(t)
	for range 20 {
		m.ask("validate-zatca", servicetest.Least)
	}
	m.eightAtOnce(someOf(hostileInvoices(t), 32, "4,000 lines of everything"), 256, func(n int, body string) int {
		if format := []string{"", "csv", "pdf", "ubl-xml"}[n%4]; format != "" {
			return m.ask("export", `{"format":"`+format+`","invoice":`+body+`}`)
		}
		return m.ask("validate-zatca", body)
	}, http.StatusOK, http.StatusBadRequest, http.StatusServiceUnavailable) // 503 is possible on a busy machine
}

// ask calls a tool with a body and returns the status.
func (m *measured) ask(tool, body string) int {
	r, err := http.NewRequest(http.MethodPost, "http://"+m.address+"/v1-3/api/public/"+tool+"/", strings.NewReader(body))
	if err != nil {
		m.t.Error(err)
		return 0
	}
	r.Header.Set("Content-Type", "application/json")
	return m.statusOf(r)
}

// TestInterface_4_7_AdvancesThatAreTooMany checks the limit of 10,000 rows of all
// advances together: validate-zatca refuses more, and parse returns no invoice.
func TestInterface_4_7_AdvancesThatAreTooMany(t *testing.T) {
	h := openTools(t)
	f := sampleFacts()[advanced]
	f.Advances = slices.Repeat(f.Advances[:1], 4)
	d, _ := invoice.ComputeUnchecked(f)
	canon, err := ubl.Write(d.UBLUnchecked(f.Identity))
	if err != nil {
		t.Fatal(err)
	}
	head, lines, _ := strings.Cut(string(canon.Bytes()), "<cac:InvoiceLine>")
	row := regexp.MustCompile(`<cac:TaxSubtotal>.*?</cac:TaxSubtotal>`)
	for rows, accepted := range map[int]bool{2_500: true, 2_501: false} {
		in := invoiceJSON(f)
		for i := range f.Advances {
			set(t, in, "prepaid_invoices."+strconv.Itoa(i)+".vat_breakdown", slices.Repeat([]any{servicetest.Record{}}, rows))
		}
		a := h.Tool("validate-zatca", servicetest.AsJSON(t, in))
		if accepted {
			servicetest.Equal(t, "status", a.Status, http.StatusOK)
		} else {
			servicetest.Equal(t, "detail", detail(a, t), "prepaid_invoices: must have at most 10000 rows of vat_breakdown in total, not 10004.")
		}
		document := head + "<cac:InvoiceLine>" + row.ReplaceAllString(lines, strings.Repeat("<cac:TaxSubtotal/>", rows))
		parsed := h.Parse(document)
		body := parsed.Wants(t, http.StatusOK)
		if told := body["invoice"] != nil; told != accepted {
			t.Errorf("document with %d rows: invoice returned: %t; warning %s; want an invoice: %t", 4*rows, told, warned(body), accepted)
		}
		if accepted {
			servicetest.Equal(t, "what parse returns", judged(h, parsed).Status, http.StatusOK)
		}
	}
}
