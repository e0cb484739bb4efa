// Package web contains the web app as built by npm run build, and the files of
// Swagger UI.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist/docs/*.gz
var docs embed.FS

// SwaggerUI returns the files of Swagger UI that the page of the API documents needs,
// compressed, with the extension .gz.
func SwaggerUI() fs.FS { return below(docs, "dist/docs") }

//go:embed dist/sources.txt dist/*.br dist/*.gz dist/assets/*.br dist/assets/*.gz dist/assets/*.woff2
var dist embed.FS

// Files returns the files of the app: index.html, and below assets the scripts,
// styles and fonts, whose names contain a hash of their content. Except for the fonts
// and sources.txt, the files are there only compressed, with the extensions .br and .gz.
func Files() fs.FS { return below(dist, "dist") }

func below(files fs.FS, folder string) fs.FS {
	sub, err := fs.Sub(files, folder)
	if err != nil {
		panic(err) // the name is valid
	}
	return sub
}
