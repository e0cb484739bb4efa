package server_test

import (
	"khatm/service/internal/server"
)

// settings combines several changes.
func settings(changes ...func(*server.Config)) func(*server.Config) {
	return func(c *server.Config) {
		for _, change := range changes {
			change(c)
		}
	}
}
