package servicetest

// AttentionPath is the endpoint of what needs attention.
const AttentionPath = "/app/api/attention/"

func attentionResource() resource { return resource{lists: []string{AttentionPath}} }
