package remedy

import "strings"

// sources lists where the cause of each rule with the flag error is.
var sources = func() map[string]Source {
	all := map[string]Source{}
	for source, ids := range map[Source]string{
		InRequest: `BR-KSA-84 BR-KSA-DEC-02 BR-Z-05 BR-E-05 BR-KSA-11 BR-Z-06 BR-E-06 BR-S-06 BR-32 BR-31 BR-CL-18 BR-KSA-18 BR-CO-04 BR-47 BR-48
			BR-CL-03 BR-CL-04 BR-KSA-CL-01 BR-KSA-90 BR-KSA-F-01 BR-KSA-F-04 BR-KSA-06 BR-KSA-07 BR-KSA-31 BR-KSA-05 BR-04 BR-CL-01 BR-KSA-74
			BR-22 BR-26 BR-KSA-72`,
		InRecord: `BR-KSA-14 BR-KSA-44 BR-CUSTOM-VALIDATION-01 BR-KSA-39 BR-KSA-40`,
		ByPerson: `BR-KSA-49 BR-KSA-17 BR-KSA-92`,
		InService: `BR-03 BR-05 BR-14 BR-15 BR-16 BR-24 BR-41 BR-45 BR-46 BR-54 BR-55 BR-CL-05 BR-CO-11 BR-CO-12 BR-CO-14 BR-CO-15 BR-CO-18
			BR-Z-07 BR-Z-09 BR-E-07 BR-E-09 BR-O-09 BR-KSA-03 BR-KSA-04 BR-KSA-52 BR-KSA-53 BR-KSA-68 BR-KSA-70 BR-KSA-82 BR-KSA-88 BR-KSA-89
			BR-KSA-EN16931-01 BR-KSA-EN16931-02 BR-KSA-EN16931-06 BR-KSA-EN16931-07 BR-KSA-EN16931-12 BR-KSA-CL-02 BR-KSA-CL-03 BR-KSA-DEC-01
			BR-KSA-F-02 BR-KSA-F-06-C17 BR-KSA-F-06-C22 BR-KSA-28 BR-KSA-30 BR-KSA-33 BR-KSA-34 BR-CL-KSA-14`,
	} {
		for _, id := range strings.Fields(ids) {
			all[id] = source
		}
	}
	return all
}()
