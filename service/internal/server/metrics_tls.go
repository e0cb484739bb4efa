package server

import "khatm/service/internal/metric"

// watchCertificate registers the metric of the TLS certificate.
func (m *metrics) watchCertificate(c certificates) {
	m.registry.Read(metric.Gauge("khatm_tls_certificate_expiry_timestamp_seconds", "Time at which the TLS certificate in use expires; 0 if there is none yet."), func() float64 {
		if leaf := c.Leaf(); leaf != nil {
			return float64(leaf.NotAfter.Unix())
		}
		return 0
	})
}
