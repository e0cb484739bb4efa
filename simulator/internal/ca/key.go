package ca

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// key is a private key on secp256k1.
type key struct{ secret *secp256k1.PrivateKey }

func newKey(random io.Reader) (key, error) {
	if random == nil {
		return key{}, errors.New("generate a key: the random source is nil")
	}
	// A random value is invalid with a probability of 2^-128, so a source that
	// always fails is broken.
	for range 64 {
		var raw [32]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return key{}, fmt.Errorf("generate a key: %w", err)
		}
		if k, err := keyOf(raw[:]); err == nil {
			return k, nil
		}
	}
	return key{}, errors.New("generate a key: the random source returned no valid key in 64 attempts")
}

// keyOf returns the private key with the given 32 bytes.
func keyOf(raw []byte) (key, error) {
	var number secp256k1.ModNScalar
	if len(raw) != 32 || number.SetByteSlice(raw) || number.IsZero() {
		return key{}, errors.New("not a private key on secp256k1")
	}
	return key{secp256k1.NewPrivateKey(&number)}, nil
}

func (k key) bytes() []byte { return k.secret.Serialize() }

// public returns the SubjectPublicKeyInfo, 88 bytes.
func (k key) public() []byte {
	algorithm := must([]asn1.ObjectIdentifier{oidECPublicKey, oidSecp256k1})
	point := k.secret.PubKey().SerializeUncompressed()
	return must(struct {
		Algorithm asn1.RawValue
		Point     asn1.BitString
	}{asn1.RawValue{FullBytes: algorithm}, asn1.BitString{Bytes: point, BitLength: 8 * len(point)}})
}

// sign returns the ECDSA signature of the message with SHA-256, in DER. It is
// deterministic.
func (k key) sign(message []byte) []byte {
	sum := sha256.Sum256(message)
	return ecdsa.Sign(k.secret, sum[:]).Serialize()
}

// publicPoint reads a SubjectPublicKeyInfo. It must name the curve secp256k1
// and contain an uncompressed point.
func publicPoint(info asn1.RawValue) (*secp256k1.PublicKey, error) {
	pair, err := inside(info, asn1.TagSequence, 2)
	if err != nil {
		return nil, err
	}
	algorithm := must([]asn1.ObjectIdentifier{oidECPublicKey, oidSecp256k1})
	if !bytes.Equal(pair[0].FullBytes, algorithm) {
		return nil, errors.New("the key is not on secp256k1")
	}
	point, err := bits(pair[1])
	if err != nil {
		return nil, err
	}
	if len(point) != 65 || point[0] != 4 {
		return nil, errors.New("the key is not an uncompressed point")
	}
	return secp256k1.ParsePubKey(point)
}

// verifies reports whether signature is a valid ECDSA signature over the
// SHA-256 of the message.
func verifies(public *secp256k1.PublicKey, message, signature []byte) bool {
	parsed, err := ecdsa.ParseDERSignature(signature)
	if err != nil {
		return false
	}
	sum := sha256.Sum256(message)
	return parsed.Verify(sum[:], public)
}

// fingerprint returns the identifier of a key for SKI and AKI, by the first
// method of RFC 7093.
func fingerprint(spki []byte) []byte {
	sum := sha256.Sum256(spki[len(spki)-65:])
	return sum[:20]
}
