package onboard

import (
	"context"

	"khatm/seal"
	"khatm/service/internal/device"
)

// signer decrypts the device key of this enrolment.
func (a *attempt) signer(ctx context.Context) (seal.Signer, error) {
	purpose := a.purpose(KeyPurpose)
	sealed, err := a.Keeper.Secret(ctx, a.by.Tenant, purpose, a.device.ID.String())
	if err != nil {
		return nil, err
	}
	return a.Vault.Signer(purpose, a.device.ID.String(), sealed)
}

// credentials returns the credentials of a certificate, with the secret stored
// for a purpose.
func (a *attempt) credentials(ctx context.Context, token, purpose string) (device.Credentials, error) {
	secret, err := a.open(ctx, purpose)
	if err != nil {
		return device.Credentials{}, err
	}
	defer clear(secret)
	return device.Credentials{Token: token, Secret: device.NewSecret(string(secret))}, nil
}

// open decrypts a secret of the device.
func (a *attempt) open(ctx context.Context, purpose string) ([]byte, error) {
	owner := a.device.ID.String()
	sealed, err := a.Keeper.Secret(ctx, a.by.Tenant, purpose, owner)
	if err != nil {
		return nil, err
	}
	return a.Vault.Open(purpose, owner, sealed)
}

// sealed encrypts a secret of the device for a purpose.
func (a *attempt) sealed(purpose string, plain []byte) (Secret, error) {
	sealed, err := a.Vault.Seal(purpose, a.device.ID.String(), plain)
	return Secret{Purpose: purpose, Sealed: sealed}, err
}
