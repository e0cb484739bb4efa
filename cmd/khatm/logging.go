package main

import (
	"io"
	"log/slog"
)

// logSetting is how the server logs, to standard error.
type logSetting struct {
	LogFormat string     `default:"" enum:",json,text" env:"KHATM_LOG_FORMAT" placeholder:"FORMAT" help:"json or text; if not given, text on a terminal and else json."`
	LogLevel  slog.Level `default:"info" env:"KHATM_LOG_LEVEL" placeholder:"LEVEL" help:"debug, info, warn or error (${default})."`
}

func (l logSetting) logger(to io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: l.LogLevel}
	if l.LogFormat == "text" || l.LogFormat == "" && isTerminal(to) {
		return slog.New(slog.NewTextHandler(to, options))
	}
	return slog.New(slog.NewJSONHandler(to, options))
}
