package fault

// ExportTooLarge is the code of an export with too many entries.
const ExportTooLarge Code = "export_too_large"

var trailEntries = []Entry{
	{
		Code: ExportTooLarge, Kind: Invalid,
		Says: "The export would have too many entries.", Fix: "Choose a shorter period with date_from and date_to, and export the rest separately.",
		SaysAR: "عدد القيود في الملف المطلوب أكبر من المسموح.", FixAR: "اختر فترة أقصر في date_from وdate_to، وصدّر الباقي في ملف آخر.",
	},
}
