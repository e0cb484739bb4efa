package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completion prints a script that completes command lines of khatm in a shell.
type completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

// Run prints the script.
func (c completion) Run(out io.Writer) error {
	_, err := io.WriteString(out, completionScripts[c.Shell])
	return err
}

// completionScripts are the scripts by shell. They ask khatm complete; without a
// completion the shell completes names of files.
var completionScripts = map[string]string{
	"bash": `# bash completion of khatm: source it, or save it as
# /usr/share/bash-completion/completions/khatm
_khatm() {
	local IFS=$'\n'
	COMPREPLY=($("$1" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _khatm khatm
`,
	"zsh": `#compdef khatm
# zsh completion of khatm: save it as _khatm in a folder of $fpath
_khatm() {
	local line
	local -a found
	for line in ${(f)"$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
		found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	if (( $#found )); then
		_describe khatm found
	else
		_files
	fi
}
if [ "$funcstack[1]" = _khatm ]; then
	_khatm "$@"
else
	compdef _khatm khatm
fi
`,
	"fish": `# fish completion of khatm: save it as khatm.fish in a folder of $fish_complete_path
function __khatm_complete
	set -l found (khatm complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
	if test (count $found) -gt 0
		printf '%s\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c khatm -f -a '(__khatm_complete)'
`,
}

// complete prints the completions of a command line, for the scripts.
type complete struct {
	Words []string `arg:"" optional:"" help:"Words after khatm; the last one is completed."`
}

// Run prints one completion per line, with its explanation after a tab.
func (c complete) Run(app *kong.Kong, out io.Writer) error {
	for _, found := range completions(app.Model.Node, c.Words) {
		if _, err := fmt.Fprintf(out, "%s\t%s\n", found.word, found.help); err != nil {
			return err
		}
	}
	return nil
}

// candidate is a completion of a word.
type candidate struct{ word, help string }

// completions returns the completions of the last word: commands, flags or the
// values of one.
func completions(root *kong.Node, words []string) []candidate {
	if len(words) == 0 {
		return nil
	}
	at := position{node: root}
	for _, word := range words[:len(words)-1] {
		at.pass(word)
	}
	last := words[len(words)-1]
	if last == "=" && at.flag != nil { // bash splits --flag=value into three words
		last = ""
	}
	return slices.DeleteFunc(at.candidates(last), func(c candidate) bool { return !strings.HasPrefix(c.word, last) })
}

// position is what the words so far have selected.
type position struct {
	node *kong.Node
	flag *kong.Flag // whose value is the next word
	args int        // positional arguments before the next word
	rest bool       // no flags follow, because of --
}

// pass moves the position past a word.
func (p *position) pass(word string) {
	switch {
	case word == "=" && p.flag != nil:
	case p.flag != nil:
		p.flag = nil
	case p.rest:
		p.args++
	case word == "--":
		p.rest = true
	case strings.HasPrefix(word, "-"):
		name, _, given := strings.Cut(word, "=")
		if f := p.find(name); f != nil && !f.IsBool() && !given {
			p.flag = f
		}
	default:
		if child := command(p.node, word); child != nil {
			p.node, p.args = child, 0
		} else {
			p.args++
		}
	}
}

// candidates returns what can follow. It may return words that do not begin with
// the given one.
func (p *position) candidates(word string) []candidate {
	if p.flag != nil {
		return values(p.flag.Value, "")
	}
	if name, _, given := strings.Cut(word, "="); given && strings.HasPrefix(word, "--") {
		if f := p.find(name); f != nil {
			return values(f.Value, name+"=")
		}
		return nil
	}
	if strings.HasPrefix(word, "-") && !p.rest {
		return flagCandidates(p.flags())
	}
	var all []candidate
	for _, child := range p.node.Children {
		if !child.Hidden && p.args == 0 {
			all = append(all, candidate{child.Name, child.Help})
		}
	}
	for _, node := range []*kong.Node{p.node, p.node.DefaultCmd} {
		if node != nil && p.args < len(node.Positional) {
			all = append(all, values(node.Positional[p.args], "")...)
		}
	}
	return all
}

// flags returns the flags that the command and its default command accept.
func (p *position) flags() []*kong.Flag {
	all := slices.Concat(p.node.AllFlags(true)...)
	if p.node.DefaultCmd != nil {
		all = append(all, p.node.DefaultCmd.Flags...)
	}
	return all
}

// find returns the flag with a name such as --data or -h, or nil.
func (p *position) find(name string) *kong.Flag {
	for _, f := range p.flags() {
		if name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short) {
			return f
		}
	}
	return nil
}

func flagCandidates(flags []*kong.Flag) []candidate {
	var all []candidate
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		all = append(all, candidate{"--" + f.Name, f.Help})
		if f.Tag.Negatable != "" {
			all = append(all, candidate{"--no-" + f.Name, f.Help})
		}
	}
	return all
}

// values returns the values that a flag or argument allows, if it has a list.
func values(v *kong.Value, prefix string) []candidate {
	var all []candidate
	for _, value := range v.EnumSlice() {
		if value != "" {
			all = append(all, candidate{prefix + value, v.Help})
		}
	}
	return all
}

// command returns the subcommand with the name, or nil.
func command(of *kong.Node, name string) *kong.Node {
	for _, child := range of.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}
