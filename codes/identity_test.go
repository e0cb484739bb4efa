package codes_test

import (
	"slices"
	"testing"

	"khatm/codes"
)

func TestBuyerIDTypes(t *testing.T) {
	checkEntries(t, codes.BuyerIDTypes, codes.FindBuyerIDType)
	checkArabicOf(t, codes.BuyerIDTypes())
	wantList(t, codesOf(codes.BuyerIDTypes()), "TIN CRN MOM MLS 700 SAG NAT GCC IQA PAS OTH")
}

func TestSellerIDTypes(t *testing.T) {
	checkEntries(t, codes.SellerIDTypes, codes.FindSellerIDType)
	wantList(t, codesOf(codes.SellerIDTypes()), "CRN MOM MLS SAG OTH")
	for _, e := range codes.SellerIDTypes() {
		if !slices.Contains(codes.BuyerIDTypes(), e) {
			t.Errorf("%s is not one of the buyer's ID types", e.Code)
		}
	}
}
