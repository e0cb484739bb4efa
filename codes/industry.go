package codes

// Industries returns the industries that a client or a device can belong to.
func Industries() []Classification { return industries.all() }

// FindIndustry returns the industry with the given UUID, which must be in lower
// case.
func FindIndustry(uuid string) (Classification, bool) { return industries.find(uuid) }

// The UUIDs are stored in client records and are the same in every
// installation. Never change one or assign it to another industry. The texts go
// into certificate requests, so in both languages they consist of letters and
// spaces only and have at most 64 bytes.
var industries = listBy(classificationUUID, []Classification{
	industry("402553b4-5def-5c58-b1dc-6dec13e85c60", "RETAIL_TRADE", "Retail trade", "تجارة التجزئة"),
	industry("b40d9b4f-4c7b-5f6e-ab2f-e7ead40d12ef", "WHOLESALE_TRADE", "Wholesale trade", "تجارة الجملة"),
	industry("dc0662dd-dd50-55c9-9b5d-65233a51d400", "ECOMMERCE", "Electronic commerce", "التجارة الإلكترونية"),
	industry("8fbcc63a-0090-51d8-8138-a8aed092a5f6", "RESTAURANTS_AND_CAFES", "Restaurants and cafes", "المطاعم والمقاهي"),
	industry("c138157d-594d-543f-bbad-4603a6f4ac6d", "HOSPITALITY", "Hotels and hospitality", "الفنادق والضيافة"),
	industry("61d0e422-f790-58b4-9a3d-f4eb03ae078e", "TOURISM", "Travel and tourism", "السفر والسياحة"),
	industry("a3cd14ac-1b40-5b6a-987e-61203c233650", "CONSTRUCTION", "Construction and contracting", "التشييد والمقاولات"),
	industry("85fd0803-f851-56fe-8f9f-572d93cc0a9b", "REAL_ESTATE", "Real estate", "العقارات"),
	industry("6c223f73-1f27-518d-90eb-8a00563c293c", "HEALTH", "Health care", "الرعاية الصحية"),
	industry("98f90ac7-879f-5149-bc60-6adea0fa31ab", "EDUCATION", "Education and training", "التعليم والتدريب"),
	industry("036b590f-b3d9-5401-9f8c-367e22aa8665", "TRANSPORT_AND_LOGISTICS", "Transport and logistics", "النقل والخدمات اللوجستية"),
	industry("c033a496-f329-52ee-b433-b15af721b0ad", "AUTOMOTIVE", "Motor vehicles and spare parts", "السيارات وقطع الغيار"),
	industry("5a242119-b8c5-5609-be1b-56f90db5eaf2", "INFORMATION_TECHNOLOGY", "Information technology", "تقنية المعلومات"),
	industry("85651f4f-0cd4-59d0-8529-e240b4409d21", "TELECOMMUNICATIONS", "Telecommunications", "الاتصالات"),
	industry("c4aecf49-25f5-56e1-862c-d5fe664b2e33", "MANUFACTURING", "Manufacturing", "الصناعات التحويلية"),
	industry("e3cff46b-69cd-58f4-82f2-8fecd5cc7078", "AGRICULTURE", "Agriculture and fishing", "الزراعة وصيد الأسماك"),
	industry("c6d3ad90-121c-55be-b228-5c7e7aaba5df", "OIL_AND_GAS", "Oil and gas", "النفط والغاز"),
	industry("d2315efa-87bf-5c92-a876-88b0bf5de880", "MINING", "Mining and quarrying", "التعدين واستغلال المحاجر"),
	industry("1d58e4aa-c3bd-5335-b051-e38080253a6c", "UTILITIES", "Electricity water and waste", "الكهرباء والمياه والنفايات"),
	industry("e60b30cc-9241-5973-b4d2-4654d4e3d6a1", "FINANCIAL_SERVICES", "Financial services", "الخدمات المالية"),
	industry("c07f0369-af99-5e1b-9b81-a249773fcf19", "INSURANCE", "Insurance", "التأمين"),
	industry("c59fa8b7-be24-574c-a0e0-9386bce5eea1", "PROFESSIONAL_SERVICES", "Professional services", "الخدمات المهنية"),
	industry("27b114e9-1e91-5d26-a5b8-54e9157fdff6", "MARKETING_AND_MEDIA", "Marketing and media", "التسويق والإعلام"),
	industry("4413c010-5a8f-58c2-b410-0b10f6296823", "PERSONAL_SERVICES", "Personal and household services", "الخدمات الشخصية والمنزلية"),
	industry("f87d4749-1b60-51c6-8863-f8a8d4478120", "GOVERNMENT_AND_NON_PROFIT", "Government and non profit", "القطاع الحكومي وغير الربحي"),
	industry("30706248-2bca-5bce-b277-f7fcdcd3e777", "OTHER", "Other activities", "أنشطة أخرى"),
})

func industry(uuid, code, en, ar string) Classification {
	return Classification{uuid, Entry{code, code, en, ar}}
}
