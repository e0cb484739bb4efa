package codes

// Classification is an entry that records refer to by its uuid: the business
// type or the industry of a client.
type Classification struct {
	UUID string
	Entry
}

// BusinessTypes returns with whom one deals: businesses, consumers or both.
// The code says the same of a device: 1000 issues standard documents, 0100
// simplified ones, 1100 both.
func BusinessTypes() []Classification { return businessTypes.all() }

// FindBusinessType looks a business type up by its uuid in lower case.
func FindBusinessType(uuid string) (Classification, bool) { return businessTypes.find(uuid) }

// BusinessTypeOf looks the business type up that has the code: a device of
// 1000 is B2B, of 0100 B2C, of 1100 BOTH.
func BusinessTypeOf(code string) (Classification, bool) { return businessTypesByCode.find(code) }

// The uuids were drawn once and are the same in every installation: they stand
// in the records of clients. Never change one, never give it to another type.
var businessTypes = listBy(classificationUUID, []Classification{
	{"6c6a6e49-1046-52e9-911b-8024397176c3", Entry{"B2B", "1000", "B2B", "من منشأة إلى منشأة"}},
	{"cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3", Entry{"B2C", "0100", "B2C", "من منشأة إلى مستهلك"}},
	{"0ae7d8b9-6149-593c-8201-0c6b9cfd957e", Entry{"BOTH", "1100", "Both", "كلاهما"}},
})

var businessTypesByCode = listBy(func(c Classification) string { return c.Code }, businessTypes.rows)

func classificationUUID(c Classification) string { return c.UUID }
