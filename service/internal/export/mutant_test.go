package export_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// mutant is a change to an export.
type mutant struct {
	name   string
	change func(p *planted)
	// onlyDigest means that nothing signed covers the change: if the digests in the
	// index and in the manifest are rewritten, only the printed digest finds it.
	onlyDigest bool
}

// Rows of the index that the mutants change: the first device issued standard
// documents with stamped copies.
const (
	first  = 0
	second = 1
	third  = 2
)

func signed(p *planted) string  { return p.cell(second, xmlColumn) }
func stamped(p *planted) string { return p.cell(second, stampedColumn) }
func verdict(p *planted) string { return p.cell(second, verdictColumn) }

// flipped returns a change of a character after a text in a file.
func flipped(file func(*planted) string, behind string, offset int) func(*planted) {
	return func(p *planted) { p.flip(file(p), behind, offset) }
}

// celled returns a change of a cell in the second row of the index.
func celled(column int, text string) func(*planted) {
	return func(p *planted) { p.set(second, column, text) }
}

// documentMutants change XML files.
var documentMutants = []mutant{
	{name: "payable amount", change: flipped(signed, `<cbc:PayableAmount currencyID="SAR">`, 0)},
	{name: "name of the buyer", change: flipped(signed, `<cac:AccountingCustomerParty>`, 300)},
	{name: "name of an item", change: flipped(signed, `<cac:Item><cbc:Name>`, 1)},
	{name: "issue date", change: flipped(signed, `<cbc:IssueDate>`, 9)},
	{name: "issue time", change: flipped(signed, `<cbc:IssueTime>`, 7)},
	{name: "UUID", change: flipped(signed, `<cbc:UUID>`, 30)},
	{name: "number", change: flipped(signed, `<cbc:ProfileID>reporting:1.0</cbc:ProfileID><cbc:ID>`, 12)},
	{name: "counter", change: flipped(signed, `<cbc:ID>ICV</cbc:ID><cbc:UUID>`, 0)},
	{name: "previous hash", change: flipped(signed, `<cbc:ID>PIH</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">`, 5)},
	{name: "digest in the stamp", change: flipped(signed, `<ds:DigestValue>`, 3)},
	{name: "signature", change: flipped(signed, `<ds:SignatureValue>`, 20)},
	{name: "certificate in the stamp", change: flipped(signed, `<ds:X509Certificate>`, 50)},
	{name: "time in the QR code", change: flipped(signed, `<cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">`, 60)},
	{name: "key in the QR code", change: flipped(signed, `<cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">`, 390)},
	{name: "signing time", change: flipped(signed, `<xades:SigningTime>`, 9), onlyDigest: true},
	{name: "comment", change: func(p *planted) { p.replace(signed(p), "<cbc:ProfileID>", "<!-- --><cbc:ProfileID>") }},
	{name: "white space", change: func(p *planted) { p.replace(signed(p), "<cbc:ProfileID>", " <cbc:ProfileID>") }},
	{name: "element added", change: func(p *planted) {
		p.replace(signed(p), "<cbc:DocumentCurrencyCode>", "<cbc:Note>x</cbc:Note><cbc:DocumentCurrencyCode>")
	}},
	{name: "truncated", change: func(p *planted) { p.write(signed(p), p.read(signed(p))[:4000]) }},
	{name: "empty", change: func(p *planted) { p.write(signed(p), "") }},
	{name: "documents swapped", change: func(p *planted) { p.swap(signed(p), p.cell(third, xmlColumn)) }},
	{name: "stamped copy instead of the document", change: func(p *planted) { p.write(signed(p), p.read(stamped(p))) }},
	{name: "document instead of the stamped copy", change: func(p *planted) { p.write(stamped(p), p.read(signed(p))) }},
	{name: "amount in the stamped copy", change: flipped(stamped, `<cbc:PayableAmount currencyID="SAR">`, 0)},
	{name: "signature of the stamped copy", change: flipped(stamped, `<ds:SignatureValue>`, 30)},
	{name: "stamped copy of another document", change: func(p *planted) { p.write(stamped(p), p.read(p.cell(first, stampedColumn))) }},
	{name: "document removed", change: func(p *planted) { p.remove(signed(p)) }},
	{name: "stamped copy removed", change: func(p *planted) { p.remove(stamped(p)) }},
	{name: "stamped copy removed with its name", change: func(p *planted) {
		p.remove(stamped(p))
		p.index(func(rows [][]string) [][]string {
			rows[second][stampedColumn], rows[second][stampedColumn+1] = "", ""
			return rows
		})
	}},
}

