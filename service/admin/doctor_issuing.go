package admin

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// issuing asks the running server whether it issues. Only the server knows some
// of the reasons why it does not.
func (x *examination) issuing(ctx context.Context) {
	const check = "issuing"
	if x.outside.Operations == "" {
		return
	}
	at := "http://" + x.outside.Operations + "/readyz/issuing"
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, http.NoBody)
	if err != nil {
		x.warn(check, "give the server's operations address with --operations", "%v", err)
		return
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		x.ok(check, "no server answers at %s", at)
		return
	}
	defer response.Body.Close() //nolint:errcheck // the body was read
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	switch {
	case err != nil || response.StatusCode != http.StatusOK && response.StatusCode != http.StatusServiceUnavailable:
		x.warn(check, "give the server's operations address with --operations", "%s answers %d", at, response.StatusCode)
	case response.StatusCode == http.StatusOK:
		x.ok(check, "the server at %s issues", x.outside.Operations)
	default:
		x.fail(check, "follow the advice in the message", "the server at %s does not issue: %s", x.outside.Operations, strings.Join(lines, "; also: "))
	}
}
