package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strconv"
)

// journalEnd says where the valid part of a journal ends. Batches have consecutive
// numbers in S3. In a folder a number can be used again after a failed write.
type journalEnd struct {
	File  string `json:"file"`  // the last one; empty if the journal has no batch
	Size  int64  `json:"size"`  // of the valid part of this file
	Batch uint64 `json:"batch"` // the last one
}

// includes reports whether a batch belongs to the valid part of its journal.
func (e *journalEnd) includes(file string, f found, atomic bool) bool {
	switch {
	case e == nil:
		return true
	case atomic:
		return f.head.seq <= e.Batch
	}
	return file < e.File || file == e.File && f.offset+f.bytes <= e.Size
}

// ends are the ends of the journals of an epoch, by their folders.
type ends map[string]*journalEnd

// endsName returns the name of the file with the ends of an epoch.
func endsName(epoch int) string { return path.Join("ends", epochName(epoch)) }

// endEarlier records where the journals of the earlier epochs end, after an epoch was
// begun. A server that has not noticed it may still write to them; as nothing of that
// is acknowledged, and the documents of the new epoch continue without it, readers
// ignore it. An end that is recorded never changes, even if several recoveries run at
// the same time.
func (a *Archive) endEarlier(ctx context.Context, epoch int) error {
	known, err := a.allEnds(ctx)
	if err != nil {
		return err
	}
	folders := map[int][]string{}
	err = a.journals(ctx, func(of int, _, folder string) error {
		folders[of] = append(folders[of], folder)
		return nil
	})
	for of := 1; of < epoch && err == nil; of++ {
		if known[of] == nil {
			err = a.endEpoch(ctx, of, folders[of])
		}
	}
	if err != nil {
		return err
	}
	newest, err := a.Newest(ctx)
	if err == nil && newest.Number > epoch {
		err = ErrSuperseded
	}
	return err
}

// endEpoch records the ends of the journals of an epoch, unless another recovery has
// done so.
func (a *Archive) endEpoch(ctx context.Context, epoch int, folders []string) error {
	all := ends{}
	for _, folder := range folders {
		err := repeat(func() (err error) {
			all[folder], err = a.endOf(ctx, folder)
			return err
		})
		if err == nil {
			err = a.at.settle(ctx, folder)
		}
		if err != nil {
			return err
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err = a.at.create(ctx, endsName(epoch), append(text, '\n')); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// endOf returns the end of the last valid batch of a journal.
func (a *Archive) endOf(ctx context.Context, folder string) (*journalEnd, error) {
	names, err := a.at.last(ctx, folder, math.MaxInt)
	end := &journalEnd{}
	for i := len(names) - 1; i >= 0 && err == nil && end.File == ""; i-- {
		err = a.lastBatch(ctx, names[i], end)
	}
	if err != nil {
		return nil, fmt.Errorf("find the end of %s: %w", folder, err)
	}
	return end, nil
}

// LastBatch returns the number of the last batch of a journal, or 0 if it has none.
func (a *Archive) LastBatch(ctx context.Context, journal string) (batch uint64, err error) {
	err = repeat(func() error {
		if a.at.atomic() { // the name of the last object says it
			names, err := a.at.last(ctx, journal, 1)
			if err == nil && len(names) > 0 {
				_, batch, _ = batchesOf(names[0])
			}
			return err
		}
		end, err := a.endOf(ctx, journal)
		if err == nil {
			batch = end.Batch
		}
		return err
	})
	return batch, err
}

// lastBatch sets end to the last batch of a file. It leaves it unchanged if the file
// has none.
func (a *Archive) lastBatch(ctx context.Context, name string, end *journalEnd) error {
	f, err := a.at.open(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // read only
	s := scanner{from: f}
	for {
		found, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if found.batch != nil {
			*end = journalEnd{File: name, Size: found.offset + found.bytes, Batch: found.head.seq}
		}
	}
}

// endsOfEpochs are the recorded ends by epoch.
type endsOfEpochs map[int]ends

// end returns the end of a journal, or nil if everything in it is valid.
func (all endsOfEpochs) end(epoch int, folder string) *journalEnd {
	recorded := all[epoch]
	if recorded == nil {
		return nil
	}
	if end := recorded[folder]; end != nil {
		return end
	}
	return &journalEnd{} // begun later
}

// allEnds reads the recorded ends.
func (a *Archive) allEnds(ctx context.Context) (endsOfEpochs, error) {
	names, err := a.at.list(ctx, "ends")
	if err != nil {
		return nil, fmt.Errorf("list the archive: %w", err)
	}
	all := endsOfEpochs{}
	for _, name := range names {
		epoch, err := strconv.Atoi(name)
		if err != nil || epochName(epoch) != name {
			return nil, fmt.Errorf("%w: ends/%s is not an epoch", ErrDamaged, name)
		}
		recorded := ends{}
		if err := a.readJSON(ctx, endsName(epoch), &recorded); err != nil {
			return nil, fmt.Errorf("read the ends of the journals: %w", err)
		}
		all[epoch] = recorded
	}
	return all, nil
}
