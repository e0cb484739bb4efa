package rules

import (
	"strings"

	"khatm/ubl"
)

// The demands of the schema. The authority refuses a document that violates the
// schema before it evaluates any rule.
var (
	wrongOrder = Demand{"UBL-ORDER",
		Words{"The elements must be in the order that UBL prescribes.", "يجب أن ترد العناصر بالترتيب الذي تحدده مواصفة UBL."},
		Words{"Move the element to its position in that order.", "انقل العنصر إلى موضعه في الترتيب الذي تحدده مواصفة UBL."}}
	missingElement = Demand{"UBL-REQUIRED",
		Words{"Every element that UBL requires must be present.", "يجب أن يتضمن المستند كل عنصر تشترطه مواصفة UBL."},
		Words{"Add the missing element at the given path.", "أضف العنصر الناقص في الموضع المبيّن في المخالفة."}}
	repeatedElement = Demand{"UBL-REPEATED",
		Words{"An element that UBL allows once must not be repeated.", "يجب ألا يتكرر العنصر الذي لا تسمح مواصفة UBL بوروده إلا مرة واحدة."},
		Words{"Keep one of them and remove the others.", "أبقِ عنصرًا واحدًا واحذف العناصر المكررة."}}
	unknownElement = Demand{"UBL-UNKNOWN",
		Words{"Every element must be one that UBL allows at its position.", "يجب أن يكون كل عنصر معروفًا في مواصفة UBL ومسموحًا به في موضعه."},
		Words{"Remove the element, or correct its name or its namespace.", "احذف العنصر، أو صحّح اسمه أو نطاق أسمائه (namespace)."}}
	wrongType = Demand{"UBL-TYPE",
		Words{"A value must have the format that UBL prescribes: a number, a date, a time, true or false.", "يجب أن تُكتب القيمة بالصيغة التي تحددها مواصفة UBL: رقمًا أو تاريخًا أو وقتًا أو true أو false."},
		Words{"Write the value in the format of the example.", "اكتب القيمة بصيغة المثال المرفق بالمخالفة."}}
	wrongAttribute = Demand{"UBL-ATTRIBUTE",
		Words{"An element must have the attributes that UBL requires, and no attributes that UBL does not define.", "يجب أن يحمل العنصر السمات التي تشترطها مواصفة UBL، وألا يحمل سمة غير معرّفة فيها."},
		Words{"Add the missing attribute, or remove the unknown one.", "أضف السمة الناقصة، أو احذف السمة غير المعروفة."}}
	wrongContent = Demand{"UBL-CONTENT",
		Words{"An element that contains other elements must not contain text, and an element with a value must not contain elements.", "يجب ألا يحتوي العنصر الذي يضم عناصر أخرى على نص مباشر، وألا يحتوي العنصر الذي يحمل قيمة على عناصر أخرى."},
		Words{"Remove the text between the elements, or the elements inside the value.", "احذف النص الوارد بين العناصر، أو العناصر الواردة داخل القيمة."}}
)

// Schema reports where a document violates the UBL 2.1 schema for invoices, in
// addition to the faults that package ubl refuses to parse. It stops after 100
// findings.
func Schema(root *ubl.Node) []Finding {
	if root.Name != "Invoice" {
		return []Finding{unknownElement.at("/"+root.Name, root.Name, "Invoice")}
	}
	i := &inspection{table: schema()}
	i.inspect(root, i.table[root.Name], false)
	nameFields(i.found, root)
	return i.found
}

// inspection is the state of checking one document against the schema.
type inspection struct {
	table map[string]*schemaElement
	path  []placed
	ids   map[string]bool
	found []Finding
}

func (i *inspection) inspect(n *ubl.Node, e *schemaElement, many bool) {
	i.path = append(i.path, placed{n, many})
	i.attributes(n, e)
	if !e.mixed && e.value == nil && e.refusesText(n.Text) {
		i.fail(&wrongContent, "", n.Text, "")
	}
	switch {
	case e.value != nil:
		i.leaf(n, e.value)
	case e.pattern != nil:
		i.expression(n, e)
	default:
		i.sequence(n, e)
	}
	i.path = i.path[:len(i.path)-1]
}

// leaf checks an element that contains a value.
func (i *inspection) leaf(n *ubl.Node, k *schemaKind) {
	switch {
	case len(n.Children) > 0:
		i.fail(&wrongContent, "", n.Children[0].Name, "")
	case k.valid != nil && !k.valid(n.Text):
		i.fail(&wrongType, "", n.Text, k.want)
	}
}

