import { sha256 } from '@countersign/react'

/** What a person may set for one tool. */
export const OVERRIDES = ['automatic', 'notify', 'confirm', 'manual', 'deny'] as const

/** One of `OVERRIDES`. */
export type Override = (typeof OVERRIDES)[number]

/** What a person would have to type to change one tool. */
export interface ToolChange {
  /** The lines of policy, in their short form. */
  readonly yaml: string
  /** Writes those lines as a file of their own, never over another, and has them read; null where no command is safe. */
  readonly command: string | null
}

/** SECURITY: A14 no glob, quote, blank, escape or letter of another script: in policy and shell such a name is itself. */
const PLAIN = /^[\w.:@-]{1,128}(?:\/[\w.:@-]{1,128})?$/
const PATH = /^\/[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\/[^/]+$/u

/** The change of policy for one tool. Null for a name that is more than plain: nothing is made of what a server made up. */
export function toolChange(tool: string, supervision: Override, policyFile: string): ToolChange | null {
  if (!PLAIN.test(tool)) return null
  const lines = ['version: 1', 'tools:', `  "${tool}": ${supervision}`]
  return { yaml: `${lines.join('\n')}\n`, command: commandFor(tool, lines, policyFile) }
}

/** Names that differ in nothing but signs have files of their own. */
function commandFor(tool: string, lines: readonly string[], policyFile: string): string | null {
  if (!PATH.test(policyFile)) return null
  const folder = `${policyFile.slice(0, policyFile.lastIndexOf('/'))}/policy.d`
  const slug = tool
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  const file = quoted(`${folder}/tool-${slug}-${sha256(tool).slice(0, 8)}.yaml`)
  const text = `'${lines.join('\\n')}\\n'`
  return `mkdir -p ${quoted(folder)} && (set -C; printf ${text} > ${file}) && countersign policy lint ${file}`
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
