#!/bin/sh
# verify.sh verifies an export of Khatm and prints one line per finding.
# Usage: sh verify.sh [--manifest SHA256] [FOLDER], with the digest that khatm export printed
# It needs openssl, xmllint and jq. Exit status: 0 no findings, 1 findings, 2 it cannot run.
set -u
export LC_ALL=C
[ "${1-}" = --manifest ] && given=${2:?} && shift 2 || given=
cd "${1:-$(dirname "$0")}" || exit 2
for tool in openssl xmllint jq; do command -v $tool >/dev/null || { echo "verify.sh: $tool is not installed" >&2; exit 2; }; done
[ -f manifest.sha256 ] || { echo "manifest.sha256: missing, so the export is incomplete"; exit 1; }
tmp=${TMPDIR:-/tmp}/khatm-verify.$$
(umask 077 && mkdir "$tmp") || exit 2
trap 'rm -rf "$tmp"' EXIT && trap 'exit 2' HUP INT TERM

# The values in the XML: six about the stamp, then those of the index in its order.
xpath=$(echo '/UBLExtensions//Reference[1]/DigestValue /UBLExtensions//SignatureValue /UBLExtensions//X509Certificate
/AdditionalDocumentReference[ID="QR"]/Attachment /AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName
/AccountingSupplierParty/Party/PartyTaxScheme/CompanyID /ID /UUID /AdditionalDocumentReference[ID="ICV"]/UUID /IssueDate /IssueTime
/InvoiceTypeCode /InvoiceTypeCode/@name /DocumentCurrencyCode /LegalMonetaryTotal/TaxExclusiveAmount /TaxTotal/TaxAmount[@currencyID=/*/DocumentCurrencyCode]
/LegalMonetaryTotal/TaxInclusiveAmount /LegalMonetaryTotal/PayableAmount /TaxTotal/TaxAmount[@currencyID="SAR"] /AccountingCustomerParty/Party/PartyTaxScheme/CompanyID
/AdditionalDocumentReference[ID="PIH"]/Attachment /AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName' |
	tr ' ' '\n' | sed 's#\([/[]\)\([A-Z][A-Za-z0-9]*\)#\1*[local-name()="\2"]#g; s#.*#normalize-space(/*&),"	",#' | tr -d '\n')
# sums prints the SHA-256 and the name of each file that is named on the input.
sums() { xargs openssl dgst -sha256 -r 2>/dev/null | sed 's/ \*/ /'; }
# manifest checks that the manifest lists every file with its digest.
manifest() {
	[ "${given:-$digest}" = "$digest" ] || echo "manifest.sha256: its SHA-256 is $digest"
	find . ! -type d ! -path ./manifest.sha256 | sed 's/^..//' | tee "$tmp/files" | grep -v '[^A-Za-z0-9._/-]' | sums >"$tmp/sums"
	awk 'FILENAME == ARGV[1] { if ($2 in want) print $2 ": listed twice in the manifest"; want[$2] = $1; next }
		FILENAME == ARGV[2] { got[$2] = $1; next }
		!($0 in want) { print $0 ": not in the manifest" }
		END { for (f in want) if (want[f] != got[f]) print f ": " ((f in got) ? "changed" : "missing") }' manifest.sha256 "$tmp/sums" "$tmp/files"
}
# index checks that the rows ($2) of a folder ($1) name each of its files once, and form
# the chains of chains.csv: consecutive counters, each row with the hash of the row before.
index() {
	sed "1d; s/,'/,/g" "$1/chains.csv" | awk -F, -v dir="$1/" -v documents="$3" '
		function end() { if (open && counter != last[open]) print dir "chains.csv: " open " does not end with counter " counter }
		FILENAME == "-" { before[$1 " " $2] = $5; last[$1 " " $2] = $3; if ($4 != $2 - 1) print dir "chains.csv: wrong previous counter " $4; next }
		FILENAME == ARGV[2] { split($0, s, " "); sum[s[2]] = s[1]; next }
		{ at = dir "index.csv: " $1 ": "; documents-- }
		seen[$1]++ + seen[$2]++ || !$20 || !$24 { print at "repeated or incomplete" }
		($3 " " $4) in before { end(); open = $3 " " $4; begun[open]++; device = $3; counter = $4 - 1; hash = before[open] }
		$3 != device || $4 != counter + 1 { print at "counter " $4 " does not follow " counter }
		$17 != hash { print at "its previous hash is not the hash before it" }
		{ device = $3; counter = $4; hash = $16
			for (i = 20; i <= 24; i += 2) if ($i != "" && (named[dir $i]++ || sum[dir $i] != $(i + 1))) print at $i " is not the file of the index" }
		END { end(); if (documents) print dir "index.csv: the number of documents is not that of export.json"
			for (c in before) if (begun[c] != 1) print dir "chains.csv: " c " does not begin once in the index"
			for (f in sum) if (index(f, dir) == 1 && !named[f] && f !~ /\/(index.csv|chains.csv|certificates\/[^\/]*.pem)$/) print f ": not in the index"
		}' - "$tmp/sums" "$2"
}
# documents checks the XML and the verdicts of some rows ($2) of a folder ($1) with the keys in a folder ($3).
documents() {
	w=$2.d && mkdir "$w"
	awk -F, -v d="$1/" '{ print d $20; if ($22 != "") print d $22 }' "$2" >"$w/all"
	xargs xmllint --nonet --noout <"$w/all" 2>&1 | sed -n 's/^\([^ :]*\):[0-9]*: .*error.*/\1/p' | sort -u >"$w/bad"
	sed 's/$/: cannot be read as XML/' "$w/bad"
	grep -v -x -F -f "$w/bad" "$w/all" >"$w/names"
	xargs xmllint --nonet --xpath "concat($xpath\"\")" <"$w/names" | paste "$w/names" - >"$w/values"
	xargs xmllint --nonet --c14n11 <"$w/names" | awk -v w="$w/" ' # write the hashed part of each document
		function cut(from, to,  i, n) { if (i = index(s, from)) { n = index(substr(s, i), to) + length(to); s = substr(s, 1, i - 1) substr(s, i + n - 1) } }
		{ while (i = index($0, "</Invoice>")) { s = s substr($0, 1, i + 9); $0 = substr($0, i + 10); n++
			cut("<ext:UBLExtensions>", "</ext:UBLExtensions>"); cut("<cac:Signature>", "</cac:Signature>")
			if (match(s, /<cac:AdditionalDocumentReference>[ \t\n]*<cbc:ID>QR</)) cut(substr(s, RSTART, RLENGTH), "</cac:AdditionalDocumentReference>")
			printf "%s", s > (w n ".hashed"); close(w n ".hashed"); s = "" } s = s $0 "\n" }'
	find "$w" -name '*.hashed' | sums | sed 's|[^ ]*/||' >"$w/sums"
	awk -F, -v d="$1/" '{ print d $24 }' "$2" | xargs jq -r '[input_filename, .number, .uuid, .status, .code, .stamped] | @tsv' >"$w/verdicts" 2>/dev/null
	awk -F'\t' -v w="$w/" -v d="$1/" -v keys="$3" '
		function hex(t,  i, h) { h = ""; for (i = 1; i <= length(t); i++) h = h code[substr(t, i, 1)]; return h }
		function decode(t,  i, h, n) { h = ""; for (i = 1; i <= length(t); i++) { n = n * 64 + digit[substr(t, i, 1)]; if (i % 4 == 0) { h = h sprintf("%06x", n); n = 0 } }
			return substr(h, 1, length(h) - 2 * gsub(/=/, "", t)) } # base64 to hexadecimal
		function octal(h,  i, t) { t = ""; for (i = 1; i < length(h); i += 2) t = t byte[substr(h, i, 2)]; return "printf \047" t "\047 >" w }
		function field(n, h) { return sprintf("%02x%02x", n, length(h) / 2) h } # of the QR code
		function bad(text) { print $1 ": " text }
		BEGIN { for (i = 0; i < 256; i++) { code[sprintf("%c", i)] = sprintf("%02x", i); byte[sprintf("%02x", i)] = sprintf("\\%03o", i) }
			for (i = 0; i < 64; i++) digit[substr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", i + 1, 1)] = i }
		FILENAME == ARGV[1] || FILENAME == ARGV[2] { split($0, s, " "); of[s[2]] = s[1]; next } # hashes, and names of certificates
		FILENAME == ARGV[3] { m = split($0, c, ","); b = c[26]; for (i = 27; i <= m; i++) b = b "," c[i] # the name of the buyer
			if (sub(/^"/, "", b)) { sub(/"$/, "", b); gsub(/""/, "\"", b) } sub(/^\047/, "", b); gsub(/ +/, " ", b); sub(/^ /, "", b); sub(/ $/, "", b)
			t = c[1] FS c[2]; for (i = 4; i <= 15; i++) t = t FS c[i]; row[d c[20]] = row[d c[22]] = t FS c[17] FS b
			hash[d c[20]] = hash[d c[22]] = c[16]; owner[d c[20]] = c[3]; owner[d c[22]] = "authority"
			verdict[d c[24]] = c[1] FS c[2] FS c[18] FS (c[19] + 0) FS (c[22] != "" ? "true" : "false"); next }
		FILENAME == ARGV[4] { if ($1 FS verdict[$1] != $0 || ($4 ~ /^NOT_/) != ($5 == 400)) bad("not the verdict of the index"); delete verdict[$1]; next }
		{ n++; t = $8; for (i = 9; i <= 23; i++) t = t FS $i; if (t != row[$1]) bad("the values in the XML are not those of the index")
			if (decode(hash[$1]) != of[n ".hashed"] || $2 != hash[$1]) bad("the hash of the XML is not that of the index")
			x = field(1, hex($6)) field(2, hex($7)) field(3, hex($11 "T" $12)) field(4, hex($19)) field(5, hex($20)) field(6, hex($2)) field(7, hex($3))
			q = decode($5); if (!($4 in der)) der[$4] = decode($4); u = der[$4]; t = substr(q, length(x) + 1) # the public key and the signature of the certificate
			if (index(q, x) != 1 || field(8, substr(t, 5, 176)) != substr(t, 1, 180) || !index(u, substr(t, 5, 176)) || length(t) > 180 &&
				(field(9, substr(t, 185)) != substr(t, 181) || !index(u, substr(t, 185)))) bad("the QR code is wrong")
			if (index(of[$4], owner[$1]) != 1) { bad("its certificate is not in the folder certificates"); next }
			print octal(of[n ".hashed"]) "h; " octal(decode($3)) "s; openssl dgst -sha256 -verify " keys of[$4] " -signature " w "s " w "h >/dev/null || echo \047" $1 ": the signature is wrong\047" > (w "sign") }
		END { for (f in verdict) print f ": the verdict cannot be read" }' "$w/sums" "$3list" "$2" "$w/verdicts" "$w/values"
	[ ! -f "$w/sign" ] || . "$w/sign" 2>/dev/null; rm -rf "$w"
}
# verify prints all findings. It checks some parts of an index at the same time.
verify() {
	manifest
	jq -r '.organisations[] | "\(.folder) \(.documents)"' export.json | grep -v '[^A-Za-z0-9 -]' >"$tmp/folders" || echo "export.json: cannot be read"
	awk -F/ 'FILENAME == ARGV[1] { sub(/ .*/, ""); dir[$0]; next } NF > 1 && !($1 in dir) { print $0 ": not of an organisation of export.json" }' "$tmp/folders" "$tmp/files"
	while read -r dir documents; do
		t=$tmp/$dir && mkdir "$t" "$t/keys"
		for pem in $(find "$dir" -path '*/certificates/*.pem'); do
			openssl x509 -in "$pem" -pubkey -noout >"$t/keys/${pem##*/}" 2>/dev/null || echo "$pem: not a certificate"
			echo "${pem##*/} $(sed '/-----/d' "$pem" | tr -d '\n')" >>"$t/keys/list"
		done
		sed "1d; s/,'/,/g" "$dir/index.csv" >"$t/rows"
		index "$dir" "$t/rows" "$documents"
		split -l 50 -a 5 "$t/rows" "$t/part."
		for part in $(find "$t" -name 'part.?????'); do
			documents "$dir" "$part" "$t/keys/" >"$part.found" &
			running=$((${running-0} + 1)) && [ $((running % jobs)) -ne 0 ] || wait
		done
		wait && find "$t" -name '*.found' -exec cat {} +
	done <"$tmp/folders"
}
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) digest=$(openssl dgst -sha256 -r manifest.sha256 | cut -c 1-64)
verify >"$tmp/found"
[ ! -s "$tmp/found" ] || { sort "$tmp/found"; exit 1; }
echo "$(awk '{ n += $2 } END { print n + 0 }' "$tmp/folders") documents verified; SHA-256 of the manifest: $digest"
