package main

import (
	"context"
	"fmt"
	"strings"

	"khatm/money"
	"khatm/service/admin"
)

// invoiceCommands are the commands on invoices.
type invoiceCommands struct {
	Earlier invoiceEarlier `cmd:"" help:"Register an invoice of an older system, so that credit and debit notes can refer to it, and print its id."`
}

type invoiceEarlier struct {
	settings
	ofOrganisation
	Number     string         `required:"" placeholder:"TEXT" help:"Its number, as it was issued."`
	Date       string         `required:"" placeholder:"DAY" help:"The day it was issued, such as 2025-12-31."`
	Simplified bool           `help:"It was a simplified invoice, to a consumer; otherwise a standard one."`
	Buyer      string         `placeholder:"ID" help:"The client it was issued to. A note has the same; a standard invoice must have one."`
	Currency   string         `default:"SAR" placeholder:"CODE" help:"Its currency (${default})."`
	Total      []earlierTotal `required:"" sep:"none" placeholder:"CATEGORY:RATE:TAXABLE:VAT" help:"What falls into a VAT category and rate, such as S:15:1000.00:150.00; once for each."`
	JSON       bool           `help:"Print the record as JSON instead of its id."`
}

func (c invoiceEarlier) Run(t *console) error {
	wanted := admin.Earlier{Number: c.Number, IssueDate: c.Date, Simplified: c.Simplified, Buyer: c.Buyer, Currency: c.Currency}
	for _, total := range c.Total {
		wanted.Totals = append(wanted.Totals, admin.EarlierTotal(total))
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.RegisterEarlier(ctx, c.Org, wanted)
		if err != nil {
			return err
		}
		t.say("invoice %s of %s, %s %s with VAT: notes name its id in original_invoice_reference; it is never issued, counted or sent",
			made.Number, made.IssueDate, made.WithVAT.Fixed2(), made.Currency)
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

// earlierTotal is a total as it is typed.
type earlierTotal admin.EarlierTotal

// UnmarshalText reads S:15:1000.00:150.00.
func (e *earlierTotal) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ":")
	if len(parts) != 4 {
		return fmt.Errorf("%q does not look like S:15:1000.00:150.00, which is category, rate, taxable amount and VAT", text)
	}
	e.Category = parts[0]
	for n, into := range []*money.Decimal{&e.Rate, &e.Taxable, &e.VAT} {
		var err error
		if *into, err = money.Parse(parts[n+1]); err != nil {
			return fmt.Errorf("%q in %q is no number: %w", parts[n+1], text, err)
		}
	}
	return nil
}
