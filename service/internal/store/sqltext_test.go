package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"khatm/service/internal/store/storetest"
)

// withoutOrganisation lists the functions with statements on rows of
// organisations that do not select an organisation, with the reason.
var withoutOrganisation = map[string]string{
	"Visitor":           "memberships of one user",
	"organisationsOf":   "organisations of one user",
	"AccessLink":        "a link is looked up by its digest",
	"useLink":           "a link is looked up by its digest",
	"lockUnused":        "whether the installation has an organisation",
	"AddSetUpLink":      "a set-up link belongs to the installation",
	"AddSignUpLink":     "e-mails and links about an account belong to no organisation",
	"AddSignInLink":     "links of one user",
	"AddPasswordLink":   "e-mails about an account belong to no organisation",
	"ResetPassword":     "a link is looked up by its digest",
	"endLinkLetter":     "the e-mail of one link",
	"revokeLinks":       "links of one user",
	"Organisations":     "for operator commands, which see all",
	"secretsAfter":      "the master key seals secrets of all organisations",
	"linkArrays":        "there is one audit trail",
	"trailEnd":          "there is one audit trail",
	"unlinked":          "there is one audit trail",
	"WalkTrail":         "there is one audit trail",
	"index":             "by place, which begins with the organisation's number",
	"reindex":           "by place, which was read with the organisation",
	"suggested":         "by places within the organisation's range",
	"SuggestInvoices":   "by a condition that begins with the organisation",
	"searched":          "by places within the organisation's range",
	"sampleTexts":       "by places within the organisation's range",
	"gramSearch":        "by places within the organisation's range",
	"trigramSearch":     "by places within the organisation's range",
	"EarlierPage":       "by a condition that begins with the organisation",
	"places":            "by a condition that begins with the organisation",
	"listParts":         "by buyer texts within the organisation's range",
	"buyersQuery":       "by buyer texts within the organisation's range",
	"countUpTo":         "by a condition that begins with the organisation",
	"ofFilter":          "by a condition that begins with the organisation",
	"countInvoices":     "by a condition that begins with the organisation",
	"SweepGuards":       "guards expire for all organisations",
	"AllDevices":        "the audit covers all organisations",
	"AllOrganisations":  "an export can cover all organisations",
	"AllUsage":          "the audit covers all organisations",
	"WholeTrail":        "the audit covers all organisations",
	"turns":             "it selects the organisations",
	"pick":              "the first to expire of all organisations",
	"Promote":           "due for all organisations",
	"Lapse":             "leases end for all organisations",
	"StopInDoubt":       "by time, for all organisations",
	"parkedDevices":     "parked devices of all organisations",
	"Link":              "it finds the organisation of a link",
	"DueLetters":        "e-mails of all organisations are sent together",
	"LetterSent":        "e-mails of all organisations are sent together",
	"LetterFailed":      "e-mails of all organisations are sent together",
	"ExpireLetters":     "e-mails expire for all organisations",
	"SweepLetters":      "old e-mails of all organisations are deleted",
	"CountLetters":      "metrics for the operator",
	"letter":            "Letter selects the organisation; AnyLetter is for the operator",
	"letters":           "Letters selects the organisation; AllLetters is for the operator",
	"Backlog":           "metrics for the operator",
	"Damages":           "for the operator",
	"CountDocuments":    "for the operator",
	"scrubNext":         "the regular check reads all documents",
	"replaceDamage":     "a range of documents of the regular check",
	"DigestDocuments":   "the upgrade verifies all documents",
	"undigested":        "the upgrade verifies all documents",
	"next":              "the upgrade verifies all documents",
	"ReleaseWhole":      "damaged documents of all organisations",
	"tokens":            "the upgrade verifies all documents",
	"Books":             "marks cover all organisations",
	"doubtUnanswered":   "documents of all organisations may be missing",
	"TrailEnd":          "there is one audit trail",
	"NumberGaps":        "the audit covers all organisations",
	"ClaimCopies":       "due requests of all organisations",
	"LapseCopies":       "leases end for all organisations",
	"StopCopies":        "requests expire for all organisations",
	"Unstamped":         "for the operator",
	"contentsOf":        "a backup contains all organisations",
	"DatedAhead":        "for operator commands, which see all",
	"AllDatedAhead":     "whether any device can issue, for the operator",
	"AcceptInvitation":  "a link is looked up by its digest",
	"EventPage":         "by a condition that begins with the organisation",
	"entries":           "by a condition that begins with the organisation",
	"ClaimImport":       "imports of all organisations take turns",
	"ImportsWaiting":    "imports of all organisations take turns",
	"UnusedImportFiles": "files of all organisations are removed",
	"unarchiveAll":      "a new archive contains all organisations",
	"finish":            "a recovery enters rows of all organisations",
	"readDocument":      "by a condition that begins with the organisation",
	"readRows":          "the rows are given by their keys",
	"outbox":            "rows of all organisations are archived together",
	"ArchivedThrough":   "rows of all organisations are archived together",
	"archivedSeq":       "rows of all organisations are archived together",
	"ArchiveBacklog":    "rows of all organisations are archived together",
	"deleteArchived":    "rows of all organisations are archived together",
	"unarchive":         "the row is given by its key",
	"continueSequence":  "the outbox has rows of all organisations",
	"existing":          "by place, which begins with the organisation's number",
	"applyImage":        "the row is given by its key",
	"writeRow":          "the row is given by its key",
	"replaceRow":        "the row is given by its key",
	"indexRow":          "by place, which begins with the organisation's number",
	"insert":            "by a statement with the organisation among its columns",
}

