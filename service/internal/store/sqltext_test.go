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

// Statements on rows of organisations that do not say which, by the function
// they stand in, and why.
var namesNobody = map[string]string{
	"Visitor":         "somebody's own memberships",
	"Organisations":   "for operator commands, which see all",
	"secretsAfter":    "a master key seals for all",
	"SealTrail":       "there is one trail",
	"trailEnd":        "there is one trail",
	"unlinked":        "there is one trail",
	"WalkTrail":       "there is one trail",
	"index":           "by the place, which begins with the organisation's number",
	"reindex":         "by the place, which was found with the organisation",
	"searched":        "by places within the organisation's range",
	"sampleTexts":     "by places within the organisation's range",
	"gramSearch":      "by places within the organisation's range",
	"trigramSearch":   "by places within the organisation's range",
	"foundInvoices":   "by places within the organisation's range",
	"places":          "by a condition that begins with the organisation",
	"Invoices":        "by a condition that begins with the organisation",
	"countInvoices":   "by a condition that begins with the organisation",
	"SweepGuards":     "time alone ends a guard",
	"AllDevices":      "the audit proves everybody's",
	"AllUsage":        "the audit proves everybody's",
	"WholeTrail":      "the audit proves everybody's",
	"turns":           "it finds out whose turn it is",
	"pick":            "what runs out first, whoever it belongs to",
	"Promote":         "time alone makes a try due",
	"Lapse":           "time alone ends a turn",
	"StopInDoubt":     "time alone makes it doubtful",
	"parkedDevices":   "parked devices of all",
	"Link":            "it finds out whose link it is",
	"DueLetters":      "whoever sends letters sends for all",
	"LetterSent":      "whoever sends letters sends for all",
	"LetterFailed":    "whoever sends letters sends for all",
	"ExpireLetters":   "time alone ends a letter",
	"SweepLetters":    "time alone ends what is kept of a letter",
	"CountLetters":    "how sending stands, for whoever runs the service",
	"letter":          "Letter names the organisation; AnyLetter is for the operator",
	"letters":         "Letters names the organisation; AllLetters is for the operator",
	"Backlog":         "how sending stands, for whoever runs the service",
	"Damages":         "for whoever runs the service",
	"CountDocuments":  "for whoever runs the service",
	"scrubNext":       "the regular check reads everybody's documents",
	"replaceDamage":   "a range of documents of the regular check",
	"DigestDocuments": "the upgrade verifies everybody's documents",
	"undigested":      "the upgrade verifies everybody's documents",
	"next":            "the upgrade verifies everybody's documents",
	"ReleaseWhole":    "what is held as damaged is everybody's",
	"tokens":          "the upgrade verifies everybody's documents",
	"Books":           "marks are kept for all",
	"doubtUnanswered": "what one organisation lacks, others may lack too",
	"TrailEnd":        "there is one trail",
	"NumberGaps":      "the audit proves everybody's",
	"ClaimCopies":     "by when they are due, whoever they belong to",
	"LapseCopies":     "time alone ends a lease",
	"StopCopies":      "time alone ends a request",
	"Unstamped":       "for whoever runs the service",
	"contentsOf":      "a backup is of everybody",
	"DatedAhead":      "for operator commands, which see all",
	"AllDatedAhead":   "whether anybody can issue, for whoever runs the service",
}

// statement is an SQL text of the package and the function it stands in.
type statement struct{ in, text string }

// sqlTexts are all SQL texts in the sources of the package. What is put
// together from constants is read whole; what is not known before it runs is a
// question mark.
func sqlTexts(t *testing.T) (found []statement) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	ok(t, err)
	var files []*ast.File
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			ok(t, err)
			files = append(files, file)
		}
	}
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

// collect keeps the constants of the package.
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

// textsIn are the texts of a function, each as far as it is one.
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
	// Rows are written with their organisation or found by it.
	sayWhose = regexp.MustCompile(`(?is)INSERT INTO \w+ \([^)]*\borg_id\b|\borg_id = \$`)
	// The organisation itself is found by its id.
	isItself = regexp.MustCompile(`(?is)INSERT INTO organisation|(UPDATE|FROM) organisation( o)?\s.*WHERE (o\.)?id = \$`)
)

func TestEveryStatementSaysWhoseRowsItMeans(t *testing.T) {
	t.Parallel()
	owned := []string{"organisation", "?", "%"} // a table that is not known may be anybody's
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
		if namesNobody[s.in] == "" {
			t.Errorf("%s: this says not whose rows it means:%s", s.in, s.text)
		}
		excused[s.in] = true
	}
	if judged < 40 {
		t.Errorf("only %d statements were found", judged)
	}
	for in := range namesNobody {
		if !excused[in] {
			t.Errorf("%s needs no place on the list", in)
		}
	}
}
