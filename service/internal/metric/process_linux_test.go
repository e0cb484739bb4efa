package metric

import "testing"

func TestTotals(t *testing.T) {
	t.Parallel()
	const netstat = "TcpExt: InOctets Other\nTcpExt: 1 2\nIpExt: InNoRoutes InOctets OutOctets Newer\nIpExt: 3 40 5000000000\n"
	for protocol, want := range map[string][2]float64{"IpExt:": {40, 5e9}, "TcpExt:": {1, 0}, "None:": {}} {
		got := totals(netstat, protocol)
		if got["InOctets"] != want[0] || got["OutOctets"] != want[1] {
			t.Errorf("totals of %s = %v, want %v received and sent", protocol, got, want)
		}
	}
}
