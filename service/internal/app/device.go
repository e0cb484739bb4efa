package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/api"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Devices manages the devices of an organisation.
type Devices interface {
	// Create adds a device of the environment of the installation.
	Create(ctx context.Context, by org.Actor, wanted onboard.NewDevice) (device.Device, error)
	// FindDevices returns a page of the devices whose texts contain every word of a
	// folded search.
	FindDevices(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[device.Device], error)
	// Waiting returns the documents of devices that the authority has not answered.
	Waiting(ctx context.Context, of org.Tenant, devices []uuid.UUID) (map[uuid.UUID]device.Waiting, error)
	// State returns a device with the state of its onboarding and renewal.
	State(ctx context.Context, of org.Tenant, id uuid.UUID) (DeviceState, error)
	// Enrol starts to onboard or renew a device, in the background.
	Enrol(ctx context.Context, by org.Actor, order onboard.Order, renewal bool) error
	// Retire ends the use of a device permanently.
	Retire(ctx context.Context, by org.Actor, id uuid.UUID) error
	// Resume tries a parked device now.
	Resume(ctx context.Context, by org.Actor, id uuid.UUID) error
}

// DeviceState is a device with the state of its onboarding and renewal.
type DeviceState struct {
	Device     device.Device
	Waiting    device.Waiting
	Enrolments []onboard.Enrolment
	Running    bool // the device is being onboarded or renewed
	NeedsOTP   bool // to onboard or renew it next
}

const (
	tagDevices  = "Devices"
	devicesPath = "/api/devices/"
	devicePath  = devicesPath + "{device_id}/"
)

func (s *Surface) deviceRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: devicesPath, Name: "list-app-devices", Tag: tagDevices, Access: wire.People, Scope: org.DeviceGet,
			Summary: "List devices",
			Doc:     "Returns the devices of your organisation, newest first, each with the label of its status and the documents that the tax authority has not answered.",
		}, s.listDevices),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: devicesPath, Name: "create-device", Tag: tagDevices, Access: wire.People, Scope: org.DeviceManage,
			Status: http.StatusCreated, Codes: []fault.Code{fault.EnvironmentRequired, fault.AlreadyExists},
			Summary: "Create a device",
			Doc:     "Returns a new device. It can issue invoices once it is onboarded. Its data becomes part of its certificate and cannot be changed.",
			Example: `{"common_name": "Till 1", "invoice_type": "1100", "industry": "Retail"}`,
		}, s.createDevice),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: devicePath, Name: "get-device", Tag: tagDevices, Access: wire.People, Scope: org.DeviceGet,
			Codes:   []fault.Code{fault.RecordNotFound},
			Summary: "Read a device", Doc: "Returns a device with the label of its status, the last problem of its onboarding or renewal, and what to do about it.",
		}, s.getDevice),
	}
}

// DeviceSummary is a device in a list of the app.
type DeviceSummary struct {
	api.Device
	Label        string        `json:"label" enum:"Active,Setup in Progress,Action Required,Pending Activation,Released,Unknown Status" doc:"Label of device_status; Released if the device was released."`
	LabelAR      string        `json:"label_ar" doc:"The same in Arabic."`
	Environment  string        `json:"environment" enum:"simulator,sandbox,simulation,production" doc:"Environment of the tax authority that the device belongs to."`
	Retired      bool          `json:"is_retired" doc:"Whether the device was released: it issues no more invoices, and this cannot be undone."`
	LastIssuedAt *time.Time    `json:"last_issued_at" doc:"Time of the last invoice; null before the first."`
	Waiting      deviceWaiting `json:"waiting" doc:"Documents of the device that the tax authority has not answered."`
}

type deviceWaiting struct {
	Count  int        `json:"count" example:"3" doc:"Number of the documents."`
	Oldest *time.Time `json:"oldest" doc:"Time at which the first of them was issued; null if there are no such documents."`
}

// Device is a device in a response of the app.
type Device struct {
	DeviceSummary
	Running  bool           `json:"is_running" doc:"Whether the device is being onboarded or renewed."`
	NeedsOTP bool           `json:"needs_otp" doc:"Whether a one-time password is needed to onboard the device, or to renew it if it is active."`
	Trouble  *deviceTrouble `json:"trouble" doc:"Last problem of the onboarding; null if there was no problem, or the onboarding was continued."`
	Renewal  *deviceRenewal `json:"renewal" doc:"The renewal of the certificate that has not ended with a new one; null otherwise. The device continues to issue with its present certificate."`
}

type deviceRenewal struct {
	Status  string         `json:"status" example:"ccsid_pending" doc:"State of the renewal: a value of device_status."`
	Label   string         `json:"label" enum:"Active,Setup in Progress,Action Required,Pending Activation,Unknown Status" doc:"Label of the state."`
	LabelAR string         `json:"label_ar" doc:"The same in Arabic."`
	Trouble *deviceTrouble `json:"trouble" doc:"Last problem of the renewal; null if there was no problem, or the renewal was continued."`
}

type deviceTrouble struct {
	Code      string `json:"code" example:"Invalid-OTP" doc:"Code of the problem, from the tax authority or from the service."`
	Message   string `json:"message" doc:"What happened."`
	MessageAR string `json:"message_ar" doc:"The same in Arabic."`
	Next      string `json:"next" doc:"What to do."`
	NextAR    string `json:"next_ar" doc:"The same in Arabic."`
	Said      string `json:"authority_message" doc:"Message of the tax authority or of the rule; empty if there is no message."`
}

