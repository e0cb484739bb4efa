package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// The test surface has every kind of input and response.

type page struct {
	Page   int    `query:"page" default:"1" minimum:"1" doc:"Which page; the first is 1."`
	Size   int    `query:"page_size" default:"20" minimum:"1" maximum:"100"`
	Cursor string `query:"cursor" optional:"true" maxLength:"200"`
}

type listTeas struct {
	page
	Search string        `query:"search_text" optional:"true" maxLength:"40"`
	Status []string      `query:"status" optional:"true" enum:"fresh,old" maxItems:"2" doc:"With commas between them."`
	IDs    []uuid.UUID   `query:"uuid" optional:"true" maxItems:"3"`
	From   *codec.Date   `query:"date_from" optional:"true" example:"2026-01-31"`
	After  *time.Time    `query:"after" optional:"true"`
	Above  money.Decimal `query:"above" optional:"true" minimum:"0" places:"2"`
	Hot    *bool         `query:"hot" optional:"true"`
}

type teaList struct {
	Teas  []tea `json:"teas"`
	Total int   `json:"total" deprecated:"true"`
}

type tea struct {
	ID        uuid.UUID       `json:"uuid"`
	Name      string          `json:"name" minLength:"4" maxLength:"50" doc:"As printed." example:"Mint tea"`
	NameAR    string          `json:"name_arabic" optional:"true"`
	Price     money.Decimal   `json:"price" example:"4.50"`
	Stock     *money.Decimal  `json:"stock" doc:"null: without limit"`
	Picked    codec.Date      `json:"picked"`
	CreatedAt time.Time       `json:"created_at"`
	SoldAt    *time.Time      `json:"sold_at"`
	Leaves    []leaf          `json:"leaves"`
	Labels    map[string]leaf `json:"labels"`
	Rates     []json.Number   `json:"rates" example:"15.0"`
	Raw       json.RawMessage `json:"raw"`
	Extra     any             `json:"extra,omitempty"`
	Hint      string          `json:"hint,omitempty"`
}

type leaf struct {
	Kind   string        `json:"kind" enum:"S,Z,E,O"`
	Weight money.Decimal `json:"weight" exclusiveMinimum:"0" maximum:"1000" places:"3"`
	Origin string        `json:"origin" default:"SA" pattern:"^[A-Z]{2}$" example:"SA"`
}

type createTea struct {
	Key  string  `header:"Idempotency-Key" optional:"true" minLength:"1" maxLength:"10" doc:"Yours, to send again safely."`
	Body teaBody `body:"json"`
}

type teaBody struct {
	Name   string        `json:"name" minLength:"4" maxLength:"50" doc:"As printed." example:"Mint tea"`
	Code   int           `json:"code" enum:"388,381"`
	Price  money.Decimal `json:"price" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2"`
	VAT    string        `json:"vat" optional:"true" pattern:"^3[0-9]{13}3$" example:"300000000000003"`
	Grower *uuid.UUID    `json:"grower" optional:"true"`
	Picked codec.Date    `json:"picked"`
	Loud   bool          `json:"loud" default:"false"`
	Leaves []leaf        `json:"leaves" minItems:"1" maxItems:"5"`
	Shelf  *leaf         `json:"shelf" optional:"true"`
	Count  int           `json:"count" default:"1" minimum:"1" maximum:"9"`
}

type created struct {
	Location string    `header:"Location" json:"location"`
	ID       uuid.UUID `json:"uuid"`
}

type oneTea struct {
	ID uuid.UUID `path:"tea_id" doc:"The tea."`
}

type changeTea struct {
	oneTea
	Body teaPatch `body:"json"`
}

type teaPatch struct {
	Name  codec.Sent[string]        `json:"name" minLength:"4" maxLength:"50"`
	Stock codec.Sent[money.Decimal] `json:"stock" minimum:"0" places:"6"`
}

type brewTea struct {
	oneTea
	Body brewing `body:"json" optional:"true"`
}

type brewing struct {
	Language string `json:"language" default:"ar_en" enum:"ar,en,ar_en"`
}

type brewed struct {
	wire.File `media:"application/pdf"`
}

type watchTea struct {
	oneTea
	wire.Resume
}

type brewStep struct {
	Name string     `json:"name" enum:"warm,boil" doc:"What is done."`
	At   time.Time  `json:"at"`
	Leaf *leaf      `json:"leaf"`
	By   *uuid.UUID `json:"by"`
}

type pictureTea struct {
	Tea    leaf          `form:"tea_data" doc:"The tea, as JSON."`
	File   *wire.Upload  `file:"file" maxBytes:"2048"`
	Others []wire.Upload `files:"*"`
}

type seen struct {
	Origin string   `json:"origin"`
	Files  []string `json:"files"`
}

type nothing struct{}

func mint(id uuid.UUID) tea {
	return tea{ID: id, Name: "Mint tea", Picked: codec.Date{Year: 2026, Month: 1, Day: 31}, Raw: json.RawMessage(`{}`), Extra: map[string]any{"a": []string(nil)}}
}

const exampleTea = `{"name": "Mint tea", "code": 388, "price": "4.50", "picked": "2026-01-31", "leaves": [{"kind": "S", "weight": "0.5"}]}`

