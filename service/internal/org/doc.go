// Package org is the organisation: its branches, people, keys, roles and plan,
// and the actor that every deed is done by. It knows no database and no HTTP.
package org
