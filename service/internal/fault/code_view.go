package fault

// Codes about saved views of lists.
const (
	ViewNotFound Code = "view_not_found"
	TooManyViews Code = "too_many_views"
)

var viewEntries = []Entry{
	{
		Code: ViewNotFound, Kind: NotFound,
		Says: "The saved view does not exist, or belongs to another person.", Fix: "Read the list of saved views again.",
		SaysAR: "العرض المحفوظ غير موجود.", FixAR: "اقرأ قائمة العروض المحفوظة مرة أخرى.",
	},
	{
		Code: TooManyViews, Kind: Conflict,
		Says: "You have saved 50 views, which is the maximum.", Fix: "Delete a view that you no longer use.",
		SaysAR: "حفظت 50 عرضًا، وهو الحد الأقصى.", FixAR: "احذف عرضًا لم تعد تستخدمه.",
	},
}
