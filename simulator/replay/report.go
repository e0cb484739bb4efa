package replay

import (
	"fmt"
	"io"
	"strings"
	"time"

	"khatm/simulator/recording"
)

// Report is the result of a replay.
type Report struct {
	Replayed   int         `json:"replayed"`
	Different  []Different `json:"different"`  // the exchanges with differences
	Skipped    []Skipped   `json:"skipped"`    // exchanges that cannot be replayed
	Damaged    []int       `json:"damaged"`    // lines that are not an exchange, such as the last one after a crash
	Uncompared int         `json:"uncompared"` // responses whose stored body is incomplete and was not compared
	Relaxed    Relaxed     `json:"relaxed"`
}

// Place identifies an exchange of the recording.
type Place struct {
	Session     string    `json:"session"`
	Number      int       `json:"number"`
	Time        time.Time `json:"time"`
	Environment string    `json:"environment"`
	Operation   string    `json:"operation"` // such as POST /compliance
}

// Different is an exchange with its differences.
type Different struct {
	Place
	Differences []Difference `json:"differences"`
	Reason      string       `json:"reason,omitempty"` // X-Simulator-Reason of the simulator's response
}

// Skipped is an exchange that was not replayed.
type Skipped struct {
	Place
	Reason string `json:"reason"`
}

// Relaxed lists what the simulator did not check because of the replay.
type Relaxed struct {
	Certificates int `json:"certificates"` // documents whose stamp was made with another authority's certificate
	Devices      int `json:"devices"`      // devices of the replay that take the place of recorded ones
	Choices      int `json:"choices"`      // requests before which clearance was switched off or renewals were set to need checks, as recorded
}

func newReport() *Report {
	return &Report{Different: []Different{}, Skipped: []Skipped{}, Damaged: []int{}}
}

func placeOf(e recording.Exchange) Place {
	return Place{e.Session, e.Number, e.Time, e.Environment, e.Method + " " + e.Path}
}

func (r *Report) skip(e recording.Exchange, reason string) {
	r.Skipped = append(r.Skipped, Skipped{placeOf(e), reason})
}

func (r *Report) add(e recording.Exchange, a answer, found []Difference) {
	r.Replayed++
	reason := a.header.Get(reasonHeader)
	if strings.Contains(reason, "foreign-certificate") {
		r.Relaxed.Certificates++
	}
	if len(found) > 0 {
		r.Different = append(r.Different, Different{placeOf(e), found, reason})
	}
}

// Print writes the report as text.
func (r *Report) Print(out io.Writer) {
	for _, d := range r.Different {
		fmt.Fprintf(out, "%s\n", d.Place)
		for _, one := range d.Differences {
			fmt.Fprintf(out, "  %s\n", one)
		}
		if d.Reason != "" {
			fmt.Fprintf(out, "  the simulator says: %s\n", d.Reason)
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(out, "%s\n  not replayed: %s\n", s.Place, s.Reason)
	}
	if len(r.Damaged) > 0 {
		fmt.Fprintf(out, "Incomplete lines in the recording, left out: %s.\n", strings.Trim(fmt.Sprint(r.Damaged), "[]"))
	}
	if r.Uncompared > 0 {
		fmt.Fprintf(out, "Responses whose stored body is incomplete: %d. Only status and headers were compared.\n", r.Uncompared)
	}
	fmt.Fprintf(out, "Relaxed for this replay: the certificate of stamps (%d documents had one of another authority) and the clock (set to the time of each request).\n", r.Relaxed.Certificates)
	if r.Relaxed.Devices > 0 {
		fmt.Fprintf(out, "Devices of the replay in place of recorded ones: %d.\n", r.Relaxed.Devices)
	}
	if r.Relaxed.Choices > 0 {
		fmt.Fprintf(out, "Requests for which the simulator was set to switch clearance off or to renew with checks, as recorded: %d.\n", r.Relaxed.Choices)
	}
	fmt.Fprintf(out, "%d requests replayed, %d with differences, %d not replayed.\n", r.Replayed, len(r.Different), len(r.Skipped))
}

// String returns the place on one line.
func (p Place) String() string {
	return fmt.Sprintf("#%d %s (%s, %s)", p.Number, p.Operation, p.Environment, p.Time.UTC().Format(time.RFC3339))
}

// String returns the difference on one line.
func (d Difference) String() string {
	what := d.What
	if d.Field != "" {
		what += " " + d.Field
	}
	return fmt.Sprintf("%s: recorded %s, simulator %s", what, d.Recorded, d.Simulator)
}
