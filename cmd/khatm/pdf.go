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

// pdf converts XML documents to PDF.
type pdf struct {
	Files    []string `arg:"" name:"file" help:"Signed XML documents."`
	Out      string   `placeholder:"DIR" help:"Folder for the PDFs (default: next to each document)."`
	Language string   `default:"ar_en" enum:"ar_en,ar,en" placeholder:"LANG" help:"Language: ar_en (Arabic and English), ar or en (default ${default})."`
	Paper    string   `default:"a4" enum:"a4,80mm" placeholder:"PAPER" help:"Paper size: a4, or 80mm for receipt printers (default ${default})."`
	Logo     string   `placeholder:"FILE" help:"Logo of the seller: a PNG or JPEG file."`
	Test     bool     `help:"Mark every page as a test document that is not a tax invoice."`
}

// Run converts each document to PDF/A-3 and embeds the document unchanged.
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

// draw converts one document and returns the path of the PDF.
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
