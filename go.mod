module khatm

go 1.26.0

require (
	github.com/alecthomas/kong v1.16.1
	github.com/beevik/etree v1.8.1
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1
	github.com/google/go-cmp v0.7.0
	github.com/mattermost/xml-roundtrip-validator v0.1.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/russellhaering/goxmldsig v1.6.1
	github.com/shopspring/decimal v1.6.0
	golang.org/x/text v0.43.0
	pgregory.net/rapid v1.3.0
	rsc.io/qr v0.2.0
)

require (
	github.com/jonboulle/clockwork v0.5.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
