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
