package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

const addressColumns = `street, additional_street, building_number, plot_identification, district, city, province_state, postal_code, country_code,
	street_arabic, additional_street_arabic, district_arabic, city_arabic, province_state_arabic`

func addressInto(a *org.Address) []any {
	return []any{
		&a.Street, &a.AdditionalStreet, &a.BuildingNumber, &a.PlotIdentification, &a.District, &a.City, &a.ProvinceState, &a.PostalCode, &a.CountryCode,
		&a.StreetArabic, &a.AdditionalStreetArabic, &a.DistrictArabic, &a.CityArabic, &a.ProvinceStateArabic,
	}
}

func addressValues(a org.Address) []any {
	return []any{
		a.Street, a.AdditionalStreet, a.BuildingNumber, a.PlotIdentification, a.District, a.City, a.ProvinceState, a.PostalCode, a.CountryCode,
		a.StreetArabic, a.AdditionalStreetArabic, a.DistrictArabic, a.CityArabic, a.ProvinceStateArabic,
	}
}

const organisationColumns = `id, name, name_arabic, vat_number, id_type, id_value, ` + addressColumns + `, settings, logo, status, plan, created_at`

func scanOrganisation(row scanner) (org.Organisation, error) {
	var o org.Organisation
	into := []any{&o.ID, &o.Name, &o.NameArabic, &o.VATNumber, &o.Identification.Type, &o.Identification.Value}
	into = append(into, addressInto(&o.Address)...)
	into = append(into, document{&o.Settings}, &o.Logo, &o.Status, &o.Plan, instant{&o.CreatedAt})
	err := row.Scan(into...)
	return o, err
}

// AddOrganisation inserts a new organisation.
func (s *Store) AddOrganisation(ctx context.Context, by org.Actor, o org.Organisation) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.lockInstallation(); err != nil {
			return err
		}
		return t.addOrganisation(by, o)
	})
}

// lockInstallation makes other transactions that lock the installation wait.
func (t *tx) lockInstallation() error {
	var one int
	return t.QueryRow(`SELECT one FROM installation WHERE one = 1` + t.store.dialect.LockRow).Scan(&one)
}

// addOrganisation inserts an organisation. The installation must be locked, so that
// concurrent inserts get different numbers.
func (t *tx) addOrganisation(by org.Actor, o org.Organisation) error {
	settings, err := documentOf(o.Settings)
	if err != nil {
		return err
	}
	const insert = `
		INSERT INTO organisation (` + organisationColumns + `, number)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
			$20, $21, $22, $23, $24, $25, (SELECT coalesce(max(number), 0) + 1 FROM organisation))`
	values := []any{o.ID, o.Name, o.NameArabic, o.VATNumber, o.Identification.Type, o.Identification.Value}
	values = append(values, addressValues(o.Address)...)
	values = append(values, settings, o.Logo, string(o.Status), o.Plan, millis(o.CreatedAt))
	if err := t.Exec(insert, values...); err != nil {
		return err
	}
	by.Tenant = org.TenantOf(o.ID)
	return t.event(by, "organisation.create", o.ID.String(), map[string]any{"name": o.Name, "vat_number": o.VATNumber, "plan": o.Plan})
}

// ChangeOrganisation locks the actor's organisation, calls change with it and
// writes the result, except status and plan: SetStatus and Subscribe change
// these.
func (s *Store) ChangeOrganisation(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error) {
	return s.changeOrganisation(ctx, by, func(_ *tx, o *org.Organisation) error { return change(o) })
}

// ChangeCompany is like ChangeOrganisation, but refuses another VAT number while
// the organisation is Certified.
func (s *Store) ChangeCompany(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error) {
	return s.changeOrganisation(ctx, by, func(t *tx, o *org.Organisation) error {
		before := o.VATNumber
		if err := change(o); err != nil || o.VATNumber == before {
			return err
		}
		var certified bool
		err := t.QueryRow(certifiedQuery, by.Tenant.ID()).Scan(&certified)
		if err == nil && certified {
			err = fault.New(fault.VATNumberFixed, "%s", fault.VATNumberFixed.Entry().Says)
		}
		return err
	})
}

