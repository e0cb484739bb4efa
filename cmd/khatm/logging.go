package main

import (
	"io"
	"log/slog"
)

// logSetting holds the flags of the server's log, which goes to standard error.
type logSetting struct {
	LogFormat string     `default:"" enum:",json,text" env:"KHATM_LOG_FORMAT" placeholder:"FORMAT" help:"Log format: json or text (default: text on a terminal, otherwise json)."`
	LogLevel  slog.Level `default:"info" env:"KHATM_LOG_LEVEL" placeholder:"LEVEL" help:"Log level: debug, info, warn or error (default ${default})."`
}

// warnings returns a logger that prints warnings of a command.
func warnings(to io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

func (l logSetting) logger(to io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: l.LogLevel}
	if l.LogFormat == "text" || l.LogFormat == "" && isTerminal(to) {
		return slog.New(slog.NewTextHandler(to, options))
	}
	return slog.New(slog.NewJSONHandler(to, options))
}
