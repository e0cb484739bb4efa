package wire

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientAddress returns the address of the client. X-Forwarded-For is used only
// if the operator listed the proxy as trusted: a header that any client can send
// must not decide whose rate window a call counts in.
func (f *Frame) clientAddress(r *http.Request) netip.Addr {
	peer := addressOf(r.RemoteAddr)
	if !f.trusted(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := addressOf(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			break // not written by a trusted proxy, so ignore the rest
		}
		peer = hop
		if !f.trusted(hop) {
			break
		}
	}
	return peer
}

func (f *Frame) trusted(a netip.Addr) bool {
	for _, p := range f.Proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

func addressOf(text string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone("")
	}
	bare, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return bare.Unmap().WithZone("")
}

// subjectOf returns the subject an address is counted as: the address itself, or
// the /64 prefix for IPv6, where a single client has a whole prefix.
func subjectOf(a netip.Addr) string {
	if !a.Is6() {
		return a.String()
	}
	net, err := a.Prefix(64)
	if err != nil {
		return a.String()
	}
	return net.String()
}
