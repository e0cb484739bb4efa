package check

import "khatm/rules"

// The problems with a stamp, QR code or chain, and how to fix them.
var (
	notStamped = explanation{
		rules.Words{EN: "The document has no cryptographic stamp or no QR code.", AR: "لا يحمل المستند ختمًا تشفيريًا، أو لا يحمل رمز الاستجابة السريعة (QR)."},
		rules.Words{EN: "Stamp the document with the device's certificate before it is sent.", AR: "اختم المستند بشهادة الختم التشفيري للجهاز قبل إرساله."},
	}
	unverifiable = explanation{
		rules.Words{EN: "The stamp cannot be verified, because XML parsers may read the document in different ways.", AR: "تعذّر التحقق من الختم، لأن المستند مكتوب بطريقة قد تختلف برامج قراءة XML في فهمها."},
		rules.Words{EN: "Write the document as plain XML: without empty CDATA sections, and with ordinary names and namespaces.", AR: "اكتب المستند بصيغة XML بسيطة: دون مقاطع CDATA فارغة، وبأسماء ونطاقات أسماء معتادة."},
	}
	changedAfterwards = explanation{
		rules.Words{EN: "The document was changed after it was stamped, or its stamp is wrong.", AR: "عُدِّل المستند بعد ختمه، أو خُتم بطريقة خاطئة."},
		rules.Words{EN: "Do not change or reformat a stamped document: issue it again and stamp it last.", AR: "لا تعدّل المستند المختوم ولا تُعِد تنسيقه؛ أصدره من جديد واجعل الختم آخر خطوة."},
	}
	wrongDigest = explanation{
		rules.Words{EN: "A digest in the stamp does not match its content.", AR: "إحدى البصمات داخل الختم لا تطابق المحتوى الذي حُسبت له."},
		rules.Words{EN: "Compute it as the authority does: base64 of the hexadecimal SHA-256 of the fragment, without reformatting it.", AR: "احسب البصمة بطريقة الهيئة: ترميز base64 لقيمة SHA-256 للمقطع مكتوبة بالنظام السداسي العشري (hex)، دون إعادة تنسيقه."},
	}
	wrongCertificate = explanation{
		rules.Words{EN: "The certificate in the stamp does not match the document.", AR: "شهادة الختم التشفيري الواردة في الختم لا تطابق المستند."},
		rules.Words{EN: "Stamp with the production certificate of the seller's device and take its issuer, serial number and keys from that certificate.", AR: "اختم بشهادة الختم التشفيري للإنتاج الخاصة بجهاز البائع، وانقل منها اسم جهة الإصدار والرقم التسلسلي والمفاتيح."},
	}
	otherCode = explanation{
		rules.Words{EN: "The QR code does not match the document.", AR: "محتوى رمز الاستجابة السريعة (QR) لا يطابق المستند."},
		rules.Words{EN: "Take every field of the QR code from the finished document, byte for byte.", AR: "انقل كل حقل في رمز الاستجابة السريعة من المستند النهائي حرفيًا."},
	}
	unreadableCode = explanation{
		rules.Words{EN: "The QR code cannot be read.", AR: "تعذّرت قراءة رمز الاستجابة السريعة (QR)."},
		rules.Words{EN: "Write tags 1 to 9 in order, each with one length byte and a value of at most 127 bytes, and encode them in base64.", AR: "اكتب الوسوم من 1 إلى 9 بالترتيب، لكل منها بايت واحد للطول، وبحد أقصى 127 بايتًا للقيمة، ثم رمّزها بترميز base64."},
	}
	wrongPlace = explanation{
		rules.Words{EN: "The document's position in the chain is wrong.", AR: "موضع المستند في سلسلة الفواتير غير صحيح."},
		rules.Words{EN: "Use the device's counter and the hash of its previous document.", AR: "استخدم قيمة عداد الجهاز وبصمة المستند السابق الصادر من الجهاز نفسه."},
	}

	// twoReadings describes a value that readers could understand differently.
	twoReadings = explanation{
		rules.Words{EN: "A value is repeated or is not plain text, so that programs may read it in different ways. This is our opinion about form, not a check of the authority.", AR: "إحدى القيم مكررة أو ليست نصًا خالصًا، فقد تختلف البرامج في قراءتها. هذه ملاحظة منا على الشكل، وليست من فحوص الهيئة."},
		rules.Words{EN: "Write each value once and as plain text, without comments, CDATA sections, processing instructions, and line breaks in attributes.", AR: "اكتب كل قيمة مرة واحدة نصًا خالصًا، دون تعليقات ودون مقاطع CDATA ودون تعليمات معالجة ودون علامات CR أو LF داخل السمات."},
	}

	// wrongStructure describes parts of a stamp that are repeated, misplaced or
	// foreign.
	wrongStructure = explanation{
		rules.Words{EN: "The stamp, the QR code or the chain references do not have the usual structure. This is our opinion about form, not a check of the authority.", AR: "بنية الختم أو رمز الاستجابة السريعة (QR) أو مراجع السلسلة غير معتادة. هذه ملاحظة منا على الشكل، وليست من فحوص الهيئة."},
		rules.Words{EN: "Build the stamp, the QR code and the references again: complete, in the usual order, with nothing added.", AR: "أنشئ الختم ورمز الاستجابة السريعة (QR) ومراجع السلسلة من جديد: كاملةً، بالترتيب المعتاد، ودون أي إضافة."},
	}
)
