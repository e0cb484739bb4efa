package tools

import (
	"context"
	"net/http"

	"khatm/service/internal/wire"
)

func (s *Surface) healthRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/public/health/", Name: "get-health", Tag: tagTools, Access: wire.Public, Uncount: true,
			Summary: "Check that the service is running",
			Doc:     "Not rate limited.",
		}, health),
	}
}

type nothing struct{}

type healthy struct {
	Status string `json:"status" enum:"ok" example:"ok" doc:"Always ok."`
	Branded
}

func health(context.Context, wire.Caller, *nothing) (*healthy, error) {
	return &healthy{Status: "ok", Branded: Brand()}, nil
}
