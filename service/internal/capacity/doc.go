// Package capacity divides the resources of a server between its callers, so that
// the load of one organisation does not slow down the others.
//
// A [Pool] is one resource: a number of slots or of bytes. A request acquires a
// [Claim] for its subject and releases it afterwards. The subject is an
// organisation, or the network address of a caller that is not authenticated. One
// subject can claim only a part of a pool, and what becomes free goes to the
// waiting subject that has the least. So a subject that sends many requests at once
// waits for its own requests, and the others do not. Waiting is bounded in time and
// in number; beyond that a request is refused with 503.
package capacity
