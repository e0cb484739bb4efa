package onboard_test

import (
	"strings"
	"testing"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/store/storetest"
)

const (
	askCompliance = "POST /compliance"
	askSample     = "POST /compliance/invoices"
	askProduction = "POST /production/csids"
	askRenewal    = "PATCH /production/csids"
)

// refusals are responses that end an attempt, with the resulting state and
// whether a new password is needed to continue.
var refusals = []struct {
	name      string
	operation string
	status    int
	body      string
	code      string
	state     device.Status
	password  bool // a new password is needed
}{
	{"no password", askCompliance, 400, `{"errors":[{"code":"Missing-OTP","message":"OTP is required field"}]}`, "Missing-OTP", device.CCSIDFailed, true},
	{"wrong password", askCompliance, 400, `{"errors":[{"code":"Invalid-OTP","message":"The provided OTP is invalid"}]}`, "Invalid-OTP", device.CCSIDFailed, true},
	{"request", askCompliance, 400, `{"errorCode":"400","errorCategory":"Invalid-CSR","errorMessage":"invalid"}`, "Invalid-CSR", device.CCSIDFailed, true},
	{"industry", askCompliance, 400, `{"type":"ERROR","code":"Invalid-Industry","category":"CSR-Errors","message":"invalid","status":"ERROR"}`, "Invalid-Industry", device.CCSIDFailed, true},
	{"register", askCompliance, 200, `{"requestID":1,"dispositionMessage":"NOT_COMPLIANT"}`, device.NotCompliant, device.CCSIDFailed, true},
	{"no certificate", askCompliance, 200, `{"requestID":1}`, device.NoCertificate, device.CCSIDFailed, true},
	{"an unknown code", askCompliance, 400, `{"code":"New-Code","message":"new"}`, "New-Code", device.CCSIDFailed, true},
	{"a sample that breaks a rule", askSample, 400, `{"validationResults":{"errorMessages":[{"code":"BR-KSA-37","message":"four digits"}],"status":"ERROR"},"clearanceStatus":"NOT_CLEARED"}`, "BR-KSA-37", device.SamplesFailed, false},
	{"a sample without a code", askSample, 400, `{"validationResults":{"errorMessages":["no"],"status":"ERROR"}}`, onboard.SampleRefused, device.SamplesFailed, false},
	{"a sample's certificate", askSample, 400, `{"validationResults":{"errorMessages":[{"code":"certificate-permissions","category":"CERTIFICATE_ERRORS","message":"no"}],"status":"ERROR"}}`, "certificate-permissions", device.SamplesFailed, true},
	{"samples unauthorised", askSample, 401, `{"status":401}`, device.NotAuthorised, device.SubmissionFailed, true},
	{"steps", askProduction, 400, `{"code":"Missing-ComplianceSteps","message":"[standard-compliant]"}`, "Missing-ComplianceSteps", device.SubmissionFailed, false},
	{"insufficient samples", askProduction, 200, `{"dispositionMessage":"NOT_COMPLIANT"}`, device.NotCompliant, device.SubmissionFailed, true},
	{"production unauthorised", askProduction, 401, `{}`, device.NotAuthorised, device.PCSIDFailed, true},
	{"request id", askProduction, 400, `{"errors":[{"code":"Invalid-ComplianceRequestId","message":"invalid"}]}`, "Invalid-ComplianceRequestId", device.PCSIDFailed, true},
}

// TestEveryRefusalIsKeptExplainedAndOvercome checks that every refusal is
// stored and explained, and that the onboarding can be completed afterwards.
func TestEveryRefusalIsKeptExplainedAndOvercome(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *fixture) {
		s, authority := h.spoil()
		o := h.onboarding(h.store, authority)
		for _, c := range refusals {
			t.Run(c.name, func(t *testing.T) {
				s.say(c.operation, c.status, c.body)
				d := h.device(device.Both)
				_, err := o.Onboard(h.ctx, h.by, h.order(d, h.otp()))
				explained(t, err, fault.Invalid, c.code)
				h.at(d.ID, c.state)
				if got := h.way(d.ID, false).Trouble.Code; got != c.code {
					t.Errorf("stored code is %q, want %q", got, c.code)
				}
				_, err = o.Onboard(h.ctx, h.by, h.order(d, device.Secret{}))
				if c.password {
					explained(t, err, fault.Invalid, "Missing-OTP")
					h.at(d.ID, c.state) // a missing password changes nothing
					_, err = o.Onboard(h.ctx, h.by, h.order(d, h.otp()))
				}
				if err != nil {
					t.Fatal(err)
				}
				h.checkActive(h.kept(d.ID))
			})
		}
	})
}

