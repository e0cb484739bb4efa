// Package account manages API keys, people, sessions and organisations for the
// APIs and the operator's commands. It establishes who a caller is; package org
// decides what the caller may do.
package account
