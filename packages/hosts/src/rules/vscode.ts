import { type Carried, carry, type ForeignFile, insideWorkspace, type Translated } from './carried.ts'
import { jsonOf, recordOf } from './read-settings.ts'
import { commandPrefix, exactCommand, wordsOf } from './shell-rule.ts'

/** Rules of VS Code: the `chat.tools` settings. There, `false` asks; nothing denies. */
export function readVsCode(file: ForeignFile): readonly Carried[] {
  const settings = recordOf(jsonOf(file))
  const off = settings['chat.tools.terminal.enableAutoApprove'] === false
  const all = settings['chat.tools.global.autoApprove'] ?? settings['chat.tools.autoApprove']
  return [
    ...TERMINAL_KEYS.flatMap((key) => entries(settings, key, file, off ? switchedOff : terminal)),
    ...DENY_LISTS.flatMap((key) =>
      Object.keys(recordOf(settings[key])).map((name) =>
        carry({ from: `${file.name} ${key}`, text: name }, 'ask', terminal(name, {}, false)),
      ),
    ),
    ...entries(settings, 'chat.tools.edits.autoApprove', file, edits),
    ...[...ELSEWHERE, ...(off ? ['chat.tools.terminal.enableAutoApprove'] : [])].flatMap((key) =>
      settings[key] === undefined
        ? []
        : [leftOut(file, `${key}: ${JSON.stringify(settings[key])}`, 'a setting of VS Code, which still applies it')],
    ),
    ...entries(settings, 'chat.tools.urls.autoApprove', file, url),
    ...entries(settings, 'chat.tools.eligibleForAutoApproval', file, (tool) => ({ when: { tool } })),
    ...(all === true
      ? [leftOut(file, 'chat.tools.global.autoApprove: true', 'nothing here allows every tool; choose a preset')]
      : []),
  ]
}

/** The setting, and its names in older versions. */
const TERMINAL_KEYS = [
  'chat.tools.terminal.autoApprove',
  'chat.agent.terminal.autoApprove',
  'chat.agent.terminal.allowList',
  'github.copilot.chat.agent.terminal.allowList',
]
const DENY_LISTS = ['chat.agent.terminal.denyList', 'github.copilot.chat.agent.terminal.denyList']
const ELSEWHERE = [
  'chat.tools.terminal.blockDetectedFileWrites',
  'chat.tools.terminal.ignoreDefaultAutoApproveRules',
  'chat.tools.terminal.autoApproveWorkspaceNpmScripts',
]

/** VS Code allows edits in the workspace only. */
function edits(glob: string, _: Readonly<Record<string, unknown>>, allows: boolean): Translated {
  return allows
    ? { when: { kind: 'write', path: insideWorkspace([glob]) } }
    : { when: { kind: ['write', 'delete', 'move'], path: glob } }
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
    const response =
      detail['approveResponse'] === false
        ? [leftOut(file, `${name}: approveResponse: false`, 'Countersign does not ask about tool results')]
        : []
    // Eligible means that a person may allow the tool, which a rule here need not repeat.
    if (approves && key === 'chat.tools.eligibleForAutoApproval') return []
    return [carry(place, approves ? 'allow' : 'ask', translate(name, detail, approves)), ...response]
  })
}

function switchedOff(name: string, value: Readonly<Record<string, unknown>>, allows: boolean): Translated {
  return allows ? { why: '`chat.tools.terminal.enableAutoApprove` is off' } : terminal(name, value, allows)
}

function terminal(name: string, value: Readonly<Record<string, unknown>>, allows: boolean): Translated {
  if (name.startsWith('/')) return regex(name, allows)
  if (value['matchCommandLine'] === true) return exactCommand(name, allows ? 'allow' : 'ask')
  return commandPrefix(wordsOf(name))
}

/** `/^git (status|diff)\b/`: whole words, or whole choices between them, from the start. */
const WORDS =
  /^\/\^(\w[\w-]*(?:(?: |\\s\+?)(?:\w[\w-]*|\((?:\?:)?\w[\w-]*(?:\|\w[\w-]*)*\)))*)(?:\\b|\\s|\(\s\|\$\))\/[a-z]*$/

function regex(text: string, allows: boolean): Translated {
  const [program, ...verbs] = WORDS.exec(text)?.[1]?.split(/ |\\s\+?/) ?? []
  if (program !== undefined) {
    const choices = verbs.map((one) => one.replace(/^\((?:\?:)?|\)$/g, '').split('|'))
    const lines = choices.reduce<string[]>(
      (found, one) => found.flatMap((start) => one.map((word) => `${start} ${word}`.trim())),
      [''],
    )
    return { when: { command: { program: [program], ...(verbs.length === 0 ? {} : { verb: lines }) } } }
  }
  // A pattern that asks covers at least the commands of its first word, if it has one.
  const first = /^\/\^?(\w[\w-]*)(?:\\b|\\s| )[^|]*\/[a-z]*$/.exec(text)?.[1]
  if (allows || first === undefined) return { why: 'a regular expression over whole command lines', area: 'commands' }
  return { when: { command: { program: first } }, wider: true, note: `covers every \`${first}\`` }
}

function url(pattern: string): Translated {
  const [, scheme, host] = /^(?:(https?):\/\/)?([A-Za-z0-9.*-]+)(?:\/\*?)?$/.exec(pattern) ?? []
  if (host !== undefined) return { when: { kind: 'fetch', url: scheme === undefined ? host : { scheme, host } } }
  const wide = /^https?:\/\/([A-Za-z0-9.-]+)\//.exec(pattern)?.[1]
  if (wide === undefined) return { why: 'not a URL with a plain host', area: 'hosts' }
  return { when: { kind: 'fetch', url: wide }, wider: true, note: 'rules here name hosts, not paths of a URL' }
}
