package app

import (
	"context"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Catalogue changes the clients and items of an organisation.
type Catalogue interface {
	ChangeClient(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Client) error) (trade.Client, error)
	ChangeItem(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Item) error) (trade.Item, error)
}

const tagPictures = "Pictures"

// pictureRows returns the routes that change pictures. They are read with the URLs
// in the records.
func (s *Surface) pictureRows() []wire.Route {
	const client, item = "/api/buyers/{buyer_id}/logo/", "/api/items/{item_id}/images/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPut, Path: client, Name: "set-buyer-logo", Tag: tagPictures, Access: wire.People, Scope: org.ClientCreate,
			Codes:   []fault.Code{fault.BuyerNotFound, fault.PicturesBusy, fault.FilesUnavailable},
			Summary: "Set the logo of a client", Doc: "Replaces the logo and returns the client. Only the pixels of the picture are stored.",
		}, s.setBuyerLogo),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: client, Name: "remove-buyer-logo", Tag: tagPictures, Access: wire.People, Scope: org.ClientCreate,
			Codes:   []fault.Code{fault.BuyerNotFound},
			Summary: "Remove the logo of a client", Doc: "Removes the logo and returns the client. Removing it again changes nothing.",
		}, s.removeBuyerLogo),
		wire.Serve(wire.Route{
			Method: http.MethodPut, Path: item, Name: "set-item-images", Tag: tagPictures, Access: wire.People, Scope: org.ItemCreate,
			Codes:   []fault.Code{fault.ItemNotFound, fault.PicturesBusy, fault.FilesUnavailable},
			Summary: "Set the images of an item", Doc: "Replaces all images by those of the form and returns the item. Only the pixels of the pictures are stored.",
			MaxBody: 24 << 20,
		}, s.setItemImages),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: item, Name: "remove-item-images", Tag: tagPictures, Access: wire.People, Scope: org.ItemCreate,
			Codes:   []fault.Code{fault.ItemNotFound},
			Summary: "Remove the images of an item", Doc: "Removes all images and returns the item. Removing them again changes nothing.",
		}, s.removeItemImages),
	}
}

type setBuyerLogo struct {
	oneBuyer
	setLogo
}

func (s *Surface) setBuyerLogo(ctx context.Context, c wire.Caller, in *setBuyerLogo) (*api.Buyer, error) {
	key, _, err := s.Pictures.KeepPicture(ctx, c.Actor.Tenant, "logo", "file", in.File)
	if err != nil {
		return nil, err
	}
	return s.replaceBuyerLogo(ctx, c.Actor, in.ID, key)
}

func (s *Surface) removeBuyerLogo(ctx context.Context, c wire.Caller, in *oneBuyer) (*api.Buyer, error) {
	return s.replaceBuyerLogo(ctx, c.Actor, in.ID, "")
}

// replaceBuyerLogo sets the stored picture of a client and removes the previous
// one.
func (s *Surface) replaceBuyerLogo(ctx context.Context, by org.Actor, id uuid.UUID, key string) (*api.Buyer, error) {
	previous := ""
	changed, err := s.Catalogue.ChangeClient(ctx, by, id, func(c *trade.Client) error {
		previous, c.Logo = c.Logo, key
		return nil
	})
	if err != nil {
		s.Pictures.DropPictures(ctx, key)
		return nil, err
	}
	s.Pictures.DropPictures(ctx, previous)
	out := s.Pictures.BuyerOf(changed)
	return &out, nil
}

type oneItem struct {
	ID uuid.UUID `path:"item_id" doc:"UUID of the item."`
}

type setItemImages struct {
	oneItem
	Images []wire.Upload `files:"*" media:"image/png,image/jpeg,image/webp" doc:"1 to 10 images as PNG, JPEG or WebP, at most 2 MiB each."`
}

func (s *Surface) setItemImages(ctx context.Context, c wire.Caller, in *setItemImages) (*api.Item, error) {
	if n := len(in.Images); n == 0 || n > trade.MaxImages {
		return nil, fault.Wrong(fault.Problem{
			Path: "images", Message: "the form must have 1 to " + strconv.Itoa(trade.MaxImages) + " images", MessageAR: "يجب إرسال صورة واحدة على الأقل و" + strconv.Itoa(trade.MaxImages) + " صور على الأكثر.",
		})
	}
	var images []trade.Image
	for n := range in.Images {
		key, kind, err := s.Pictures.KeepPicture(ctx, c.Actor.Tenant, "item", "images."+strconv.Itoa(n), &in.Images[n])
		if err != nil {
			s.dropImages(ctx, images)
			return nil, err
		}
		images = append(images, trade.Image{Key: key, Type: kind})
	}
	return s.replaceImages(ctx, c.Actor, in.ID, images)
}

func (s *Surface) removeItemImages(ctx context.Context, c wire.Caller, in *oneItem) (*api.Item, error) {
	return s.replaceImages(ctx, c.Actor, in.ID, nil)
}

// replaceImages sets the stored pictures of an item and removes the previous ones.
func (s *Surface) replaceImages(ctx context.Context, by org.Actor, id uuid.UUID, images []trade.Image) (*api.Item, error) {
	var previous []trade.Image
	changed, err := s.Catalogue.ChangeItem(ctx, by, id, func(i *trade.Item) error {
		previous, i.Images = i.Images, images
		return nil
	})
	if err != nil {
		s.dropImages(ctx, images)
		return nil, err
	}
	s.dropImages(ctx, previous)
	out := s.Pictures.ItemOf(changed)
	return &out, nil
}

func (s *Surface) dropImages(ctx context.Context, images []trade.Image) {
	for _, one := range images {
		s.Pictures.DropPictures(ctx, one.Key)
	}
}
