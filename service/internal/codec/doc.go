// Package codec reads and writes the JSON of requests and answers by the types of
// Go structs and their tags, and describes it as JSON Schema. All three go by the
// same [Shape], so a description cannot say what the reader and the writer do not
// do. It knows nothing of HTTP.
package codec
