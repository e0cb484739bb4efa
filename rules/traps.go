package rules

import (
	"strings"

	"khatm/ubl"
)

// The demands of the official sheets. If one is not met, the sheets abort, and
// the authority refuses the document without naming a rule.
var (
	repeatedForSheet = Demand{"SHEET-REPEATED",
		Words{"An element that the official rule sheets read as a single value must not be repeated, although UBL allows it.", "يجب ألا يتكرر العنصر الذي تقرؤه قواعد التحقق الرسمية قيمةً واحدة، وإن أجازت مواصفة UBL تكراره."},
		Words{"Keep one of them, or join the texts into one.", "أبقِ قيمة واحدة فقط، أو ادمج النصوص في نص واحد."}}
	zeroForSheet = Demand{"SHEET-DIVISION",
		Words{"The base quantity of a price must not be zero.", "يجب ألا تكون الكمية الأساسية للسعر صفرًا."},
		Words{"Leave cbc:BaseQuantity out, or give the number of units that the price is for.", "احذف العنصر cbc:BaseQuantity، أو اكتب فيه عدد الوحدات التي حُدِّد لها السعر."}}
	patternForSheet = Demand{"SHEET-PATTERN",
		Words{"A currency code must not contain characters with a meaning in search patterns, such as brackets or asterisks.", "يجب ألا يحتوي رمز العملة على علامات لها معنى خاص في أنماط البحث، مثل الأقواس أو النجمة."},
		Words{"Use the three-letter code of the currency, such as SAR.", "استخدم رمز العملة المكوّن من ثلاثة أحرف، مثل SAR."}}
	momentForSheet = Demand{"SHEET-TIME",
		Words{"The issue date and issue time of a simplified document must together form a valid date and time: no time zone after the date, no blank between them.", "يجب أن يكون تاريخ الإصدار ووقته في المستند المبسط معًا تاريخًا ووقتًا صحيحين، دون منطقة زمنية بعد التاريخ ودون مسافة بين التاريخ والوقت."},
		Words{"Write the date as 2026-11-14 in `issue_date` and the time as 13:05:00 in `issue_time`, without blanks.", "اكتب التاريخ بالصيغة 2026-11-14 في الحقل `issue_date` والوقت بالصيغة 13:05:00 في الحقل `issue_time`، دون مسافات."}}
	amountForSheet = Demand{"SHEET-RANGE",
		Words{"An amount must not be so large that the official rule sheets cannot compute with it: at most 300 digits.", "يجب ألا يزيد المبلغ على 300 خانة، لأن قواعد التحقق الرسمية لا تستطيع حساب مبلغ أطول."},
		Words{"Correct the amount.", "صحّح المبلغ."}}
)

// Traps reports the parts of a document that make the official sheets abort
// although the schema allows them; [Schema] reports, for instance, a text that is
// not a number. Traps stops after 100 findings.
func Traps(root *ubl.Node) []Finding {
	s := &survey{root: root}
	s.visit(root)
	s.sellers()
	s.buyers()
	s.references()
	s.stamps()
	s.payments()
	s.reasons()
	s.lines()
	s.totals()
	s.currencies()
	s.moment()
	nameFields(s.found, root)
	return s.found
}

// survey is the state of a search for traps: the elements that the sheets look
// for anywhere in the document, and the findings.
type survey struct {
	root  *ubl.Node
	path  []*ubl.Node // during the visit
	found []Finding

	standard, simplified, summary bool // according to any name attribute
	standardRated                 bool
	typeCodes                     []*ubl.Node
	sellerRoles, buyerRoles       []*ubl.Node
	deliveries, means, attachment []*ubl.Node
	invoiceLines, signatures      []*ubl.Node
	extensions                    []*ubl.Node
	ownCurrency, taxCurrency      []*ubl.Node
	patterns                      []*ubl.Node // amounts whose currency contains pattern characters
}

// visit collects the elements that the sheets look for anywhere in the document.
func (s *survey) visit(n *ubl.Node) {
	s.path = append(s.path, n)
	for i := range n.Attrs {
		switch a := &n.Attrs[i]; {
		case a.Name == "name":
			s.named(a.Value)
		case a.Name == "currencyID" && hasSigns(a.Value) && len(s.patterns) < maxFindings && s.currencyCounts():
			s.patterns = append(s.patterns, n)
		}
	}
	if list := s.listOf(n); list != nil {
		*list = append(*list, n)
	}
	s.standardRated = s.standardRated || s.isStandardRate(n)
	for _, c := range n.Children {
		s.visit(c)
	}
	s.path = s.path[:len(s.path)-1]
}

// named evaluates an attribute called name. The sheets read it on every element,
// not only on the type code.
func (s *survey) named(name string) {
	s.standard = s.standard || standardName.MatchString(name)
	s.simplified = s.simplified || simplifiedName.MatchString(name)
	s.summary = s.summary || summaryName.MatchString(name)
}

