package codes

// Classification is an entry that stored records refer to by its UUID: a
// business type or an industry.
type Classification struct {
	UUID string
	Entry
}

// BusinessTypes returns the business types: B2B, B2C and both. The code is
// also the invoice type of a device: 1000 issues standard documents, 0100
// simplified ones, 1100 both.
func BusinessTypes() []Classification { return businessTypes.all() }

// FindBusinessType returns the business type with the given UUID, which must
// be in lower case.
func FindBusinessType(uuid string) (Classification, bool) { return businessTypes.find(uuid) }

// BusinessTypeOf returns the business type with the given code: 1000 is B2B,
// 0100 is B2C, 1100 is BOTH.
func BusinessTypeOf(code string) (Classification, bool) { return businessTypesByCode.find(code) }

// The UUIDs are stored in client records and are the same in every
// installation. Never change one or assign it to another type.
var businessTypes = listBy(classificationUUID, []Classification{
	{"6c6a6e49-1046-52e9-911b-8024397176c3", Entry{"B2B", "1000", "B2B", "من منشأة إلى منشأة"}},
	{"cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3", Entry{"B2C", "0100", "B2C", "من منشأة إلى مستهلك"}},
	{"0ae7d8b9-6149-593c-8201-0c6b9cfd957e", Entry{"BOTH", "1100", "Both", "كلاهما"}},
})

var businessTypesByCode = listBy(func(c Classification) string { return c.Code }, businessTypes.rows)

func classificationUUID(c Classification) string { return c.UUID }
