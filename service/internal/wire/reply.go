package wire

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"khatm/service/internal/capacity"
	"khatm/service/internal/codec"
)

// reply describes the response of a handler, derived from its type.
type reply struct {
	shape   codec.Shape // of the JSON
	stream  bool        // the JSON is encoded in parts
	events  bool        // the response is a stream of events, and the shape that of their data
	file    []int       // index of the embedded File; nil for JSON
	instead []int       // index of the JSON that may replace the file
	media   []string
	header  []codec.Field
}

// isJSON reports whether the response is or may be JSON.
func (r *reply) isJSON() bool { return !r.events && (r.file == nil || r.instead != nil) }

// replies caches replies by output type.
var replies memo[reply]

// replyOf returns the reply for a handler's output type. It returns an error if
// the type or its tags are declared wrongly.
func replyOf(t reflect.Type) (*reply, error) { return replies.of(t, newReply) }

func newReply(t reflect.Type) (*reply, error) {
	if t == reflect.TypeFor[File]() {
		return &reply{file: []int{}, media: []string{"application/octet-stream"}}, nil
	}
	if t.Implements(eventsValue) {
		return eventsReply(t)
	}
	r := &reply{}
	var err error
	if t.Kind() == reflect.Struct {
		if r, err = fileReply(t); err != nil || r.file != nil {
			return r, err
		}
	}
	if r.shape, err = codec.ShapeOf(t); err != nil {
		return r, err
	}
	r.stream = r.shape.HasStream()
	if r.shape.Object != nil {
		for _, f := range r.shape.Object.Fields {
			if f.Header != "" {
				r.header = append(r.header, f)
			}
		}
	}
	return r, r.shape.Writable()
}

// eventsReply describes a stream of events.
func eventsReply(t reflect.Type) (*reply, error) {
	r := &reply{events: true}
	of, is := reflect.Zero(t).Interface().(eventful)
	if !is {
		return r, fmt.Errorf("%s is not a stream of events", t)
	}
	var err error
	if r.shape, err = codec.ShapeOf(of.item()); err != nil {
		return r, err
	}
	return r, r.shape.Writable()
}

// fileReply describes a struct that embeds a File, with headers and the JSON that
// may replace the file.
func fileReply(t reflect.Type) (*reply, error) {
	embedded, ok := t.FieldByName("File")
	if !ok || !embedded.Anonymous || embedded.Type != reflect.TypeFor[File]() {
		return &reply{}, nil
	}
	r := &reply{file: embedded.Index, media: []string{"application/octet-stream"}}
	if media := embedded.Tag.Get("media"); media != "" {
		r.media = strings.Split(media, ",")
	}
	for i := range t.NumField() {
		sf := t.Field(i)
		if slices.Equal(sf.Index, embedded.Index) {
			continue
		}
		if sf.Tag.Get("instead") == "json" && sf.Type.Kind() == reflect.Pointer {
			r.instead = sf.Index
			var err error
			if r.shape, err = codec.ShapeOf(sf.Type.Elem()); err != nil {
				return r, err
			}
			continue
		}
		header := sf.Tag.Get("header")
		if header == "" {
			return r, fmt.Errorf("%s.%s is beside a File and has no header tag", t, sf.Name)
		}
		f, err := codec.NewField(sf, sf.Index, "", header)
		if err != nil {
			return r, fmt.Errorf("%s.%s: %w", t, sf.Name, err)
		}
		r.header = append(r.header, f)
	}
	return r, nil
}

// written is an encoded response.
type written struct {
	header http.Header
	body   []byte
	part   [][]byte        // of a stream, instead of body
	stream *stream         // the response is encoded in parts; must be closed
	events source          // of a stream of events, instead of body
	buffer *capacity.Claim // of the body, until it was sent
	held   int64           // bytes that the claim holds for the response
}

// encode encodes the output of a handler: its headers, and JSON or a file. If zip
// is set, it compresses large JSON.
func encode(out any, zip bool) (written, error) {
	v := reflect.ValueOf(out)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	r, err := replyOf(v.Type())
	if err != nil {
		return written{}, fmt.Errorf("encode %T: %w", out, err)
	}
	if r.events {
		from, _ := v.Interface().(eventful) // newReply has checked it
		return written{header: http.Header{"Content-Type": {eventMedia}}, events: source{from, &r.shape}}, nil
	}
	w := written{header: http.Header{}}
	for _, f := range r.header {
		field := codec.FieldAt(v, f.Index)
		if field.IsZero() {
			continue
		}
		text, err := codec.HeaderText(&f.Shape, field)
		if err != nil {
			return written{}, fmt.Errorf("encode header %s of %T: %w", f.Header, out, err)
		}
		w.header.Set(f.Header, text)
	}
	if r.instead != nil && !v.FieldByIndex(r.instead).IsNil() {
		return w.json(r, v.FieldByIndex(r.instead).Elem(), zip)
	}
	if r.file != nil {
		file := v
		if len(r.file) > 0 {
			file = v.FieldByIndex(r.file)
		}
		if f, ok := file.Interface().(File); ok {
			f.describe(w.header)
			w.body = f.Bytes
		}
		return w, nil
	}
	return w.json(r, v, zip)
}

// json encodes v as the body of the response.
func (w written) json(r *reply, v reflect.Value, zip bool) (written, error) {
	w.header.Set("Content-Type", "application/json")
	var err error
	if r.stream {
		w.stream = newStream(r, v, zip)
		if w.part, err = w.stream.next(); err != nil {
			w.stream.close()
			return written{}, fmt.Errorf("encode %s: %w", v.Type(), err)
		}
		w.vary(w.stream.packer != nil, w.stream.more || w.size() >= leastPacked)
		return w, nil
	}
	if w.body, err = codec.Append(make([]byte, 0, 512), &r.shape, v); err != nil {
		return written{}, fmt.Errorf("encode %s: %w", v.Type(), err)
	}
	large := len(w.body) >= leastPacked
	if zip && large {
		if w.body, err = packed(w.body); err != nil {
			return written{}, fmt.Errorf("compress %s: %w", v.Type(), err)
		}
	}
	w.vary(zip && large, large)
	return w, nil
}

// size returns the number of encoded bytes.
func (w written) size() int {
	n := len(w.body)
	for _, data := range w.part {
		n += len(data)
	}
	return n
}

// vary sets the headers of a body that is compressed, or would be for a client
// that accepts it.
func (w written) vary(compressed, large bool) {
	if compressed {
		w.header.Set("Content-Encoding", "gzip")
	}
	if compressed || large {
		w.header.Set("Vary", "Accept-Encoding")
	}
}
