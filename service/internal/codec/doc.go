// Package codec decodes and encodes the JSON of requests and responses according
// to Go struct types and their tags, and describes it as JSON Schema. Decoder,
// encoder and schema use the same [Shape], so that the published description
// cannot differ from the code. The package does not depend on HTTP.
package codec
