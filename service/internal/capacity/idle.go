package capacity

import "context"

// Idle releases the slot of the job of ctx, if there is one, before the request waits
// for something else than computing. The job keeps its memory until it ends.
func Idle(ctx context.Context) {
	if j, within := ctx.Value(jobKey{}).(*Job); within {
		j.work.Release()
	}
}
