import { type Carried, carry, type ForeignFile, type Translated } from './carried.ts'
import { jsonOf, recordOf } from './read-settings.ts'
import { commandPrefix, exactCommand, wordsOf } from './shell-rule.ts'

/** Rules of VS Code: the `chat.tools` settings. There, `false` asks; nothing denies. */
export function readVsCode(file: ForeignFile): readonly Carried[] {
  const settings = recordOf(jsonOf(file))
  const all = settings['chat.tools.global.autoApprove'] ?? settings['chat.tools.autoApprove']
  return [
    ...entries(settings, 'chat.tools.terminal.autoApprove', file, terminal),
    ...entries(settings, 'chat.tools.edits.autoApprove', file, (glob) => ({ when: { kind: 'write', path: glob } })),
    ...entries(settings, 'chat.tools.urls.autoApprove', file, url),
    ...entries(settings, 'chat.tools.eligibleForAutoApproval', file, (tool) => ({ when: { tool } })),
    ...(all === true
      ? [leftOut(file, 'chat.tools.global.autoApprove: true', 'nothing here allows every tool; choose a preset')]
      : []),
  ]
}

function leftOut(file: ForeignFile, text: string, why: string): Carried {
  return { kind: 'left', from: file.name, text, why }
}

function entries(
  settings: Readonly<Record<string, unknown>>,
  key: string,
  file: ForeignFile,
  translate: (name: string, value: Readonly<Record<string, unknown>>, allows: boolean) => Translated,
): readonly Carried[] {
  return Object.entries(recordOf(settings[key])).flatMap(([name, value]) => {
    if (value === null) return [] // turns a default rule off
    const place = { from: `${file.name} ${key}`, text: `${name}: ${JSON.stringify(value)}` }
    const detail = recordOf(value)
    const approves = typeof value === 'boolean' ? value : (detail['approve'] ?? detail['approveRequest'])
    if (typeof approves !== 'boolean') return [{ kind: 'left', ...place, why: 'neither `true` nor `false`' } as const]
    // Eligible means that a person may allow the tool, which a rule here need not repeat.
    if (approves && key === 'chat.tools.eligibleForAutoApproval') return []
    return [carry(place, approves ? 'allow' : 'ask', translate(name, detail, approves))]
  })
}

function terminal(name: string, value: Readonly<Record<string, unknown>>, allows: boolean): Translated {
  if (name.startsWith('/')) return regex(name)
  if (value['matchCommandLine'] === true) return exactCommand(name, allows ? 'allow' : 'ask')
  return commandPrefix(wordsOf(name))
}

/** `/^git (status|diff)\b/` and `/^npm run build$/`: words and choices between words, from the start. */
function regex(text: string): Translated {
  const source = /^\/\^(.*?)(?:\\b|\$|\\s|\(\\s\|\$\))?\/[a-z]*$/.exec(text)?.[1]
  const words = source?.split(/ |\\s\+?/) ?? []
  const choices = words.map((word) => /^\(?(?:\?:)?([\w|-]+)\)?$/.exec(word)?.[1]?.split('|'))
  const [programs, ...verbs] = choices
  if (programs === undefined || verbs.some((one) => one === undefined))
    return { why: 'a regular expression over whole command lines' }
  if (/\$\/[a-z]*$/.test(text)) return { why: 'a regular expression for exact command lines' }
  const lines = verbs.reduce<string[]>(
    (found, one) => found.flatMap((start) => (one ?? []).map((word) => `${start} ${word}`.trim())),
    [''],
  )
  return { when: { command: { program: programs, ...(verbs.length === 0 ? {} : { verb: lines }) } } }
}

function url(pattern: string): Translated {
  const host = /^https?:\/\/([A-Za-z0-9.*-]+)(?:\/\*?)?$/.exec(pattern)?.[1] ?? /^([A-Za-z0-9.*-]+)$/.exec(pattern)?.[1]
  if (host !== undefined) return { when: { kind: 'fetch', url: host } }
  const wide = /^https?:\/\/([A-Za-z0-9.-]+)\//.exec(pattern)?.[1]
  if (wide === undefined) return { why: 'not a URL with a plain host' }
  return { when: { kind: 'fetch', url: wide }, wider: true, note: 'rules here name hosts, not paths of a URL' }
}
