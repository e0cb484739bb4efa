package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
)

// Folders of notes. Names of notes are EPOCH-NUMBER.
const (
	completeNotes  = "complete"
	unawaitedNotes = "unawaited"
)

// Note says whether the archive has every document that was acknowledged. Of two notes
// the one with the later epoch is newer, and in an epoch the one with the higher number,
// which the database assigns; so their order does not depend on clocks.
type Note struct {
	// Complete says that the archive contained everything, and that documents are
	// acknowledged only after they are archived. Otherwise they may have been
	// acknowledged before.
	Complete bool `json:"-"`

	Epoch  int       `json:"-"`
	Number int64     `json:"-"`
	Server string    `json:"server"`
	At     time.Time `json:"at"`

	// ReplacedBy is the location of the archive that replaces this one.
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// newer reports whether a note replaces another one. Of two with the same number, which
// two copies of a database wrote, the one that is not complete does.
func (n Note) newer(than Note) bool {
	if n.Epoch != than.Epoch {
		return n.Epoch > than.Epoch
	}
	return n.Number > than.Number || n.Number == than.Number && !n.Complete
}

func (n Note) name() string {
	folder := unawaitedNotes
	if n.Complete {
		folder = completeNotes
	}
	return path.Join(folder, fmt.Sprintf("%s-%012d", epochName(n.Epoch), n.Number))
}

// AddNote stores a note of the epoch of this server. It does nothing if the note exists.
func (a *Archive) AddNote(ctx context.Context, n Note) error {
	epoch, err := a.current()
	if err != nil {
		return err
	}
	n.Epoch = epoch
	if err := a.addNote(ctx, n); err != nil {
		return err
	}
	return a.verifyNewest(ctx)
}

// Replaced notes that another archive replaces this one, which does not get later
// documents.
func (a *Archive) Replaced(ctx context.Context, by string) error {
	newest, err := a.Newest(ctx)
	if err != nil || newest.Number == 0 {
		return err
	}
	last, err := a.LastNote(ctx)
	if err != nil || last.Epoch == newest.Number && last.ReplacedBy != "" {
		return err
	}
	return a.addNote(ctx, Note{Epoch: newest.Number, Number: last.Number + 1, ReplacedBy: by})
}

func (a *Archive) addNote(ctx context.Context, n Note) error {
	n.Server, n.At = a.server, a.now().UTC()
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	if exists, err := a.at.exists(ctx, n.name()); exists || err != nil {
		return err
	}
	if err := a.at.create(ctx, n.name(), append(text, '\n')); err != nil {
		return fmt.Errorf("store %s in the archive: %w", n.name(), err)
	}
	return nil
}

// LastNote returns the newest note, or a zero Note if the archive has no notes. A note
// that cannot be read says that the archive is not complete.
func (a *Archive) LastNote(ctx context.Context) (last Note, err error) {
	for _, folder := range []string{completeNotes, unawaitedNotes} {
		names, err := a.at.list(ctx, folder)
		if err != nil {
			return last, fmt.Errorf("list the notes of the archive: %w", err)
		}
		for _, name := range names {
			n, err := parseNote(folder, name)
			if err != nil {
				return last, err
			}
			if n.newer(last) {
				last = n
			}
		}
	}
	if last.Number == 0 {
		return last, nil
	}
	if err := a.readJSON(ctx, last.name(), &last); err != nil {
		if !errors.Is(err, ErrDamaged) {
			return last, fmt.Errorf("read %s of the archive: %w", last.name(), err)
		}
		last.Complete = false
	}
	return last, nil
}

func parseNote(folder, name string) (n Note, err error) {
	n.Complete = folder == completeNotes
	_, err = fmt.Sscanf(strings.Replace(name, "-", " ", 1), "%d %d", &n.Epoch, &n.Number)
	if err != nil || path.Base(n.name()) != name {
		return n, fmt.Errorf("%w: %s/%s is not a note", ErrDamaged, folder, name)
	}
	return n, nil
}
