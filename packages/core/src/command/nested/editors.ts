import { shellNames } from '../../knowledge/shell.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { Inner } from './nested-command.ts'

const EDITORS = shellNames('vim')
const SHELL_OUT = /^[:\s]*(?:silent!?\s+|sil!?\s+)?(?:\d+|%|\.)?(?:r\s*)?!(.+)$/s
const SYSTEM_CALL = /system(?:list)?\(\s*(['"])(.*?)\1\s*\)/s

/** Shell commands that an editor runs when it starts: `vim -c ':!cmd'`. */
export function editorCommands(name: string, words: readonly ShellWord[]): readonly Inner[] {
  if (!EDITORS.has(name)) return []
  const inner: Inner[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    const value = word?.value ?? ''
    const given =
      value === '--cmd' || /^-[esnNRZ]{0,6}c$/.test(value)
        ? words[++at]?.template
        : value.startsWith('+')
          ? value.slice(1)
          : null
    const text = given == null ? undefined : (SHELL_OUT.exec(given)?.[1] ?? SYSTEM_CALL.exec(given)?.[2])
    if (text !== undefined) inner.push({ kind: 'code', label: name, text, known: true })
  }
  return inner
}
