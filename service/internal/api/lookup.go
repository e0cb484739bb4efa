package api

import (
	"context"
	"net/http"

	"khatm/codes"
	"khatm/service/internal/wire"
)

// lookupRow returns a route that needs no key. It is not in the document of this
// surface, but in that of the public tools.
func lookupRow(path, name, summary string) wire.Route {
	return wire.Route{
		Method: http.MethodGet, Path: path, Name: name, Tag: tagLookups, Access: wire.Anyone,
		Summary: summary, Hidden: true,
	}
}

// Lookups returns the routes that need no key, for the document of the public
// surface.
func (s *Surface) Lookups() []wire.Route { return wire.At(Base, s.lookupRows()) }

func (s *Surface) lookupRows() []wire.Route {
	return []wire.Route{
		wire.Serve(lookupRow("/api/buyers/additional-buyer-id-types/", "list-buyer-id-types", "List types of buyer identification numbers"),
			always(func() map[string]entry { return entries(codes.BuyerIDTypes()) })),
		wire.Serve(lookupRow("/api/sellers/additional-seller-id-types/", "list-seller-id-types", "List types of seller identification numbers"),
			always(func() map[string]entry { return entries(codes.SellerIDTypes()) })),
		wire.Serve(lookupRow("/api/business-types/", "list-business-types", "List business types"),
			always(func() map[string]classified { return classifieds(codes.BusinessTypes()) })),
		wire.Serve(lookupRow("/api/industries/", "list-industries", "List industries"),
			always(func() map[string]classified { return classifieds(codes.Industries()) })),
		wire.Serve(lookupRow("/api/plans/", "list-plans", "List plans"), s.plans),
	}
}

// classified is an entry that other records refer to by its UUID.
type classified struct {
	UUID          string `json:"uuid" format:"uuid" doc:"UUID of the entry; the same in every installation."`
	Code          string `json:"code" doc:"Code of the entry in its code list."`
	Description   string `json:"description" doc:"Description in English."`
	DescriptionAR string `json:"description_ar" doc:"Description in Arabic."`
}

func classifieds(list []codes.Classification) map[string]classified {
	out := map[string]classified{}
	for _, c := range list {
		out[c.Key] = classified{c.UUID, c.Code, c.EN, c.AR}
	}
	return out
}

// planEntry is a plan in a response.
type planEntry struct {
	Code          string `json:"code" doc:"Slug of the plan, such as business."`
	Description   string `json:"description" doc:"Name of the plan in English."`
	DescriptionAR string `json:"description_ar" doc:"Name of the plan in Arabic."`
	Invoices      int    `json:"invoices_limit" doc:"Invoices per month; -1 if unlimited."`
	Writes        int    `json:"fair_use_limit" doc:"Writes per month under the fair-use limit; -1 if unlimited."`
	API           bool   `json:"api_access" doc:"Whether the plan includes API keys."`
}

func (s *Surface) plans(ctx context.Context, _ wire.Caller, _ *nothing) (*map[string]planEntry, error) {
	plans, err := s.Keeper.Plans(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]planEntry{}
	for _, p := range plans {
		out[p.Slug] = planEntry{p.Slug, p.Name, p.NameArabic, p.Invoices, p.Writes, p.API}
	}
	return &out, nil
}
