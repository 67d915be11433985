import { type Carried, type Conditions, carry, type Effect, type ForeignFile, type Translated } from './carried.ts'
import { jsonOf, listOf, recordOf, stringsOf, tomlOf } from './read-settings.ts'
import { ANY_COMMAND, commandPrefix, wordsOf } from './shell-rule.ts'

const DECISIONS: Readonly<Record<string, Effect>> = { allow: 'allow', ask_user: 'ask', deny: 'deny' }
const SHELLS = new Set(['run_shell_command', 'ShellTool'])

/** Rules of Gemini CLI: policy files in TOML, or the lists of tools in its settings. */
export function readGemini(file: ForeignFile): readonly Carried[] {
  return file.name.endsWith('.toml') ? policyRules(file) : settingsRules(file)
}

function policyRules(file: ForeignFile): readonly Carried[] {
  return listOf(recordOf(tomlOf(file))['rule']).flatMap((value, at) => {
    const rule = recordOf(value)
    const place = { from: `${file.name} rule ${at + 1}`, text: JSON.stringify(value) }
    const effect = DECISIONS[String(rule['decision'])]
    if (effect === undefined) return [carry(place, 'ask', { why: 'unknown `decision`' })]
    return translations(rule).map((translated) => fallback(carry(place, effect, withPriority(translated, rule))))
  })
}

/** A rule for every tool stands below the others by its priority; here it decides where no other rule does. */
function fallback(carried: Carried): Carried {
  if (carried.kind === 'left' || carried.when['tool'] !== '*') return carried
  if (carried.supervision !== 'automatic') return { ...carried, supervision: 'confirm', floor: false }
  return {
    kind: 'left',
    from: carried.from,
    text: carried.text,
    why: 'nothing here allows every tool; choose a preset',
  }
}

const KNOWN = new Set(['toolName', 'mcpName', 'commandPrefix', 'decision', 'priority', 'denyMessage', 'modes'])

function translations(rule: Readonly<Record<string, unknown>>): readonly Translated[] {
  const more = Object.keys(rule).filter((key) => !KNOWN.has(key))
  const wider = (when: Conditions): Translated =>
    more.length === 0 && rule['modes'] === undefined
      ? { when }
      : {
          when,
          wider: true,
          note: `without \`${[...more, ...(rule['modes'] === undefined ? [] : ['modes'])].join('`, `')}\``,
        }
  const prefixes = stringsOf(rule['commandPrefix'])
  if (prefixes.length > 0)
    return prefixes.map((prefix) => {
      const found = commandPrefix(wordsOf(prefix))
      return 'why' in found || found.wider === true ? found : wider(found.when)
    })
  if (rule['commandRegex'] !== undefined) return [wider(ANY_COMMAND)]
  const names = stringsOf(rule['toolName'])
  const servers = stringsOf(rule['mcpName'])
  if (names.length === 0 && servers.length === 0) return [wider({ tool: '*' })]
  const tools = names.length === 0 ? ['*'] : names
  return tools.map((name) => wider(SHELLS.has(name) ? ANY_COMMAND : { tool: toolNames(name, servers) }))
}

function toolNames(name: string, servers: readonly string[]): string | string[] {
  const plain = name === 'mcp_*' ? '*/*' : name.replace(/^mcp_([^_]+)_(.+)$/, '$1/$2').replace('__', '/')
  return servers.length === 0 ? plain : servers.map((server) => `${server}/${name}`)
}

function withPriority(translated: Translated, { priority }: Readonly<Record<string, unknown>>): Translated {
  if ('why' in translated || typeof priority !== 'number') return translated
  const note = `priority ${priority} is not used: the most specific rule decides, and a deny always denies`
  return { ...translated, note: translated.note === undefined ? note : `${translated.note}; ${note}` }
}

const ONLY_LISTED = 'Gemini CLI offers nothing else; here, deny by name what an agent must not use'

function settingsRules(file: ForeignFile): readonly Carried[] {
  const settings = recordOf(jsonOf(file))
  const tools = recordOf(settings['tools'])
  const mcp = recordOf(settings['mcp'])
  const narrowed = (key: string, value: unknown): readonly Carried[] =>
    value === undefined
      ? []
      : [{ kind: 'left', from: file.name, text: `${key}: ${JSON.stringify(value)}`, why: ONLY_LISTED }]
  const list = (key: string, values: unknown, effect: Effect): readonly Carried[] =>
    stringsOf(values).map((text) => carry({ from: `${file.name} ${key}`, text }, effect, toolEntry(text)))
  const servers = Object.entries(recordOf(settings['mcpServers'])).flatMap(([name, value]) => {
    const server = recordOf(value)
    const trusted: Carried = {
      kind: 'left',
      from: `${file.name} mcpServers.${name}`,
      text: 'trust: true',
      why: 'a server’s tools can’t all be allowed at once; trust its hints with `servers:` in your policy',
    }
    return [
      ...stringsOf(server['excludeTools']).map((tool) =>
        carry({ from: `${file.name} mcpServers.${name}.excludeTools`, text: tool }, 'deny', {
          when: { tool: `${name}/${tool}` },
        }),
      ),
      ...(server['trust'] === true ? [trusted] : []),
      ...narrowed(`mcpServers.${name}.includeTools`, server['includeTools']),
    ]
  })
  return [
    ...list('tools.allowed', tools['allowed'] ?? settings['allowedTools'], 'allow'),
    ...list('tools.exclude', tools['exclude'] ?? settings['excludeTools'], 'deny'),
    ...servers,
    ...list(
      'mcp.excluded',
      stringsOf(mcp['excluded']).map((name) => `${name}/*`),
      'deny',
    ),
    ...narrowed('tools.core', tools['core'] ?? settings['coreTools']),
    ...narrowed('mcp.allowed', mcp['allowed']),
  ]
}

/** `read_file` or `run_shell_command(git status)`. */
function toolEntry(text: string): Translated {
  const found = /^([A-Za-z0-9_./*-]+)(?:\((.*)\))?$/.exec(text)
  if (found === null) return { why: 'not the name of a tool' }
  const [, name = '', content] = found
  if (SHELLS.has(name)) return content === undefined ? { when: ANY_COMMAND } : commandPrefix(wordsOf(content))
  const tool = toolNames(name, [])
  if (content === undefined) return { when: { tool } }
  return { when: { tool }, wider: true, note: 'covers every use of this tool, because its arguments can’t be matched' }
}
