package onboard

import (
	"context"

	"khatm/seal"
	"khatm/service/internal/device"
)

// signer opens the device's key of this way.
func (p *passage) signer(ctx context.Context) (seal.Signer, error) {
	purpose := p.purpose(KeyPurpose)
	sealed, err := p.Keeper.Secret(ctx, p.by.Tenant, purpose, p.device.ID.String())
	if err != nil {
		return nil, err
	}
	return p.Vault.Signer(purpose, p.device.ID.String(), sealed)
}

// credentials are those of a certificate, with the secret that was sealed for a
// purpose.
func (p *passage) credentials(ctx context.Context, token, purpose string) (device.Credentials, error) {
	secret, err := p.open(ctx, purpose)
	if err != nil {
		return device.Credentials{}, err
	}
	defer clear(secret)
	return device.Credentials{Token: token, Secret: device.NewSecret(string(secret))}, nil
}

// open opens a secret of the device.
func (p *passage) open(ctx context.Context, purpose string) ([]byte, error) {
	owner := p.device.ID.String()
	sealed, err := p.Keeper.Secret(ctx, p.by.Tenant, purpose, owner)
	if err != nil {
		return nil, err
	}
	return p.Vault.Open(purpose, owner, sealed)
}

// sealed seals a secret of the device for a purpose.
func (p *passage) sealed(purpose string, plain []byte) (Secret, error) {
	sealed, err := p.Vault.Seal(purpose, p.device.ID.String(), plain)
	return Secret{Purpose: purpose, Sealed: sealed}, err
}
