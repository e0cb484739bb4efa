package rules

// The code lists of the official sheets where they differ from those of package
// codes: the sheets accept more codes than the documents that we issue use.

// documentTypes are the type codes that BR-CL-01 accepts (UNTDID 1001). BR-KSA-05
// accepts only four of them.
var documentTypes = setOf(`
	80 82 84 130 202 203 204 211 295 325 326 380 381 383 384 385 386 387 388 389
	390 393 394 395 456 457 527 575 623 633 751 780 935`)

// paymentMeans are the codes that BR-CL-16 accepts (UNTDID 4461). BR-KSA-16 does
// not accept 69.
var paymentMeans = setOf(`
	1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
	30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55
	56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 74 75 76 77 78
	91 92 93 94 95 96 97 ZZZ`)

// vatCategories are the categories that BR-CL-18 accepts (UNTDID 5305). BR-KSA-18
// accepts only four of them.
var vatCategories = setOf("AE L M E S Z G O K B")

// attachmentTypes are the media types that BR-KSA-CL-03 allows.
var attachmentTypes = setOf(`
	text/csv text/plain application/pdf image/png image/jpeg image/tiff
	application/acad application/dwg drawing/dwg
	application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
	application/vnd.oasis.opendocument.spreadsheet`)

// furtherReasons are the reasons of category Z that BR-KSA-CL-04 accepts besides
// those of package codes; furtherAdvanceReasons are those that BR-KSA-CL-07
// accepts for an advance.
var (
	furtherReasons        = setOf("VATEX-SA-DIPLOMAT VATEX-SA-DUTYFREE VATEX-SA-ROYALDECREE VATEX-SA-32(bis)")
	furtherAdvanceReasons = setOf("VATEX-SA-DIPLOMAT VATEX-SA-DUTYFREE")
)

// chargeReasonText is the text in which BR-KSA-CL-06 searches for the reason of
// a charge (UNTDID 7161): any substring passes. It contains three typing errors
// of the sheet: CAPCAQ, AB for IAB and AC for TAC.
const chargeReasonText = " AA AAA AAC AAD AAE AAF AAH AAI AAS AAT AAV AAY AAZ ABA ABB ABC ABD ABF ABK ABL ABN ABR ABS ABT ABU" +
	" ACF ACG ACH ACI ACJ ACK ACL ACM ACS ADC ADE ADJ ADK ADL ADM ADN ADO ADP ADQ ADR ADT ADW ADY ADZ" +
	" AEA AEB AEC AED AEF AEH AEI AEJ AEK AEL AEM AEN AEO AEP AES AET AEU AEV AEW AEX AEY AEZ AJ AU" +
	" CA CAB CAD CAE CAF CAI CAJ CAK CAL CAM CAN CAO CAPCAQ CAR CAS CAT CAU CAV CAW CD CG CS CT" +
	" DAB DAD DL EG EP ER FAA FAB FAC FC FH FI GAA HAA HD HH IAA AB ID IF IR IS KO L1 LA LAA LAB LF" +
	" MAE MI ML NAA OA PA PAA PC PL RAB RAC RAD RAF RE RF RH RV SA SAA SAD SAE SAI SG SH SM SU" +
	" TAB AC TT TV V1 V2 WH XAA YY ZZZ "
