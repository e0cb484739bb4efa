//go:build !linux

package disk

// Of returns ErrUnsupported.
func Of(string) (Space, error) { return Space{}, ErrUnsupported }