// verdictMutants change verdicts.
var verdictMutants = []mutant{
	{name: "verdict removed", change: func(p *planted) { p.remove(verdict(p)) }},
	{name: "status", change: func(p *planted) { p.replace(verdict(p), `"CLEARED"`, `"REPORTED"`) }},
	{name: "code", change: func(p *planted) { p.replace(verdict(p), `"code": 20`, `"code": 40`) }},
	{name: "uuid of the verdict", change: flipped(verdict, `"uuid": "`, 30)},
	{name: "verdict that is not JSON", change: func(p *planted) { p.replace(verdict(p), `{`, ``) }},
	{name: "verdicts swapped", change: func(p *planted) { p.swap(verdict(p), p.cell(third, verdictColumn)) }},
	{name: "time of the answer", change: flipped(verdict, `"answered_at": "`, 18), onlyDigest: true},
	{name: "rejection", change: func(p *planted) {
		p.replace(verdict(p), `"CLEARED"`, `"NOT_CLEARED"`)
		p.set(second, statusColumn, "NOT_CLEARED")
	}},
}

// indexMutants change the index.
var indexMutants = []mutant{
	{name: "row removed", change: func(p *planted) {
		p.index(func(rows [][]string) [][]string { return append(rows[:second], rows[third:]...) })
	}},
	{name: "row removed with its files", change: func(p *planted) {
		for _, file := range []string{signed(p), stamped(p), verdict(p)} {
			p.remove(file)
		}
		p.index(func(rows [][]string) [][]string { return append(rows[:second], rows[third:]...) })
	}},
	{name: "row repeated", change: func(p *planted) { p.index(func(rows [][]string) [][]string { return append(rows, rows[second]) }) }},
	{name: "rows in another order", change: func(p *planted) {
		p.index(func(rows [][]string) [][]string {
			rows[second], rows[third] = rows[third], rows[second]
			return rows
		})
	}},
	{name: "number in the index", change: celled(numberColumn, "INV-2026-999999")},
	{name: "uuid in the index", change: celled(uuidColumn, "01a1ebc3-c134-764a-8188-476d4ead1c7b")},
	{name: "device in the index", change: func(p *planted) { p.set(second, deviceColumn, p.cell(len(p.rows("index.csv"))-1, deviceColumn)) }},
	{name: "counter in the index", change: celled(counterColumn, "999")},
	{name: "date in the index", change: celled(dateColumn, "2026-01-31")},
	{name: "time in the index", change: celled(timeColumn, "23:59:59")},
	{name: "kind in the index", change: celled(kindColumn, "386")},
	{name: "currency in the index", change: celled(currencyColumn, "USD")},
	{name: "amount in the index", change: celled(withoutVATColumn, "1.00")},
	{name: "VAT in the index", change: celled(vatColumn, "0.15")},
	{name: "payable amount in the index", change: celled(payableColumn, "1.15")},
	{name: "hash in the index", change: celled(hashColumn, "JlSvZpeos++KWAfWECmRP8FH728oZytUx++oUumjGoc=")},
	{name: "previous hash in the index", change: celled(previousColumn, "JlSvZpeos++KWAfWECmRP8FH728oZytUx++oUumjGoc=")},
	{name: "status in the index", change: celled(statusColumn, "REPORTED")},
	{name: "code in the index", change: celled(codeColumn, "208")},
	{name: "name of the buyer in the index", change: celled(buyerColumn, "Somebody")},
	{name: "file of another document", change: func(p *planted) { p.set(second, xmlColumn, p.cell(third, xmlColumn)) }},
	{name: "counters renumbered", change: func(p *planted) {
		p.index(func(rows [][]string) [][]string {
			for i := range rows {
				rows[i][counterColumn] += "0"
			}
			return rows
		})
	}},
}

