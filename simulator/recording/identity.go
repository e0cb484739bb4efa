package recording

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"

	"khatm/witness"
)

// identities names the credentials of a session. It keeps them in memory, to
// recognise them in later calls.
type identities struct {
	mu            sync.Mutex
	names         map[[sha256.Size]byte]string
	issued, other int
	secrets       []string // tokens and secrets seen so far
}

func newIdentities() *identities {
	return &identities{names: map[[sha256.Size]byte]string{}}
}

// issue returns the name of a credential that a response contains.
func (i *identities) issue(token, secret string) string {
	return i.name(token, secret, "issued", &i.issued)
}

// use returns the name of a credential that a request contains.
func (i *identities) use(token, secret string) string {
	return i.name(token, secret, "other", &i.other)
}

func (i *identities) name(token, secret, kind string, last *int) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	id := sha256.Sum256([]byte(token + "\x00" + secret))
	if name, known := i.names[id]; known {
		return name
	}
	*last++
	i.names[id] = fmt.Sprintf("%s-%d", kind, *last)
	i.secrets = withSecrets(i.secrets, token, secret)
	return i.names[id]
}

func (i *identities) known() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.secrets)
}

// withSecrets adds the texts that are long enough to be secrets: a short text
// would be found everywhere.
func withSecrets(all []string, texts ...string) []string {
	const shortest = 6
	for _, text := range texts {
		if len(text) >= shortest && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// CertificateOf reads the certificate in a token: the base64 of the base64 of a
// certificate. It returns nil if the token is something else.
func CertificateOf(token string) *Certificate {
	once, err := base64.StdEncoding.DecodeString(token)
	if err != nil {
		return nil
	}
	der, err := base64.StdEncoding.DecodeString(string(once))
	if err != nil {
		return nil
	}
	read, err := witness.ReadCertificate(der)
	if err != nil {
		return nil
	}
	return &Certificate{VATNumber: read.VATNumber, InvoiceTypes: read.InvoiceTypes}
}
