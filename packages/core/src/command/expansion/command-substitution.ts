import type { Command, ParsedScript, Redirection, SyntaxNode, Word } from 'unbash'
import { hereInput } from './here-document.ts'
import { mayPrintKnown, printedText, withoutLastLines } from './known-output.ts'
import type { Scope } from './scope.ts'
import { type Input, NO_INPUT, PIPED } from './standard-input.ts'
import type { ShellWord } from './word-builder.ts'

/** Expands one word of the source. */
export type Expand = (word: Word, scope: Scope) => ShellWord[]

/** The output of `$(…)` when it only runs `echo`, `printf` and filters of known text; null otherwise. */
export function substitutedText(script: ParsedScript | undefined, scope: Scope, expand: Expand): string | null {
  const statement = script?.commands[0]
  if (script === undefined || statement === undefined || script.commands.length !== 1 || statement.background)
    return null
  const text = printedBy(statement.command, scope, expand)
  return text === null ? null : withoutLastLines(text)
}

function printedBy(node: SyntaxNode, scope: Scope, expand: Expand): string | null {
  if (node.type === 'Command') return printedByCommand(node, scope, expand, NO_INPUT)
  if (node.type !== 'Pipeline') return null
  let input: Input = NO_INPUT
  let text: string | null = null
  for (const command of node.commands) {
    text = command.type === 'Command' ? printedByCommand(command, scope, expand, input) : null
    if (text === null) return null
    input = { kind: 'text', text, known: true }
  }
  return text
}

/** What one command prints into a pipe or a substitution; null when unknown. */
export function printedByCommand(node: Command, scope: Scope, expand: Expand, input: Input): string | null {
  if (node.name === undefined || node.prefix.length > 0 || !mayPrintKnown(node.name.value)) return null
  const fed = node.redirects.length === 0 ? input : redirected(node.redirects, scope, expand)
  if (fed === null) return null
  return printedText(expandedWords(node, scope, expand), fed)
}

function expandedWords(node: Command, scope: Scope, expand: Expand): readonly ShellWord[] {
  const words = node.name === undefined ? [] : expand(node.name, scope)
  for (const word of node.args) if (word.type === 'Word') words.push(...expand(word, scope))
  return words
}

/** The one here-document or here-string a filter reads; null when its output may go elsewhere. */
function redirected(redirects: readonly Redirection[], scope: Scope, expand: Expand): Input | null {
  const [only] = redirects
  return redirects.length === 1 && only !== undefined && only.type !== 'Redirect'
    ? (hereInput(only, scope, expand) ?? PIPED)
    : null
}
