package servicetest

import "net/http"

// BranchesPath is the endpoint of branches.
const BranchesPath = "/app/api/branches/"

// NoBranch is the response to an unknown branch in a path.
var NoBranch = Refusal{http.StatusNotFound, `{"message":"Branch not found"}` + "\n"}

// GoodBranch is the body of a new branch.
const GoodBranch = `{"name":"Jeddah branch","additional_seller_id":{"type_id":"CRN","value":"4030000000"},
	"street":"Tahlia Street","building_number":"1111","district":"Al Rawdah","city":"Jeddah","postal_code":"23434","city_arabic":"جدة"}`

func branchResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/branches/":              func(*Seller) func(*http.Request) { return JSONBody(GoodBranch) },
			"PATCH /api/branches/{branch_id}/": func(*Seller) func(*http.Request) { return JSONBody(`{"is_active":false}`) },
		},
		records: map[string]record{
			"branch_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				return t.UUIDIn(t.As(admin, http.MethodPost, BranchesPath, GoodBranch))
			}, NoBranch},
		},
		lists: []string{BranchesPath},
	}
}
