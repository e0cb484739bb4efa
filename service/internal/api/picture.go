package api

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// pictureRows returns the routes for pictures, which have the same permissions as
// the records they belong to. They are not in the document: callers find their
// URLs in logo_url and images.
func (s *Surface) pictureRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/buyers/{buyer_id}/logo/", Name: "get-buyer-logo", Tag: tagClients, Scope: org.ClientGet,
			Codes:   []fault.Code{fault.BuyerNotFound, fault.LogoNotFound, fault.FilesUnavailable},
			Summary: "Read a client's logo", Hidden: true,
		}, s.buyerLogo),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/items/{item_id}/images/{number}/", Name: "get-item-image", Tag: tagItems, Scope: org.ItemGet,
			Codes:   []fault.Code{fault.ItemNotFound, fault.ImageNotFound, fault.FilesUnavailable},
			Summary: "Read an item's image", Hidden: true,
		}, s.itemImage),
	}
}

// PictureFile is a picture as a response.
type PictureFile struct {
	wire.File `media:"image/png,image/jpeg"`
}

func (s *Surface) buyerLogo(ctx context.Context, c wire.Caller, in *oneBuyer) (*PictureFile, error) {
	client, err := s.Keeper.Client(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	if client.Logo == "" {
		return nil, fault.Missing("Logo")
	}
	return s.Picture(ctx, client.Logo)
}

type oneImage struct {
	oneItem
	Number int `path:"number" minimum:"1" maximum:"10"`
}

func (s *Surface) itemImage(ctx context.Context, c wire.Caller, in *oneImage) (*PictureFile, error) {
	item, err := s.Keeper.Item(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	if in.Number > len(item.Images) {
		return nil, fault.Missing("Image")
	}
	return s.Picture(ctx, item.Images[in.Number-1].Key)
}

// Picture returns a stored picture.
func (s *Surface) Picture(ctx context.Context, key string) (*PictureFile, error) {
	data, err := s.Files.Read(ctx, key)
	if err != nil {
		return nil, err
	}
	return &PictureFile{wire.File{Type: http.DetectContentType(data), Name: "picture", Bytes: data, Inline: true}}, nil
}

// KeepPicture cleans an uploaded picture and stores it for the organisation. Its
// problems are reported at path.
func (s *Surface) KeepPicture(ctx context.Context, of org.Tenant, what, path string, up *wire.Upload) (key, kind string, err error) {
	clean, err := s.clean(ctx, up.Bytes)
	var refused *fault.Error
	if errors.As(err, &refused) && refused.Kind() == fault.Invalid {
		invalid := fault.Wrong(fault.Problem{Path: path, Message: refused.Message, Code: refused.Code(), MessageAR: refused.MessageAR, Fix: refused.Fix, FixAR: refused.FixAR})
		invalid.Cause = refused.Cause
		return "", "", invalid
	}
	if err != nil {
		return "", "", err
	}
	key = "org/" + of.ID().String() + "/" + what + "/" + s.NewID().String()
	return key, clean.Type, s.Files.Put(ctx, key, bytes.NewReader(clean.Bytes), int64(len(clean.Bytes)))
}

// briefPicture is the size in decoded bytes of a picture that is cleaned in about ten
// milliseconds.
const briefPicture = 512 << 10

// clean cleans a picture. Decoding can need hundreds of megabytes.
func (s *Surface) clean(ctx context.Context, data []byte) (trade.Picture, error) {
	begin := s.Capacity.Process
	decoded := trade.DecodedBytes(data)
	if decoded <= briefPicture {
		begin = s.Capacity.ProcessBriefly
	}
	job, err := begin(ctx, decoded)
	if capacity.IsBusy(err) {
		return trade.Picture{}, capacity.Busy(fault.PicturesBusy, "Too many pictures are being processed at the moment. Try again shortly.")
	}
	if err != nil {
		return trade.Picture{}, err
	}
	defer job.End()
	return trade.Clean(data)
}

// DropPictures removes files that no record refers to. A file that cannot be
// removed only wastes space.
func (s *Surface) DropPictures(ctx context.Context, keys ...string) {
	for _, key := range keys {
		if key != "" {
			_ = s.Files.Remove(context.WithoutCancel(ctx), key)
		}
	}
}
