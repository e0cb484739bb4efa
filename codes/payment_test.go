package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestPaymentMeans(t *testing.T) {
	var texts, keys []string
	for _, p := range codes.AllPaymentMeans() {
		texts, keys = append(texts, p.Text()), append(keys, p.Key)
		if got, ok := codes.FindPaymentMeans(p.Text()); !ok || got != p {
			t.Errorf("FindPaymentMeans(%q) = %v, %v, want %v", p.Text(), got, ok, p)
		}
		checkEnglish(t, p.Key, p.EN)
		checkArabic(t, p.Key, p.AR)
	}
	wantList(t, texts, "10 20 23 25 26 30 31 46 48 49 54 55")
	wantList(t, keys, `IN_CASH CHEQUE BANK_CHEQUE CERTIFIED_CHEQUE LOCAL_CHEQUE CREDIT_TRANSFER DEBIT_TRANSFER
		INTERBANK_DEBIT_TRANSFER BANK_CARD DIRECT_DEBIT CREDIT_CARD DEBIT_CARD`)
	for _, unknown := range []string{"", "010", "+10", "10 ", "1", "42"} {
		if p, ok := codes.FindPaymentMeans(unknown); ok {
			t.Errorf("FindPaymentMeans(%q) = %v, want none", unknown, p)
		}
	}
	if p, _ := codes.FindPaymentMeans(codes.CreditTransfer); p.Key != "CREDIT_TRANSFER" {
		t.Errorf("the key of CreditTransfer is %s, want CREDIT_TRANSFER", p.Key)
	}
	codes.AllPaymentMeans()[0].Code = 1
	if codes.AllPaymentMeans()[0].Code != 10 {
		t.Error("a caller can change the table")
	}
}
