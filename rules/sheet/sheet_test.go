package sheet_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"khatm/rules/sheet"
)

// schema is a Schematron schema with three rules.
const schema = `<schema xmlns="http://purl.oclc.org/dsdl/schematron">
  <let name="most" value="100"/>
  <pattern>
    <rule context="/Invoice">
      <let name="lines" value="count(Line)"/>
      <assert id="T-1" flag="warning" test="$lines &lt; $most">[T-1] At most
        <value-of select="$most"/> lines.</assert>
      <assert id="T-2" test="ID != ''">[T-2] A number.</assert>
      <report id="T-3" role="error" test="Line/@x">[T-3] No x.</report>
    </rule>
  </pattern>
</schema>`

// stylesheet is such a schema, compiled by SchXslt and changed by hand.
const stylesheet = `<xsl:transform xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:svrl="http://purl.oclc.org/dsdl/svrl" xmlns:schxslt="https://doi.org/10.5281/zenodo.1495494" version="2.0">
  <xsl:template match="/Invoice" mode="d7e29">
    <xsl:choose>
      <xsl:when test="$schxslt:patterns-matched[. = 'd7e29']"/>
      <xsl:otherwise>
        <xsl:variable name="lines" select="count(Line)"/>
        <!-- <xsl:if test="old"><svrl:failed-assert id="T-0"/></xsl:if> -->
        <xsl:if test="not($lines &lt; 100)">
          <svrl:failed-assert flag="warning" id="T-1"><svrl:text>[T-1] Few lines.</svrl:text></svrl:failed-assert>
        </xsl:if>
        <xsl:choose>
          <xsl:when test="count(Line) &gt; 0">
            <xsl:for-each select="Line"><xsl:if test="not(ID)">
              <svrl:failed-assert flag="error" id="T-2"><svrl:text>[T-2] A number.</svrl:text></svrl:failed-assert>
            </xsl:if></xsl:for-each>
          </xsl:when>
          <xsl:otherwise>
            <svrl:failed-assert><xsl:attribute name="id">T-2</xsl:attribute><svrl:text>[T-2] A line.</svrl:text></svrl:failed-assert>
          </xsl:otherwise>
        </xsl:choose>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:transform>`

