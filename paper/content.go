package paper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"khatm/codes"
	"khatm/qr"
	"khatm/ubl"
)

// content is the text of the page, in the languages and the order of the page.
type content struct {
	lang       Language
	simplified bool
	account    bool // not a tax document, so that its original may be in English
	currency   string

	stem   string
	issued time.Time
	title  phrase
	traits []phrase // flags of the transaction: export, self-billed, …
	marks  []phrase // why the document is not a tax invoice; empty if it is one
	number string
	head   []fact
	reason []fact // for a credit or debit note: what it corrects and why
	uuid   []fact

	seller, buyer *party
	lines         []line
	adjustments   []adjustment
	advances      []advance
	advanceTotal  *subtotal
	breakdown     []subtotal
	totals        []total
	due           total
	words         phrase // the amount due in words

	payment []fact
	notes   []string
	trail   []fact // fine print: counter and hash
	symbol  *qr.Symbol
}

// fact is a label with its values.
type fact struct {
	label phrase
	text  []string
	whole bool // whether each text is set on one line
}

// newContent returns the content of a document. Only the document type is
// required; any other element that is missing in the document is missing on the
// page as well.
func newContent(inv *ubl.Invoice, o Options) (*content, error) {
	c := &content{lang: o.Language, currency: inv.DocumentCurrencyCode.String(), number: inv.ID.String()}
	transaction := inv.InvoiceTypeCode.Attr("name")
	kind, err := strconv.Atoi(inv.InvoiceTypeCode.String())
	if err != nil {
		return nil, fmt.Errorf("unknown document type %q", inv.InvoiceTypeCode)
	}
	title, found := codes.Title(kind, isSimplified(transaction))
	if !found {
		return nil, fmt.Errorf("unknown document type %d", kind)
	}
	c.simplified = isSimplified(transaction)
	c.title = c.lang.say(title.EN, title.AR)
	c.traits = c.traitsOf(transaction, isNote(kind))
	if c.lang == English {
		w := codes.MustWord("mark_translation")
		c.traits = append(c.traits, phrase{w.EN, w.AR})
	}
	c.readHead(inv, kind, o.Draft)
	if inv.Supplier != nil {
		c.seller = c.party(inv.Supplier.Party, o.Supplement.Seller)
	}
	if inv.Customer != nil {
		c.buyer = c.party(inv.Customer.Party, o.Supplement.Buyer)
	}
	c.readLines(inv)
	c.readAdjustments(inv)
	c.readTotals(inv, isNote(kind))
	c.readPayment(inv, isNote(kind))
	c.addSupplement(o.Supplement, inv, kind)
	return c, c.readStamp(inv, isNote(kind), o)
}

// heading returns the title with the number, for the metadata of the file.
func (c *content) heading() string { return c.title.main + " " + c.number }

// facts returns the header of the document. On a credit or debit note, the
// corrected invoices and the reason follow the number.
func (c *content) facts() []fact {
	n := min(1, len(c.head))
	return slices.Concat(c.head[:n], c.reason, c.head[n:])
}

// isSimplified reports whether the transaction code is that of a simplified
// document.
func isSimplified(transaction string) bool {
	return len(transaction) > 1 && transaction[1] == '2'
}

func isNote(kind int) bool { return kind == codes.CreditNote || kind == codes.DebitNote }

// traitsOf returns the names of the flags that are set in the transaction code. On a
// note they do not call it an invoice.
func (c *content) traitsOf(transaction string, note bool) []phrase {
	keys := []string{"third_party_invoice", "nominal", "export_invoice", "summary_invoice", "self_billed_invoice"}
	if note {
		keys = []string{"third_party", "nominal", "export", "summary", "self_billed"}
	}
	var traits []phrase
	for i, key := range keys {
		if at := i + 2; at < len(transaction) && transaction[at] == '1' {
			traits = append(traits, c.lang.word(key))
		}
	}
	return traits
}

// add appends a fact, unless all of its texts are empty.
func (c *content) add(list []fact, key string, text ...string) []fact {
	return append(list, c.fact(c.lang.word(key), text...)...)
}

// fact returns a list of one fact, or nil if all texts are empty.
func (c *content) fact(label phrase, text ...string) []fact {
	var said []string
	for _, t := range text {
		if t != "" {
			said = append(said, t)
		}
	}
	if len(said) == 0 {
		return nil
	}
	return []fact{{label: label, text: said}}
}

// texts returns the elements as strings, with all line breaks as \n.
func texts(leaves []*ubl.Text) []string {
	var all []string
	for _, t := range leaves {
		all = append(all, strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(t.String()))
	}
	return all
}

// quoted returns the texts of the elements. A text in two languages becomes two
// texts.
func (c *content) quoted(leaves []*ubl.Text) []string {
	var all []string
	for _, t := range texts(leaves) {
		p := c.lang.quote(t)
		all = append(all, p.main)
		if p.other != "" {
			all = append(all, p.other)
		}
	}
	return all
}

// addTrail appends a fact to the fine print.
func (c *content) addTrail(key, text string) {
	c.trail = c.add(c.trail, key, text)
}