func (s *survey) listOf(n *ubl.Node) *[]*ubl.Node {
	switch n.Name {
	case "cbc:InvoiceTypeCode":
		return &s.typeCodes
	case "cac:AccountingSupplierParty":
		return &s.sellerRoles
	case "cac:AccountingCustomerParty":
		return &s.buyerRoles
	case "cac:Delivery":
		return &s.deliveries
	case "cac:PaymentMeans":
		return &s.means
	case "cac:InvoiceLine":
		return &s.invoiceLines
	case "cac:Signature":
		return &s.signatures
	case "ext:UBLExtensions":
		return &s.extensions
	case "cbc:DocumentCurrencyCode":
		return &s.ownCurrency
	case "cbc:TaxCurrencyCode":
		return &s.taxCurrency
	case "cac:Attachment":
		// The sheet skips the attachment of the previous hash.
		if up := s.above(1); up == "cac:AdditionalDocumentReference" && !s.inPreviousHash() {
			return &s.attachment
		}
	}
	return nil
}

// above returns the name of the ancestor that is steps above the visited element.
func (s *survey) above(steps int) string {
	if i := len(s.path) - 1 - steps; i >= 0 {
		return s.path[i].Name
	}
	return ""
}

func (s *survey) inPreviousHash() bool {
	return normalize(textOf(s.path[len(s.path)-2], "cbc:ID")) == "PIH"
}

// isStandardRate reports whether n is a VAT category S. The official sheet
// checks the exemption reasons of lines only in documents with such a category.
func (s *survey) isStandardRate(n *ubl.Node) bool {
	up := s.above(1)
	switch n.Name {
	case "cac:TaxCategory":
		return (up == "cac:AllowanceCharge" || up == "cac:TaxSubtotal" && s.above(2) == "cac:TaxTotal") && isCategory(n, "S")
	case "cac:ClassifiedTaxCategory":
		return up == "cac:Item" && s.above(2) == "cac:InvoiceLine" && isCategory(n, "S")
	}
	return false
}

// currencyCounts reports whether the sheet compares the currency of the visited
// amount with that of the document.
func (s *survey) currencyCounts() bool {
	name, up := s.above(0), s.above(1)
	switch name {
	case "cbc:Amount", "cbc:BaseAmount", "cbc:LineExtensionAmount", "cbc:PriceAmount", "cbc:TaxExclusiveAmount",
		"cbc:TaxInclusiveAmount", "cbc:AllowanceTotalAmount", "cbc:ChargeTotalAmount", "cbc:PrepaidAmount",
		"cbc:PayableRoundingAmount", "cbc:PayableAmount":
		return true
	case "cbc:TaxableAmount", "cbc:TaxAmount":
		if up == "cac:TaxSubtotal" && s.above(2) == "cac:TaxTotal" {
			return s.above(3) == "Invoice" || s.above(3) == "cac:InvoiceLine"
		}
	}
	ofLine := up == "cac:TaxTotal" && s.above(2) == "cac:InvoiceLine"
	return ofLine && (name == "cbc:TaxAmount" || name == "cbc:RoundingAmount")
}

// typed reports whether the name of any type code begins with one of the
// prefixes.
func (s *survey) typed(prefixes ...string) bool {
	for _, code := range s.typeCodes {
		for _, prefix := range prefixes {
			if name, _ := attributeOf(code, "name"); strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

// once reports a finding if there is more than one node.
func (s *survey) once(nodes []*ubl.Node) {
	if len(nodes) > 1 {
		s.fail(&repeatedForSheet, nodes[1], "", nodes[1].Text, "")
	}
}

func (s *survey) fail(d *Demand, n *ubl.Node, below, got, want string) {
	if len(s.found) < maxFindings {
		s.found = append(s.found, d.at(pathTo(s.root, n)+below, got, want))
	}
}

// down returns the descendants that are reached by following the names.
func down(nodes []*ubl.Node, names ...string) []*ubl.Node {
	for _, name := range names {
		var next []*ubl.Node
		for _, n := range nodes {
			for _, c := range n.Children {
				if c.Name == name {
					next = append(next, c)
				}
			}
		}
		nodes = next
	}
	return nodes
}

func (s *survey) down(names ...string) []*ubl.Node { return down([]*ubl.Node{s.root}, names...) }

func textOf(n *ubl.Node, child string) string {
	if c := n.Child(child); c != nil {
		return c.Text
	}
	return ""
}

func attributeOf(n *ubl.Node, name string) (string, bool) {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

// isCategory reports whether a category has one of the letters, under the scheme
// VAT.
func isCategory(n *ubl.Node, letters string) bool {
	return isLetter(n, letters) && isUnderVAT(n)
}

func isUnderVAT(n *ubl.Node) bool {
	scheme := n.Child("cac:TaxScheme")
	return scheme != nil && normalize(strings.ToUpper(textOf(scheme, "cbc:ID"))) == "VAT"
}

func isLetter(n *ubl.Node, letters string) bool {
	id := normalize(textOf(n, "cbc:ID"))
	return len(id) == 1 && strings.Contains(letters, id)
}
