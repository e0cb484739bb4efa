package app

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

func (s *Surface) deviceEnrolRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: devicePath + "onboard/", Name: "onboard-device", Tag: tagDevices, Access: wire.People, Scope: org.DeviceManage, Free: true,
			Status: http.StatusAccepted, Codes: []fault.Code{fault.RecordNotFound, fault.EnrolmentRunning, fault.StateConflict, fault.OnboardingRefused},
			Summary: "Onboard a device",
			Doc: "Starts to get the first certificate of a device from the tax authority, or continues where an earlier attempt stopped. Follow it with `GET /api/devices/{device_id}/steps/`. " +
				"A one-time password is needed if `needs_otp` of the device is true; without it the response is 400 `onboarding_refused` with a problem at `otp`, which says where the password comes from, and nothing starts.",
			Example: `{"otp": "123456"}`,
		}, s.onboardDevice),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: devicePath + "renew/", Name: "renew-device", Tag: tagDevices, Access: wire.People, Scope: org.DeviceManage, Free: true,
			Status: http.StatusAccepted, Codes: []fault.Code{fault.RecordNotFound, fault.EnrolmentRunning, fault.StateConflict, fault.OnboardingRefused},
			Summary: "Renew the certificate of a device",
			Doc: "Starts to replace the certificate of an active device, or continues a renewal that stopped. The device continues to issue with the old certificate until the new one is in use; its chain of invoices continues. " +
				"With `anew` it gets the certificate like a new device, if the authority no longer accepts the old one. A missing one-time password is reported as for the onboarding.",
			Example: `{"otp": "123456"}`,
		}, s.renewDevice),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: devicePath + "steps/", Name: "follow-device", Tag: tagDevices, Access: wire.People, Scope: org.DeviceGet,
			Codes:   []fault.Code{fault.RecordNotFound},
			Summary: "Follow the onboarding of a device",
			Doc: "Streams the steps of the renewal of an active device, or else of its onboarding, beginning with the first. The stream ends when nothing is in progress: " +
				"with `state` `done` at `pcsid_generated`, `failed` with the problem and what to do, or `stopped` if it was interrupted and can be continued.",
		}, s.followDevice),
	}
}

type onboardDevice struct {
	oneDevice
	Body struct {
		OTP string `json:"otp" optional:"true" maxLength:"20" example:"123456" doc:"One-time password of 6 digits from the authority's Fatoora portal. Not needed with the local simulator of the server."`
	} `body:"json"`
}

type renewDevice struct {
	oneDevice
	Body struct {
		OTP  string `json:"otp" optional:"true" maxLength:"20" example:"123456" doc:"One-time password of 6 digits from the authority's Fatoora portal. Not needed with the local simulator of the server."`
		Anew bool   `json:"anew" optional:"true" doc:"Request the certificate as for a new device, because the authority no longer accepts the old one."`
	} `body:"json"`
}

type enrolStarted struct {
	done
	Location string `json:"location" example:"/api/devices/01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d80/steps/" doc:"Path of the stream of its steps."`
}

func (s *Surface) onboardDevice(ctx context.Context, c wire.Caller, in *onboardDevice) (*enrolStarted, error) {
	return s.enrol(ctx, c, onboard.Order{Device: in.ID, OTP: device.NewSecret(in.Body.OTP)}, false, "The onboarding has started.")
}

func (s *Surface) renewDevice(ctx context.Context, c wire.Caller, in *renewDevice) (*enrolStarted, error) {
	return s.enrol(ctx, c, onboard.Order{Device: in.ID, OTP: device.NewSecret(in.Body.OTP), Anew: in.Body.Anew}, true, "The renewal has started.")
}

func (s *Surface) enrol(ctx context.Context, c wire.Caller, order onboard.Order, renewal bool, text string) (*enrolStarted, error) {
	if err := s.Devices.Enrol(ctx, c.Actor, order, renewal); err != nil {
		return nil, err
	}
	return &enrolStarted{done{text}, stepsPath(order.Device)}, nil
}

func stepsPath(id uuid.UUID) string { return devicesPath + id.String() + "/steps/" }

type followDevice struct {
	oneDevice
	wire.Resume
}

func (s *Surface) followDevice(ctx context.Context, c wire.Caller, in *followDevice) (*wire.Events[deviceStep], error) {
	of := c.Actor.Tenant
	if _, err := s.Devices.State(ctx, of, in.ID); err != nil {
		return nil, err
	}
	f := &following{read: func(ctx context.Context) (DeviceState, error) { return s.Devices.State(ctx, of, in.ID) }, last: in.LastEventID}
	return &wire.Events[deviceStep]{Next: f.next}, nil
}