func shop() []wire.Route {
	id := uuid.MustParse("9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f")
	return []wire.Route{
		wire.Serve(wire.Route{Method: "GET", Path: "/api/teas/", Name: "list-teas", Tag: "Teas", Summary: "List teas", Doc: "Newest first.", Scope: org.ItemGet},
			func(_ context.Context, _ wire.Caller, in *listTeas) (*teaList, error) {
				return &teaList{Teas: []tea{mint(id)}, Total: in.Page}, nil
			}),
		wire.Serve(wire.Route{Method: "POST", Path: "/api/teas/", Name: "create-tea", Tag: "Teas", Summary: "Create a tea", Scope: org.ItemCreate, Root: "tea_schema", Strict: true, Status: 201, MaxBody: 8192, Example: exampleTea},
			func(context.Context, wire.Caller, *createTea) (*created, error) {
				return &created{"/api/teas/" + id.String() + "/", id}, nil
			}),
		wire.Serve(wire.Route{Method: "GET", Path: "/api/teas/{tea_id}/", Name: "get-tea", Tag: "Teas", Summary: "Read a tea", Scope: org.ItemGet, Cache: time.Hour},
			func(_ context.Context, _ wire.Caller, in *oneTea) (*tea, error) {
				one := mint(in.ID)
				return &one, nil
			}),
		wire.Serve(wire.Route{Method: "PATCH", Path: "/api/teas/{tea_id}/", Name: "change-tea", Tag: "Teas", Summary: "Change a tea", Scope: org.ItemCreate, Codes: []fault.Code{fault.StateConflict}},
			func(_ context.Context, _ wire.Caller, in *changeTea) (*tea, error) {
				one := mint(in.ID)
				in.Body.Name.Apply(&one.Name)
				return &one, nil
			}),
		wire.Serve(wire.Route{Method: "POST", Path: "/api/teas/{tea_id}/brew/", Name: "brew-tea", Tag: "Teas", Summary: "Brew a tea", Access: wire.People, Codes: []fault.Code{fault.ToolsBusy}},
			func(_ context.Context, _ wire.Caller, in *brewTea) (*brewed, error) {
				return &brewed{wire.File{Type: "application/pdf", Name: in.Body.Language + " شاي.pdf", Bytes: []byte("%PDF")}}, nil
			}),
		wire.Serve(wire.Route{Method: "GET", Path: "/api/teas/{tea_id}/steps/", Name: "watch-tea", Tag: "Teas", Summary: "Watch a tea being brewed", Doc: "Every step, from the first.", Access: wire.People, Scope: org.ItemGet},
			func(context.Context, wire.Caller, *watchTea) (*wire.Events[brewStep], error) {
				return &wire.Events[brewStep]{}, nil
			}),
		wire.Serve(wire.Route{Method: "POST", Path: "/api/pictures/", Name: "show-tea", Tag: "Pictures", Summary: "Show a tea", Access: wire.Anyone, MaxBody: 16384, Example: `{"kind": "S", "weight": "0.5"}`},
			func(_ context.Context, _ wire.Caller, in *pictureTea) (*seen, error) {
				s := &seen{Origin: in.Tea.Origin}
				if in.File != nil {
					s.Files = append(s.Files, in.File.Field+"="+in.File.Filename+":"+strconv.Itoa(len(in.File.Bytes)))
				}
				for _, f := range in.Others {
					s.Files = append(s.Files, f.Field+"="+f.Filename+":"+strconv.Itoa(len(f.Bytes)))
				}
				return s, nil
			}),
		wire.Serve(wire.Route{Method: "DELETE", Path: "/api/teas/", Name: "drop-teas", Tag: "Teas", Hidden: true},
			func(context.Context, wire.Caller, *nothing) (*nothing, error) { return &nothing{}, nil }),
	}
}

// open serves the test surface with a minimal frame.
func open(rows []wire.Route) http.Handler {
	router := chi.NewRouter()
	for _, row := range rows {
		router.MethodFunc(row.Method, row.Path, func(w http.ResponseWriter, r *http.Request) {
			header, body, status, err := answer(r, row)
			if err != nil {
				status, body = http.StatusInternalServerError, []byte(`{"message":"`+err.Error()+`"}`)
				var wrong *fault.Error
				if errors.As(err, &wrong) {
					status = http.StatusBadRequest
					body, _ = json.Marshal(told(wrong))
				}
				header = http.Header{"Content-Type": {"application/json"}}
			}
			for name, values := range header {
				w.Header()[name] = values
			}
			w.WriteHeader(status)
			_, _ = w.Write(body)
		})
	}
	return router
}

func answer(r *http.Request, row wire.Route) (http.Header, []byte, int, error) {
	in, err := wire.Bind(r, row)
	if err != nil {
		return nil, nil, 0, err
	}
	out, err := wire.Call(r.Context(), row, in)
	if err != nil {
		return nil, nil, 0, err
	}
	header, body, err := wire.Encode(out)
	return header, body, max(row.Status, 200), err
}

func told(wrong *fault.Error) map[string]any {
	if len(wrong.Problems) == 0 {
		return map[string]any{"message": wrong.Message, "code": wrong.Code()}
	}
	lines := make([]string, len(wrong.Problems))
	for i, p := range wrong.Problems {
		lines[i] = p.String()
	}
	return map[string]any{"message": lines, "code": wrong.Code()}
}
