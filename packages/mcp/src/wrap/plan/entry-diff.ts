import { diffTexts, maskText } from '@countersign/core'
import { coverAddresses, coverWord } from '../../identity/redacted-command.ts'
import type { DefinitionLine } from '../../pins/definition-diff.ts'
import { applyEdits, type ConfigText, type Edit, type ServerEntry } from '../config/text.ts'

/** Members whose values are secrets more often than not: how many there are is shown, and nothing else. */
const COVERED = new Set(['env', 'environment', 'headers', 'http_headers', 'env_http_headers', 'requestInit'])

/** Of another member that is a text. */
const SECRET_NAME = /token|key|secret|passw|auth|credential/i

/** The text of one server with what may be secret covered. Untrusted text. */
export function shownEntry(config: ConfigText, entry: ServerEntry): string {
  const { start, end } = entry.span
  const lineStart = config.text.lastIndexOf('\n', start) + 1
  const indent = /^\s*$/.test(config.text.slice(lineStart, start)) ? lineStart : start
  const edits = entry.members.flatMap((member): readonly Edit[] => {
    if (COVERED.has(member.key)) return [{ ...member.value, text: '{…}' }]
    if (!Array.isArray(member.data)) return SECRET_NAME.test(member.key) ? [{ ...member.value, text: '"…"' }] : []
    const words = (member.data as readonly unknown[]).map((word) => (typeof word === 'string' ? word : undefined))
    return (member.items ?? []).flatMap((span, at): readonly Edit[] => {
      const word = words[at]
      const covered = word === undefined ? undefined : coverWord(words[at - 1], word)
      return covered === undefined || covered === word ? [] : [{ ...span, text: JSON.stringify(covered) }]
    })
  })
  const text = applyEdits(config.text.slice(0, end), edits).slice(indent)
  return maskText(coverAddresses(text)).value.replaceAll('\r\n', '\n')
}

/** What changes in one server, line by line. */
export function diffEntries(before: string, after: string): readonly DefinitionLine[] {
  return diffTexts(`${before}\n`, `${after}\n`).hunks.flatMap(({ lines }) => lines)
}
