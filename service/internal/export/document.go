package export

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/ubl"
)

// indexColumns are the columns of index.csv. verify.sh refers to them by number;
// the only one that may contain a comma is the last.
var indexColumns = []string{
	"number", "uuid", "device", "counter", "issue_date", "issue_time", "type_code", "transaction_code",
	"currency", "without_vat", "vat", "with_vat", "payable", "vat_sar", "buyer_vat_number", "hash", "previous_hash", "status", "code",
	"xml", "xml_sha256", "stamped", "stamped_sha256", "verdict", "verdict_sha256", "buyer_name",
}

// document writes the files of a document and its row in index.csv.
func (s *seller) document(d store.Issued) error {
	inv, err := ubl.Read(d.XML)
	if err != nil {
		return fmt.Errorf("read document %s: %w", d.Number, err)
	}
	name := d.Number
	if !plainName.MatchString(name) {
		name = d.ID.String()
	}
	name = path.Join(d.IssueDate, name)
	var files []string // names and digests, in the order of the columns
	write := func(ending string, data []byte) error {
		sum, err := s.folder.write(path.Join(s.dir, name+ending), data)
		files = append(files, name+ending, sum)
		return err
	}
	if err := write(".xml", d.XML); err != nil {
		return err
	}
	if d.Answer != nil && d.Answer.Stamped != nil {
		s.noteStamper(d.Answer.Stamped)
		if err := write(".stamped.xml", d.Answer.Stamped); err != nil {
			return err
		}
	} else {
		files = append(files, "", "")
	}
	verdict, err := json.MarshalIndent(verdictOf(d), "", "  ")
	if err != nil {
		return err
	}
	if err := write(".json", append(verdict, '\n')); err != nil {
		return err
	}
	buyer, vatNumber := buyerOf(inv)
	cells := []string{
		d.Number, d.ID.String(), d.Device.String(), strconv.FormatInt(d.Counter, 10), d.IssueDate, d.IssueTime,
		strconv.Itoa(int(d.Kind)), d.Transaction.String(),
	}
	cells = append(cells, amountsOf(inv)...)
	cells = append(cells, vatNumber, d.Hash, d.PreviousHash, string(d.Status), code(d.Code))
	return s.index.row(append(append(cells, files...), buyer)...)
}

// amountsOf returns the currency and the amounts of a document, as written in it.
func amountsOf(inv *ubl.Invoice) []string {
	currency := inv.DocumentCurrencyCode.String()
	total := inv.MonetaryTotal
	if total == nil {
		total = &ubl.MonetaryTotal{}
	}
	return []string{
		currency, total.TaxExclusiveAmount.String(), vatIn(inv, currency), total.TaxInclusiveAmount.String(), total.PayableAmount.String(), vatIn(inv, "SAR"),
	}
}

// vatIn returns the VAT of a document in a currency.
func vatIn(inv *ubl.Invoice, currency string) string {
	for _, t := range inv.TaxTotals {
		if t.TaxAmount.Attr("currencyID") == currency {
			return t.TaxAmount.String()
		}
	}
	return ""
}

// buyerOf returns the name and the VAT number of the buyer, as written in the
// document.
func buyerOf(inv *ubl.Invoice) (name, vatNumber string) {
	if inv.Customer == nil || inv.Customer.Party == nil {
		return "", ""
	}
	p := inv.Customer.Party
	if len(p.LegalEntities) > 0 {
		name = p.LegalEntities[0].RegistrationName.String()
	}
	if len(p.TaxSchemes) > 0 {
		vatNumber = p.TaxSchemes[0].CompanyID.String()
	}
	return name, vatNumber
}

// code formats a status code, which is empty if there is no answer.
func code(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// verdict is the file with the authority's answer to a document.
type verdict struct {
	UUID        uuid.UUID        `json:"uuid"`
	Number      string           `json:"number"`
	Status      ledger.Status    `json:"status"` // empty if the authority has not answered
	Code        int              `json:"code"`
	Route       ledger.Route     `json:"route"`
	Result      string           `json:"result"`
	SubmittedAt string           `json:"submitted_at"`
	AnsweredAt  string           `json:"answered_at"`
	Stamped     bool             `json:"stamped"` // the copy with the authority's stamp is exported
	Infos       []ledger.Message `json:"infos"`
	Warnings    []ledger.Message `json:"warnings"`
	Errors      []ledger.Message `json:"errors"`
}

func verdictOf(d store.Issued) verdict {
	v := verdict{
		UUID: d.ID, Number: d.Number, Status: d.Status, Code: d.Code, SubmittedAt: timeText(d.SubmittedAt), AnsweredAt: timeText(d.AnsweredAt),
		Infos: []ledger.Message{}, Warnings: []ledger.Message{}, Errors: []ledger.Message{},
	}
	if a := d.Answer; a != nil {
		v.Route, v.Result, v.Stamped = a.Route, a.Result, a.Stamped != nil
		v.Infos, v.Warnings, v.Errors = append(v.Infos, a.CurrentInfos()...), append(v.Warnings, a.Warnings...), append(v.Errors, a.Errors...)
	}
	return v
}

func timeText(t *time.Time) string {
	if t == nil {
		return ""
	}
	return riyadh(*t)
}
