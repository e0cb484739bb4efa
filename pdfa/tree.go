package pdfa

import "strconv"

// writeStructure writes the structure tree and returns its object number.
func (d *Document) writeStructure(o *objects) int {
	root, parents := o.next(), o.next()
	for i := range d.elements {
		for j := range d.elements[i] {
			d.elements[i][j].id = o.next()
		}
	}
	var b []byte
	for i := range d.elements {
		for j := range d.elements[i] {
			e := &d.elements[i][j]
			b = e.appendObject(b[:0], root)
			o.put(e.id, b)
		}
	}
	b = append(b[:0], "<</Nums["...)
	for i, p := range d.pages {
		b = append(strconv.AppendInt(b, int64(i), 10), '[')
		for _, e := range p.marks {
			b = append(ref(b, e.id), ' ')
		}
		b = append(b, ']')
	}
	o.put(parents, append(b, "]>>"...))
	o.putf(root, "<</Type/StructTreeRoot/K %d 0 R/ParentTree %d 0 R/ParentTreeNextKey %d>>", d.root.id, parents, len(d.pages))
	return root
}

func (e *Element) appendObject(b []byte, root int) []byte {
	b = append(append(b, "<</S/"...), e.tag...)
	b = append(b, "/P "...)
	if e.parent == nil {
		b = ref(b, root)
	} else {
		b = ref(b, e.parent.id)
	}
	if e.lang != "" {
		b = appendText(append(b, "/Lang"...), e.lang)
	}
	if e.alt != "" {
		b = appendText(append(b, "/Alt"...), e.alt)
	}
	b = e.appendAttributes(b)
	page := e.page
	for _, k := range e.kids {
		if page == nil {
			page = k.page
		}
	}
	if page != nil {
		b = ref(append(b, "/Pg "...), page.id)
	}
	return append(e.appendKids(append(b, "/K["...), page), "]>>"...)
}

func (e *Element) appendAttributes(b []byte) []byte {
	if e.attrs != "" {
		b = append(append(append(b, "/A<<"...), e.attrs...), ">>"...)
	}
	if e.box == nil {
		return b
	}
	b = append(b, "/A<</O/Layout/Placement/Block/BBox["...)
	top := e.page.height - e.box.Y
	for _, v := range []float64{e.box.X, top - e.box.H, e.box.X + e.box.W, top} {
		b = append(number(b, v), ' ')
	}
	return append(b, "]>>"...)
}

func (e *Element) appendKids(b []byte, page *Page) []byte {
	for _, k := range e.kids {
		switch {
		case k.element != nil:
			b = append(ref(b, k.element.id), ' ')
		case k.page == page:
			b = append(strconv.AppendInt(b, int64(k.mark), 10), ' ')
		default:
			b = ref(append(b, "<</Type/MCR/Pg "...), k.page.id)
			b = append(strconv.AppendInt(append(b, "/MCID "...), int64(k.mark), 10), ">>"...)
		}
	}
	return b
}
