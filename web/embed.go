// Package web contains the web app as built by npm run build.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist/sources.txt dist/*.br dist/*.gz dist/assets/*.br dist/assets/*.gz dist/assets/*.woff2
var dist embed.FS

// Files returns the files of the app: index.html, and below assets the scripts,
// styles and fonts, whose names contain a hash of their content. All but the fonts are
// only there compressed, with the extensions .br and .gz.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is valid
	}
	return files
}
