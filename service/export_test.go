package service

import (
	"net/http"

	"github.com/google/uuid"

	"khatm/service/internal/store"
	"khatm/service/internal/wire"
)

// Store lets tests put things where only the app and later parts do.
func (s *Service) Store() *store.Store { return s.store }

// NewID lets tests make ids as the service does.
func (s *Service) NewID() uuid.UUID { return s.newID() }

// Rows is the route table as served.
func (s *Service) Rows() []wire.Route { return s.frame.Rows() }

// Operations is what those who run the service look at.
func (s *Service) Operations() http.Handler { return s.operations() }
