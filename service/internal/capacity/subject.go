package capacity

import (
	"context"

	"github.com/google/uuid"
)

type subjectKey struct{}

// WithOrganisation returns a context whose claims count for an organisation.
func WithOrganisation(ctx context.Context, id uuid.UUID) context.Context {
	return context.WithValue(ctx, subjectKey{}, "organisation "+id.String())
}

// WithAddress returns a context whose claims count for a network address, or for
// an IPv6 prefix.
func WithAddress(ctx context.Context, network string) context.Context {
	return context.WithValue(ctx, subjectKey{}, "address "+network)
}

// Subject returns the subject of a context. It is empty for work of the server
// itself, which is not limited.
func Subject(ctx context.Context) string {
	subject, _ := ctx.Value(subjectKey{}).(string)
	return subject
}

type patientKey struct{}

// Patient returns a context whose requests wait ten times as long, and also if many
// others are waiting: for work that should be completed because it has begun.
func Patient(ctx context.Context) context.Context {
	return context.WithValue(ctx, patientKey{}, true)
}

// patience returns the factor by which requests wait longer.
func patience(ctx context.Context) int {
	if ctx.Value(patientKey{}) != nil {
		return 10
	}
	return 1
}
