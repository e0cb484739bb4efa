package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

const clientColumns = `
	id, name, name_arabic, vat_number, business_type, industry, ` + addressColumns + `,
	contact_name, contact_email, contact_phone, identifications, logo, created_at`

func scanClient(row scanner) (trade.Client, error) {
	var c trade.Client
	into := []any{&c.ID, &c.Name, &c.NameArabic, &c.VATNumber, &c.BusinessType, &c.Industry}
	into = append(into, addressInto(&c.Address)...)
	into = append(into, &c.ContactName, &c.ContactEmail, &c.ContactPhone, document{&c.Identifications}, &c.Logo, instant{&c.CreatedAt})
	err := row.Scan(into...)
	return c, err
}

func clientValues(c trade.Client) ([]any, error) {
	identifications, err := documentOf(c.Identifications)
	if err != nil {
		return nil, err
	}
	values := []any{c.ID, c.Name, c.NameArabic, c.VATNumber, c.BusinessType, c.Industry}
	values = append(values, addressValues(c.Address)...)
	return append(values, c.ContactName, c.ContactEmail, c.ContactPhone, identifications, c.Logo, millis(c.CreatedAt)), nil
}

// AddClient inserts a new client of the actor's organisation.
func (s *Store) AddClient(ctx context.Context, by org.Actor, c trade.Client) error {
	return s.write(ctx, func(t *tx) error { return t.addClients(by, c) })
}

func (t *tx) addClients(by org.Actor, all ...trade.Client) error {
	rows := t.listed(by.Tenant, clients, clientColumns)
	events := t.events()
	for _, c := range all {
		values, err := clientValues(c)
		if err == nil {
			rows.add(c.Folded(), values)
			err = events.addEvent(by, "client.create", c.ID.String(), map[string]any{"name": c.Name, "vat_number": c.VATNumber})
		}
		if err != nil {
			return fmt.Errorf("write client %s: %w", c.ID, err)
		}
	}
	if err := rows.insert(); err != nil {
		return fmt.Errorf("write clients: %w", err)
	}
	return events.flush()
}

// ChangeClient locks a client of the actor's organisation, calls change with it
// and writes the result.
func (s *Store) ChangeClient(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Client) error) (trade.Client, error) {
	var c trade.Client
	err := s.write(ctx, func(t *tx) (err error) {
		c, err = t.changeClient(by, id, change)
		return err
	})
	return c, err
}

func (t *tx) changeClient(by org.Actor, id uuid.UUID, change func(*trade.Client) error) (trade.Client, error) {
	const read = `SELECT ` + clientColumns + ` FROM client WHERE id = $1 AND org_id = $2`
	c, err := scanClient(t.QueryRow(read+t.store.dialect.LockRow, id, by.Tenant.ID()))
	if err != nil {
		return c, missingIf(err, "Buyer")
	}
	if err := change(&c); err != nil {
		return c, err
	}
	c.ID = id
	values, err := clientValues(c)
	if err != nil {
		return c, err
	}
	const update = `
		UPDATE client
		SET name = $2, name_arabic = $3, vat_number = $4, business_type = $5, industry = $6,
			street = $7, additional_street = $8, building_number = $9, plot_identification = $10, district = $11,
			city = $12, province_state = $13, postal_code = $14, country_code = $15,
			street_arabic = $16, additional_street_arabic = $17, district_arabic = $18, city_arabic = $19, province_state_arabic = $20,
			contact_name = $21, contact_email = $22, contact_phone = $23, identifications = $24, logo = $25, created_at = $26, folded = $27
		WHERE id = $1 AND org_id = $28`
	if err := t.ExecOne(fault.Missing("Buyer"), update, append(values, searchable(c.Folded()), by.Tenant.ID())...); err != nil {
		return c, fmt.Errorf("change client %s: %w", id, err)
	}
	if err := t.reindex(by.Tenant, clients, id, c.Folded()); err != nil {
		return c, err
	}
	return c, t.event(by, "client.change", id.String(), map[string]any{"name": c.Name, "vat_number": c.VATNumber})
}

// Client returns a client of an organisation, or a NotFound fault.
func (s *Store) Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error) {
	const query = `SELECT ` + clientColumns + ` FROM client WHERE org_id = $1 AND id = $2`
	return database.First(ctx, s.db, fault.Missing("Buyer"), query, []any{of.ID(), id}, scanClient)
}

// Clients returns a page of an organisation's clients, newest first. If search
// is not empty, only clients that contain every word of it are returned.
func (s *Store) Clients(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[trade.Client], error) {
	if search != "" {
		return searched(ctx, s, of, clients, search, page, clientColumns, scanClient, func(c trade.Client) uuid.UUID { return c.ID })
	}
	return pageOf(ctx, s, of, clients, page, clientColumns, scanClient, func(c trade.Client) uuid.UUID { return c.ID })
}
