import { type Carried, carry, type Effect, type ForeignFile } from './carried.ts'
import { listOf, recordOf, stringsOf, tomlOf } from './read-settings.ts'
import { commandPrefix } from './shell-rule.ts'

const DECISIONS: Readonly<Record<string, Effect>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' }

/** Rules of Codex: `prefix_rule(…)` in its rules files, and settings of `config.toml` that have no counterpart here. */
export function readCodex(file: ForeignFile): readonly Carried[] {
  return file.name.endsWith('.toml') ? configRules(file) : prefixRules(file)
}

function prefixRules(file: ForeignFile): readonly Carried[] {
  const others = OTHER_CALLS.flatMap((name) =>
    callsOf(file.text, name).map(({ body, line }): Carried => {
      const place = { from: `${file.name}:${line}`, text: `${name}(${body.replaceAll(/\s+/g, ' ').trim()})` }
      return { kind: 'left', ...place, why: 'stays with Codex, which still applies it' }
    }),
  )
  return [...commandRules(file), ...others]
}

/** Calls of a rules file that say nothing about the words of a command. */
const OTHER_CALLS = ['host_executable', 'network_rule']

function commandRules(file: ForeignFile): readonly Carried[] {
  return callsOf(file.text, 'prefix_rule').flatMap(({ body, line }) => {
    const place = { from: `${file.name}:${line}`, text: `prefix_rule(${body.replaceAll(/\s+/g, ' ').trim()})` }
    const pattern = literal(argument(body, 'pattern'))
    const effect = effectOf(body)
    if (!Array.isArray(pattern) || effect === undefined)
      return [
        carry(place, effect ?? 'ask', { why: 'not a plain list of words with a known decision', area: 'commands' }),
      ]
    return alternatives(pattern).map((words) => carry(place, effect, commandPrefix(words)))
  })
}

/** Undefined if it is not written out. Only a rule with named arguments alone can be without a decision. */
function effectOf(body: string): Effect | undefined {
  const named = body.match(/(?:^|[,\s])decision\s*=/g)?.length ?? 0
  if (named === 0) return /^\s*pattern\s*=/.test(body) ? 'allow' : undefined
  const decision = named === 1 ? literal(argument(body, 'decision')) : undefined
  return typeof decision === 'string' ? DECISIONS[decision] : undefined
}

/** Each element is a word or a list of alternatives. */
function alternatives(pattern: readonly unknown[]): readonly (readonly string[])[] {
  return pattern.reduce<readonly (readonly string[])[]>(
    (found, element) => found.flatMap((words) => stringsOf(element).map((word) => [...words, word])),
    [[]],
  )
}

/** The calls of a function in Starlark, with the text between their parentheses. */
function callsOf(text: string, name: string): readonly { readonly body: string; readonly line: number }[] {
  const found: { body: string; line: number }[] = []
  const code = withoutComments(text)
  let at = code.indexOf(`${name}(`)
  while (at !== -1) {
    const start = at + name.length + 1
    const end = closing(code, start)
    if (end === -1) break
    found.push({ body: code.slice(start, end), line: code.slice(0, at).split('\n').length })
    at = code.indexOf(`${name}(`, end)
  }
  return found
}

/** Starlark without its comments. */
export function withoutComments(text: string): string {
  return text.replaceAll(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*/g,
    (_, quoted: string | undefined) => quoted ?? '',
  )
}

/** Where the parenthesis closes that is open at `start`; -1 if it never does. */
function closing(code: string, start: number): number {
  let depth = 1
  let quote = ''
  for (let at = start; at < code.length; at += 1) {
    const char = code[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** The text of a named argument. */
function argument(body: string, name: string): string {
  const start = new RegExp(`(?:^|[,\\s])${name}\\s*=\\s*`).exec(body)
  if (start === null) return ''
  const from = start.index + start[0].length
  const end = body[from] === '[' ? closing(body, from + 1) + 1 : body.slice(from).search(/,|$/) + from
  return body.slice(from, end).trim()
}

/** A list or text of literals; undefined for anything else. */
function literal(text: string): unknown {
  const json = text
    .replaceAll(/'((?:[^'\\\n]|\\.)*)'/g, (_, inside: string) => JSON.stringify(inside))
    .replaceAll(/,\s*\]/g, ']')
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function configRules(file: ForeignFile): readonly Carried[] {
  const config = recordOf(tomlOf(file))
  const left = (key: string, why: string): readonly Carried[] =>
    config[key] === undefined
      ? []
      : [{ kind: 'left', from: file.name, text: `${key} = ${JSON.stringify(config[key])}`, why }]
  const servers = Object.entries(recordOf(config['mcp_servers'])).flatMap(([name, value]) =>
    listOf(recordOf(value)['disabled_tools']).map((tool) =>
      carry({ from: `${file.name} mcp_servers.${name}.disabled_tools`, text: String(tool) }, 'deny', {
        when: { tool: `${name}/${String(tool)}` },
      }),
    ),
  )
  const only = Object.entries(recordOf(config['mcp_servers'])).flatMap(([name, value]) =>
    ['enabled_tools', 'tools', 'default_tools_approval_mode'].flatMap((key): readonly Carried[] => {
      const setting = recordOf(value)[key]
      const why = 'stays with Codex; here, a tool of a server asks unless a rule allows it'
      return setting === undefined
        ? []
        : [{ kind: 'left', from: `${file.name} mcp_servers.${name}`, text: `${key} = ${JSON.stringify(setting)}`, why }]
    }),
  )
  return [
    ...servers,
    ...only,
    ...left('approval_policy', 'choose a preset instead: `preset:` in your policy'),
    ...left('sandbox_mode', 'commands that nobody approved always run in our sandbox'),
    ...left('sandbox_workspace_write', 'commands that nobody approved always run in our sandbox'),
    ...left('profiles', 'choose a preset instead: `preset:` in your policy'),
  ]
}