// sequence checks children that must be in a fixed order.
func (i *inspection) sequence(n *ubl.Node, e *schemaElement) {
	last := -1
	for _, child := range n.Children {
		if i.full() {
			return
		}
		at := e.find(child.Name, last)
		if at < 0 {
			i.failChild(&unknownElement, child, false, "")
			continue
		}
		p := &e.parts[at]
		switch {
		case at > last || at == last && p.many:
			last = at
		case !p.many && n.Child(child.Name) != child:
			i.failChild(&repeatedElement, child, false, "")
		default:
			i.failChild(&wrongOrder, child, p.many, "before "+e.parts[last].name)
		}
		i.inspect(child, p.element, p.many)
	}
	for at := range e.parts {
		if e.parts[at].required && n.Child(e.parts[at].name) == nil {
			i.fail(&missingElement, "/"+e.parts[at].name, "", e.parts[at].name)
		}
	}
}

// expression checks children whose order is given by a regular expression.
func (i *inspection) expression(n *ubl.Node, e *schemaElement) {
	var names strings.Builder
	unknown := false
	for _, child := range n.Children {
		if i.full() {
			return
		}
		switch at := e.find(child.Name, 0); {
		case at >= 0:
			names.WriteString(child.Name + ",")
			i.inspect(child, i.table[child.Name], true)
		case e.wild.admits(child.Name) && (!e.wild.strict || i.global(child.Name) != nil):
			names.WriteString("any,")
			i.foreign(child)
		default:
			unknown = true
			i.failChild(&unknownElement, child, false, "")
		}
	}
	switch {
	case unknown || e.pattern.MatchString(names.String()):
	case len(n.Children) == 0:
		i.fail(&missingElement, "", "", e.written)
	default:
		i.fail(&wrongOrder, "", names.String(), e.written)
	}
}

// foreign checks an element that a wildcard accepted. If the schema does not
// define the element, it checks its descendants.
func (i *inspection) foreign(n *ubl.Node) {
	if e := i.global(n.Name); e != nil {
		i.inspect(n, e, true)
		return
	}
	i.path = append(i.path, placed{n, true})
	for _, child := range n.Children {
		i.foreign(child)
	}
	i.path = i.path[:len(i.path)-1]
}

// global returns the definition of an element that is valid everywhere, or nil.
func (i *inspection) global(name string) *schemaElement {
	if e := i.table[name]; e != nil && !e.local {
		return e
	}
	return nil
}

const instance = "{http://www.w3.org/2001/XMLSchema-instance}"

func (i *inspection) attributes(n *ubl.Node, e *schemaElement) {
	for at := range n.Attrs {
		a := &n.Attrs[at]
		known := e.attribute(a.Name)
		switch {
		case known != nil:
			i.attributeValue(a, known.value)
		case e.anyAttr, a.Name == instance+"schemaLocation", a.Name == instance+"noNamespaceSchemaLocation":
		default:
			i.fail(&wrongAttribute, "/@"+a.Name, a.Value, "")
		}
	}
	for at := range e.attributes {
		if a := &e.attributes[at]; a.required && !carries(n, a.name) {
			i.fail(&wrongAttribute, "/@"+a.name, "", a.name)
		}
	}
}

func (i *inspection) attributeValue(a *ubl.Attr, k *schemaKind) {
	if k.valid != nil && !k.valid(a.Value) {
		i.fail(&wrongType, "/@"+a.Name, a.Value, k.want)
	}
	if !k.id {
		return
	}
	id := strings.Trim(a.Value, blanks)
	if i.ids[id] {
		i.fail(&wrongType, "/@"+a.Name, a.Value, "a unique value")
	}
	if i.ids == nil {
		i.ids = make(map[string]bool)
	}
	i.ids[id] = true
}

func (e *schemaElement) attribute(name string) *schemaAttribute {
	for at := range e.attributes {
		if e.attributes[at].name == name {
			return &e.attributes[at]
		}
	}
	return nil
}

func carries(n *ubl.Node, attribute string) bool {
	for _, a := range n.Attrs {
		if a.Name == attribute {
			return true
		}
	}
	return false
}

// fail records that a demand is not met at the current element, or at a child or
// attribute of it.
func (i *inspection) fail(d *Demand, below, got, want string) {
	if !i.full() {
		i.found = append(i.found, d.at(pathOf(i.path)+below, got, want))
	}
}

// failChild records that a child is not allowed at its position.
func (i *inspection) failChild(d *Demand, child *ubl.Node, many bool, want string) {
	i.path = append(i.path, placed{child, many})
	i.fail(d, "", child.Name, want)
	i.path = i.path[:len(i.path)-1]
}

// full reports whether the limit of findings is reached.
func (i *inspection) full() bool { return len(i.found) >= maxFindings }
