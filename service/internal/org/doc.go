// Package org describes an organisation: its branches, people, API keys, roles
// and plan, its audit trail, and the actor of every action. It uses neither the
// database nor HTTP.
package org