const certifiedQuery = `SELECT EXISTS (SELECT 1 FROM device WHERE org_id = $1 AND token <> '' AND retired_at IS NULL)`

// Certified reports whether a device of an organisation that is not retired has a
// certificate, which contains the VAT number.
func (s *Store) Certified(ctx context.Context, of org.Tenant) (bool, error) {
	var certified bool
	err := s.db.One(ctx, nil, certifiedQuery, []any{of.ID()}, &certified)
	return certified, err
}

func (s *Store) changeOrganisation(ctx context.Context, by org.Actor, change func(*tx, *org.Organisation) error) (org.Organisation, error) {
	var o org.Organisation
	err := s.write(ctx, func(t *tx) (err error) {
		const read = `SELECT ` + organisationColumns + ` FROM organisation WHERE id = $1`
		if o, err = scanOrganisation(t.QueryRow(read+s.dialect.LockRow, by.Tenant.ID())); err != nil {
			return missingIf(err, "Organisation")
		}
		id, status, plan := o.ID, o.Status, o.Plan
		if err := change(t, &o); err != nil {
			return err
		}
		o.ID, o.Status, o.Plan = id, status, plan
		const update = `
			UPDATE organisation
			SET name = $2, name_arabic = $3, vat_number = $4, id_type = $5, id_value = $6,
				street = $7, additional_street = $8, building_number = $9, plot_identification = $10, district = $11,
				city = $12, province_state = $13, postal_code = $14, country_code = $15,
				street_arabic = $16, additional_street_arabic = $17, district_arabic = $18, city_arabic = $19, province_state_arabic = $20,
				settings = $21, logo = $22
			WHERE id = $1`
		settings, err := documentOf(o.Settings)
		if err != nil {
			return err
		}
		values := []any{by.Tenant.ID(), o.Name, o.NameArabic, o.VATNumber, o.Identification.Type, o.Identification.Value}
		values = append(values, addressValues(o.Address)...)
		values = append(values, settings, o.Logo)
		if err := t.ExecOne(errNoOrganisation(), update, values...); err != nil {
			return err
		}
		return t.event(by, "organisation.change", by.Tenant.ID().String(), map[string]any{"name": o.Name, "vat_number": o.VATNumber})
	})
	return o, err
}

func errNoOrganisation() error { return fault.Missing("Organisation") }

// Organisation returns an organisation, or a NotFound fault.
func (s *Store) Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error) {
	const query = `SELECT ` + organisationColumns + ` FROM organisation WHERE id = $1`
	return database.First(ctx, s.db, errNoOrganisation(), query, []any{of.ID()}, scanOrganisation)
}

// Organisations returns up to most organisations of the installation with ids
// greater than after, in the order of their creation.
func (s *Store) Organisations(ctx context.Context, after uuid.UUID, most int) ([]org.Organisation, error) {
	const query = `
		SELECT ` + organisationColumns + `
		FROM organisation
		WHERE id > $1
		ORDER BY id
		LIMIT $2`
	return database.All(ctx, s.db, query, []any{after, most}, scanOrganisation)
}

// SetStatus suspends, deactivates or activates the actor's organisation.
func (s *Store) SetStatus(ctx context.Context, by org.Actor, status org.Status) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.ExecOne(errNoOrganisation(), `UPDATE organisation SET status = $1 WHERE id = $2`, string(status), by.Tenant.ID()); err != nil {
			return err
		}
		return t.event(by, "organisation."+string(status), by.Tenant.ID().String(), nil)
	})
}

// Subscribe sets the plan of the actor's organisation.
func (s *Store) Subscribe(ctx context.Context, by org.Actor, plan string) error {
	return s.write(ctx, func(t *tx) error {
		var known int
		if err := t.QueryRow(`SELECT count(*) FROM plan WHERE slug = $1`, plan).Scan(&known); err != nil {
			return err
		}
		if known == 0 {
			return fault.Missing("Plan")
		}
		if err := t.ExecOne(errNoOrganisation(), `UPDATE organisation SET plan = $1 WHERE id = $2`, plan, by.Tenant.ID()); err != nil {
			return err
		}
		return t.event(by, "organisation.plan", by.Tenant.ID().String(), map[string]any{"plan": plan})
	})
}
