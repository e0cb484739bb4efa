package app

import (
	"context"
	"net/http"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

func (s *Surface) deviceEndRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: devicePath + "release/", Name: "release-device", Tag: tagDevices, Access: wire.People, Scope: org.DeviceManage,
			Codes:   []fault.Code{fault.RecordNotFound, fault.EnrolmentRunning},
			Summary: "Release a device",
			Doc: "Retires a device for good: it issues no more invoices and cannot be onboarded or renewed again. Invoices that it has issued are still sent to the tax authority. " +
				"Releasing it again changes nothing. To revoke its certificate, use the authority's Fatoora portal.",
			Example: `{"confirm": true}`,
		}, s.releaseDevice),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: devicePath + "resume/", Name: "resume-device", Tag: tagDevices, Access: wire.People, Scope: org.DeviceManage,
			Codes:   []fault.Code{fault.RecordNotFound, fault.StateConflict},
			Summary: "Resume a parked device",
			Doc: "Sends the next waiting invoice of a device whose `submission_state` is `parked` now, instead of at the next regular attempt. " +
				"If the authority accepts its credentials again, the other waiting invoices follow.",
		}, s.resumeDevice),
	}
}

type releaseDevice struct {
	oneDevice
	Body struct {
		Confirm bool `json:"confirm" doc:"Must be true, because this cannot be undone."`
	} `body:"json"`
}

func (s *Surface) releaseDevice(ctx context.Context, c wire.Caller, in *releaseDevice) (*Device, error) {
	if !in.Body.Confirm {
		return nil, fault.Wrong(fault.Problem{
			Path: "confirm", Message: "must be true, because a released device cannot be used again", MessageAR: "يلزم التأكيد، لأن الجهاز الموقوف لا يُستخدم مرة أخرى.",
			Fix: "Send true to retire the device for good.", FixAR: "أكّد إيقاف الجهاز نهائيًا.",
		})
	}
	if err := s.Devices.Retire(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return s.device(ctx, c, in.ID)
}

func (s *Surface) resumeDevice(ctx context.Context, c wire.Caller, in *oneDevice) (*Device, error) {
	if err := s.Devices.Resume(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return s.device(ctx, c, in.ID)
}
