package pdfa

import (
	"errors"
	"fmt"
)

// walk collects the embedded files of a document.
type walk struct {
	r     *reader
	files []File
	taken map[int]bool // streams that were read
	seen  map[int]bool // visited nodes of trees
	fault error        // error of the last file that could not be read
}

// walk returns the embedded files that the document refers to.
func (r *reader) walk() ([]File, error) {
	catalog, err := r.catalog()
	if err != nil {
		return nil, err
	}
	w := &walk{r: r, taken: map[int]bool{}, seen: map[int]bool{}}
	names, err := r.dict(catalog.get("Names"))
	if err != nil {
		return nil, err
	}
	if err := w.tree(names.get("EmbeddedFiles"), 0); err != nil {
		return nil, err
	}
	if err := w.associated(catalog); err != nil {
		return nil, err
	}
	// A document may have more pages than the limits allow. That is not an error if
	// files were found before.
	err = w.page(catalog.get("Pages"), 0)
	if err != nil && (len(w.files) == 0 || !errors.Is(err, ErrLimit)) {
		return nil, err
	}
	if len(w.files) == 0 {
		return nil, w.fault
	}
	return w.files, nil
}

// catalog returns the catalog of a PDF that is not encrypted.
func (r *reader) catalog() (pdfDict, error) {
	if r.trailer.get("Encrypt") != nil {
		return nil, ErrEncrypted
	}
	catalog, err := r.dict(r.trailer.get("Root"))
	if err != nil {
		return nil, err
	}
	if len(catalog) == 0 {
		return nil, fmt.Errorf("%w: no catalog", ErrMalformed)
	}
	return catalog, nil
}

// enter reports whether a node of a tree is visited for the first time. It returns
// an error if the node is too deep.
func (w *walk) enter(v any, depth int) (bool, error) {
	if depth > w.r.limits.Depth {
		return false, fmt.Errorf("%w: tree is too deep", ErrLimit)
	}
	ref, ok := v.(pdfRef)
	if !ok {
		return v != nil, nil
	}
	if w.seen[ref.number] {
		return false, w.r.spend(1)
	}
	w.seen[ref.number] = true
	return true, nil
}

// tree reads the files of a name tree.
func (w *walk) tree(v any, depth int) error {
	fresh, err := w.enter(v, depth)
	if err != nil || !fresh {
		return err
	}
	node, err := w.r.dict(v)
	if err != nil {
		return err
	}
	names, err := w.r.array(node.get("Names"))
	if err != nil {
		return err
	}
	for i := 1; i < len(names); i += 2 {
		if err := w.take(names[i]); err != nil {
			return err
		}
	}
	return w.kids(node, depth, w.tree)
}

// kids visits the children of a node at a depth.
func (w *walk) kids(node pdfDict, depth int, visit func(kid any, depth int) error) error {
	kids, err := w.r.array(node.get("Kids"))
	if err != nil {
		return err
	}
	for _, k := range kids {
		if err := visit(k, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// associated reads the associated files of a dictionary.
func (w *walk) associated(d pdfDict) error {
	specs, err := w.r.list(d.get("AF"))
	if err != nil {
		return err
	}
	for _, s := range specs {
		if err := w.take(s); err != nil {
			return err
		}
	}
	return nil
}

// page reads the associated files and the file attachment annotations of a page
// tree.
func (w *walk) page(v any, depth int) error {
	fresh, err := w.enter(v, depth)
	if err != nil || !fresh {
		return err
	}
	node, err := w.r.dict(v)
	if err != nil {
		return err
	}
	if err := w.associated(node); err != nil {
		return err
	}
	notes, err := w.r.array(node.get("Annots"))
	if err != nil {
		return err
	}
	for _, n := range notes {
		note, err := w.r.dict(n)
		if err != nil {
			return err
		}
		if note.get("Subtype") != pdfName("FileAttachment") {
			continue
		}
		if err := w.take(note.get("FS")); err != nil {
			return err
		}
	}
	return w.kids(node, depth, w.page)
}

// fileKeys are the keys of a file specification, the preferred one first.
var fileKeys = []pdfName{"UF", "F", "DOS", "Unix", "Mac"}

// take reads the file of a file specification, unless it was read before.
func (w *walk) take(v any) error {
	spec, err := w.r.dict(v)
	if err != nil {
		return err
	}
	embedded, err := w.r.dict(spec.get("EF"))
	if err != nil {
		return err
	}
	for _, key := range fileKeys {
		ref, ok := embedded.get(key).(pdfRef)
		if !ok {
			continue
		}
		if w.taken[ref.number] {
			return nil
		}
		w.taken[ref.number] = true
		v, err := w.r.object(ref.number)
		if err != nil {
			return err
		}
		if s, ok := v.(*pdfStream); ok {
			return w.read(spec, s)
		}
	}
	return nil
}

// read decodes one embedded file.
func (w *walk) read(spec pdfDict, s *pdfStream) error {
	if len(w.files) >= w.r.limits.Files {
		return fmt.Errorf("%w: more than %d files", ErrLimit, w.r.limits.Files)
	}
	data, err := w.r.decode(s, w.r.limits.File)
	if errors.Is(err, ErrMalformed) {
		w.r.broken, w.fault = true, err
		return nil // other files may be readable
	}
	if err != nil {
		return err
	}
	f := File{Data: data}
	for _, key := range fileKeys {
		v, err := w.r.resolve(spec.get(key))
		if err != nil {
			return err
		}
		if t, ok := v.(pdfString); ok && f.Name == "" {
			f.Name = decodeText(t)
		}
	}
	description, err := w.r.resolve(spec.get("Desc"))
	if err != nil {
		return err
	}
	if t, ok := description.(pdfString); ok {
		f.Description = decodeText(t)
	}
	if n, ok := spec.get("AFRelationship").(pdfName); ok {
		f.Relationship = Relationship(cleanString(string(n)))
	}
	if n, ok := s.dict.get("Subtype").(pdfName); ok {
		f.MIME = cleanString(string(n))
	}
	w.files = append(w.files, f)
	return nil
}
