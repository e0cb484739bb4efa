package store

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// maxSearched is the maximum number of devices or drafts that a search reads, the
// newest first. They have no index for words, because an organisation has few of
// them.
const maxSearched = 10_000

// FindDevices returns a page of the devices of an organisation whose texts
// contain every word of a folded search, newest first. Without a search it
// returns all devices.
func (s *Store) FindDevices(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[device.Device], error) {
	if search == "" {
		return s.Devices(ctx, of, page)
	}
	const query = `
		SELECT ` + deviceColumns + `
		FROM ` + deviceTables + `
		WHERE device.org_id = $1
		ORDER BY device.id DESC
		LIMIT $2`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), maxSearched}, scanDevice)
	if err != nil {
		return org.List[device.Device]{}, err
	}
	words := strings.Fields(search)
	rows = slices.DeleteFunc(rows, func(d device.Device) bool { return !hasWords(d, words) })
	total, last := len(rows), before(page)
	rows = slices.DeleteFunc(rows, func(d device.Device) bool { return bytes.Compare(d.ID[:], last[:]) >= 0 })
	rows = rows[min(page.Skip(), len(rows)):]
	list := listOf(rows[:min(page.Size+1, len(rows))], page, func(d device.Device) uuid.UUID { return d.ID })
	list.Total = total
	return list, nil
}

func hasWords(d device.Device, words []string) bool {
	text := trade.Fold(strings.Join([]string{d.CommonName, d.SerialNumber, d.Location, d.UnitName, d.Industry}, " "))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}
