import { sha256, shellQuote } from '@countersign/react'

/** The supervision levels a tool can be set to. */
export const OVERRIDES = ['automatic', 'notify', 'confirm', 'manual', 'deny'] as const

/** One of `OVERRIDES`. */
export type Override = (typeof OVERRIDES)[number]

/** A policy change for one tool. */
export interface ToolChange {
  /** A whole file, if there is none yet. */
  readonly file: string
  /** Appended to a file without `tools:`. */
  readonly section: string
  /** Inserted below an existing `tools:`. */
  readonly line: string
  /** Shell command that writes a new file, never overwriting one, and lints it; null if no command is safe. */
  readonly command: string | null
}

/** SECURITY: A14 no globs, quotes, spaces, escapes or non-ASCII letters, so the name is literal in YAML and shell. */
const PLAIN = /^[\w.:@-]{1,128}(?:\/[\w.:@-]{1,128})?$/
const PATH = /^\/[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\/[^/]+$/u

/** Builds the policy change for one tool; null if its name has special characters. */
export function toolChange(tool: string, supervision: Override, policyFile: string): ToolChange | null {
  if (!PLAIN.test(tool)) return null
  const line = `  "${tool}": ${supervision}`
  const section = ['tools:', line]
  const file = ['version: 1', ...section]
  return {
    file: `${file.join('\n')}\n`,
    section: `${section.join('\n')}\n`,
    line: `${line}\n`,
    command: commandFor(tool, file, policyFile),
  }
}

/** The preselected level: one stricter than the given verdicts; `manual` if denied or unknown. */
export function nextOverride(...said: readonly string[]): Override {
  const at = Math.max(...said.map(rankOf))
  return (at === -1 ? undefined : OVERRIDES[at + 1]) ?? 'manual'
}

/** The verdicts of a tool before a change. */
export interface Holding {
  /** The current verdict, or the last one if unknown. */
  readonly now: string
  /** The last verdict. */
  readonly last: string
  /** The strictest that any of its last calls was given. */
  readonly strictest: string
}

/** Notes on a change. */
export interface OverrideNotes {
  readonly plain: string | null
  readonly warning: string | null
}

/** SECURITY: A14 a change that is less strict always comes with a warning. */
export function overrideNotes(wanted: Override, { now, strictest }: Omit<Holding, 'last'>): OverrideNotes {
  const plain = wanted === now ? 'This is already the verdict for that call.' : null
  const [to, from] = [rankOf(wanted), rankOf(now)]
  if (now === 'deny' && to < from)
    return { plain, warning: 'The tool is denied now. A deny can’t be overridden, so this change has no effect.' }
  if (to < from) return { plain, warning: `This is less strict than the current ${now}.${unaskedWords(wanted)}` }
  if (to < rankOf(strictest) && strictest !== 'deny')
    return {
      plain,
      warning: `Other calls of this tool got ${strictest}; this may be less strict for them.${unaskedWords(wanted)}`,
    }
  return { plain, warning: null }
}

function unaskedWords(wanted: Override): string {
  const runs = rankOf(wanted) < rankOf('confirm')
  return runs ? ' Calls up to medium risk will run without asking.' : ''
}

function rankOf(supervision: string): number {
  return (OVERRIDES as readonly string[]).indexOf(supervision)
}

/** The hash keeps file names of similar tool names apart. */
function commandFor(tool: string, lines: readonly string[], policyFile: string): string | null {
  if (!PATH.test(policyFile)) return null
  const folder = `${policyFile.slice(0, policyFile.lastIndexOf('/'))}/policy.d`
  const slug = tool
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  const file = shellQuote(`${folder}/tool-${slug}-${sha256(tool).slice(0, 8)}.yaml`)
  const text = `'${lines.join('\\n')}\\n'`
  return `mkdir -p ${shellQuote(folder)} && (set -C; printf ${text} > ${file}) && countersign policy lint ${file}`
}
