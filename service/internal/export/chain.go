package export

import (
	"context"
	"fmt"
	"strconv"

	"khatm/service/internal/device"
	"khatm/service/internal/store"
)

// chainColumns are the columns of chains.csv, which has a row for each range of
// consecutive counters.
var chainColumns = []string{"device", "first_counter", "last_counter", "previous_counter", "previous_hash", "serial_number", "name"}

// chain writes the rows of a device in chains.csv.
type chain struct {
	*seller
	device store.KeptDevice
	first  int64  // counter of the first document of the range; 0 before it
	next   int64  // counter that continues the range
	before string // hash of what precedes the range
}

// enter adds a document with a counter to the chain.
func (c *chain) enter(ctx context.Context, counter int64) (err error) {
	if c.first > 0 && counter == c.next {
		c.next++
		return nil
	}
	if err := c.end(); err != nil {
		return err
	}
	if c.before, err = c.hashBefore(ctx, counter); err != nil {
		return err
	}
	c.first, c.next = counter, counter+1
	return nil
}

// hashBefore returns the hash that the document with a counter must refer to.
func (c *chain) hashBefore(ctx context.Context, counter int64) (string, error) {
	if counter == 1 {
		return device.GenesisHash, nil
	}
	for _, g := range c.device.Gaps {
		if g.Last == counter-1 {
			return g.Hash, nil
		}
	}
	hash, err := c.kept.HashAt(ctx, c.device.Organisation, c.device.ID, counter-1)
	if err == nil && hash == "" {
		err = fmt.Errorf("device %s has no document with counter %d: run khatm audit", c.device.ID, counter-1)
	}
	return hash, err
}

// end writes the row of the current range, if there is one.
func (c *chain) end() error {
	if c.first == 0 {
		return nil
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return c.chains.row(c.device.ID.String(), number(c.first), number(c.next-1), number(c.first-1), c.before, c.device.SerialNumber, c.device.CommonName)
}
