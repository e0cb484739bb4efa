package server

import (
	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/wire"
)

// Rates configures the rate limits.
type Rates struct {
	Key           int // calls per API key and minute
	Person        int // calls per signed-in user and minute
	IP            int // calls without credentials per IP address and minute
	Clients       int // clients created per API key and minute
	PublicDaily   int // anonymous calls to the public tools per IP address and day
	PublicMonthly int // calls to the public tools per organisation on the free plan and month
	SharedHourly  int // calls per shared link and hour
	SignIn        int // sign-ins per IP address and minute
	Link          int // requests with a secret link per IP address and minute
	Reset         int // requests for a new password per IP address and minute
	SignUp        int // requests to sign up per IP address and minute
	SignUpPair    int // requests to sign up per e-mail address and IP address, per hour
	ResetPair     int // requests for a new password per e-mail address and IP address, per hour
	SignInPair    int // failed sign-ins per e-mail address and IP address, per hour
	SignInEmail   int // failed sign-ins per e-mail address and hour
	SignInCode    int // wrong codes of a second factor per person and hour
}

func defaultRates() Rates {
	return Rates{
		Key:           200,
		Person:        200,
		IP:            100,
		Clients:       50,
		PublicDaily:   10,
		PublicMonthly: 100,
		SharedHourly:  60,
		SignIn:        10,
		Link:          10,
		Reset:         5,
		ResetPair:     3,
		SignUp:        5,
		SignUpPair:    3,
		SignInPair:    20,
		SignInEmail:   100,
		SignInCode:    10,
	}
}

// windows returns the rate limits of the calls with a key, of signed-in people and
// without credentials, and those of single routes.
func (r Rates) windows() wire.Windows {
	return wire.Windows{
		Key:    r.Key,
		Person: r.Person,
		IP:     r.IP,
		More: map[string]int{
			api.ClientWindow: r.Clients,
			app.SignInWindow: r.SignIn,
			app.LinkWindow:   r.Link,
			app.ResetWindow:  r.Reset,
			app.SignUpWindow: r.SignUp,
		},
		Hourly: map[string]int{
			app.PairWindow:  r.SignInPair,
			app.EmailWindow: r.SignInEmail,

			app.FactorWindow:    r.SignInCode,
			app.ResetPairWindow: r.ResetPair,

			app.SignUpPairWindow: r.SignUpPair,
		},
	}
}
