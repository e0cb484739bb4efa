package wire

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientAddress is the address that a request comes from. What proxies write
// is believed only of proxies that the operator named; a header that anybody
// can send must not choose whose window is counted.
func (f *Frame) clientAddress(r *http.Request) netip.Addr {
	peer := addressOf(r.RemoteAddr)
	if !f.trusted(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := addressOf(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			break // nobody we trust wrote this; what is before it is worth nothing
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

// subjectOf is what an address is counted as: itself, or for IPv6 its /64,
// since every customer there has more addresses than we could count.
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
