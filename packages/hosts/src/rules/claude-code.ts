import {
  type Carried,
  type Conditions,
  carry,
  type Effect,
  type ForeignFile,
  insideWorkspace,
  type Translated,
} from './carried.ts'
import { jsonOf, recordOf, stringsOf } from './read-settings.ts'
import { ANY_COMMAND, commandPrefix, exactCommand, wordsOf } from './shell-rule.ts'

const EFFECTS: readonly Effect[] = ['deny', 'ask', 'allow']
const READS = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead'])
const WRITES = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

const KNOWN = new Set(['allow', 'ask', 'deny', 'defaultMode', 'additionalDirectories'])
const ELSEWHERE_STILL = 'stays with Claude Code, which still applies it'

/** Other settings than `permissions` that forbid or allow something. */
const ELSEWHERE = ['hooks', 'sandbox', 'allowedMcpServers', 'deniedMcpServers', 'disabledMcpjsonServers']

/** Rules of Claude Code: `permissions` in a settings file. */
export function readClaudeCode(file: ForeignFile): readonly Carried[] {
  const settings = recordOf(jsonOf(file))
  const permissions = recordOf(settings['permissions'])
  const rules = EFFECTS.flatMap((effect) =>
    stringsOf(permissions[effect]).map((text) =>
      carry({ from: `${file.name} permissions.${effect}`, text }, effect, translate(text, effect, file)),
    ),
  )
  const mode = permissions['defaultMode']
  const folders = stringsOf(permissions['additionalDirectories'])
  const from = `${file.name} permissions`
  return [
    ...rules,
    ...(typeof mode === 'string' && mode !== 'default'
      ? [left(from, `defaultMode: ${mode}`, 'choose a preset instead: `preset:` in your policy')]
      : []),
    ...folders.map((folder) =>
      left(from, `additionalDirectories: ${folder}`, 'a session has one workspace; start the agent in that folder'),
    ),
    ...Object.keys(permissions)
      .filter((key) => !KNOWN.has(key))
      .map((key) => left(from, `${key}: ${JSON.stringify(permissions[key])}`, ELSEWHERE_STILL)),
    ...ELSEWHERE.filter((key) => settings[key] !== undefined).map((key) =>
      left(file.name, `${key}: ${JSON.stringify(settings[key])}`, ELSEWHERE_STILL),
    ),
  ]
}

function left(from: string, text: string, why: string): Carried {
  return { kind: 'left', from, text, why }
}

function translate(text: string, effect: Effect, { scope }: ForeignFile): Translated {
  const found = /^([A-Za-z0-9_*.-]+)(?:\(([\s\S]*)\))?$/.exec(text)
  if (found === null) return { why: 'not a permission rule' }
  const [, tool = '', content] = found
  const all = content === undefined || content === '' || content === '*'
  if (tool.startsWith('mcp__')) return mcpTool(tool, effect, all)
  if (tool.includes('*'))
    return effect === 'allow' ? { why: 'Claude Code doesn’t allow tools by pattern' } : argumentsOf({ tool }, all)
  if (tool === 'Bash') return all ? { when: ANY_COMMAND } : bash(content, effect)
  if (tool === 'WebFetch') return all ? { when: { kind: 'fetch' } } : webFetch(content)
  const kind = READS.has(tool) ? 'read' : WRITES.has(tool) ? writing(effect) : null
  if (kind === null) return argumentsOf({ tool }, all)
  if (all) return { when: { kind } }
  if (effect === 'allow' && tool !== 'Read' && tool !== 'Edit')
    return { why: `Claude Code ignores a path of \`${tool}\`; it reads \`Read(…)\` and \`Edit(…)\`` }
  const path = gitignorePaths(content, scope, effect)
  if (typeof path === 'string') return { why: path, area: 'files' }
  return { when: { kind, path: effect === 'allow' ? insideWorkspace(path) : path } }
}

/** A rule for every use of a tool; with `all` false it is wider than the foreign one, which tests arguments. */
function argumentsOf(when: Conditions, all: boolean): Translated {
  return all
    ? { when }
    : { when, wider: true, note: 'covers every use of this tool, because its arguments can’t be matched' }
}

function writing(effect: Effect): string | string[] {
  return effect === 'allow' ? 'write' : ['write', 'delete', 'move']
}

/** `npm run test:*`, `npm run *`, or an exact command. */
function bash(content: string, effect: Effect): Translated {
  const prefix = /^([^*]*?)(?::\*| \*)$/.exec(content)?.[1]
  if (prefix !== undefined) return commandPrefix(wordsOf(prefix))
  if (content.includes('*')) {
    const literal = wordsOf(content.slice(0, content.indexOf('*')))
    return commandPrefix([...literal, '*'])
  }
  return exactCommand(content, effect)
}

function webFetch(content: string): Translated {
  const host = /^domain:([A-Za-z0-9.*-]+)$/.exec(content)?.[1]
  return host === undefined ? argumentsOf({ kind: 'fetch' }, false) : { when: { kind: 'fetch', url: host } }
}

/** `mcp__server`, `mcp__server__tool`, `mcp__server__*`. */
function mcpTool(name: string, effect: Effect, all: boolean): Translated {
  const [server = '', ...rest] = name.slice('mcp__'.length).split('__')
  if (server === '') return { why: 'not the name of an MCP tool', area: 'tools' }
  if (effect === 'allow' && server.includes('*')) return { why: 'Claude Code doesn’t allow servers by pattern' }
  if (effect === 'allow' && rest.length > 1) return { why: 'the server and the tool can’t be told apart' }
  // `a__b__c` is tool `b__c` of server `a`, or `c` of `a__b`.
  const tools = rest.map((_, at) => `${[server, ...rest.slice(0, at)].join('__')}/${rest.slice(at).join('__')}`)
  const [first = `${server}/*`, ...others] = tools
  return argumentsOf({ tool: others.length === 0 ? first : [first, ...others] }, all)
}

/** The globs for a path in gitignore syntax, or the reason why there are none. */
function gitignorePaths(pattern: string, scope: ForeignFile['scope'], effect: Effect): string[] | string {
  if (pattern.startsWith('!')) return 'exceptions with `!`'
  let glob = pattern.replace(/\/$/, '/**')
  if (glob.startsWith('//')) glob = glob.slice(1)
  else if (glob.startsWith('/')) {
    if (scope === 'user') {
      if (effect === 'allow') return 'a path relative to the settings file of Claude Code'
      glob = `**${glob}`
    } else glob = glob.slice(1)
  } else if (glob.startsWith('./')) glob = glob.slice(2)
  else if (!glob.startsWith('~/') && !pattern.replace(/\/$/, '').includes('/')) glob = `**/${glob}`
  const isFolder = !glob.endsWith('*') && effect !== 'allow'
  return isFolder ? [glob, `${glob}/**`] : [glob]
}
