package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"khatm/invoice"
	"khatm/qr"
	"khatm/sample"
	"khatm/seal"
	"khatm/witness"
)

// demo takes two sets of facts all the way to signed bytes, and has them judged
// by the verifier, which shares no code with the writer.
type demo struct {
	Out string `placeholder:"DIR" help:"Write the signed XML into this folder."`
}

func (d demo) Run(out io.Writer) error {
	device, err := sample.NewDevice(rand.Reader, time.Now())
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Device %s, certificate %s (a rehearsal: nothing goes to the tax authority)\n",
		device.Certificate.Unit.CommonName, device.Certificate.IssuerName)
	previous := seal.GenesisHash
	for _, c := range []sample.Case{{Name: "standard", Facts: sample.Invoice()}, {Name: "simplified", Facts: sample.Simplified()}} {
		sealed, err := device.Seal(c.Facts)
		if err != nil {
			return fmt.Errorf("%s invoice: %w", c.Name, err)
		}
		report, err := witness.Verify(sealed.XML, witness.Expect{PreviousHash: previous, RequireStamp: true})
		if err != nil {
			return fmt.Errorf("%s invoice: %w", c.Name, err)
		}
		if len(report.Findings) > 0 {
			return fmt.Errorf("%s invoice: the verifier refuses it: %v", c.Name, report.Findings)
		}
		previous = sealed.Hash
		if err := show(out, c, sealed, report); err != nil {
			return err
		}
		if err := d.keep(out, c.Name, sealed.XML); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(out, "\nBoth verified: hash, digests, signature, certificate, QR code and chain.")
	return err
}

// show prints what a person would ask about a document.
func show(out io.Writer, c sample.Case, sealed *seal.Sealed, report *witness.Report) error {
	document, err := invoice.Compute(c.Facts)
	if err != nil {
		return err
	}
	symbol, err := qr.NewSymbol(sealed.QR)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s %s invoice of %s %s, %d lines\n", report.Number, c.Name, report.IssueDate, report.IssueTime, len(document.Lines))
	for _, row := range [][2]string{
		{"seller", document.Seller.RegisteredName() + ", " + document.Seller.VATNumber},
		{"without VAT", document.WithoutVAT.Fixed2() + " " + document.Currency},
		{"VAT", document.VAT.Fixed2() + " " + document.Currency},
		{"payable", document.Payable.Fixed2() + " " + document.Currency},
		{"counter", report.Counter},
		{"previous hash", report.PreviousHash},
		{"hash", sealed.Hash},
		{"signed XML", fmt.Sprintf("%d bytes", len(sealed.XML))},
		{"QR code", fmt.Sprintf("%d characters, %d × %d modules", len(sealed.QR), symbol.Size(), symbol.Size())},
	} {
		fmt.Fprintf(out, "  %-14s %s\n", row[0], row[1])
	}
	return nil
}

func (d demo) keep(out io.Writer, name string, document []byte) error {
	if d.Out == "" {
		return nil
	}
	if err := os.MkdirAll(d.Out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(d.Out, name+".xml")
	if err := os.WriteFile(path, document, 0o644); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "  %-14s %s\n", "written to", path)
	return err
}
