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

// content is everything that is said on the paper, in the languages of the
// page, in the order of the page.
type content struct {
	lang       Language
	simplified bool
	currency   string

	stem   string
	issued time.Time
	title  phrase
	traits []phrase // what is particular: export, self-billed, …
	mark   *phrase  // why it is no tax invoice; nil if it is one
	number string
	head   []fact
	reason []fact // of a note: what it corrects and why
	uuid   []fact

	seller, buyer *party
	lines         []line
	adjustments   []adjustment
	advances      []advance
	breakdown     []subtotal
	totals        []total
	due           total

	payment []fact
	notes   []string
	trail   []fact // by which the document is found again
	symbol  *qr.Symbol
}

// fact is a label with what stands beside it.
type fact struct {
	label phrase
	text  []string
}

// newContent reads a document. What is missing in it is missing on the paper;
// only what it is must be known.
func newContent(inv *ubl.Invoice, o Options) (*content, error) {
	c := &content{lang: o.Language, currency: inv.DocumentCurrencyCode.String(), number: inv.ID.String()}
	transaction := inv.InvoiceTypeCode.Attr("name")
	kind, err := strconv.Atoi(inv.InvoiceTypeCode.String())
	if err != nil {
		return nil, fmt.Errorf("no document type %q", inv.InvoiceTypeCode)
	}
	title, found := codes.Title(kind, isSimplified(transaction))
	if !found {
		return nil, fmt.Errorf("no document type %d", kind)
	}
	c.simplified = isSimplified(transaction)
	c.title = c.lang.say(title.EN, title.AR)
	c.traits = c.traitsOf(transaction)
	c.readHead(inv, kind, o.Draft)
	if inv.Supplier != nil {
		c.seller = c.party(inv.Supplier.Party)
	}
	if inv.Customer != nil {
		c.buyer = c.party(inv.Customer.Party)
	}
	c.readLines(inv)
	c.readAdjustments(inv)
	c.readTotals(inv, isNote(kind))
	c.readPayment(inv, isNote(kind))
	return c, c.readStamp(inv, o)
}

// heading is the title with the number, for those who see only a list of files.
func (c *content) heading() string { return c.title.main + " " + c.number }

// facts are the head of the document; what a note corrects, and why, comes right
// after its number.
func (c *content) facts() []fact {
	n := min(1, len(c.head))
	return slices.Concat(c.head[:n], c.reason, c.head[n:])
}

// isSimplified reads the second character of the transaction code.
func isSimplified(transaction string) bool {
	return len(transaction) > 1 && transaction[1] == '2'
}

func isNote(kind int) bool { return kind == codes.CreditNote || kind == codes.DebitNote }

// traitsOf reads the flags of the transaction code.
func (c *content) traitsOf(transaction string) []phrase {
	var traits []phrase
	for i, key := range []string{"third_party", "nominal", "export_invoice", "summary", "self_billed"} {
		if at := i + 2; at < len(transaction) && transaction[at] == '1' {
			traits = append(traits, c.lang.word(key))
		}
	}
	return traits
}

// add appends a fact, unless there is nothing to be said.
func (c *content) add(list []fact, key string, text ...string) []fact {
	return append(list, c.fact(c.lang.word(key), text...)...)
}

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
	return []fact{{label, said}}
}

// texts are the leaves as strings. All that can end a line does so the same way.
func texts(leaves []*ubl.Text) []string {
	var all []string
	for _, t := range leaves {
		all = append(all, strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(t.String()))
	}
	return all
}

// quoted are the leaves in their own words, two languages apart.
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

// addTrail appends to the fine print, which is in one language.
func (c *content) addTrail(key, text string) {
	c.trail = append(c.trail, c.fact(phrase{main: c.lang.word(key).main}, text)...)
}
