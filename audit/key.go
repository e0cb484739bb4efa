package audit

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// deviceRequests summarises the requests of the client journal for one device.
type deviceRequests struct {
	since       time.Time // of its first request
	open        int64     // requests without an answer, or with a server error: either may have created a document
	unexplained int64     // documents that no request explains
	instance    uuid.UUID // one of them
}

// keySize is the length of a keyUse in bytes.
const keySize = 32 + 1 + 8 + 16 + 32 + 2 + 4

// keyUse is one use of an Idempotency-Key: by a stored document, or by a
// client's request.
type keyUse struct {
	key    [32]byte
	stored bool
	line   uint64 // of the client journal
	id     uuid.UUID
	body   [32]byte
	code   uint16
	device uint32
}

func (k keyUse) bytes() []byte {
	b := append(make([]byte, 0, keySize), k.key[:]...)
	b = append(b, pack(!k.stored)) // sorts the document first
	b = binary.BigEndian.AppendUint64(b, k.line)
	b = append(b, k.id[:]...)
	b = append(b, k.body[:]...)
	b = binary.BigEndian.AppendUint16(b, k.code)
	return binary.BigEndian.AppendUint32(b, k.device)
}

func keyUseOf(b []byte) keyUse {
	return keyUse{
		key: [32]byte(b[:32]), stored: b[32] == 0, line: binary.BigEndian.Uint64(b[33:]), id: uuid.UUID(b[41:57]),
		body: [32]byte(b[57:89]), code: binary.BigEndian.Uint16(b[89:]), device: binary.BigEndian.Uint32(b[91:]),
	}
}

// nowhere is the index of a device that is not in the list.
const nowhere = ^uint32(0)

// takeClients reads the journal of the load clients into the sorters.
func (w *walk) takeClients(context.Context) error {
	if w.options.Clients == nil {
		return nil
	}
	count := &Count{}
	w.report.Clients = count
	for r, err := range records(w.report, count, "the clients", w.options.Clients, readRequest) {
		if err != nil {
			return err
		}
		if r.record.answered() {
			count.Accepted++
		}
		if err := w.takeRequest(uint64(r.line), r.record); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) takeRequest(line uint64, r Request) error {
	at := nowhere
	if u := w.byID[r.Device]; u != nil {
		at = u.place
		w.noteRequest(at, r)
	}
	key := digest(r.ID)
	if r.Key != "" {
		key = keyOf(r.Organisation, r.Key)
	}
	if r.answered() {
		f := fact{id: r.Document, kind: factClient, order: line, hash: key, body: digestOf(r.Body), device: at, keyed: r.Key != ""}
		if err := w.facts.put(f.bytes()); err != nil {
			return err
		}
	}
	if r.Key == "" {
		return nil
	}
	k := keyUse{key: key, line: line, id: r.Document, body: digestOf(r.Body), code: uint16(r.Status), device: at}
	return w.keys.put(k.bytes())
}

// noteRequest adds a request to the summary of its device.
func (w *walk) noteRequest(at uint32, r Request) {
	t := w.requests[at]
	if t == nil {
		t = &deviceRequests{since: r.Time}
		w.requests[at] = t
	}
	if r.Time.Before(t.since) {
		t.since = r.Time
	}
	if !r.answered() && !r.refused() {
		t.open++
	}
}

// keyGroup collects the uses of one Idempotency-Key.
type keyGroup struct {
	document     keyUse // with the key; zero if none
	acknowledged keyUse // the first request answered with 202; zero if none
	open         bool   // a request had no answer
	refused      keyUse // the first refused request; zero if none
}

// judgeKeys compares the requests with each Idempotency-Key with the document
// that has it.
func (w *walk) judgeKeys(context.Context) error {
	var g keyGroup
	var key [32]byte
	for record, err := range w.keys.sorted() {
		if err != nil {
			return err
		}
		k := keyUseOf(record)
		if k.key != key {
			w.judgeKey(g)
			g, key = keyGroup{}, k.key
		}
		w.takeKey(&g, k)
	}
	w.judgeKey(g)
	return nil
}

func (w *walk) takeKey(g *keyGroup, k keyUse) {
	switch {
	case k.stored && g.document.id != uuid.Nil:
		w.findKey(k, "it has the same Idempotency-Key as document %s", g.document.id)
	case k.stored:
		g.document = k
	case k.code == 202 && g.acknowledged.id == uuid.Nil:
		g.acknowledged = k
	case k.code == 202 && g.acknowledged.id != k.id:
		w.findKey(k, "lines %d and %d of the client journal have the same Idempotency-Key, but the second was answered with another document than %s", g.acknowledged.line, k.line, g.acknowledged.id)
	case k.code == 202 && g.acknowledged.body != k.body:
		w.findKey(k, "lines %d and %d of the client journal have the same Idempotency-Key and different bodies, but both were answered with this document", g.acknowledged.line, k.line)
	case k.code >= 400 && k.code < 500:
		if g.refused.line == 0 {
			g.refused = k
		}
	case k.code != 202:
		g.open = true
	}
}

// judgeKey reports a document whose requests were all refused.
func (w *walk) judgeKey(g keyGroup) {
	if g.document.id != uuid.Nil && g.refused.line > 0 && !g.open && g.acknowledged.id == uuid.Nil {
		w.findKey(g.document, "it was issued, but its request (line %d of the client journal) was refused with %d", g.refused.line, g.refused.code)
	}
}

func (w *walk) findKey(k keyUse, format string, args ...any) {
	f := Fault{Invariant: NoNumberWasted, Document: k.id, Text: fmt.Sprintf(format, args...)}
	if k.device != nowhere {
		u := w.devices[k.device]
		f.Device, f.Organisation = u.ID, u.Organisation
	}
	w.report.find(f)
}
