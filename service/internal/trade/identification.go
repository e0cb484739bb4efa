package trade

import (
	"strings"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// identifications requires known types, each at most once, with letters and
// digits. The formats of BR-KSA-F-07 to F-13, such as ten digits for a CRN, are
// not checked: the authority only warns about them.
func (ps *problems) identifications(path string, list []org.Identification) {
	types := idTypes()
	if len(list) > len(types) {
		ps.add(path, "must have at most %d items, one per type", "يجب ألا يزيد عدد المعرّفات على %d، واحد لكل نوع.", len(types))
		return
	}
	seen := map[string]bool{}
	for i, id := range list {
		_, known := codes.FindBuyerIDType(id.Type)
		switch {
		case id.Type == "":
			ps.addCode(fault.InvalidValue, at(path, i, "type_id"), required)
		case !known:
			ps.add(at(path, i, "type_id"), "must be one of %s", "يجب أن يكون أحد الأنواع: %s.", strings.Join(types, ", "))
		case seen[id.Type]:
			ps.add(at(path, i, "type_id"), "must have each type only once: %s is repeated", "لا يُذكر النوع أكثر من مرة: %s مكرر.", id.Type)
		}
		seen[id.Type] = true
		if ps.text(at(path, i, "value"), id.Value, maxShort, required) && !isAlphanumeric(id.Value) {
			ps.add(at(path, i, "value"), "must be Latin letters and digits only, without dots or dashes", "يجب أن يتكون من حروف لاتينية وأرقام فقط.")
		}
	}
}

func idTypes() []string {
	var types []string
	for _, t := range codes.BuyerIDTypes() {
		types = append(types, t.Code)
	}
	return types
}
