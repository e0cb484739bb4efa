package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"khatm/rules"
)

// rulesCommands groups the commands about the authority's rules.
type rulesCommands struct {
	List listRules `cmd:"" default:"withargs" help:"List the authority's rules, or explain one (default)."`
	Diff diffRules `cmd:"" help:"Compare the rule sheets of two versions of the authority's kit."`
}

// listRules lists all rules, or explains one.
type listRules struct {
	ID   string `arg:"" optional:"" help:"Rule to explain, such as BR-KSA-40."`
	JSON bool   `help:"Print JSON, one object per line."`
	Lang string `enum:"en,ar" default:"en" help:"Language: en or ar (default ${default})."`
}

// Run prints the rules.
func (l listRules) Run(out io.Writer) error {
	chosen := rules.Book()
	if l.ID != "" {
		rule, found := rules.Find(l.ID)
		if !found {
			return fmt.Errorf("there is no rule %s: see khatm rules", l.ID)
		}
		chosen = []rules.Rule{rule}
	}
	switch {
	case l.JSON:
		return l.printJSON(out, chosen)
	case l.ID != "":
		return l.printOne(out, chosen[0])
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range chosen {
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.ID, labels[string(r.Flag)].In(l.Lang), r.Says.In(l.Lang))
	}
	return table.Flush()
}

func (l listRules) printOne(out io.Writer, r rules.Rule) error {
	_, err := fmt.Fprintf(out, "%s (%s)\n%s\n%s: %s\n", r.ID, labels[string(r.Flag)].In(l.Lang),
		r.Says.In(l.Lang), labels["fix"].In(l.Lang), r.Fix.In(l.Lang))
	if err == nil {
		_, err = fmt.Fprintf(out, "%s: %s; %s\n", officialKit.In(l.Lang), r.Kit, inForce(r).In(l.Lang))
	}
	if err == nil && r.Dead != "" {
		_, err = fmt.Fprintln(out, "never reported by the official rule sheets:", r.Dead)
	}
	return err
}

var officialKit = rules.Words{EN: "official kit", AR: "إصدار حزمة الهيئة"}

// inForce describes the issue dates that a rule applies to.
func inForce(r rules.Rule) rules.Words {
	switch {
	case r.From == "" && r.Until == "":
		return rules.Words{EN: "applies to all issue dates", AR: "تنطبق على جميع تواريخ الإصدار"}
	case r.Until == "":
		return rules.Words{EN: "applies to issue dates from " + r.From, AR: "تنطبق على تواريخ الإصدار من " + r.From}
	case r.From == "":
		return rules.Words{EN: "applies to issue dates before " + r.Until, AR: "تنطبق على تواريخ الإصدار قبل " + r.Until}
	}
	return rules.Words{EN: "applies to issue dates from " + r.From + ", before " + r.Until, AR: "تنطبق على تواريخ الإصدار من " + r.From + " وقبل " + r.Until}
}

// ruleJSON is the JSON form of a rule.
type ruleJSON struct {
	ID        string     `json:"id"`
	Flag      rules.Flag `json:"flag"`
	AppliesTo string     `json:"applies_to"`
	Message   string     `json:"message"`
	MessageAR string     `json:"message_ar"`
	Fix       string     `json:"fix"`
	FixAR     string     `json:"fix_ar"`
	Sealed    bool       `json:"sealed"`
	Dead      string     `json:"dead,omitempty"`
	Kit       string     `json:"kit"`
	From      string     `json:"from,omitempty"`
	Until     string     `json:"until,omitempty"`
}

func (l listRules) printJSON(out io.Writer, chosen []rules.Rule) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, r := range chosen {
		row := ruleJSON{r.ID, r.Flag, r.Applies.In(l.Lang), r.Says.EN, r.Says.AR, r.Fix.EN, r.Fix.AR, r.Sealed, r.Dead, r.Kit, r.From, r.Until}
		if err := encoder.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
