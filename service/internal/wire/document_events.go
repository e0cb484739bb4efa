package wire

import (
	"strconv"

	"khatm/service/internal/codec"
)

// eventWords describes a stream of events, in the description of its operation.
const eventWords = "The response is a stream of server-sent events, which is open for at most ten minutes. The data of each event is JSON; the schema of the response is that of one event. " +
	"The event `end` means that nothing more follows: close the stream. The event `problem` means that the stream has failed; its data is the body of an error response. " +
	"Open a stream that ended in another way again, and send the id of the last event in `Last-Event-ID`. "

// streamWords returns the description of the response of a route that is a stream
// of events, and an empty text for other routes.
func (r *Route) streamWords() string {
	if !r.isStream() {
		return ""
	}
	return eventWords + "A person can have " + strconv.Itoa(Streams{}.person()) + " streams open at a time.\n\n"
}

// events describes the content of a stream by the data of one event, as is usual
// before version 3.2 of OpenAPI, which has another keyword for it.
func (d *document) events(answer *reply) pairs {
	return pairs{{eventMedia, pairs{{"schema", d.Of(&answer.shape, codec.InAnswer)}}}}
}
