package share

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// unprinted lists the fields of a record that are not printed on the document.
var unprinted = []string{
	"Device.ID", "Device.CommonName", "Device.SerialNumber", "Device.Location", "Device.UnitName", "Device.Industry", "Device.InvoiceType", "Device.Branch",
	"Seller.ID", "Seller.BusinessType", "Seller.Industry", "Seller.ContactName", "Seller.ContactEmail", "Seller.ContactPhone",
	"Buyer.ID", "Buyer.BusinessType", "Buyer.Industry", "Buyer.ContactName", "Buyer.ContactEmail", "Buyer.ContactPhone",
	"Reason", "Lines.ID", "Lines.Item", "Lines.Original", "Advances.ID", "Originals.ID",
	"Device.Compliance.From", "Device.Compliance.Until", "Device.Production.From", "Device.Production.Until", "Device.CreatedAt",
	"Seller.Logo", "Seller.CreatedAt", "Buyer.Logo", "Buyer.CreatedAt",
	"ExpectedPayable", // printed as the rounding
}

// wholeRecord returns a record without empty fields.
func wholeRecord() ledger.Record {
	var r ledger.Record
	eachField(reflect.ValueOf(&r).Elem(), "", func(string, reflect.Value) {})
	return r
}

// eachField fills a value and calls do for each of its leaf fields.
func eachField(v reflect.Value, path string, do func(path string, v reflect.Value)) {
	switch {
	case v.Type() == reflect.TypeFor[money.Decimal]():
		if v.IsZero() {
			v.Set(reflect.ValueOf(money.MustParse("12.34")))
		}
		do(path, v)
	case v.Type() == reflect.TypeFor[uuid.UUID](), v.Type() == reflect.TypeFor[time.Time]():
		do(path, v)
	case v.Kind() == reflect.String:
		if v.String() == "" {
			v.SetString(path)
		}
		do(path, v)
	case v.Kind() == reflect.Bool, v.Kind() == reflect.Int:
		do(path, v)
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		eachField(v.Elem(), path, do)
	case v.Kind() == reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		eachField(v.Index(0), path, do)
	case v.Kind() == reflect.Struct:
		for n := range v.NumField() {
			eachField(v.Field(n), strings.TrimPrefix(path+"."+v.Type().Field(n).Name, "."), do)
		}
	default:
		panic("no case for " + path)
	}
}

// TestDifferenceSeesEverything checks that a change of any printed field is
// refused, and a change of any other field is not.
func TestDifferenceSeesEverything(t *testing.T) {
	t.Parallel()
	approved := wholeRecord()
	var kept ledger.Record // as read from the database
	text, err := json.Marshal(approved)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil || difference(kept, approved) != nil {
		t.Fatalf("equal records differ: %v, %v", err, difference(kept, approved))
	}
	seen := 0
	would := wholeRecord()
	eachField(reflect.ValueOf(&would).Elem(), "", func(path string, v reflect.Value) {
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		switch v.Interface().(type) {
		case money.Decimal:
			v.Set(reflect.ValueOf(money.MustParse("12.35")))
		case uuid.UUID:
			v.Set(reflect.ValueOf(uuid.Max))
		case time.Time:
			v.Set(reflect.ValueOf(time.Unix(1, 0)))
		case bool:
			v.SetBool(!was.Bool())
		case int:
			v.SetInt(was.Int() + 1)
		default:
			v.SetString(was.String() + "!")
		}
		err := difference(approved, would)
		if refused := fault.KindOf(err) == fault.Conflict && err != nil; refused == slices.Contains(unprinted, path) {
			t.Errorf("change of %s: difference returned %v, want an error: %t", path, err, !slices.Contains(unprinted, path))
		}
		v.Set(was)
		seen++
	})
	if seen < 90 {
		t.Errorf("only %d fields were compared, want at least 90", seen)
	}
}

// TestDifferenceOfLengths checks that a different number of elements is
// reported as such.
func TestDifferenceOfLengths(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*ledger.Record){
		"lines":                           func(r *ledger.Record) { r.Lines = append(r.Lines, r.Lines[0]) },
		"buyers":                          func(r *ledger.Record) { r.Buyer = nil },
		"notes":                           func(r *ledger.Record) { r.Notes = nil },
		"discounts":                       func(r *ledger.Record) { r.Allowances = nil },
		"advances":                        func(r *ledger.Record) { r.Advances = nil },
		"rows of advance Advances.Number": func(r *ledger.Record) { r.Advances[0].Rows = append(r.Advances[0].Rows, r.Advances[0].Rows[0]) },
		"original invoices":               func(r *ledger.Record) { r.Originals = nil },
		"VAT breakdown rows":              func(r *ledger.Record) { r.Breakdown = nil },
		"identifications of the seller":   func(r *ledger.Record) { r.Seller.Identifications = nil },
	} {
		would := wholeRecord()
		change(&would)
		for _, err := range []error{difference(wholeRecord(), would), difference(would, wholeRecord())} {
			if err == nil || !strings.HasPrefix(err.Error(), "The number of "+what+" was approved as") {
				t.Errorf("%s: error is %v, want the number that was approved", what, err)
			}
		}
	}
	long := wholeRecord()
	long.Notes[0].Text = strings.Repeat("ن", 1000)
	if err := difference(wholeRecord(), long); err == nil || len(err.Error()) > 400 {
		t.Errorf("error for a long note = %v, want one of at most 400 bytes", err)
	}
}

// TestDifferenceOfAnOlderDraft checks that a draft approved before the amounts
// of advances were stored by VAT category can still be issued.
func TestDifferenceOfAnOlderDraft(t *testing.T) {
	t.Parallel()
	approved, would := wholeRecord(), wholeRecord()
	approved.Advances[0].Rows = nil
	if err := difference(approved, would); err != nil {
		t.Errorf("difference = %v, want none", err)
	}
	would.Advances[0].Amount = money.MustParse("12.35")
	if err := difference(approved, would); err == nil {
		t.Error("another amount of the advance is not reported")
	}
}
