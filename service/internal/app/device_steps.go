package app

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"khatm/codes"
	"khatm/service/internal/device"
	"khatm/service/internal/onboard"
	"khatm/service/internal/wire"
)

// deviceStep is a step of an onboarding or a renewal.
type deviceStep struct {
	Status   string         `json:"status" enum:"csr_pending,csr_generated,ccsid_pending,ccsid_generated,ccsid_failed,sample_invoices_pending,sample_invoices_generated,sample_invoices_failed,AUTHORITY_Submission_Pending,AUTHORITY_Submission_Completed,AUTHORITY_Submission_Failed,pcsid_pending,pcsid_generated,pcsid_failed" doc:"Status that the device reached, or that its renewal reached."`
	Label    string         `json:"label" enum:"Active,Setup in Progress,Action Required,Pending Activation,Unknown Status" doc:"Label of the status."`
	LabelAR  string         `json:"label_ar" doc:"The same in Arabic."`
	State    string         `json:"state" enum:"done,current,failed,stopped" doc:"done: a later status was reached, or it is the last; current: in progress; failed: see trouble; stopped: interrupted, can be continued."`
	Position int            `json:"position" minimum:"1" maximum:"10" doc:"Position of the step, from 1. A failed step has the position of the one that failed."`
	Of       int            `json:"of" example:"10" doc:"Number of steps."`
	Renewal  bool           `json:"renewal" doc:"Whether it is a step of a renewal, which can skip steps."`
	Trouble  *deviceTrouble `json:"trouble" doc:"What happened and what to do, if the step failed; null otherwise."`
}

// deviceSteps are the statuses of a device that meets no problem, in order.
var deviceSteps = slices.DeleteFunc(device.Statuses(), func(s device.Status) bool { return failedStep[s] != "" })

// failedStep maps the statuses of failures to the step that failed.
var failedStep = map[device.Status]device.Status{
	device.CCSIDFailed:      device.CCSIDPending,
	device.SamplesFailed:    device.SamplesPending,
	device.SubmissionFailed: device.SubmissionPending,
	device.PCSIDFailed:      device.PCSIDPending,
}

// positionOf returns the position of a status, from 1.
func positionOf(s device.Status) int {
	if step := failedStep[s]; step != "" {
		s = step
	}
	return slices.Index(deviceSteps, s) + 1
}

// following is a stream of the steps of a device. It reads its state again and
// again, so that it works on every server of the installation.
type following struct {
	read func(ctx context.Context) (DeviceState, error)
	last string // id of the last event that the client received

	begun    bool
	renewal  bool
	turn     int64
	position int // of the last event
	queue    []wire.Event[deviceStep]
	ended    bool
}

// followEvery is the interval at which the state of a device is read.
const followEvery = 300 * time.Millisecond

func (f *following) next(ctx context.Context) (wire.Event[deviceStep], error) {
	for {
		if len(f.queue) > 0 {
			one := f.queue[0]
			f.queue = f.queue[1:]
			return one, nil
		}
		if f.ended {
			return wire.Event[deviceStep]{}, io.EOF
		}
		state, err := f.read(ctx)
		if err != nil {
			return wire.Event[deviceStep]{}, err
		}
		if f.advance(state); len(f.queue) > 0 || f.ended {
			continue
		}
		select {
		case <-ctx.Done():
			return wire.Event[deviceStep]{}, ctx.Err()
		case <-time.After(followEvery):
		}
	}
}

// advance queues what has happened since the last event.
func (f *following) advance(state DeviceState) {
	e := followed(state)
	if !f.begun || f.turn != e.Turn || f.renewal != e.Renewal {
		f.begun, f.turn, f.renewal, f.position = true, e.Turn, e.Renewal, 0
		f.resume(e)
	}
	at := positionOf(e.Status)
	for !e.Renewal && f.position+1 < at {
		f.add(onboard.Enrolment{Renewal: e.Renewal, Turn: e.Turn, Status: deviceSteps[f.position]}, "done")
	}
	switch {
	case e.Status == device.PCSIDGenerated:
		if f.position < at {
			f.add(e, "done")
		}
		f.ended = true
	case state.Running:
		if f.position < at && failedStep[e.Status] == "" {
			f.add(e, "current")
		}
	default:
		how := "stopped"
		if failedStep[e.Status] != "" || e.Trouble != (onboard.Trouble{}) {
			how = "failed"
		}
		f.add(e, how)
		f.ended = true
	}
}

// followed returns the enrolment to follow: the renewal of an active device, or
// else its onboarding.
func followed(state DeviceState) onboard.Enrolment {
	first := onboard.Enrolment{Device: state.Device.ID, Status: state.Device.Status}
	for _, e := range state.Enrolments {
		if e.Renewal == (state.Device.Status == device.PCSIDGenerated) || !e.Renewal {
			first = e
		}
	}
	return first
}

// resume continues after the last event that the client received, if it is one of
// the same attempt.
func (f *following) resume(e onboard.Enrolment) {
	rest, found := strings.CutPrefix(f.last, stepPrefix(e))
	var position int
	if _, err := fmt.Sscanf(rest, "%d", &position); found && err == nil && position > 0 && position <= len(deviceSteps) {
		f.position = position
	}
}

// stepPrefix is the beginning of the ids of the events of an attempt.
func stepPrefix(e onboard.Enrolment) string {
	kind := "onboard"
	if e.Renewal {
		kind = "renew"
	}
	return fmt.Sprintf("%s-%d-", kind, e.Turn)
}

// add queues a step, unless it is the one that the client received last.
func (f *following) add(e onboard.Enrolment, how string) {
	f.position = positionOf(e.Status)
	id := fmt.Sprintf("%s%d", stepPrefix(e), f.position)
	if how == "failed" || how == "stopped" {
		id += "-" + how
	}
	if id == f.last {
		return
	}
	label := codes.DeviceLabel(string(e.Status))
	step := deviceStep{Status: string(e.Status), Label: label.EN, LabelAR: label.AR, State: how, Position: f.position, Of: len(deviceSteps), Renewal: e.Renewal}
	if how == "failed" {
		step.Trouble = troubleOf(e.Trouble)
	}
	f.queue = append(f.queue, wire.Event[deviceStep]{ID: id, Data: step})
}