// TestSilenceUsesNothingUp checks that an unusable response does not change the
// state of the device.
func TestSilenceUsesNothingUp(t *testing.T) {
	pending := map[string]device.Status{askCompliance: device.CCSIDPending, askSample: device.SubmissionPending, askProduction: device.PCSIDPending}
	h := lite(t)
	s, authority := h.spoil()
	o := h.onboarding(h.store, authority)
	for operation, state := range pending {
		for _, a := range []answer{
			{500, `{"code":"Invalid-Request","message":"System failed to process your request"}`},
			{503, ""}, {504, "<html>"}, {200, "<html>Request Rejected</html>"}, {200, ""}, {200, `{"requestID":`},
			{400, ""}, {400, "{}"}, {400, `{"category":"HTTP-Errors","code":"400"}`}, {403, "<html>"}, {404, "{}"}, {406, "This Version is not supported"}, {413, ""}, {429, ""}, {303, ""},
			{200, `{"requestID":1,"binarySecurityToken":"bm8gY2VydGlmaWNhdGU=","secret":"c2VjcmV0","dispositionMessage":"ISSUED"}`},
		} {
			if operation == askSample && a.status == 403 {
				continue // here it is a refusal
			}
			s.clear()
			for range 3 {
				s.say(operation, a.status, a.body)
			}
			d := h.device(device.SimplifiedOnly)
			_, err := o.Onboard(h.ctx, h.by, h.order(d, h.otp()))
			also := explained(t, err, fault.Unavailable, onboard.NoAnswer)
			h.at(d.ID, state)
			if words := also("authority_message"); words == "" || words != h.way(d.ID, false).Trouble.Message {
				t.Errorf("%s %d: returned message %q, want the stored one %q", operation, a.status, words, h.way(d.ID, false).Trouble.Message)
			}
		}
	}
}

func TestOneTimePasswords(t *testing.T) {
	h := lite(t)
	for _, text := range []string{"12345", "1234567", "12345x", "１２３４５６", "123 456"} {
		_, err := h.onboard(h.device(device.SimplifiedOnly), device.NewSecret(text))
		wrongAt(t, err, "otp")
	}
	d := h.device(device.SimplifiedOnly)
	_, err := h.onboard(d, device.Secret{})
	explained(t, err, fault.Invalid, "Missing-OTP")
	h.at(d.ID, device.CSRPending)

	_, err = h.onboard(d, device.NewSecret("000000"))
	explained(t, err, fault.Invalid, "Invalid-OTP")
	first := h.way(d.ID, false).Request

	used := h.otp()
	if _, err := h.onboard(d, used); err != nil {
		t.Fatal(err)
	}
	if again := h.way(d.ID, false).Request; again == first {
		t.Error("the refused request was sent again")
	}
	second := h.device(device.SimplifiedOnly)
	_, err = h.onboard(second, used)
	explained(t, err, fault.Invalid, "Invalid-OTP")
}

func TestAPasswordIsGoodForAnHour(t *testing.T) {
	clock := storetest.NewClock()
	c := storetest.SQLite(t)
	c.Now = clock.Now
	h := open(t, c)
	d, otp := h.device(device.SimplifiedOnly), h.otp()
	clock.Advance(time.Hour + time.Second)
	_, err := h.onboard(d, otp)
	explained(t, err, fault.Invalid, "Invalid-OTP")
	if _, err := h.onboard(d, h.otp()); err != nil {
		t.Error(err)
	}
}

// TestALostAnswerNeedsANewPassword checks that after a lost response the password
// and the request cannot be used again.
func TestALostAnswerNeedsANewPassword(t *testing.T) {
	h := lite(t)
	d, otp := h.device(device.SimplifiedOnly), h.otp()
	h.force("drop_after", 1)
	_, err := h.onboard(d, otp)
	explained(t, err, fault.Unavailable, onboard.NoAnswer)
	h.at(d.ID, device.CCSIDPending)
	_, err = h.onboard(d, otp)
	explained(t, err, fault.Invalid, "Invalid-OTP")
	if _, err := h.onboard(d, h.otp()); err != nil {
		t.Fatal(err)
	}
	h.checkActive(h.kept(d.ID))
}

