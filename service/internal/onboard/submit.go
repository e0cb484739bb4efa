package onboard

import (
	"context"
	"fmt"
	"strings"

	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
)

// sampleTries is how often a sample is submitted if there is no response.
// Submitting a sample again does no harm.
const sampleTries = 3

// submitSamples submits the samples one after the other.
func (a *attempt) submitSamples(ctx context.Context) error {
	if err := a.prepareSamples(ctx); err != nil {
		return err
	}
	as, err := a.credentials(ctx, a.enrolment.Token, a.purpose(CompliancePurpose))
	if err != nil {
		return err
	}
	for _, s := range a.prepared {
		verdict := a.Authority.CheckSample(ctx, as, s.dispatch)
		for try := 1; try < sampleTries && verdict.Outcome == ledger.Unknown && ctx.Err() == nil; try++ {
			verdict = a.Authority.CheckSample(ctx, as, s.dispatch)
		}
		switch verdict.Outcome {
		case ledger.Accepted:
		case ledger.Rejected:
			return a.fail(ctx, device.SamplesFailed, rejection(s, verdict))
		case ledger.Unauthorised:
			return a.fail(ctx, device.SubmissionFailed, Trouble{Code: device.NotAuthorised})
		default:
			return a.stay(ctx, "sample "+s.name+": "+unanswered(verdict))
		}
	}
	return a.move(ctx, device.SubmissionCompleted, nil)
}

// rejection returns the trouble for a rejected sample.
func rejection(s sample, v ledger.Verdict) Trouble {
	var words []string
	for _, m := range v.Errors {
		words = append(words, strings.TrimSpace(m.Code+" "+m.Message))
	}
	code := v.Errors[0].Code
	if code == "" {
		code = SampleRefused
	}
	return Trouble{Code: code, Message: "sample " + s.name + ": " + strings.Join(words, "; ")}
}

// unanswered describes why the authority's response is missing or unusable.
func unanswered(v ledger.Verdict) string {
	if v.Cause != nil {
		return v.Cause.Error()
	}
	return fmt.Sprintf("%s (%d)", v.Outcome, v.Code)
}
