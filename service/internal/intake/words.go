package intake

import "khatm/service/internal/fault"

// worded adds the Arabic texts of their codes to problems without one.
func worded(problems []fault.Problem) []fault.Problem {
	for i := range problems {
		p := &problems[i]
		if p.Code == "" {
			p.Code = fault.InvalidValue
		}
		if p.MessageAR == "" {
			p.MessageAR = p.Code.Entry().SaysAR
		}
	}
	return problems
}
