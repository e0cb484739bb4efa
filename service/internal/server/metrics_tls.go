package server

import "github.com/prometheus/client_golang/prometheus"

// watchCertificate registers the metric of the TLS certificate.
func (m *metrics) watchCertificate(c certificates) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "khatm_tls_certificate_expiry_timestamp_seconds",
		Help: "Time at which the TLS certificate in use expires; 0 if there is none yet.",
	}, func() float64 {
		if leaf := c.Leaf(); leaf != nil {
			return float64(leaf.NotAfter.Unix())
		}
		return 0
	}))
}
