package fault

// EnvironmentFixed means that the environment of the authority was already chosen.
const EnvironmentFixed Code = "environment_fixed"

var environmentEntries = []Entry{
	{
		Code: EnvironmentFixed, Kind: Conflict,
		Says: "This installation belongs to another environment of the tax authority, which cannot be changed.", Fix: "Use a separate installation for the other environment.",
		SaysAR: "هذا التثبيت مرتبط ببيئة أخرى لدى الهيئة، ولا يمكن تغييرها.", FixAR: "استخدم تثبيتًا مستقلًا للبيئة الأخرى.",
	},
}
