package check

import "khatm/rules"

// The problems with a stamp, QR code or chain, and how to fix them.
var (
	notStamped = explanation{
		rules.Words{EN: "The document has no cryptographic stamp or no QR code.", AR: "المستند بلا ختم تشفيري أو بلا رمز استجابة سريعة (QR)."},
		rules.Words{EN: "Stamp the document with the device's certificate before it is sent.", AR: "اختم المستند بشهادة الجهاز قبل إرساله."},
	}
	unverifiable = explanation{
		rules.Words{EN: "The stamp cannot be verified, because the document is written in a way that readers of XML may take differently.", AR: "تعذّر التحقق من الختم، لأن المستند مكتوب بطريقة قد تختلف في فهمها برامج قراءة XML."},
		rules.Words{EN: "Write the document without processing instructions, empty CDATA sections and line ends in attributes.", AR: "اكتب المستند دون تعليمات معالجة ودون مقاطع CDATA فارغة ودون نهايات أسطر داخل الخصائص."},
	}
	changedAfterwards = explanation{
		rules.Words{EN: "The document was changed after it was stamped, or stamped wrongly.", AR: "عُدِّل المستند بعد ختمه، أو خُتم على نحو خاطئ."},
		rules.Words{EN: "Do not change or reformat a stamped document: issue it again and stamp it last.", AR: "لا تعدّل المستند المختوم ولا تُعد تنسيقه: أصدره من جديد واجعل الختم آخر خطوة."},
	}
	wrongDigest = explanation{
		rules.Words{EN: "A digest in the stamp is not that of what it stands for.", AR: "إحدى البصمات داخل الختم لا تطابق محتواها."},
		rules.Words{EN: "Compute it as the authority does: base64 of the hexadecimal SHA-256, of the fragment without reformatting.", AR: "احسبها بطريقة الهيئة: ترميز base64 للقيمة الست عشرية لـ SHA-256، دون إعادة تنسيق المقطع."},
	}
	wrongCertificate = explanation{
		rules.Words{EN: "The certificate in the stamp is not right for this document.", AR: "الشهادة المستخدمة في الختم لا تناسب هذا المستند."},
		rules.Words{EN: "Stamp with the production certificate of the seller's device and take its issuer, serial number and keys from that certificate.", AR: "اختم بشهادة الإنتاج الخاصة بجهاز البائع، وخذ منها اسم المُصدر والرقم التسلسلي والمفاتيح."},
	}
	otherCode = explanation{
		rules.Words{EN: "The QR code does not say what the document says.", AR: "محتوى رمز الاستجابة السريعة (QR) لا يطابق المستند."},
		rules.Words{EN: "Take every field of the QR code from the finished document, byte for byte.", AR: "انسخ كل حقل في رمز QR من المستند النهائي حرفيًا."},
	}
	unreadableCode = explanation{
		rules.Words{EN: "The QR code cannot be read.", AR: "تعذّرت قراءة رمز الاستجابة السريعة (QR)."},
		rules.Words{EN: "Write tags 1 to 9 in order, each with one byte of length, at most 127 bytes a value, and encode in base64.", AR: "اكتب الوسوم من 1 إلى 9 بالترتيب، لكل منها بايت واحد للطول، وبحد أقصى 127 بايت للقيمة، ثم رمّزها بـ base64."},
	}
	wrongPlace = explanation{
		rules.Words{EN: "The document's place in the chain is not right.", AR: "موضع المستند في سلسلة الفواتير غير صحيح."},
		rules.Words{EN: "Give the device's counter and the hash of its previous document.", AR: "أدخل عدّاد الجهاز وبصمة مستنده السابق."},
	}

	// wrongStructure describes faults that do not happen by accident: parts of a
	// stamp that are repeated, misplaced or foreign.
	wrongStructure = explanation{
		rules.Words{EN: "The stamp, the QR code or the chain references are not built as the authority wants them.", AR: "الختم أو رمز QR أو مراجع السلسلة ليست بالبنية التي تشترطها الهيئة."},
		rules.Words{EN: "Build them anew; nothing else may stand in them or beside them.", AR: "أعد بناءها من جديد، ولا يجوز أن يرد فيها أو بجوارها شيء آخر."},
	}
)
