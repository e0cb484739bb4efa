package database

import "strconv"

// positional replaces the marks $1, $2, … of a query with ? if each occurs once and
// in this order. For SQLite $1 is a name, which the driver looks up for every value
// of every call by comparing it with all others. It returns other queries
// unchanged.
func positional(query string) string {
	replaced, n := make([]byte, 0, len(query)), 0
	for i := 0; i < len(query); {
		end := i + 1
		if query[i] == '$' {
			for end < len(query) && '0' <= query[end] && query[end] <= '9' {
				end++
			}
		}
		if end == i+1 {
			replaced = append(replaced, query[i])
			i++
			continue
		}
		n++
		if query[i+1:end] != strconv.Itoa(n) {
			return query
		}
		replaced = append(replaced, '?')
		i = end
	}
	return string(replaced)
}
