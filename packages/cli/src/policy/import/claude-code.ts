import { type Carried, carry, type Effect, type ForeignFile, type Translated } from './carried.ts'
import { jsonOf, recordOf, stringsOf } from './read-settings.ts'
import { ANY_COMMAND, commandPrefix, exactCommand, wordsOf } from './shell-rule.ts'

const EFFECTS: readonly Effect[] = ['deny', 'ask', 'allow']
const READS = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead'])
const WRITES = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/** Rules of Claude Code: `permissions` in a settings file. */
export function readClaudeCode(file: ForeignFile): readonly Carried[] {
  const permissions = recordOf(recordOf(jsonOf(file))['permissions'])
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
  ]
}

function left(from: string, text: string, why: string): Carried {
  return { kind: 'left', from, text, why }
}

function translate(text: string, effect: Effect, { scope }: ForeignFile): Translated {
  const found = /^([A-Za-z0-9_*-]+)(?:\(([\s\S]*)\))?$/.exec(text)
  if (found === null) return { why: 'not a permission rule' }
  const [, tool = '', content] = found
  if (tool.startsWith('mcp__')) return content === undefined ? mcpTool(tool) : { why: 'arguments of MCP tools' }
  const all = content === undefined || content === '' || content === '*'
  if (tool === 'Bash') return all ? { when: ANY_COMMAND } : bash(content, effect)
  if (tool === 'WebFetch') return all ? { when: { kind: 'fetch' } } : webFetch(content)
  const kind = READS.has(tool) ? 'read' : WRITES.has(tool) ? writing(effect) : null
  if (kind === null) return all ? { when: { tool } } : { why: `\`${tool}\` has no argument that a rule can test` }
  if (all) return { when: { kind } }
  const path = gitignorePaths(content, scope, effect)
  return typeof path === 'string' ? { why: path } : { when: { kind, path } }
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
  return host === undefined ? { why: 'only `domain:` can be carried over' } : { when: { kind: 'fetch', url: host } }
}

/** `mcp__server`, `mcp__server__tool`, `mcp__server__*`. */
function mcpTool(name: string): Translated {
  const [server = '', tool = '*', ...more] = name.slice('mcp__'.length).split('__')
  if (server === '' || more.length > 0) return { why: 'the server and the tool can’t be told apart' }
  return { when: { tool: `${server}/${tool}` } }
}

/** The globs for a path in the syntax of gitignore; a text says why there are none. */
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
