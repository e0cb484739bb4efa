package app

import (
	"context"
	"net/http"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Environments is the environment of the tax authority that the installation
// belongs to.
type Environments interface {
	// Environment returns "" if it is not chosen yet.
	Environment() device.Environment
	// Choose assigns the installation to an environment for ever.
	Choose(ctx context.Context, by org.Actor, e device.Environment) error
}

func (s *Surface) environmentRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/environment/", Name: "choose-environment", Tag: tagSetUp, Access: wire.People, Scope: org.DeviceManage, Free: true,
			Codes:   []fault.Code{fault.EnvironmentFixed},
			Summary: "Choose the environment of the tax authority",
			Doc: "Assigns the installation to an environment if the set-up did not. The choice is permanent for this database; choosing the same environment again changes nothing. " +
				"If several organisations use the installation, only its operator can choose.",
			Example: `{"environment": "simulator"}`,
		}, s.chooseEnvironment),
	}
}

type environmentChoice struct {
	Code          string `json:"code" enum:"simulator,simulation,production" doc:"Value to send as environment."`
	Description   string `json:"description" doc:"What the environment is for."`
	DescriptionAR string `json:"description_ar" doc:"The same in Arabic."`
}

// environmentChoices are the environments that people can choose. The authority's
// developer portal issues the same certificate to everyone, so no device can be
// onboarded there.
var environmentChoices = []environmentChoice{
	{
		string(device.Simulator),
		"Local simulator, for trials on this machine. Its documents are not tax invoices.",
		"المحاكي المحلي، للتجربة على هذا الجهاز. الفواتير الصادرة فيه ليست فواتير ضريبية.",
	}, {
		string(device.Simulation),
		"Simulation portal of the tax authority, for tests with your VAT number and a one-time password of the Fatoora portal. Its documents are not tax invoices.",
		"بيئة المحاكاة لدى الهيئة، للاختبار برقمك الضريبي ورمز التحقق (OTP) من بوابة فاتورة. الفواتير الصادرة فيها ليست فواتير ضريبية.",
	}, {
		string(device.Production),
		"Production of the tax authority. Its documents are tax invoices.",
		"بيئة الإنتاج لدى الهيئة. الفواتير الصادرة فيها فواتير ضريبية.",
	},
}

const (
	environmentWarning   = "The choice is permanent for this database: it cannot be changed later. Another environment needs a separate installation."
	environmentWarningAR = "هذا الاختيار نهائي لقاعدة البيانات هذه، ولا يمكن تغييره لاحقًا. وتحتاج أي بيئة أخرى إلى تثبيت مستقل."
)

type chooseEnvironment struct {
	Body struct {
		Environment string `json:"environment" enum:"simulator,simulation,production" doc:"Environment of the tax authority: one of environments in GET /api/setup/."`
	} `body:"json"`
}

type chosenEnvironment struct {
	Environment string `json:"environment" enum:"simulator,sandbox,simulation,production" doc:"Environment that the installation belongs to."`
}

func (s *Surface) chooseEnvironment(ctx context.Context, c wire.Caller, in *chooseEnvironment) (*chosenEnvironment, error) {
	wanted := in.Body.Environment
	if err := s.Environments.Choose(ctx, c.Actor, device.Environment(wanted)); err != nil {
		return nil, err
	}
	return &chosenEnvironment{wanted}, nil
}
