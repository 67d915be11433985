/**
 * Completion for bash, in the protocol of @bomb.sh/tab: a line for each candidate, a tab before its description, and a
 * last line `:<number>`. SECURITY: tab's own script for bash evaluates the words that were typed, so that
 * `countersign exec -- rm $(…)` would run the substitution on a TAB; here the words stay words.
 */
export const BASH_SCRIPT = `# bash completion for countersign: put it into ~/.bashrc as
#   source <(countersign completion bash)
_countersign_complete() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        [[ $line == :* ]] || COMPREPLY+=("\${line%%$'\\t'*}")
    done < <(countersign complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _countersign_complete countersign
`