func troubleOf(t onboard.Trouble) *deviceTrouble {
	if t == (onboard.Trouble{}) {
		return nil
	}
	e := onboard.Explain(t.Code)
	return &deviceTrouble{t.Code, e.What.EN, e.What.AR, e.Next.EN, e.Next.AR, t.Message}
}

func (s *Surface) summaryOf(d device.Device, w device.Waiting, of org.Tenant) DeviceSummary {
	label := codes.DeviceLabel(string(d.Status))
	if d.Retired {
		label = codes.ReleasedDevice()
	}
	out := DeviceSummary{
		Device: api.DeviceOf(d, of, s.Now()), Label: label.EN, LabelAR: label.AR, Environment: string(d.Environment), Retired: d.Retired,
		Waiting: deviceWaiting{Count: w.Count},
	}
	if !d.LastIssuedAt.IsZero() {
		out.LastIssuedAt = &d.LastIssuedAt
	}
	if !w.Oldest.IsZero() {
		out.Waiting.Oldest = &w.Oldest
	}
	return out
}

func (s *Surface) deviceOf(state DeviceState, of org.Tenant) *Device {
	out := &Device{DeviceSummary: s.summaryOf(state.Device, state.Waiting, of), Running: state.Running, NeedsOTP: state.NeedsOTP}
	for _, e := range state.Enrolments {
		switch {
		case !e.Renewal:
			out.Trouble = troubleOf(e.Trouble)
		case e.Status != device.PCSIDGenerated:
			label := codes.DeviceLabel(string(e.Status))
			out.Renewal = &deviceRenewal{string(e.Status), label.EN, label.AR, troubleOf(e.Trouble)}
		}
	}
	return out
}

type listDevices struct {
	api.PageQuery
	Search string `query:"search_text" optional:"true" maxLength:"200" example:"Till" doc:"Words of the common name, serial number, location, unit or industry. Spelling variants match, as for clients."`
}

type devicesList struct {
	Devices []DeviceSummary `json:"devices" doc:"Devices on this page."`
	api.Envelope
}

func (s *Surface) listDevices(ctx context.Context, c wire.Caller, in *listDevices) (*devicesList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	of := c.Actor.Tenant
	found, err := s.Devices.FindDevices(ctx, of, trade.Fold(in.Search), page)
	if err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	for _, d := range found.Rows {
		ids = append(ids, d.ID)
	}
	waiting, err := s.Devices.Waiting(ctx, of, ids)
	if err != nil {
		return nil, err
	}
	out := &devicesList{Envelope: api.EnvelopeOf(found, page)}
	for _, d := range found.Rows {
		out.Devices = append(out.Devices, s.summaryOf(d, waiting[d.ID], of))
	}
	return out, nil
}

type createDevice struct {
	Body struct {
		CommonName   string     `json:"common_name" maxLength:"100" example:"Till 1" doc:"Name of the device in its certificate. Give each device another name."`
		InvoiceType  string     `json:"invoice_type" enum:"1000,0100,1100" example:"1100" doc:"Documents the device may issue: 1000 standard only, 0100 simplified only, 1100 both."`
		Industry     string     `json:"industry" maxLength:"100" example:"Retail" doc:"Industry of the unit, in plain words."`
		Branch       *uuid.UUID `json:"branch_id" optional:"true" doc:"UUID of the branch whose address and registration number the device uses; null for those of the organisation."`
		Location     string     `json:"location" optional:"true" maxLength:"200" example:"Riyadh" doc:"Location of the device. If it is not sent, it is the address of the branch or the organisation."`
		UnitName     string     `json:"unit_name" optional:"true" maxLength:"200" example:"Head office" doc:"Unit of the organisation; in a VAT group the 10-digit TIN of the member. If it is not sent, it is the name of the branch or the organisation."`
		SerialNumber string     `json:"serial_number" optional:"true" maxLength:"200" example:"1-Khatm|2-1|3-till-1" doc:"Serial number in the form 1-…|2-…|3-…. If it is not sent, it is generated."`
	} `body:"json"`
}

func (s *Surface) createDevice(ctx context.Context, c wire.Caller, in *createDevice) (*Device, error) {
	b := in.Body
	d, err := s.Devices.Create(ctx, c.Actor, onboard.NewDevice{
		Branch: b.Branch, CommonName: b.CommonName, SerialNumber: b.SerialNumber, InvoiceType: b.InvoiceType,
		UnitName: b.UnitName, Location: b.Location, Industry: b.Industry,
	})
	if b.Branch != nil && fault.KindOf(err) == fault.NotFound {
		return nil, fault.Wrong(fault.Problem{
			Path: "branch_id", Message: "is not a branch of your organisation", MessageAR: "لا يوجد في المنشأة فرع بهذا المعرّف.",
			Fix: "Choose a branch from the list of branches.", FixAR: "اختر فرعًا من قائمة الفروع.",
		})
	}
	if err != nil {
		return nil, err
	}
	return s.device(ctx, c, d.ID)
}

type oneDevice struct {
	ID uuid.UUID `path:"device_id" doc:"UUID of the device."`
}

func (s *Surface) getDevice(ctx context.Context, c wire.Caller, in *oneDevice) (*Device, error) {
	return s.device(ctx, c, in.ID)
}

func (s *Surface) device(ctx context.Context, c wire.Caller, id uuid.UUID) (*Device, error) {
	state, err := s.Devices.State(ctx, c.Actor.Tenant, id)
	if err != nil {
		return nil, err
	}
	return s.deviceOf(state, c.Actor.Tenant), nil
}
