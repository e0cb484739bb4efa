package codes_test

import (
	"regexp"
	"testing"

	"khatm/codes"
)

func TestChargeReasons(t *testing.T) {
	checkEntries(t, codes.ChargeReasons, codes.FindChargeReason)
	if n := len(codes.ChargeReasons()); n != 161 {
		t.Errorf("got %d charge reasons, want 161", n)
	}
	for _, e := range codes.ChargeReasons() {
		if e.AR != "" {
			t.Errorf("%s has an Arabic text, want none", e.Code)
		}
	}
	// The list of BR-KSA-CL-06, with its typing errors in CAP CAQ, IAB and TAC corrected.
	wantList(t, codesOf(codes.ChargeReasons()), `
		AA AAA AAC AAD AAE AAF AAH AAI AAS AAT AAV AAY AAZ ABA ABB ABC ABD ABF ABK ABL ABN ABR ABS ABT
		ABU ACF ACG ACH ACI ACJ ACK ACL ACM ACS ADC ADE ADJ ADK ADL ADM ADN ADO ADP ADQ ADR ADT ADW ADY
		ADZ AEA AEB AEC AED AEF AEH AEI AEJ AEK AEL AEM AEN AEO AEP AES AET AEU AEV AEW AEX AEY AEZ AJ
		AU CA CAB CAD CAE CAF CAI CAJ CAK CAL CAM CAN CAO CAP CAQ CAR CAS CAT CAU CAV CAW CD CG CS CT
		DAB DAD DL EG EP ER FAA FAB FAC FC FH FI GAA HAA HD HH IAA IAB ID IF IR IS KO L1 LA LAA LAB LF
		MAE MI ML NAA OA PA PAA PC PL RAB RAC RAD RAF RE RF RH RV SA SAA SAD SAE SAI SG SH SM SU TAB
		TAC TT TV V1 V2 WH XAA YY ZZZ`)
}

func TestKeysAreDerivedFromEnglish(t *testing.T) {
	form := regexp.MustCompile(`^[A-Z0-9]+(_[A-Z0-9]+)*$`)
	for _, e := range codes.ChargeReasons() {
		if !form.MatchString(e.Key) {
			t.Errorf("%s: malformed key %q", e.Code, e.Key)
		}
	}
	for code, want := range map[string]string{
		"AA":  "ADVERTISING",
		"DAB": "LAYOUT_DESIGN",
		"PAA": "PHOSPHATIZING_STEEL_TREATMENT",
		"TT":  "TRANSPORTATION_THIRD_PARTY_BILLING",
	} {
		if e, _ := codes.FindChargeReason(code); e.Key != want {
			t.Errorf("key of %s is %s, want %s", code, e.Key, want)
		}
	}
}
