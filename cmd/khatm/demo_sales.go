package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// demoDocument is a document of the demo, as the API returns it.
type demoDocument struct {
	Shows   string    `json:"-"` // what it demonstrates
	UUID    uuid.UUID `json:"uuid"`
	Number  string    `json:"ref_num"`
	Payable string    `json:"invoice_payable_amount"`
	Date    string    `json:"issue_date"`
	Status  string    `json:"authority_response_status"`
	PDFURL  string    `json:"invoice_pdf_url"`
	Link    string    `json:"share_link"`
	PDF     []byte    `json:"-"` // only of accepted documents
	Data    *struct {
		XML     string `json:"clearedInvoice"`
		Results struct {
			Errors []demoMessage `json:"errorMessages"`
		} `json:"validationResults"`
	} `json:"authority_response_data"`
}

type demoMessage struct {
	Code        string `json:"code"`
	Message     string `json:"message"`
	Explanation *struct {
		Message       string `json:"message"`
		MessageArabic string `json:"message_ar"`
		Fix           string `json:"fix"`
		FixArabic     string `json:"fix_ar"`
		Path          string `json:"path"`
	} `json:"explanation"`
}

// final reports whether the authority has answered.
func (d demoDocument) final() bool { return d.Status != "" && d.Status != "No response" }

// demoSales registers clients and items and issues the documents over HTTP.
type demoSales struct {
	*demoClient
	folder *demoFolder
	kept   *demoKept
}

func newDemoSales(f *demoFolder) *demoSales {
	return &demoSales{demoClient: newDemoClient(f.kept.BaseURL), folder: f, kept: &f.kept}
}

// documents issues the documents that do not exist yet and returns all of them,
// once the authority has answered or a timeout has passed.
func (s *demoSales) documents(ctx context.Context) ([]demoDocument, error) {
	if err := s.registerCatalogue(ctx); err != nil {
		return nil, err
	}
	k := s.kept
	if k.Documents == nil {
		k.Documents = map[string]uuid.UUID{}
	}
	standard := k.body("1000", demoStandard).to(k.Buyers.WithVAT)
	for _, sale := range []struct {
		shows string
		body  demoBody
	}{
		{"standard", standard.pick(k.Goods.Beans, 60).pick(k.Items.Unlimited, 48).pick(k.Goods.Grinder, 1).pick(k.Goods.Training, 1).
			on(k.Terms).note("ar", "شكرًا لتعاملكم معنا")},
		{"simplified", k.body("0100", demoSimplified).pick(k.Items.Unlimited, 2)},
		{"rejected", k.body("1100", demoStandard).to(k.Buyers.WithVAT).line("ضيافة قهوة بنسبة ضريبة غير صحيحة", "1000.00", 1, "PCE", 10)},
	} {
		if err := s.issue(ctx, sale.shows, sale.body); err != nil {
			return nil, err
		}
	}
	if _, err := s.wait(ctx, "standard"); err != nil {
		return nil, err // a credit note needs an accepted original
	}
	if err := s.issue(ctx, "credit note", standard.pick(k.Goods.Beans, 5).crediting(k.Documents["standard"], k.Reasons.Active)); err != nil {
		return nil, err
	}
	var all []demoDocument
	for _, shows := range []string{"standard", "simplified", "credit note", "rejected"} {
		d, err := s.wait(ctx, shows)
		if err != nil {
			return nil, err
		}
		if d.PDFURL != "" {
			if err := s.get(ctx, s.kept.Keys.ViewInvoice, "/api/invoices/"+d.UUID.String()+"/pdf-a3/", &d.PDF); err != nil {
				return nil, err
			}
		}
		all = append(all, d)
	}
	return all, nil
}

// issue creates a document, unless an earlier start has created it.
func (s *demoSales) issue(ctx context.Context, shows string, body demoBody) error {
	if s.kept.Documents[shows] != uuid.Nil {
		return nil
	}
	var made struct {
		UUID uuid.UUID `json:"invoice_uuid"`
	}
	name := "demo-" + strings.ReplaceAll(shows, " ", "-") + "-" + body.SupplyDate
	if err := s.post(ctx, s.kept.Keys.CreateInvoice, "/api/invoices/", name, body, &made); err != nil {
		return err
	}
	s.kept.Documents[shows] = made.UUID
	return s.folder.save()
}

// wait polls a document until the authority has answered, for at most 30 seconds.
// A document without an answer is returned as it is.
func (s *demoSales) wait(ctx context.Context, shows string) (demoDocument, error) {
	var d demoDocument
	for pause, end := 20*time.Millisecond, time.Now().Add(30*time.Second); ; pause = min(2*pause, time.Second) {
		d = demoDocument{Shows: shows}
		// Use a separate key, so that polling does not use up the rate limit of
		// the keys that users try.
		if err := s.get(ctx, s.kept.Keys.ViewInvoice, "/api/invoices/"+s.kept.Documents[shows].String()+"/", &d); err != nil {
			return d, err
		}
		if d.final() || time.Now().After(end) {
			return d, nil
		}
		select {
		case <-ctx.Done():
			return d, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// registerCatalogue registers clients and items.
func (s *demoSales) registerCatalogue(ctx context.Context) error {
	if s.kept.Items.Limited != uuid.Nil {
		return nil
	}
	kinds, trades := map[string]demoEntry{}, map[string]demoEntry{}
	if err := s.get(ctx, "", "/api/business-types/", &kinds); err != nil {
		return err
	}
	if err := s.get(ctx, "", "/api/industries/", &trades); err != nil {
		return err
	}
	for _, c := range demoClients(entryID(kinds, "1000"), entryID(trades, "")) {
		var made struct {
			UUID uuid.UUID `json:"uuid"`
		}
		if err := s.form(ctx, s.kept.Keys.Accountant, "/api/onboarding/organizations/clients/", "client_data", c.record, &made); err != nil {
			return fmt.Errorf("register a client: %w", err)
		}
		*c.at(&s.kept.Buyers) = made.UUID
	}
	for _, i := range demoCatalogue() {
		var made struct {
			UUID uuid.UUID `json:"uuid"`
		}
		if err := s.form(ctx, s.kept.Keys.Accountant, "/api/items/", "item_data", i.record, &made); err != nil {
			return fmt.Errorf("register an item: %w", err)
		}
		*i.at(s.kept) = made.UUID
	}
	return s.folder.save()
}
