package main

import "khatm/service/admin"

// demoCompany returns the company of the demo. It does not exist: the numbers are
// valid, but not assigned.
func demoCompany() admin.Organisation {
	return admin.Organisation{
		Name: "Khatm Coffee Roasters Company", NameArabic: "شركة محامص ختم للقهوة", VATNumber: "399999999900003",
		Identification: admin.Identification{Type: "CRN", Value: "1010010000"},
		Address: admin.Address{
			Street: "King Fahd Road", BuildingNumber: "7421", PlotIdentification: "3155", District: "Al Olaya", City: "Riyadh", ProvinceState: "Riyadh Province", PostalCode: "12214",
			StreetArabic: "طريق الملك فهد", DistrictArabic: "حي العليا", CityArabic: "الرياض", ProvinceStateArabic: "منطقة الرياض",
		},
		Settings: admin.Settings{AmountInWords: true, IBAN: "SA0380000000608010167519", Phone: "+966 11 234 5678", DueDays: 30},
	}
}

// demoNeighbour returns an organisation that uses the same service.
func demoNeighbour() admin.Organisation {
	return admin.Organisation{
		Name: "Red Sea Housewares Est.", NameArabic: "مؤسسة البحر الأحمر للأدوات المنزلية", VATNumber: "399999999700003",
		Identification: admin.Identification{Type: "CRN", Value: "4030040000"},
		Address: admin.Address{
			Street: "Tahlia Street", BuildingNumber: "4321", District: "Al Andalus", City: "Jeddah", ProvinceState: "Makkah Province", PostalCode: "23326",
			StreetArabic: "شارع التحلية", DistrictArabic: "حي الأندلس", CityArabic: "جدة", ProvinceStateArabic: "منطقة مكة المكرمة",
		},
	}
}
