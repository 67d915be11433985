import { diffTexts, maskText } from '@countersign/core'
import type { DefinitionLine } from '../pins/definition-lines.ts'
import { applyEdits, type ConfigText, type Edit, type ServerEntry } from './config-text.ts'

/** Members whose values are secrets more often than not: how many there are is shown, and nothing else. */
const COVERED = new Set(['env', 'environment', 'headers', 'http_headers', 'env_http_headers', 'requestInit'])

/** A flag that a secret follows. */
const SECRET_FLAG = /^--?[\w-]*(?:token|key|secret|password|passwd|auth|credential|bearer|header)[\w-]*$/i
const SECRET_VALUE = /^(--?[\w-]*(?:token|key|secret|password|passwd|auth|credential|bearer|header)[\w-]*[=:])./i
const IN_ADDRESS =
  /(:\/\/)[^/\s@"]{1,256}@|([?&][^=\s"&]{0,64}(?:token|key|secret|auth|sig)[^=\s"&]{0,64}=)[^&\s"]{1,4096}/gi

/** The text of one server with what may be secret covered. Untrusted text. */
export function shownEntry(config: ConfigText, entry: ServerEntry): string {
  const { start, end } = entry.span
  const lineStart = config.text.lastIndexOf('\n', start) + 1
  const indent = /^\s*$/.test(config.text.slice(lineStart, start)) ? lineStart : start
  const edits = entry.members.flatMap((member): readonly Edit[] => {
    if (COVERED.has(member.key)) return [{ ...member.value, text: '{…}' }]
    if (!Array.isArray(member.data)) return []
    const words = member.data as readonly unknown[]
    return (member.items ?? []).flatMap((span, at): readonly Edit[] => {
      const [before, word] = [words[at - 1], words[at]]
      if (typeof word !== 'string') return []
      if (typeof before === 'string' && SECRET_FLAG.test(before) && !word.startsWith('-'))
        return [{ ...span, text: '"…"' }]
      const flag = SECRET_VALUE.exec(word)?.[1]
      return flag === undefined ? [] : [{ ...span, text: JSON.stringify(`${flag}…`) }]
    })
  })
  const text = applyEdits(config.text.slice(0, end), edits).slice(indent)
  return maskText(text.replace(IN_ADDRESS, (_, sign?: string, name?: string) => (sign ? `${sign}…@` : `${name}…`)))
    .value
}

/** What changes in one server, line by line. */
export function diffEntries(before: string, after: string): readonly DefinitionLine[] {
  return diffTexts(`${before}\n`, `${after}\n`).hunks.flatMap(({ lines }) => lines)
}
