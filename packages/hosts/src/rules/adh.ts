import { type Carried, type Conditions, carry, type ForeignFile, type Place, type Translated } from './carried.ts'
import { listOf, recordOf, stringsOf, yamlOf } from './read-settings.ts'
import { commandPrefix, exactCommand, wordsOf } from './shell-rule.ts'

const LEVELS = ['automatic', 'notify', 'confirm', 'manual', 'deny'] as const
type Level = (typeof LEVELS)[number]
type Settings = Readonly<Record<string, unknown>>

/** Rules of ADH CLI: policy files by category, or the preferences of a person. */
export function readAdh(file: ForeignFile): readonly Carried[] {
  const root = recordOf(yamlOf(file))
  const preferences = 'auto_approve' in root || 'never_allow' in root || 'tools' in root
  return preferences ? readPreferences(root, file) : readPolicies(root, file)
}

function readPolicies(root: Settings, file: ForeignFile): readonly Carried[] {
  const rules = Object.entries(root).flatMap(([category, group]) =>
    Object.entries(recordOf(group)).map(([name, value]) => ({ name, value, rule: recordOf(value), category })),
  )
  const loosening = rules.filter(({ rule }) => isLoose(levelOf(rule))).map(({ rule }) => priorityOf(rule))
  return rules.flatMap(({ name, value, rule, category }) => {
    const place = { from: `${file.name} ${category}.${name}`, text: JSON.stringify(value) }
    const level = levelOf(rule)
    if (rule['enabled'] === false) return [{ kind: 'left', ...place, why: 'switched off' } as const]
    if (level === undefined) return [carry(place, 'ask', { why: 'unknown `supervision`' })]
    // The highest priority wins, and the strictest of equal ones: a rule below an allowing one is no floor.
    const floor = !isLoose(level) && level !== 'deny' && priorityOf(rule) >= Math.max(...loosening, -Infinity)
    return translations(name, rule, isLoose(level)).map((translated) => leveled(place, level, translated, floor))
  })
}

const levelOf = (rule: Settings): Level | undefined =>
  LEVELS.find((one) => one === String(rule['supervision'] ?? 'confirm').toLowerCase())
const isLoose = (level: Level | undefined): boolean => level === 'automatic' || level === 'notify'
const priorityOf = (rule: Settings): number => (typeof rule['priority'] === 'number' ? rule['priority'] : 0)

/** All conditions of a rule must hold; several commands in one are alternatives. */
function translations(name: string, rule: Settings, allows: boolean): readonly Translated[] {
  const pattern = typeof rule['pattern'] === 'string' ? rule['pattern'] : name
  const conditions = listOf(rule['conditions']).map(recordOf)
  const lost = ['restrictions', 'safety_checks', 'risk'].filter((key) => key in rule)
  const note = lost.length === 0 ? {} : { note: `without \`${lost.join('`, `')}\`: risk and checks are computed here` }
  const tool: Conditions = pattern === '*' ? {} : { tool: pattern }
  if (allows && 'restrictions' in rule) return [{ why: '`restrictions` narrow what it allows' }]
  const [only, ...more] = conditions.flatMap((one) => Object.entries(one))
  if (only === undefined) return [{ when: { tool: pattern }, ...note }]
  if (more.length > 0) return [unknown(pattern)]
  const [key, values] = only
  if (key === 'path_matches') {
    const path = stringsOf(values).map((glob) => (allows ? glob : glob.replace(/\/\*$/, '/**')))
    return [path.length === 0 ? unknown(pattern) : { when: { ...tool, path }, ...note }]
  }
  const commands = stringsOf(values)
  if (key === 'command_starts_with') return commands.map((one) => commandPrefix(wordsOf(one)))
  if (key === 'command_matches') return commands.map((one) => commandGlob(one, allows))
  return [unknown(pattern)]
}

/** `ls*`, `pwd`, `rm -rf /*`. */
function commandGlob(glob: string, allows: boolean): Translated {
  if (/^[\w.-]+\*$/.test(glob))
    return allows ? commandPrefix([glob.slice(0, -1)]) : { when: { command: { program: glob } } }
  return /[*?[]/.test(glob) ? commandPrefix(wordsOf(glob)) : exactCommand(glob, allows ? 'allow' : 'deny')
}

const unknown = (tool: string): Translated => ({ when: { tool }, wider: true, note: 'without its `conditions`' })

function leveled(place: Place, level: Level, translated: Translated, floor: boolean): Carried {
  const carried = carry(place, isLoose(level) ? 'allow' : level === 'deny' ? 'deny' : 'ask', translated)
  if (carried.kind === 'left' || carried.supervision === 'deny') return carried
  return { ...carried, supervision: level === 'deny' ? 'confirm' : level, floor: level === 'deny' || floor }
}

function readPreferences(root: Settings, file: ForeignFile): readonly Carried[] {
  const at = (key: string, text: string): Place => ({ from: `${file.name} ${key}`, text })
  return [
    ...Object.entries(recordOf(root['tools'])).map(([tool, value]) => {
      const level = levelOf(typeof value === 'string' ? { supervision: value } : recordOf(value))
      const place = at('tools', `${tool}: ${String(level)}`)
      if (level === undefined) return carry(place, 'ask', { why: 'unknown `supervision`' })
      if (isLoose(level)) return carry(place, 'allow', { why: 'in ADH CLI a tool’s preference only tightens' })
      return leveled(place, level, { when: { tool } }, true)
    }),
    ...stringsOf(root['auto_approve']).map((tool) => carry(at('auto_approve', tool), 'allow', { when: { tool } })),
    ...stringsOf(root['never_allow']).map((tool) => carry(at('never_allow', tool), 'deny', { when: { tool } })),
  ]
}
