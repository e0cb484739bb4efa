package tools

import (
	"fmt"
	"slices"
	"strings"

	"khatm/check"
	"khatm/rules"
	"khatm/ubl"
)

// compare warns of differences between the returned invoice and the document:
// values that the schema cannot represent, and missing or unreadable ones that are
// filled in. Without such a warning the rules return the same results for both.
func (p *parser) compare(one found, in Invoice) {
	const most = 10
	_, laid := in.document(p.surface.NewID)
	giveSeal(laid, one.says)
	shown, all := ubl.Differ(withoutStamp(one.root), laid, most)
	if all == 0 {
		return
	}
	list := each(shown, describeDifference)
	if more := all - len(shown); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	p.warn("The invoice below differs from the document in: %s. validate-zatca checks the invoice below, not the file.", strings.Join(list, "; "))
	if one.load.nodes > largeNodes { // rules compare each part with all others
		return
	}
	if failed := failedBy(one, p.surface); len(failed) > 0 {
		p.warn("The file itself fails %d of the rules: %s.", len(failed), some(failed, strings.Clone))
	} else {
		p.warn("The file itself fails none of the rules.")
	}
}

// withoutStamp returns a tree without the stamp, if that is its first element.
func withoutStamp(root *ubl.Node) *ubl.Node {
	if len(root.Children) == 0 || root.Children[0].Name != "ext:UBLExtensions" {
		return root
	}
	bare := *root
	bare.Children = bare.Children[1:]
	return &bare
}

// describeDifference describes a difference: its path and the values.
func describeDifference(d ubl.Difference) string {
	path := short(d.Path)
	switch d.How {
	case ubl.Added:
		return path + " (left out)"
	case ubl.Missing:
		return path + " (not in the document)"
	case ubl.Reordered:
		return path + " (in another order)"
	case ubl.Changed:
	}
	return path + " (" + inQuotes(d.Tree) + ", below " + inQuotes(d.Invoice) + ")"
}

// failedBy returns the ids of the rules that a document fails.
func failedBy(one found, s *Surface) []string {
	var ids []string
	for _, r := range rules.CheckUnsealed(one.says, s.Now()) {
		if r.Status == rules.Failed {
			ids = append(ids, r.Rule.ID)
		}
	}
	for _, f := range check.Form(one.root) {
		if !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}