// otherMutants change what belongs to all documents.
var otherMutants = []mutant{
	{name: "certificate of another device", change: func(p *planted) {
		other := p.cell(len(p.rows("index.csv"))-1, deviceColumn)
		p.write("certificates/"+p.cell(second, deviceColumn)+"-1.pem", p.read("certificates/"+other+"-1.pem"))
	}},
	{name: "certificate changed", change: func(p *planted) {
		p.flip("certificates/"+p.cell(second, deviceColumn)+"-1.pem", "CERTIFICATE-----\n", 200)
	}},
	{name: "certificate of the authority removed", change: func(p *planted) { p.remove("certificates/authority-1.pem") }},
	{name: "hash before the period", change: func(p *planted) { p.flip("chains.csv", p.cell(second, deviceColumn), 20) }},
	{name: "chain removed", change: func(p *planted) { p.table("chains.csv", func(rows [][]string) [][]string { return rows[1:] }) }},
	{name: "end of a chain", change: func(p *planted) {
		p.table("chains.csv", func(rows [][]string) [][]string {
			rows[0][2] += "0"
			return rows
		})
	}},
	{name: "file added", change: func(p *planted) { p.write("note.txt", "paid") }},
	{name: "file added above", change: func(p *planted) { p.write("/note.txt", "paid") }, onlyDigest: true},
	{name: "number of documents", change: func(p *planted) { p.replace("/export.json", `"documents": `, `"documents": 1`) }},
	{name: "organisation removed", change: func(p *planted) { p.remove("") }},
	{name: "readme", change: func(p *planted) { p.replace("/README.txt", "e", "f") }, onlyDigest: true},
	{name: "last document removed everywhere", onlyDigest: true, change: func(p *planted) {
		rows := p.rows("index.csv")
		last := rows[len(rows)-1]
		for _, column := range []int{xmlColumn, stampedColumn, verdictColumn} {
			if last[column] != "" {
				p.remove(last[column])
			}
		}
		p.index(func(rows [][]string) [][]string { return rows[:len(rows)-1] })
		p.table("chains.csv", func(chains [][]string) [][]string {
			for _, c := range chains {
				if c[0] == last[deviceColumn] {
					c[2] = rows[len(rows)-2][counterColumn]
				}
			}
			return chains
		})
		p.replace("/export.json", fmt.Sprintf(`"documents": %d`, len(rows)), fmt.Sprintf(`"documents": %d`, len(rows)-1))
	}},
}

// Every change is found: by the manifest, and if the digests were rewritten too, by
// the hashes, the signatures and the chains, or else by the printed digest.
func TestVerifyFindsChanges(t *testing.T) {
	t.Parallel()
	tools(t)
	b := newQuarter(t, servicetest.UsualEngines()[0])
	x := b.export(b.Org.ID, "2026-02-01", "2026-02-28")
	var all []mutant
	for _, some := range [][]mutant{documentMutants, verdictMutants, indexMutants, otherMutants} {
		all = append(all, some...)
	}
	t.Logf("%d changes", len(all))
	for i, m := range all {
		t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			source := &exported{t: t, dir: x.dir, result: x.result}
			if i%testtool.Scale(36, 3, 1) == 0 { // the manifest finds every change
				p := source.copied(filepath.Join(t.TempDir(), "plain"))
				m.change(p)
				if out, sound := p.verify(); sound {
					t.Errorf("verify.sh found nothing: %s", out)
				}
			}
			if i%testtool.Scale(18, 1, 1) != 0 {
				return
			}
			p := source.copied(filepath.Join(t.TempDir(), "resealed"))
			m.change(p)
			p.reseal()
			if out, sound := p.verify(); sound != m.onlyDigest {
				t.Errorf("verify.sh on rewritten digests: found nothing is %t, want %t; output: %s", sound, m.onlyDigest, out)
			}
			if m.onlyDigest {
				if out, sound := p.verify("--manifest", x.result.Digest); sound {
					t.Errorf("verify.sh --manifest found nothing: %s", out)
				}
			}
		})
	}
}