// TestOurRulesRefuseASample checks that samples are checked by our own rules
// before they are submitted, and that the onboarding continues without a
// password once the data is corrected.
func TestOurRulesRefuseASample(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *fixture) {
		d := h.device(device.SimplifiedOnly)
		bad := h.owner
		bad.PostalCode = "12"
		if err := h.record(bad); err != nil {
			t.Fatal(err)
		}
		_, err := h.onboard(d, h.otp())
		also := explained(t, err, fault.Invalid, onboard.SampleRefused)
		if words := also("authority_message"); !strings.Contains(words, "postal") {
			t.Errorf("the message does not name the postal code: %q", words)
		}
		h.at(d.ID, device.SamplesFailed)
		if n := h.journal("/compliance/invoices"); n != 0 {
			t.Errorf("%d samples were submitted, want none", n)
		}
		if err := h.record(h.owner); err != nil {
			t.Fatal(err)
		}
		if _, err := h.onboard(d, device.Secret{}); err != nil {
			t.Error(err)
		}
	})
}

// TestAChangedOrganisationBeginsAnew checks that the certificate is requested
// again if the organisation changed, because the certificate contains its data.
func TestAChangedOrganisationBeginsAnew(t *testing.T) {
	h := lite(t)
	d := h.device(device.SimplifiedOnly)
	s, authority := h.spoil()
	for range 3 {
		s.say(askSample, 503, "")
	}
	o := h.onboarding(h.store, authority)
	_, err := o.Onboard(h.ctx, h.by, h.order(d, h.otp()))
	explained(t, err, fault.Unavailable, onboard.NoAnswer)
	changed := h.owner
	changed.VATNumber = "311287654900003"
	if err := h.record(changed); err != nil {
		t.Fatal(err)
	}
	_, err = o.Onboard(h.ctx, h.by, h.order(d, device.Secret{}))
	explained(t, err, fault.Invalid, "Missing-OTP")
	h.owner = changed
	if _, err = o.Onboard(h.ctx, h.by, h.order(d, h.otp())); err != nil {
		t.Fatal(err)
	}
	h.checkActive(h.kept(d.ID))
}

// TestTheCertificateOfAnotherDeviceIsRefused checks that a certificate of
// another key, as the developer portal returns, is refused.
func TestTheCertificateOfAnotherDeviceIsRefused(t *testing.T) {
	h := lite(t)
	other := h.active(device.SimplifiedOnly)
	body := `{"requestID":1,"dispositionMessage":"ISSUED","secret":"c2VjcmV0","binarySecurityToken":"` + other.Token + `"}`
	for operation, state := range map[string]device.Status{askCompliance: device.CCSIDFailed, askProduction: device.PCSIDFailed} {
		s, authority := h.spoil()
		s.say(operation, 200, body)
		d := h.device(device.SimplifiedOnly)
		_, err := h.onboarding(h.store, authority).Onboard(h.ctx, h.by, h.order(d, h.otp()))
		explained(t, err, fault.Invalid, device.OtherDevice)
		h.at(d.ID, state)
	}
}

// TestTheTemplateIsThatOfTheEnvironment checks that the certificate request
// names the template of the device's environment.
func TestTheTemplateIsThatOfTheEnvironment(t *testing.T) {
	h := lite(t)
	order := wanted(device.SimplifiedOnly)
	order.Environment = device.Production
	o := h.onboarding(h.store, h.client)
	d, err := o.Create(h.ctx, h.by, order)
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.Onboard(h.ctx, h.by, h.order(d, h.otp()))
	explained(t, err, fault.Invalid, "Invalid-CSR")
	core := h.onboarding(h.store, h.reach(strings.Replace(h.url, "simulation", "core", 1)))
	otp, err := h.simulator.OneTimePassword("production", h.owner.VATNumber)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := core.Onboard(h.ctx, h.by, h.order(d, device.NewSecret(otp))); err != nil {
		t.Error(err)
	}
}
