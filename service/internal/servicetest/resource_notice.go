package servicetest

import "net/http"

// NoticesPath is the endpoint of notices.
const NoticesPath = "/app/api/notices/"

func noticeResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/notices/read/": func(*Seller) func(*http.Request) { return JSONBody(`{"ids":["allowance:2026-11:80"]}`) },
		},
		lists: []string{NoticesPath},
	}
}
