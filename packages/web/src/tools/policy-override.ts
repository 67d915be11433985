import { sha256, shellQuote } from '@countersign/react'

/** What a person may set for one tool. */
export const OVERRIDES = ['automatic', 'notify', 'confirm', 'manual', 'deny'] as const

/** One of `OVERRIDES`. */
export type Override = (typeof OVERRIDES)[number]

/** What a person would have to type to change one tool. */
export interface ToolChange {
  /** A whole file, where there is none yet. */
  readonly file: string
  /** What to add at the end of a file that has no `tools:`. */
  readonly section: string
  /** What to add below the `tools:` of a file that has them. */
  readonly line: string
  /** Writes those lines as a file of their own, never over another, and has them read; null where no command is safe. */
  readonly command: string | null
}

/** SECURITY: A14 no glob, quote, blank, escape or letter of another script: in policy and shell such a name is itself. */
const PLAIN = /^[\w.:@-]{1,128}(?:\/[\w.:@-]{1,128})?$/
const PATH = /^\/[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\/[^/]+$/u

/** The change of policy for one tool. Null for a name that is more than plain: nothing is made of what a server made up. */
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

/** What to offer first: the next stricter than what was said of it now and last; for what is denied or not known, the strictest but one. */
export function nextOverride(...said: readonly string[]): Override {
  const at = Math.max(...said.map(rankOf))
  return (at === -1 ? undefined : OVERRIDES[at + 1]) ?? 'manual'
}

/** What holds for a tool before a change. */
export interface Holding {
  /** What policy says of its call now, or said last where that cannot be told. */
  readonly now: string
  /** What it said last. */
  readonly last: string
  /** The strictest that any of its last calls was given. */
  readonly strictest: string
}

/** What a change would do, in words: something to know beside the choice, and something to be warned of. */
export interface OverrideNotes {
  readonly plain: string | null
  readonly warning: string | null
}

/** SECURITY: A14 nobody is handed lines that loosen a tool without being told that they do. */
export function overrideNotes(wanted: Override, { now, strictest }: Omit<Holding, 'last'>): OverrideNotes {
  const plain = wanted === now ? 'which it is already, for that call: this would change nothing there.' : null
  const [to, from] = [rankOf(wanted), rankOf(now)]
  if (now === 'deny' && to < from)
    return { plain, warning: 'It is denied now. A deny is terminal: these lines do not lift it.' }
  if (to < from) return { plain, warning: `This loosens it: it is ${now} now.${unaskedWords(wanted)}` }
  if (to < rankOf(strictest) && strictest !== 'deny')
    return {
      plain,
      warning: `Other calls of it were given ${strictest}: for such this may be looser.${unaskedWords(wanted)}`,
    }
  return { plain, warning: null }
}

function unaskedWords(wanted: Override): string {
  const runs = rankOf(wanted) < rankOf('confirm')
  return runs ? ' Its calls then run without anybody being asked, up to medium risk.' : ''
}

function rankOf(supervision: string): number {
  return (OVERRIDES as readonly string[]).indexOf(supervision)
}

/** Names that differ in nothing but signs have files of their own. */
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
