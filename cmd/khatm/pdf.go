package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"khatm/paper"
)

// pdf draws XML documents.
type pdf struct {
	Files    []string `arg:"" name:"file" help:"Signed XML documents."`
	Out      string   `placeholder:"DIR" help:"Write the PDFs into this folder instead of beside the documents."`
	Language string   `default:"ar_en" enum:"ar_en,ar,en" placeholder:"LANG" help:"ar_en: Arabic with English beside it; ar or en: one of them (${default})."`
	Paper    string   `default:"a4" enum:"a4,80mm" placeholder:"PAPER" help:"a4, or 80mm: the roll of a till (${default})."`
	Logo     string   `placeholder:"FILE" help:"The seller's logo: a PNG or JPEG."`
	Test     bool     `help:"Mark every page as a test that is no tax invoice."`
}

// Run draws each document as PDF/A-3 with the document embedded, byte for byte.
func (c pdf) Run(out io.Writer) error {
	press, err := paper.New()
	if err != nil {
		return err
	}
	o := paper.Options{Language: paper.Language(c.Language), Paper: paper.Paper(c.Paper), Test: c.Test}
	if c.Logo != "" {
		data, err := os.ReadFile(c.Logo)
		if err != nil {
			return err
		}
		if o.Logo, err = press.Logo(data); err != nil {
			return fmt.Errorf("%s: %w", c.Logo, err)
		}
	}
	var problems []error
	for _, path := range c.Files {
		to, err := c.draw(press, o, path)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", path, err))
			continue
		}
		if _, err := fmt.Fprintln(out, to); err != nil {
			return err
		}
	}
	return errors.Join(problems...)
}

// draw draws one document and says where its PDF is.
func (c pdf) draw(press *paper.Press, o paper.Options, path string) (to string, err error) {
	document, err := readAll(path)
	if err != nil {
		return "", err
	}
	drawn, err := press.Draw(document, o)
	if err != nil {
		return "", err
	}
	to = strings.TrimSuffix(path, filepath.Ext(path)) + ".pdf"
	if c.Out != "" {
		to = filepath.Join(c.Out, filepath.Base(to))
	}
	return to, os.WriteFile(to, drawn, 0o644)
}
