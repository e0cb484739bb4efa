// Package account holds the verbs on keys, people, sessions, organisations and
// plans that the faces and the operator's commands share. It decides who
// somebody is; what that somebody may do is decided by org.
package account
