package wire

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"khatm/service/internal/fault"
)

// bodyRoot returns the prefix of the paths of problems that a JSON body does not
// have. In a form, the prefix is the name of a part.
func (r *Route) bodyRoot() string {
	if p, err := planOf(r.in); err != nil || p.body == nil {
		return ""
	}
	return r.Root
}

// codes returns the codes of all error responses of a route: those that follow
// from its fields, and Codes. The document lists them by status.
func (r *Route) codes(p *plan) []fault.Code {
	list := append([]fault.Code{fault.InternalError}, r.Codes...)
	if !r.Uncount {
		list = append(list, fault.RateLimited, fault.DatabaseUnavailable, r.busyCode())
	}
	list = append(list, r.accessCodes()...)
	list = append(list, p.codes()...)
	if at := slices.Index(list, fault.ValidationFailed); at >= 0 {
		list[at] = cmp.Or(r.Malformed, fault.ValidationFailed)
	}
	if r.isStream() {
		list = append(list, fault.TooManyStreams)
	}
	hasPath := slices.ContainsFunc(p.params, func(p param) bool { return p.place == "path" })
	if hasPath && !slices.ContainsFunc(list, func(c fault.Code) bool { return c.Kind() == fault.NotFound }) {
		list = append(list, fault.RecordNotFound)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// refused returns the error of a request with the code that the route has for
// invalid requests.
func (r *Route) refused(err error) error {
	var e *fault.Error
	if r.Malformed != "" && fault.CodeOf(err) == fault.ValidationFailed && errors.As(err, &e) {
		return e.Recoded(r.Malformed)
	}
	return err
}

// busyCode returns the code of a call that waited too long for capacity.
func (r *Route) busyCode() fault.Code {
	if r.Access == Public {
		return fault.ToolsBusy
	}
	return fault.ServerBusy
}

// accessCodes returns the codes for a caller who may not call the route. Errors
// that only a session can cause are left out where API keys are accepted, because
// the document of that surface is for callers with a key.
func (r *Route) accessCodes() []fault.Code {
	var list []fault.Code
	switch r.Access {
	case Public:
		if !r.Uncount {
			list = append(list, fault.OrgContextRequired, fault.AllowanceUsed, fault.LimiterUnavailable)
		}
		return list
	case Anyone:
		if writes(r.Method) {
			list = append(list, fault.CrossSite)
		}
		return list
	case Members:
		list = append(list, fault.MissingToken, fault.InvalidKey, fault.OrganisationInactive, fault.PlanWithoutAPI)
	case Visitors:
		list = append(list, SessionCodes...)
		list = append(list, fault.MissingToken, fault.InvalidKey, fault.KeyNotAllowed)
		return slices.DeleteFunc(list, func(c fault.Code) bool { return c == fault.OrgContextRequired })
	default:
		list = append(list, SessionCodes...)
		list = append(list, fault.MissingToken, fault.InvalidKey, fault.KeyNotAllowed, fault.OrganisationInactive)
	}
	if r.Scope != "" {
		list = append(list, fault.PermissionDenied)
	}
	if writes(r.Method) && !r.Free {
		list = append(list, fault.FairUseLimit)
	}
	return list
}

// SessionCodes are the codes of errors that only a session can cause.
var SessionCodes = []fault.Code{
	fault.SessionExpired, fault.CrossSite, fault.OriginRequired, fault.NoOrganisation, fault.NotAMember, fault.OrgContextRequired,
}

// codes returns the codes for an invalid request.
func (p *plan) codes() []fault.Code {
	var list []fault.Code
	if p.readsAnything() {
		list = append(list, fault.ValidationFailed)
	}
	if p.body != nil || p.isForm() {
		list = append(list, fault.BodyTooLarge, fault.WrongContentType, fault.IncompleteBody)
	}
	if p.body != nil {
		list = append(list, fault.CompressedBody)
	}
	if p.isForm() {
		list = append(list, fault.FormTooComplex, fault.UploadsBusy)
	}
	if len(p.files) > 0 {
		list = append(list, fault.FileTooLarge)
	}
	return list
}

// statuses returns the codes of a route by status.
func (r *Route) statuses(p *plan) map[int][]fault.Code {
	by := map[int][]fault.Code{}
	for _, c := range r.codes(p) {
		status, known := statusOf[c.Kind()]
		if !known {
			status = http.StatusInternalServerError
		}
		by[status] = append(by[status], c)
	}
	return by
}