func read(t *testing.T, text string) sheet.Kit {
	t.Helper()
	kit := sheet.Kit{}
	if err := kit.Add(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return kit
}

func TestRead(t *testing.T) {
	kit := read(t, schema)
	if len(kit) != 3 || !slices.Equal(kit["T-1"].Flags, []string{"warning"}) || !slices.Equal(kit["T-1"].Texts, []string{"[T-1] At most {$most} lines."}) {
		t.Errorf("T-1 of the schema is %+v, want a warning", kit["T-1"])
	}
	for _, id := range []string{"T-2", "T-3"} {
		if !slices.Equal(kit[id].Flags, []string{"error"}) {
			t.Errorf("%s of the schema is %+v, want an error", id, kit[id])
		}
	}
	kit = read(t, stylesheet)
	if len(kit) != 2 || !slices.Equal(kit["T-1"].Flags, []string{"warning"}) || !slices.Equal(kit["T-2"].Texts, []string{"[T-2] A line.", "[T-2] A number."}) {
		t.Errorf("stylesheet: T-1 is %+v, T-2 is %+v, want a warning, and two texts", kit["T-1"], kit["T-2"])
	}
}

func TestCompare(t *testing.T) {
	cases := []struct {
		name, sheet, old, new string
		want                  []string // ids and kinds
	}{
		{"the same", schema, "", "", nil},
		{"the same, compiled", stylesheet, "", "", nil},
		{"white space", schema, "At most\n        ", "At most ", nil},
		{"other names of patterns", stylesheet, "d7e29", "d8e1", nil},
		{"added", schema, `<assert id="T-2"`, `<assert id="T-9" test="1">New.</assert><assert id="T-2"`, []string{"T-9 added"}},
		{"removed", schema, `<report id="T-3" role="error" test="Line/@x">[T-3] No x.</report>`, "", []string{"T-3 removed"}},
		{"severity", schema, `flag="warning"`, `flag="error"`, []string{"T-1 severity"}},
		{"severity of an assertion without one", schema, `id="T-2"`, `id="T-2" flag="warning"`, []string{"T-2 severity"}},
		{"text", schema, "A number.", "Any number.", []string{"T-2 text"}},
		{"inserted value", schema, `<value-of select="$most"/>`, `<value-of select="$lines"/>`, []string{"T-1 text"}},
		{"condition", schema, "ID != ''", "ID", []string{"T-2 condition"}},
		{"assertion that becomes a report", schema, `<report id="T-3" role="error" test="Line/@x">[T-3] No x.</report>`, `<assert id="T-3" test="Line/@x">[T-3] No x.</assert>`, []string{"T-3 condition"}},
		{"variable", schema, `value="100"`, `value="50"`, []string{"T-1 condition"}},
		{"context", schema, `context="/Invoice"`, `context="/*"`, []string{"T-1 condition", "T-2 condition", "T-3 condition"}},
		{"severity, compiled", stylesheet, `flag="warning"`, `flag="error"`, []string{"T-1 severity"}},
		{"text, compiled", stylesheet, "Few lines", "Fewer lines", []string{"T-1 text"}},
		{"condition, compiled", stylesheet, "not($lines &lt; 100)", "not($lines &lt; 99)", []string{"T-1 condition"}},
		{"variable, compiled", stylesheet, `select="count(Line)"`, `select="count(//Line)"`, []string{"T-1 condition"}},
		{"loop, compiled", stylesheet, `<xsl:for-each select="Line">`, `<xsl:for-each select="//Line">`, []string{"T-2 condition"}},
		{"other branch, compiled", stylesheet, `test="count(Line) &gt; 0"`, `test="Line"`, []string{"T-2 condition"}},
		{"comment, compiled", stylesheet, `test="old"`, `test="older"`, nil},
	}
	for _, c := range cases {
		changed := strings.Replace(c.sheet, c.old, c.new, 1)
		if c.old == "d7e29" {
			changed = strings.ReplaceAll(c.sheet, c.old, c.new)
		}
		if c.old != "" && changed == c.sheet {
			t.Fatalf("%s: the sheet does not contain %q", c.name, c.old)
		}
		var got []string
		for _, change := range sheet.Compare(read(t, c.sheet), read(t, changed)) {
			got = append(got, change.ID+" "+string(change.Kind))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// The conditions of a schema and of a stylesheet are not compared.
func TestCompareFormats(t *testing.T) {
	compiled := `<x xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:svrl="http://purl.oclc.org/dsdl/svrl"><xsl:template match="/a"><xsl:if test="not(b)">` +
		`<svrl:failed-assert id="T-1"><svrl:text>B.</svrl:text></svrl:failed-assert></xsl:if></xsl:template></x>`
	source := `<rule xmlns="http://purl.oclc.org/dsdl/schematron" context="/a"><assert id="T-1" test="b">B.</assert></rule>`
	if changes := sheet.Compare(read(t, source), read(t, compiled)); len(changes) > 0 {
		t.Errorf("got %v, want no changes", changes)
	}
}

func TestOpen(t *testing.T) {
	files := fstest.MapFS{
		"Rules/a.sch":   {Data: []byte(schema)},
		"Rules/b.xsl":   {Data: []byte(strings.ReplaceAll(stylesheet, "T-", "U-"))},
		"Samples/c.xml": {Data: []byte("not XML")},
	}
	kit, err := sheet.Open(files)
	if err != nil || len(kit) != 5 {
		t.Errorf("got %d rules, %v, want 5", len(kit), err)
	}
	files["Rules/d.XSL"] = &fstest.MapFile{Data: []byte("<a>")}
	if _, err := sheet.Open(files); err == nil || !strings.Contains(err.Error(), "Rules/d.XSL: ") {
		t.Errorf("got %v, want an error that names the sheet", err)
	}
	deep := &fstest.MapFile{Data: []byte(strings.Repeat("<a>", 1000) + strings.Repeat("</a>", 1000))}
	if _, err := sheet.Open(fstest.MapFS{"a.sch": deep}); err == nil {
		t.Error("a sheet of 1,000 nested elements was accepted")
	}
}
