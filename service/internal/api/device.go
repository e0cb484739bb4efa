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
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

func (s *Surface) deviceRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/devices/", Name: "list-devices", Tag: tagDevices, Scope: org.DeviceGet,
			Summary: "List devices",
			Doc:     "Returns the signing devices of your organisation, newest first. An invoice needs the `device_id` and `seller_id` of one device whose `device_status` is `pcsid_generated`.",
		}, s.listDevices),
	}
}

// Device is a device in a response.
type Device struct {
	ID                uuid.UUID     `json:"device_id" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d80" doc:"UUID of the device; send it as device in an invoice."`
	Seller            uuid.UUID     `json:"seller_id" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d81" doc:"UUID of your organisation; send it as seller in an invoice."`
	CommonName        string        `json:"common_name" example:"TST-886431145-399999999900003" doc:"Common name of the device in its certificate."`
	SerialNumber      string        `json:"serial_number" example:"1-Khatm|2-1|3-01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d80" doc:"Serial number of the device in its certificate."`
	Location          string        `json:"location" example:"Riyadh" doc:"Location of the device."`
	UnitName          string        `json:"unit_name" example:"Head office" doc:"Unit of the organisation that the device belongs to."`
	Industry          string        `json:"industry" example:"Retail" doc:"Industry of the unit."`
	InvoiceType       string        `json:"invoice_type" enum:"1000,0100,1100" example:"1100" doc:"Documents the device may issue: 1000 standard only, 0100 simplified only, 1100 both."`
	BusinessType      string        `json:"business_type" enum:"B2B,B2C,BOTH" example:"BOTH" doc:"The same as invoice_type in words: B2B standard, B2C simplified, BOTH."`
	Status            device.Status `json:"device_status" enum:"csr_pending,csr_generated,ccsid_pending,ccsid_generated,ccsid_failed,sample_invoices_pending,sample_invoices_generated,sample_invoices_failed,AUTHORITY_Submission_Pending,AUTHORITY_Submission_Completed,AUTHORITY_Submission_Failed,pcsid_pending,pcsid_generated,pcsid_failed" example:"pcsid_generated" doc:"State of the onboarding. Only a device in state pcsid_generated that was not released can issue invoices."`
	CCSIDStatus       string        `json:"ccsid_status" enum:"ISSUED,PENDING" doc:"ISSUED once the compliance certificate exists."`
	PCSIDStatus       string        `json:"pcsid_status" enum:"ISSUED,PENDING" doc:"ISSUED once the production certificate exists."`
	CSID              *certificate  `json:"CSIDCertificateData" doc:"Compliance certificate; null until it exists."`
	PSID              *certificate  `json:"PSIDCertificateData" doc:"Production certificate; null until it exists."`
	Branch            *uuid.UUID    `json:"branch_id" doc:"UUID of the branch the device belongs to; null if it belongs to the organisation itself."`
	IsBranchDevice    bool          `json:"is_branch_device" doc:"Whether the device belongs to a branch."`
	Counter           string        `json:"counter" example:"1432" doc:"Number of documents in the device's chain, as a string."`
	SubmissionState   string        `json:"submission_state" enum:"ok,parked" doc:"parked while the authority refuses the device's credentials; its documents wait meanwhile. Otherwise ok."`
	SubmissionMessage string        `json:"submission_message" doc:"Why the device is parked; empty otherwise."`
	CreatedAt         codec.Date    `json:"created_at" example:"2026-11-15" doc:"Date the device was registered, in Riyadh time."`
}

// certificate is the validity of a certificate.
type certificate struct {
	NotBefore time.Time     `json:"not_valid_before" example:"2026-01-01T00:00:00+03:00" doc:"Time from which the certificate is valid."`
	NotAfter  time.Time     `json:"not_valid_after" example:"2027-01-01T00:00:00+03:00" doc:"Time at which the certificate expires."`
	DaysLeft  int           `json:"days_until_expiry" example:"46" doc:"Days until the certificate expires; negative once it has expired."`
	Expiry    device.Expiry `json:"expiry_status" enum:"valid,expiring,expired" example:"valid" doc:"expiring if the certificate expires within 30 days."`
}

// Statuses of a certificate.
const (
	issued  = "ISSUED"
	pending = "PENDING"
)

func certificateOf(c *device.Certificate, now time.Time) (data *certificate, status string) {
	if c == nil {
		return nil, pending
	}
	return &certificate{NotBefore: c.NotBefore, NotAfter: c.NotAfter, DaysLeft: c.DaysLeft(now), Expiry: c.Expiry(now)}, issued
}

// businessTypeOf returns the invoice type of a device in words.
func businessTypeOf(invoiceType string) string {
	business, _ := codes.BusinessTypeOf(invoiceType)
	return business.Key
}

// DeviceOf returns a device as in responses.
func DeviceOf(d device.Device, seller org.Tenant, now time.Time) Device {
	out := Device{
		ID: d.ID, Seller: seller.ID(), CommonName: d.CommonName, SerialNumber: d.SerialNumber, Location: d.Location,
		UnitName: d.UnitName, Industry: d.Industry, InvoiceType: d.InvoiceType, BusinessType: businessTypeOf(d.InvoiceType), Status: d.Status,
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
	Devices []Device `json:"devices" doc:"Devices on this page."`
	Envelope
	Active       int `json:"total_active_devices" doc:"Number of devices of your organisation that can issue invoices."`
	CCSIDExpired int `json:"total_ccsid_expired" doc:"Number of devices whose compliance certificate has expired."`
	PCSIDExpired int `json:"total_pcsid_expired" doc:"Number of devices whose production certificate has expired."`
}

type listDevices struct {
	PageQuery
	Search string `query:"search_text" optional:"true" maxLength:"200" example:"Till" doc:"Words of the common name, serial number, location, unit or industry. Spelling variants match, as for clients."`
}

func (s *Surface) listDevices(ctx context.Context, c wire.Caller, in *listDevices) (*devicesList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	of, now := c.Actor.Tenant, s.Now()
	found, err := s.Keeper.FindDevices(ctx, of, trade.Fold(in.Search), page)
	if err != nil {
		return nil, err
	}
	out := &devicesList{Envelope: EnvelopeOf(found, page)}
	for _, d := range found.Rows {
		out.Devices = append(out.Devices, DeviceOf(d, of, now))
	}
	out.Active, out.CCSIDExpired, out.PCSIDExpired, err = s.Keeper.CountDevices(ctx, of, now)
	return out, err
}
