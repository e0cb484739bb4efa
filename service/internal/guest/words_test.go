package guest

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestWords checks that every text used by the templates exists in both
// languages and that no text is unused.
func TestWords(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	asked := regexp.MustCompile(`\.T "([a-z_]+)"`)
	for _, name := range []string{"page.html", "approval.html", "refusal.html"} {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range asked.FindAllStringSubmatch(string(text), -1) {
			used[found[1]] = true
			word(found[1]) // panics if the word is missing
		}
	}
	for key, w := range ownWords {
		latin := strings.ContainsFunc(w[0], unicode.IsLetter)
		arabic := strings.ContainsFunc(w[1], func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
		if key != "other_language" && (!latin || !arabic) {
			t.Errorf("%s: %q is not in English or %q is not in Arabic", key, w[0], w[1])
		}
		if strings.ContainsFunc(w[1], func(r rune) bool { return r >= '٠' && r <= '٩' }) {
			t.Errorf("%s: digits must be Western", key)
		}
		if strings.HasSuffix(w[0], ".") != strings.HasSuffix(w[1], ".") {
			t.Errorf("%s: only one of the texts ends with a full stop: %q, %q", key, w[0], w[1])
		}
	}
	for _, key := range []string{"gone", "too_many", "away", "not_understood", "broken"} {
		used[key], used[key+"_title"] = true, true
	}
	for _, key := range []string{"test_words", "draft_words", "draft_settled", "draft_issued", "issued_since", "draft", "draft_approved", "draft_declined", "name_missing", "name_long", "name_strange", "code_missing", "code_wrong",
		"approve_intro", "approve_unsent", "outcome_wrong", "outcome_done", "code_sent", "code_sent_before", "code_made", "code_made_before",
		"code_used_up", "no_code_now", "not_now", "just_approved", "just_declined",
		"comment_long", "comment_strange", "tries_1", "tries_2", "tries_many", "code_not_right", "code_tried_out"} {
		used[key] = true // used in Go code
	}
	for key := range ownWords {
		if !used[key] {
			t.Errorf("the text %s is not used", key)
		}
	}
}

func TestSymbolIsWhatQRDraws(t *testing.T) {
	t.Parallel()
	s, err := symbolOf("AQ/YtNix2YPYqSDYrtiq2YU=")
	if err != nil {
		t.Fatal(err)
	}
	run := regexp.MustCompile(`^(M\d+ \d+h\d+v1h-\d+z)+$`)
	if !run.MatchString(s.Path) || s.Size != 25+2*quiet {
		t.Errorf("symbol has size %d and path %.80s, want size %d and runs of horizontal lines", s.Size, s.Path, 25+2*quiet)
	}
	// The finder pattern in the corner begins with seven black modules after
	// the margin.
	if !strings.HasPrefix(s.Path, "M4 4h7v1h-7z") {
		t.Errorf("the path begins with %.40s, want the finder pattern M4 4h7v1h-7z", s.Path)
	}
	if _, err := symbolOf(""); err == nil {
		t.Error("symbolOf(\"\") succeeded, want an error")
	}
}
