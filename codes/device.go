package codes

// DeviceStatus is a step of a device's onboarding and the label shown for it.
type DeviceStatus struct {
	Status string // value of device_status
	Label  Word
}

// DeviceStatuses returns the values of device_status in the order of
// onboarding.
func DeviceStatuses() []DeviceStatus { return deviceStatuses.all() }

// DeviceLabel returns the label of a device_status. For an unlisted value it
// returns the label "Unknown Status".
func DeviceLabel(status string) Word {
	if s, ok := deviceStatuses.find(status); ok {
		return s.Label
	}
	return deviceUnknown
}

// ReleasedDevice returns the label of a device that was released.
func ReleasedDevice() Word { return deviceReleased }

var (
	deviceActive   = Word{"device_active", "Active", "نشط"}
	deviceSetup    = Word{"device_setup", "Setup in Progress", "قيد الربط بالهيئة"}
	deviceAction   = Word{"device_action", "Action Required", "بانتظار إجراء منك"}
	devicePending  = Word{"device_pending", "Pending Activation", "بانتظار التفعيل"}
	deviceReleased = Word{"device_released", "Released", "متوقف نهائيًا"}
	deviceUnknown  = Word{"device_unknown", "Unknown Status", "حالة غير معروفة"}

	deviceLabels = []Word{deviceActive, deviceSetup, deviceAction, devicePending, deviceReleased, deviceUnknown}
)

var deviceStatuses = listBy(func(s DeviceStatus) string { return s.Status }, []DeviceStatus{
	{"csr_pending", deviceSetup},
	{"csr_generated", deviceSetup},
	{"ccsid_pending", deviceSetup},
	{"ccsid_generated", deviceSetup},
	{"ccsid_failed", deviceAction},
	{"sample_invoices_pending", deviceSetup},
	{"sample_invoices_generated", deviceSetup},
	{"sample_invoices_failed", deviceAction},
	{"AUTHORITY_Submission_Pending", devicePending},
	{"AUTHORITY_Submission_Completed", deviceUnknown}, // lasts only a moment; the API defines no label for it
	{"AUTHORITY_Submission_Failed", deviceAction},
	{"pcsid_pending", devicePending},
	{"pcsid_generated", deviceActive},
	{"pcsid_failed", deviceAction},
})
