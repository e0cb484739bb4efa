package api

import (
	"context"
	"net/http"

	"khatm/codes"
	"khatm/service/internal/wire"
)

// lookupRow is a row that needs no key. It is not on the key surface's
// document.
func lookupRow(path, name, summary string) wire.Route {
	return wire.Route{
		Method: http.MethodGet, Path: path, Name: name, Tag: tagLookups, Access: wire.Anyone,
		Summary: summary, Hidden: true,
	}
}

// Lookups are the rows that need no key, for the document of the public surface.
func (s *Surface) Lookups() []wire.Route { return wire.At(Base, s.lookupRows()) }

func (s *Surface) lookupRows() []wire.Route {
	return []wire.Route{
		wire.Serve(lookupRow("/api/buyers/additional-buyer-id-types/", "list-buyer-id-types", "Types of a buyer's identification"),
			always(func() map[string]entry { return entries(codes.BuyerIDTypes()) })),
		wire.Serve(lookupRow("/api/sellers/additional-seller-id-types/", "list-seller-id-types", "Types of a seller's identification"),
			always(func() map[string]entry { return entries(codes.SellerIDTypes()) })),
		wire.Serve(lookupRow("/api/business-types/", "list-business-types", "Business types"),
			always(func() map[string]classified { return classifieds(codes.BusinessTypes()) })),
		wire.Serve(lookupRow("/api/industries/", "list-industries", "Industries"),
			always(func() map[string]classified { return classifieds(codes.Industries()) })),
		wire.Serve(lookupRow("/api/plans/", "list-plans", "Plans"), s.plans),
	}
}

// classified is an entry that records refer to by its uuid.
type classified struct {
	UUID          string `json:"uuid" format:"uuid"`
	Code          string `json:"code"`
	Description   string `json:"description"`
	DescriptionAR string `json:"description_ar"`
}

func classifieds(list []codes.Classification) map[string]classified {
	out := map[string]classified{}
	for _, c := range list {
		out[c.Key] = classified{c.UUID, c.Code, c.EN, c.AR}
	}
	return out
}

// planEntry is a plan that can be subscribed to.
type planEntry struct {
	Code          string `json:"code"`
	Description   string `json:"description"`
	DescriptionAR string `json:"description_ar"`
	Invoices      int    `json:"invoices_limit" doc:"A month; -1 is unlimited."`
	Writes        int    `json:"fair_use_limit" doc:"Writes a month; -1 is unlimited."`
	API           bool   `json:"api_access"`
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
