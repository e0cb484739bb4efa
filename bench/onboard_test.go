package bench

import (
	"time"

	"khatm/sample"
	"khatm/seal"
	"khatm/witness"
)

// onboarded is a device that is onboarded at the simulator.
type onboarded struct {
	key                 *seal.Key
	token, secret, uuid string
	now                 time.Time
}

// onboard onboards a device at the developer portal, which requires no compliance
// checks, and seals a standard document with its production certificate.
func (c *client) onboard(otp string) (onboarded, *seal.Sealed) {
	now := time.Now()
	made := must(sample.NewDevice(sample.Seeded(6), now))
	request := must(made.Certificate.Unit.Request(made.Key, "sandbox"))
	first := c.post("/compliance", "", "", map[string]string{"OTP": otp}, map[string]string{"csr": request.Body()})
	number := "1234567890123" // the constant of the developer portal
	second := c.post("/production/csids", text(first, "binarySecurityToken"), text(first, "secret"), nil,
		map[string]string{"compliance_request_id": number})
	token := text(second, "binarySecurityToken")
	certificate := must(seal.ParseCertificate([]byte(token)))
	sealed := standardDocument(made.Key, certificate, made)
	report := must(witness.Verify(sealed.XML, witness.Expect{}))
	return onboarded{made.Key, token, text(second, "secret"), report.UUID, now}, sealed
}