// statement is an SQL text of the package and the function that contains it.
type statement struct{ in, text string }

// sqlTexts returns all SQL texts in the sources of the package. Texts composed
// of constants are resolved; parts that are only known at run time become a
// question mark.
func sqlTexts(t *testing.T) (found []statement) {
	t.Helper()
	files := sources(t)
	constants := map[string]ast.Expr{}
	for _, file := range files {
		for _, d := range file.Decls {
			collect(d, constants)
		}
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				for _, text := range textsIn(f, constants) {
					if isSQL.MatchString(text) {
						found = append(found, statement{f.Name.Name, text})
					}
				}
			}
		}
	}
	return found
}

// sources returns the parsed sources of the package.
func sources(t *testing.T) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	ok(t, err)
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			ok(t, err)
			files = append(files, file)
		}
	}
	return files
}

// collect adds the constants of a declaration.
func collect(d ast.Decl, into map[string]ast.Expr) {
	general, is := d.(*ast.GenDecl)
	if !is || general.Tok != token.CONST {
		return
	}
	for _, s := range general.Specs {
		value, is := s.(*ast.ValueSpec)
		if !is {
			continue
		}
		for i, name := range value.Names {
			if i < len(value.Values) {
				into[name.Name] = value.Values[i]
			}
		}
	}
}

// textsIn returns the string expressions of a function.
func textsIn(f *ast.FuncDecl, constants map[string]ast.Expr) (texts []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.BinaryExpr:
			if e.Op == token.ADD {
				texts = append(texts, flat(e, constants))
				return false
			}
		case *ast.BasicLit:
			texts = append(texts, flat(e, constants))
		case *ast.Ident:
			if constants[e.Name] != nil {
				texts = append(texts, flat(e, constants))
			}
		}
		return true
	})
	return texts
}

func flat(e ast.Expr, constants map[string]ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return flat(e.X, constants) + flat(e.Y, constants)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.Ident:
		if known := constants[e.Name]; known != nil {
			return flat(known, constants)
		}
	}
	return "?"
}

var (
	isSQL   = regexp.MustCompile(`(?i)^\s*(SELECT|INSERT|UPDATE|DELETE)\s`)
	touched = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+|[?%])`)
	// Rows are inserted with their organisation or selected by it.
	sayWhose = regexp.MustCompile(`(?is)INSERT INTO \w+ \([^)]*\borg_id\b|\borg_id = \$`)
	// An organisation itself is selected by its id.
	isItself = regexp.MustCompile(`(?is)INSERT INTO organisation|(UPDATE|FROM) organisation( o)?\s.*WHERE (o\.)?id = \$`)
)

func TestEveryStatementSelectsAnOrganisation(t *testing.T) {
	t.Parallel()
	owned := []string{"organisation", "?", "%"} // a table that is not known may have rows of an organisation
	for _, c := range columnsOf(t, open(t, storetest.SQLite(t))) {
		if c.Name == "org_id" {
			owned = append(owned, c.Table)
		}
	}
	excused := map[string]bool{}
	judged := 0
	for _, s := range sqlTexts(t) {
		if !slices.ContainsFunc(touched.FindAllStringSubmatch(s.text, -1), func(m []string) bool { return slices.Contains(owned, m[1]) }) {
			continue
		}
		judged++
		if sayWhose.MatchString(s.text) || isItself.MatchString(s.text) {
			continue
		}
		if withoutOrganisation[s.in] == "" {
			t.Errorf("%s: statement does not select an organisation, want one:%s", s.in, s.text)
		}
		excused[s.in] = true
	}
	if judged < 40 {
		t.Errorf("found only %d statements, want at least 40", judged)
	}
	for in := range withoutOrganisation {
		if !excused[in] {
			t.Errorf("withoutOrganisation lists %s, which has no such statement", in)
		}
	}
}
