package pdfa

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Relationship is the relationship of an embedded file to the document.
type Relationship string

// The relationships of PDF/A-3.
const (
	Source      Relationship = "Source"
	Data        Relationship = "Data"
	Alternative Relationship = "Alternative"
	Supplement  Relationship = "Supplement"
	Unspecified Relationship = "Unspecified"
)

// File is an embedded file. If it comes from [Extract], Name is untrusted: do not
// use it as a path.
type File struct {
	Name         string
	Description  string
	MIME         string
	Relationship Relationship
	Data         []byte
	Modified     time.Time // if zero, the creation time of the document
}

// Attach embeds a file unchanged.
func (d *Document) Attach(f File) {
	f.Name, f.Description = cleanString(f.Name), cleanString(f.Description)
	if f.Name == "" || f.MIME == "" {
		d.fail(errors.New("embedded file without name or MIME type"))
	}
	if f.Relationship == "" {
		f.Relationship = Unspecified
	}
	if f.Description == "" {
		f.Description = f.Name
	}
	if f.Modified.IsZero() {
		f.Modified = d.meta.Created
	}
	if slices.ContainsFunc(d.files, func(other File) bool { return other.Name == f.Name }) {
		d.fail(fmt.Errorf("two embedded files have the name %q", f.Name))
	}
	d.files = append(d.files, f)
}

// writeFiles writes the embedded files and returns the entries of the catalog that
// refer to them.
func (d *Document) writeFiles(o *objects) []byte {
	if len(d.files) == 0 {
		return nil
	}
	var associated, names []byte
	// The keys of a name tree must be sorted.
	sorted := slices.SortedFunc(slices.Values(d.files), func(a, b File) int { return cmp.Compare(nameKey(a.Name), nameKey(b.Name)) })
	for _, f := range sorted {
		stream, spec := o.next(), o.next()
		o.stream(stream, fmt.Sprintf("/Type/EmbeddedFile/Subtype%s/Params<</Size %d/ModDate%s>>", name(f.MIME), len(f.Data), date(f.Modified)), f.Data)
		file := textString(f.Name)
		o.putf(spec, "<</Type/Filespec/F%s/UF%s/Desc%s/AFRelationship%s/EF<</F %d 0 R/UF %d 0 R>>>>",
			file, file, textString(f.Description), name(string(f.Relationship)), stream, stream)
		associated = append(ref(associated, spec), ' ')
		names = append(ref(append(append(names, file...), ' '), spec), ' ')
	}
	return fmt.Appendf(nil, "/Names<</EmbeddedFiles<</Names[%s]>>>>/AF[%s]", names, associated)
}

// nameKey returns the sort key of a name, in the order of its encoded bytes. Names
// in UTF-16 begin with a byte order mark, which is greater than ASCII.
func nameKey(s string) string {
	if t := textString(s); t[0] == '<' {
		return "\xFE" + t
	}
	return s
}
