package fault

// Codes about imports of files.
const (
	ImportNotFound    Code = "import_not_found"
	ImportUnreadable  Code = "import_unreadable"
	ImportTooManyRows Code = "import_too_many_rows"
	ImportUnpacked    Code = "import_unpacked_too_large"
	ImportEmpty       Code = "import_empty"
	ImportColumns     Code = "import_columns"
	ImportCell        Code = "import_cell"
	ImportTooMany     Code = "import_too_many"
	ImportState       Code = "import_state"
	ImportLost        Code = "import_file_lost"
)

var importEntries = []Entry{
	{
		Code: ImportNotFound, Kind: NotFound,
		Says: "The import does not exist, or belongs to another organisation.", Fix: "Read the list of imports again.",
		SaysAR: "عملية الاستيراد غير موجودة.", FixAR: "اقرأ قائمة عمليات الاستيراد مرة أخرى.",
	},
	{
		Code: ImportUnreadable, Kind: Invalid,
		Says: "The file is not a CSV or XLSX file, or is damaged.", Fix: "Save the table again as CSV (UTF-8 or Windows-1256) or as XLSX without a password.",
		SaysAR: "الملف ليس ملف CSV أو XLSX صالحًا.", FixAR: "احفظ الجدول مرة أخرى بصيغة CSV (بترميز UTF-8 أو Windows-1256) أو بصيغة XLSX دون كلمة مرور.",
	},
	{
		Code: ImportTooManyRows, Kind: Invalid,
		Says: "The file has more rows than are allowed.", Fix: "Split the table into several files.",
		SaysAR: "عدد صفوف الملف أكبر من المسموح به.", FixAR: "قسّم الجدول إلى عدة ملفات.",
	},
	{
		Code: ImportUnpacked, Kind: Invalid,
		Says: "The unpacked workbook is too large.", Fix: "Remove what does not belong to the table, or save it as CSV.",
		SaysAR: "حجم المصنف بعد فك ضغطه كبير جدًا.", FixAR: "احذف ما لا يخص الجدول، أو احفظه بصيغة CSV.",
	},
	{
		Code: ImportEmpty, Kind: Invalid,
		Says: "The file has no rows below the headings.", Fix: "Check the file. In a workbook, only the first visible worksheet is read.",
		SaysAR: "لا يحتوي الملف على صفوف بعد صف العناوين.", FixAR: "تحقق من الملف. تُقرأ أول ورقة ظاهرة فقط من المصنف.",
	},
	{
		Code: ImportColumns, Kind: Invalid,
		Says: "The headings in the first row do not name the columns that are needed.", Fix: "Correct the headings, or name them in columns of import_data.",
		SaysAR: "العناوين في الصف الأول لا تسمي جميع الأعمدة اللازمة.", FixAR: "صحح العناوين، أو حددها في columns ضمن import_data.",
	},
	{
		Code: ImportCell, Kind: Invalid,
		Says: "A cell of the row cannot be read.", Fix: "Correct the cell and import the file again.",
		SaysAR: "لا يمكن قراءة إحدى خلايا الصف.", FixAR: "صحح الخلية واستورد الملف مرة أخرى.",
	},
	{
		Code: ImportTooMany, Kind: Conflict,
		Says: "Too many imports of your organisation are in progress.", Fix: "Wait until one has ended, or cancel one.",
		SaysAR: "عدد عمليات الاستيراد الجارية لمنشأتك كبير.", FixAR: "انتظر حتى تنتهي إحداها، أو ألغِ إحداها.",
	},
	{
		Code: ImportState, Kind: Conflict,
		Says: "The state of the import does not allow this.", Fix: "Read the import. It can be run once it is checked, and cancelled until it has ended.",
		SaysAR: "حالة عملية الاستيراد لا تسمح بذلك.", FixAR: "اقرأ عملية الاستيراد. يمكن تنفيذها بعد فحصها، وإلغاؤها قبل انتهائها.",
	},
	{
		Code: ImportLost, Kind: Conflict,
		Says: "The file of the import does not exist on this server.", Fix: "Upload the file again.",
		SaysAR: "ملف الاستيراد غير موجود في هذا الخادم.", FixAR: "ارفع الملف مرة أخرى.",
	},
}
