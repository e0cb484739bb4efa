package issue

import (
	"errors"
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
)

// knownSellers keeps the organisation and the device of recent documents, so that
// the next document of a device need not read them again. What it returns may have
// changed since. So the append, which reads both under its lock, refuses a document
// that was prepared with other values, and nothing is refused because of a kept
// value before it was read again.
type knownSellers struct {
	mu   sync.Mutex
	kept map[sellerKey]*knownSeller
}

type sellerKey struct{ organisation, device uuid.UUID }

// knownSeller is never changed, because several documents use it at the same time.
type knownSeller struct {
	seller org.Organisation
	device device.Device
}

// maxSellers is the capacity of the cache. When it is full, it is emptied.
const maxSellers = 1024

func (k *knownSellers) get(of org.Tenant, device uuid.UUID) (*knownSeller, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, known := k.kept[sellerKey{of.ID(), device}]
	return found, known
}

func (k *knownSellers) put(of org.Tenant, seller org.Organisation, d device.Device) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= maxSellers {
		k.kept = map[sellerKey]*knownSeller{}
	}
	k.kept[sellerKey{of.ID(), d.ID}] = &knownSeller{seller, d}
}

func (k *knownSellers) forget(of org.Tenant, device uuid.UUID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.kept, sellerKey{of.ID(), device})
}

// errChanged means that a document was prepared with kept values that have changed
// or led to a refusal. It must be prepared again.
var errChanged = errors.New("the organisation or the device has changed")

// stillKnown returns errChanged if the organisation or the device is not as it was
// when the document was prepared.
func (p *prepared) stillKnown(state *State) error {
	if !p.known {
		return nil
	}
	chain := state.Devices[p.Device]
	if state.Seller == nil || *state.Seller != p.seller || chain == nil || !sameDevice(chain.Device, *p.device) {
		return errChanged
	}
	return nil
}

// sameDevice reports whether two devices differ at most in the end of their chain.
func sameDevice(a, b device.Device) bool {
	if !equal(a.Branch, b.Branch) || !equal(a.Compliance, b.Compliance) || !equal(a.Production, b.Production) {
		return false
	}
	a.Branch, a.Compliance, a.Production = b.Branch, b.Compliance, b.Production
	a.Counter, a.LastHash, a.LastIssuedAt = b.Counter, b.LastHash, b.LastIssuedAt
	return a == b
}

// equal reports whether two pointers are both nil or point to equal values.
func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
