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

/** What to offer first: the next stricter than what policy says now, or the strictest but one of what is denied. */
export function nextOverride(now: string): Override {
  const at = (OVERRIDES as readonly string[]).indexOf(now)
  return OVERRIDES[at + 1] ?? 'manual'
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
