package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/service/internal/codec"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

func (s *Surface) deviceRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/devices/", Name: "list-devices", Tag: tagDevices, Scope: org.DeviceGet,
			Summary: "List devices",
			Doc:     "The signing devices of your organisation, the newest first. An invoice names the `device_id` and the `seller_id` of one row; only a device whose `device_status` is `pcsid_generated` can issue.",
		}, s.listDevices),
	}
}

// Device is a device as answered.
type Device struct {
	ID                uuid.UUID     `json:"device_id" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d80" doc:"The device of an invoice."`
	Seller            uuid.UUID     `json:"seller_id" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d81" doc:"The seller of an invoice: your organisation."`
	CommonName        string        `json:"common_name" example:"TST-886431145-399999999900003" doc:"Name of the device in its certificate."`
	SerialNumber      string        `json:"serial_number" example:"1-Khatm|2-1|3-01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d80" doc:"Serial number of the device in its certificate."`
	Location          string        `json:"location" example:"Riyadh" doc:"Where it stands."`
	UnitName          string        `json:"unit_name" example:"Head office" doc:"Unit of the organisation that it belongs to."`
	Industry          string        `json:"industry" example:"Retail" doc:"What the unit trades in."`
	InvoiceType       string        `json:"invoice_type" enum:"1000,0100,1100" example:"1100" doc:"1000 standard only, 0100 simplified only, 1100 both."`
	BusinessType      string        `json:"business_type" enum:"B2B,B2C,BOTH" example:"BOTH" doc:"invoice_type in other words: B2B standard, B2C simplified, BOTH."`
	Status            device.Status `json:"device_status" enum:"csr_pending,csr_generated,ccsid_pending,ccsid_generated,ccsid_failed,sample_invoices_pending,sample_invoices_generated,sample_invoices_failed,AUTHORITY_Submission_Pending,AUTHORITY_Submission_Completed,AUTHORITY_Submission_Failed,pcsid_pending,pcsid_generated,pcsid_failed" example:"pcsid_generated" doc:"Only pcsid_generated can issue invoices."`
	CCSIDStatus       string        `json:"ccsid_status" enum:"ISSUED,PENDING" doc:"ISSUED once the compliance certificate exists."`
	PCSIDStatus       string        `json:"pcsid_status" enum:"ISSUED,PENDING" doc:"ISSUED once the production certificate exists."`
	CSID              *certificate  `json:"CSIDCertificateData" doc:"Compliance certificate; null before it exists."`
	PSID              *certificate  `json:"PSIDCertificateData" doc:"Production certificate; null before it exists."`
	Branch            *uuid.UUID    `json:"branch_id" doc:"The branch that it belongs to; null for one of the organisation itself."`
	IsBranchDevice    bool          `json:"is_branch_device" doc:"It belongs to a branch."`
	Counter           string        `json:"counter" example:"1432" doc:"Number of documents in the device's chain."`
	SubmissionState   string        `json:"submission_state" enum:"ok,parked" doc:"parked while the authority refuses the device's credentials; documents wait."`
	SubmissionMessage string        `json:"submission_message" doc:"Why it is parked; empty otherwise."`
	CreatedAt         codec.Date    `json:"created_at" example:"2026-11-15" doc:"Day on which it was registered, in Riyadh."`
}

// certificate is the life of a certificate.
type certificate struct {
	NotBefore time.Time     `json:"not_valid_before" example:"2026-01-01T00:00:00+03:00" doc:"When it becomes valid."`
	NotAfter  time.Time     `json:"not_valid_after" example:"2027-01-01T00:00:00+03:00" doc:"When it expires."`
	DaysLeft  int           `json:"days_until_expiry" example:"46" doc:"Negative once it has expired."`
	Expiry    device.Expiry `json:"expiry_status" enum:"valid,expiring,expired" example:"valid" doc:"expiring within 30 days."`
}

func certificateOf(c *device.Certificate, now time.Time) (data *certificate, status string) {
	if c == nil {
		return nil, "PENDING"
	}
	return &certificate{NotBefore: c.NotBefore, NotAfter: c.NotAfter, DaysLeft: c.DaysLeft(now), Expiry: c.Expiry(now)}, "ISSUED"
}

func deviceOf(d device.Device, seller org.Tenant, now time.Time) Device {
	business, _ := codes.BusinessTypeOf(d.InvoiceType)
	out := Device{
		ID: d.ID, Seller: seller.ID(), CommonName: d.CommonName, SerialNumber: d.SerialNumber, Location: d.Location,
		UnitName: d.UnitName, Industry: d.Industry, InvoiceType: d.InvoiceType, BusinessType: business.Key, Status: d.Status,
		Branch: d.Branch, IsBranchDevice: d.Branch != nil, Counter: strconv.FormatInt(d.Counter, 10),
		SubmissionState: "ok", CreatedAt: codec.DateOf(d.CreatedAt.In(invoice.Riyadh())),
	}
	out.CSID, out.CCSIDStatus = certificateOf(d.Compliance, now)
	out.PSID, out.PCSIDStatus = certificateOf(d.Production, now)
	if d.Parked {
		out.SubmissionState, out.SubmissionMessage = "parked", d.ParkedWhy
	}
	return out
}

type devicesList struct {
	Devices []Device `json:"devices" doc:"The devices of this page."`
	Envelope
	Active       int `json:"total_active_devices" doc:"Devices of your organisation that can issue."`
	CCSIDExpired int `json:"total_ccsid_expired" doc:"Devices whose compliance certificate has expired."`
	PCSIDExpired int `json:"total_pcsid_expired" doc:"Devices whose production certificate has expired."`
}

type listDevices struct {
	PageQuery
}

func (s *Surface) listDevices(ctx context.Context, c wire.Caller, in *listDevices) (*devicesList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	of, now := c.Actor.Tenant, s.Now()
	found, err := s.Keeper.Devices(ctx, of, page)
	if err != nil {
		return nil, err
	}
	out := &devicesList{Envelope: EnvelopeOf(found, page)}
	for _, d := range found.Rows {
		out.Devices = append(out.Devices, deviceOf(d, of, now))
	}
	out.Active, out.CCSIDExpired, out.PCSIDExpired, err = s.Keeper.CountDevices(ctx, of, now)
	return out, err
}
