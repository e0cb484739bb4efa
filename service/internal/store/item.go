package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

const itemColumns = `
	id, name, name_arabic, description, price, unit, category, rate, reason_code, reason_text, stock, images, active, created_at, sku, barcode`

func scanItem(row scanner) (trade.Item, error) {
	var i trade.Item
	var stock sql.NullString
	err := row.Scan(&i.ID, &i.Name, &i.NameArabic, &i.Description, decimal{&i.Price}, &i.Unit, &i.Category, decimal{&i.Rate},
		&i.ReasonCode, &i.ReasonText, &stock, document{&i.Images}, &i.Active, instant{&i.CreatedAt}, &i.SKU, &i.Barcode)
	if err == nil && stock.Valid {
		i.Stock = new(money.Decimal)
		err = decimal{i.Stock}.Scan(stock.String)
	}
	return i, err
}

func itemValues(i trade.Item) ([]any, error) {
	images, err := documentOf(i.Images)
	if err != nil {
		return nil, err
	}
	var stock any
	if i.Stock != nil {
		stock = i.Stock.String()
	}
	return []any{i.ID, i.Name, i.NameArabic, i.Description, i.Price.String(), i.Unit, i.Category, i.Rate.String(),
		i.ReasonCode, i.ReasonText, stock, images, bit(i.Active), millis(i.CreatedAt), i.SKU, i.Barcode}, nil
}

// AddItem inserts a new item of the actor's organisation. It returns an Invalid
// fault if another item has the same code.
func (s *Store) AddItem(ctx context.Context, by org.Actor, i trade.Item) error {
	err := s.write(ctx, func(t *tx) error { return t.addItems(by, i) })
	return s.codeTaken(ctx, by.Tenant, i, err)
}

func (t *tx) addItems(by org.Actor, all ...trade.Item) error {
	rows := t.listed(by.Tenant, items, itemColumns)
	events := t.events()
	for _, i := range all {
		values, err := itemValues(i)
		if err == nil {
			rows.add(i.Folded(), values)
			err = events.addEvent(by, "item.create", i.ID.String(), map[string]any{"name": i.Name, "price": i.Price.String()})
		}
		if err != nil {
			return fmt.Errorf("write item %s: %w", i.ID, err)
		}
	}
	if err := rows.insert(); err != nil {
		return fmt.Errorf("write items: %w", err)
	}
	return events.flush()
}

// codeTaken replaces the error of a write that gave an item the code of another
// one.
func (s *Store) codeTaken(ctx context.Context, of org.Tenant, i trade.Item, err error) error {
	if !database.IsDuplicate(err) {
		return err
	}
	const query = `SELECT EXISTS (SELECT 1 FROM item WHERE org_id = $1 AND sku = $2 AND sku <> '' AND id <> $3)`
	var taken bool
	if err := s.db.One(ctx, nil, query, []any{of.ID(), i.SKU, i.ID}, &taken); err != nil {
		return err
	}
	if taken || i.Barcode == "" {
		return fault.Wrong(fault.Problem{Path: "sku", Message: "must not be the SKU of another item", Code: fault.SKUTaken})
	}
	return fault.Wrong(fault.Problem{Path: "barcode", Message: "must not be the barcode of another item", Code: fault.BarcodeTaken})
}

// ChangeItem locks an item of the actor's organisation, calls change with it
// and writes the result. It returns an Invalid fault if another item has the same
// code.
func (s *Store) ChangeItem(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Item) error) (trade.Item, error) {
	var i trade.Item
	err := s.write(ctx, func(t *tx) (err error) {
		i, err = t.changeItem(by, id, change)
		return err
	})
	return i, s.codeTaken(ctx, by.Tenant, i, err)
}

func (t *tx) changeItem(by org.Actor, id uuid.UUID, change func(*trade.Item) error) (trade.Item, error) {
	const read = `SELECT ` + itemColumns + ` FROM item WHERE id = $1 AND org_id = $2`
	i, err := scanItem(t.QueryRow(read+t.store.dialect.LockRow, id, by.Tenant.ID()))
	if err != nil {
		return i, missingIf(err, "Item")
	}
	if err := change(&i); err != nil {
		return i, err
	}
	i.ID = id
	values, err := itemValues(i)
	if err != nil {
		return i, err
	}
	const update = `
		UPDATE item
		SET name = $2, name_arabic = $3, description = $4, price = $5, unit = $6, category = $7, rate = $8,
			reason_code = $9, reason_text = $10, stock = $11, images = $12, active = $13, created_at = $14, sku = $15, barcode = $16, folded = $17
		WHERE id = $1 AND org_id = $18`
	if err := t.ExecOne(fault.Missing("Item"), update, append(values, searchable(i.Folded()), by.Tenant.ID())...); err != nil {
		return i, fmt.Errorf("change item %s: %w", id, err)
	}
	if err := t.reindex(by.Tenant, items, id, i.Folded()); err != nil {
		return i, err
	}
	return i, t.event(by, "item.change", id.String(), map[string]any{"name": i.Name, "price": i.Price.String(), "active": i.Active})
}

// Item returns an item of an organisation, or a NotFound fault.
func (s *Store) Item(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Item, error) {
	const query = `SELECT ` + itemColumns + ` FROM item WHERE org_id = $1 AND id = $2`
	return database.First(ctx, s.db, fault.Missing("Item"), query, []any{of.ID(), id}, scanItem)
}

// Items returns a page of an organisation's items, newest first. If search is
// not empty, only items that contain every word of it are returned.
func (s *Store) Items(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[trade.Item], error) {
	if search != "" {
		return searched(ctx, s, of, items, search, page, itemColumns, scanItem, func(i trade.Item) uuid.UUID { return i.ID })
	}
	return pageOf(ctx, s, of, items, page, itemColumns, scanItem, func(i trade.Item) uuid.UUID { return i.ID })
}

// ItemsByID returns items by their ids. Items that do not exist are left out.
func (s *Store) ItemsByID(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]trade.Item, error) {
	found := map[uuid.UUID]trade.Item{}
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	rd := reader{ctx: ctx, db: s.db, of: of}
	err = rd.among(ids, func(places string, args []any) error {
		return rd.rows(`SELECT `+itemColumns+` FROM item WHERE org_id = $1 AND id IN (`+places+`)`, args, func(row scanner) error {
			one, err := scanItem(row)
			found[one.ID] = one
			return err
		})
	})
	return found, database.Outage(err)
}
