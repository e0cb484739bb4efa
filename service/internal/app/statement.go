package app

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Statements reads what clients owe.
type Statements interface {
	Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error)
	Statements(ctx context.Context, of org.Tenant, client uuid.UUID, p payment.Period) ([]payment.Statement, error)
	Debtors(ctx context.Context, of org.Tenant, currency, today string, page org.Page) (org.List[payment.Debtor], error)
	WalkDebtors(ctx context.Context, of org.Tenant, currency, today string, see func(payment.Debtor) error) error
	OwedTotals(ctx context.Context, of org.Tenant, currency, today string) ([]payment.Aged, error)
}

const tagStatements = "Statements"

// statementMemory is what the lines of the longest statement need.
const statementMemory = 16 << 20

func (s *Surface) statementRows() []wire.Route {
	const path = "/api/buyers/{buyer_id}/statement/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-statement", Tag: tagStatements, Access: wire.People, Scope: org.PaymentGet,
			Whole: true, Long: true, Memory: func(int) int64 { return statementMemory },
			Codes:   []fault.Code{fault.BuyerNotFound, fault.ExportTooLarge},
			Summary: "Get the statement of a client",
			Doc: "Returns what changed the account of a client in a period, with the balance before and after it, one statement for each currency. " +
				"A standard document counts once it is cleared, a simplified one from its issue; rejected documents never count.",
		}, s.getStatement),
	}
}

// statementQuery selects the account of a client.
type statementQuery struct {
	oneBuyer
	From     codec.Date `query:"date_from" optional:"true" doc:"First day, such as 2026-11-01. Earlier entries are in the opening balance. Without it, all entries are listed."`
	To       codec.Date `query:"date_to" optional:"true" doc:"Last day, such as 2026-11-30. Later entries do not count."`
	Currency string     `query:"currency" optional:"true" minLength:"3" maxLength:"3" example:"SAR" doc:"Only the account in this currency (ISO 4217)."`
}

func (q statementQuery) period() (payment.Period, error) {
	p := payment.Period{Currency: q.Currency}
	if !q.From.IsZero() {
		p.From = q.From.String()
	}
	if !q.To.IsZero() {
		p.To = q.To.String()
	}
	if p.From != "" && p.To != "" && p.To < p.From {
		return p, fault.Wrong(fault.Problem{Path: "date_to", Message: "must not be before date_from", MessageAR: "يجب ألا يسبق تاريخ النهاية تاريخ البداية."})
	}
	return p, knownCurrency(q.Currency)
}

func knownCurrency(code string) error {
	if code != "" && !codes.IsCurrency(code) {
		return fault.Wrong(fault.Problem{Path: "currency", Message: "must be a currency of ISO 4217, such as SAR", MessageAR: fault.CurrencyAR})
	}
	return nil
}

// clientOut is a client in a response.
type clientOut struct {
	Buyer      uuid.UUID `json:"buyer" doc:"UUID of the client."`
	Name       string    `json:"buyer_name" example:"Al Noor Trading" doc:"Name of the client."`
	NameArabic string    `json:"buyer_name_arabic" example:"شركة النور للتجارة" doc:"Name of the client in Arabic letters; empty if none."`
}

// Statement is the account of a client in a response.
type Statement struct {
	clientOut
	From       *string        `json:"date_from" format:"date" doc:"First day of the period; null if it has none."`
	To         *string        `json:"date_to" format:"date" doc:"Last day of the period; null if it has none."`
	Statements []statementOut `json:"statements" doc:"One statement for each currency, in the order of the currency codes. Amounts of different currencies are never added."`
}

type statementOut struct {
	Currency string         `json:"currency" example:"SAR" doc:"Currency code (ISO 4217)."`
	Opening  string         `json:"opening_balance" example:"100.00" doc:"What the client owed before the period; negative if your organisation owed the client."`
	Lines    []statementRow `json:"lines" doc:"Entries in the order of their dates."`
	Closing  string         `json:"closing_balance" example:"85.00" doc:"What the client owes at the end of the period; negative if your organisation owes the client."`
}

type statementRow struct {
	Date    string    `json:"date" format:"date" doc:"Date of the entry, in Riyadh time."`
	Kind    string    `json:"kind" enum:"invoice,debit_note,advance_payment,credit_note,payment,payment_reversal,refund,refund_reversal" doc:"What the entry is."`
	Number  string    `json:"number" example:"INV-2026-000001" doc:"Number of the document, receipt or refund, or of its reversal."`
	UUID    uuid.UUID `json:"uuid" doc:"UUID of the document, receipt or refund; for a reversal, of what it takes back."`
	Due     *string   `json:"due_date" format:"date" doc:"Date on which an invoice is due; null if none is printed on it."`
	Debit   string    `json:"debit" example:"115.00" doc:"Increases what the client owes; 0.00 otherwise."`
	Credit  string    `json:"credit" example:"0.00" doc:"Reduces what the client owes; 0.00 otherwise."`
	Balance string    `json:"balance" example:"215.00" doc:"What the client owes after the entry."`
}

func (s *Surface) getStatement(ctx context.Context, c wire.Caller, in *statementQuery) (*Statement, error) {
	client, p, list, err := s.statements(ctx, c.Actor.Tenant, in)
	if err != nil {
		return nil, err
	}
	out := &Statement{clientOut: clientOut{client.ID, client.Name, client.NameArabic}, From: textOrNull(p.From), To: textOrNull(p.To)}
	for _, one := range list {
		to := statementOut{Currency: one.Currency, Opening: one.Opening.Fixed2(), Closing: one.Closing.Fixed2()}
		for _, l := range one.Lines {
			to.Lines = append(to.Lines, statementRow{
				Date: l.Date, Kind: string(l.Entry), Number: l.Number, UUID: l.ID, Due: textOrNull(l.Due), Debit: l.Debit.Fixed2(), Credit: l.Credit.Fixed2(), Balance: l.Balance.Fixed2(),
			})
		}
		out.Statements = append(out.Statements, to)
	}
	return out, nil
}

// statements reads a client and its statements.
func (s *Surface) statements(ctx context.Context, of org.Tenant, in *statementQuery) (client trade.Client, p payment.Period, list []payment.Statement, err error) {
	if p, err = in.period(); err != nil {
		return client, p, nil, err
	}
	if client, err = s.Statements.Client(ctx, of, in.ID); err != nil {
		return client, p, nil, err
	}
	list, err = s.Statements.Statements(ctx, of, in.ID, p)
	return client, p, list, err
}
