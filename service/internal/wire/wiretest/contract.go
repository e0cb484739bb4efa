// Package wiretest checks a surface against its published OpenAPI document, in
// tests: it validates responses, and makes calls that each break one constraint.
// It uses nothing but the document, so that a client could find the same errors.
package wiretest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"khatm/service/internal/wire"
)

// Contract is a parsed OpenAPI document.
type Contract struct {
	base       string         // base path of the operations
	document   map[string]any // as published
	judge      *openapi3.T    // the same document in OpenAPI 3.0
	order      []string       // paths of judge, those without parameters first
	operations []operation
}

// operation is one operation of the document.
type operation struct {
	name, method, path string
	object             map[string]any
}

// Read parses an OpenAPI 3.1 document as published by the service.
func Read(document []byte) (*Contract, error) {
	c := &Contract{}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if err := decoder.Decode(&c.document); err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	old, err := wire.Downgrade(document)
	if err != nil {
		return nil, err
	}
	if c.judge, err = openapi3.NewLoader().LoadFromData(old); err != nil {
		return nil, fmt.Errorf("read document as 3.0: %w", err)
	}
	if err := c.judge.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		return nil, fmt.Errorf("validate document as 3.0: %w", err)
	}
	if len(c.judge.Servers) > 0 {
		server, err := url.Parse(c.judge.Servers[0].URL)
		if err != nil {
			return nil, fmt.Errorf("parse server URL of the document: %w", err)
		}
		c.base = strings.TrimSuffix(server.Path, "/")
	}
	c.order = c.judge.Paths.InMatchingOrder()
	c.list()
	return c, nil
}

// list collects the operations in a fixed order, so that test names do not change.
func (c *Contract) list() {
	for path, methods := range object(c.document["paths"]) {
		for method, value := range object(methods) {
			op := object(value)
			c.operations = append(c.operations, operation{text(op["operationId"]), strings.ToUpper(method), path, op})
		}
	}
	slices.SortFunc(c.operations, func(a, b operation) int { return strings.Compare(a.name, b.name) })
}

// resolve follows a reference.
func (c *Contract) resolve(value any) map[string]any {
	o := object(value)
	ref, is := o["$ref"].(string)
	if !is {
		return o
	}
	var at any = c.document
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at = object(at)[name]
	}
	return c.resolve(at)
}

func object(v any) map[string]any { o, _ := v.(map[string]any); return o }

func list(v any) []any { l, _ := v.([]any); return l }

func text(v any) string { s, _ := v.(string); return s }
