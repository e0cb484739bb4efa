package mood

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
)

// lists are the fields of validationResults that contain messages.
var lists = []string{"infoMessages", "warningMessages", "errorMessages"}

// editResults edits the validationResults object of an answer, if there is one,
// and reports whether it changed the answer. Values that edit does not change
// keep every byte.
func editResults(a *answer, edit func(answer, results object) (object, bool)) bool {
	if !a.isJSON() {
		return false
	}
	whole, ok := parseObject(a.body)
	if !ok {
		return false
	}
	raw, ok := whole.get("validationResults")
	if !ok {
		return false
	}
	results, ok := parseObject(raw)
	if !ok {
		return false
	}
	if whole, ok = edit(whole, results); ok {
		a.rewrite(whole.encode())
	}
	return ok
}

func shuffledMessages(s *injection, a *answer) bool {
	return editResults(a, func(whole, results object) (object, bool) {
		did := false
		for _, name := range lists {
			raw, _ := results.get(name)
			if messages, ok := parseList(raw); ok && len(messages) > 1 {
				s.rng.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
				results.set(name, encodeList(messages))
				did = true
			}
		}
		whole.set("validationResults", results.encode())
		return whole, did
	})
}

func infoObject(_ *injection, a *answer) bool {
	return editResults(a, func(whole, results object) (object, bool) {
		raw, _ := results.get("infoMessages")
		messages, ok := parseList(raw)
		if !ok || len(messages) != 1 { // more than one would be lost
			return whole, false
		}
		results.set("infoMessages", messages[0])
		whole.set("validationResults", results.encode())
		return whole, true
	})
}

func flatResults(_ *injection, a *answer) bool {
	return editResults(a, func(whole, results object) (object, bool) {
		var inside, outside object
		for _, m := range results {
			if m.key != "warningMessages" && m.key != "errorMessages" && m.key != "status" {
				inside = append(inside, m)
				continue
			}
			if _, taken := whole.get(m.key); taken {
				return whole, false
			}
			outside = append(outside, m)
		}
		whole.set("validationResults", inside.encode())
		at := 1 + slices.IndexFunc(whole, func(m member) bool { return m.key == "validationResults" })
		return slices.Insert(whole, at, outside...), len(outside) > 0
	})
}

// unknownFields adds members at random positions of the answer, of its results
// and of each message.
func unknownFields(s *injection, a *answer) bool {
	if !a.isJSON() {
		return false
	}
	whole, ok := parseObject(a.body)
	if !ok {
		return false
	}
	if raw, ok := whole.get("validationResults"); ok {
		if results, ok := parseObject(raw); ok {
			whole.set("validationResults", strangeResults(s.rng, results))
		}
	}
	whole = strange(s.rng, whole, "traceContext", json.RawMessage(
		`{"span":"`+strconv.FormatUint(s.rng.Uint64(), 16)+`","hops":[1,2,null],"cached":false}`))
	a.rewrite(whole.encode())
	return true
}

func strangeResults(rng *rand.Rand, results object) json.RawMessage {
	for _, name := range lists {
		raw, _ := results.get(name)
		messages, ok := parseList(raw)
		if !ok {
			continue
		}
		for i, raw := range messages {
			if message, ok := parseObject(raw); ok {
				messages[i] = strange(rng, message, "severityRank", json.RawMessage(strconv.Itoa(rng.IntN(100)))).encode()
			}
		}
		results.set(name, encodeList(messages))
	}
	return strange(rng, results, "validatorVersion", json.RawMessage(`"3.4.`+strconv.Itoa(rng.IntN(10))+`"`)).encode()
}

func strange(rng *rand.Rand, o object, key string, value json.RawMessage) object {
	return slices.Insert(o, rng.IntN(len(o)+1), member{key, value})
}
