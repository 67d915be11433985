import { ARGUMENT_NAMES, PROGRAM_TOOLS } from '../../knowledge/compiled/tools.ts'
import { isArray } from '../json/canonical.ts'
import type { JsonObject } from '../json/json.ts'
import { byTool } from '../names/name-cache.ts'
import { nameWords, plainKey } from '../names/words.ts'

/** Names of keys: pressing one runs nothing by itself. */
const KEY_NAME =
  /^<?(?:enter|return|tab|space|escape|esc|backspace|bspace|delete|up|down|left|right|home|end|page_?up|page_?down|f\d{1,2}|[CMS]-\S{1,8}|(?:ctrl|control|alt|meta|shift|cmd)[+-]\S{1,12}|\^\S)>?$/i

/** Whether a tool types into a terminal that may run a shell: `send_keys`, `write_to_terminal`, `tmux_send`. */
export function typesInTerminal(name: string, server = ''): boolean {
  return types(name, server)
}

const types = byTool((name, server): boolean => {
  const words = nameWords(name)
  const around = [...words, ...nameWords(server)]
  if (
    around.some((word) => PROGRAM_TOOLS.otherScreens.has(word)) ||
    words.some((word) => PROGRAM_TOOLS.terminalReaders.has(word))
  )
    return false
  if (!words.some((word) => PROGRAM_TOOLS.typing.has(word))) return false
  if (words.some((word) => PROGRAM_TOOLS.terminals.has(word))) return true
  const isItsServer = around.some((word) => PROGRAM_TOOLS.terminals.has(word))
  if (isItsServer && words.every((word) => PROGRAM_TOOLS.typing.has(word) || PROGRAM_TOOLS.typingFillers.has(word)))
    return true
  return words.includes('send') && words.some((word) => PROGRAM_TOOLS.keystrokes.has(word))
})

/** The typed text, without names of keys; undefined if there is none, or if it goes into a page. */
export function typedText(args: JsonObject): string | undefined {
  const keys = Object.keys(args)
  if (keys.some((key) => ARGUMENT_NAMES.pageElements.has(plainKey(key)))) return undefined
  const typed = keys.flatMap((key) => {
    const value = args[key]
    if (!ARGUMENT_NAMES.typedTexts.has(plainKey(key)) || value === undefined || value === null) return []
    if (typeof value === 'string') return [withoutKeys(value)]
    if (typeof value !== 'object' || !isArray(value)) return []
    // SECURITY: A13, pieces that are typed one after the other form one line.
    return [
      value.map((item) => (typeof item === 'string' ? (KEY_NAME.test(item) ? keyText(item) : item) : '')).join(''),
    ]
  })
  const text = typed.join('\n').trim()
  return text === '' ? undefined : text
}

function keyText(key: string): string {
  if (/^<?(?:enter|return|C-m|C-j)>?$/i.test(key)) return '\n'
  return /^<?space>?$/i.test(key) ? ' ' : ''
}

/** Removes key names: `rm -rf ~ Enter`, in the form of tmux, and `rm -rf ~<Enter>`. */
function withoutKeys(text: string): string {
  if (KEY_NAME.test(text.trim())) return ''
  return text.replace(/<(?:enter|return|cr)>|\\n$|\s(?:Enter|C-m)\s{0,8}$/gi, '\n')
}
