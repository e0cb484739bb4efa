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
	Number     string         `required:"" placeholder:"TEXT" help:"Invoice number, as issued."`
	Date       string         `required:"" placeholder:"DAY" help:"Issue date, such as 2025-12-31."`
	Simplified bool           `help:"Register a simplified invoice (default: a standard one)."`
	Buyer      string         `placeholder:"ID" help:"ID of the client that was invoiced; notes on the invoice have the same buyer. Required for a standard invoice."`
	Currency   string         `default:"SAR" placeholder:"CODE" help:"Currency code (default ${default})."`
	Total      []earlierTotal `required:"" sep:"none" placeholder:"CATEGORY:RATE:TAXABLE:VAT" help:"Taxable amount and VAT of one VAT category and rate, such as S:15:1000.00:150.00; repeat for each."`
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
		t.say("registered invoice %s of %s, %s %s with VAT: give its id in original_invoice_reference of a note; the invoice itself is never issued, counted or sent",
			made.Number, made.IssueDate, made.WithVAT.Fixed2(), made.Currency)
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

// earlierTotal is a total in the form of the flag --total.
type earlierTotal admin.EarlierTotal

// UnmarshalText parses CATEGORY:RATE:TAXABLE:VAT, such as S:15:1000.00:150.00.
func (e *earlierTotal) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ":")
	if len(parts) != 4 {
		return fmt.Errorf("%q must have the form CATEGORY:RATE:TAXABLE:VAT, such as S:15:1000.00:150.00", text)
	}
	e.Category = parts[0]
	for n, into := range []*money.Decimal{&e.Rate, &e.Taxable, &e.VAT} {
		var err error
		if *into, err = money.Parse(parts[n+1]); err != nil {
			return fmt.Errorf("%q in %q is not a number: %w", parts[n+1], text, err)
		}
	}
	return nil
}
