import { type Carried, type Conditions, carry, type ForeignFile, type Place } from './carried.ts'
import { recordOf, stringsOf, yamlOf } from './read-settings.ts'

const LEVELS = ['automatic', 'notify', 'confirm', 'manual', 'deny'] as const
type Level = (typeof LEVELS)[number]

/** Rules of ADH CLI: policy files by category, or the preferences of a person. */
export function readAdh(file: ForeignFile): readonly Carried[] {
  const root = recordOf(yamlOf(file))
  const preferences = 'auto_approve' in root || 'never_allow' in root || 'tools' in root
  return preferences ? readPreferences(root, file) : readPolicies(root, file)
}

function readPolicies(root: Readonly<Record<string, unknown>>, file: ForeignFile): readonly Carried[] {
  return Object.entries(root).flatMap(([category, group]) =>
    Object.entries(recordOf(group)).flatMap(([name, value]) => {
      const rule = recordOf(value)
      const place = { from: `${file.name} ${category}.${name}`, text: JSON.stringify(value) }
      const patterns = typeof rule['pattern'] === 'string' ? rule['pattern'].split('|') : []
      if (patterns.length === 0) return [{ kind: 'left', ...place, why: 'no `pattern`' } as const]
      const when: Conditions = category.startsWith('command') ? { command: { program: patterns } } : { tool: patterns }
      return [leveled(place, rule['supervision'], when, noteOn(rule))]
    }),
  )
}

function noteOn(rule: Readonly<Record<string, unknown>>): string | undefined {
  const lost = ['risk', 'restrictions', 'safety_checks', 'conditions', 'priority'].filter((key) => key in rule)
  return lost.length === 0
    ? undefined
    : `without \`${lost.join('`, `')}\`: risk and checks are computed for each call here`
}

function readPreferences(root: Readonly<Record<string, unknown>>, file: ForeignFile): readonly Carried[] {
  const at = (key: string, text: string): Place => ({ from: `${file.name} ${key}`, text })
  return [
    ...Object.entries(recordOf(root['tools'])).map(([tool, value]) => {
      const level = typeof value === 'string' ? value : recordOf(value)['supervision']
      return leveled(at('tools', `${tool}: ${String(level)}`), level, { tool })
    }),
    ...stringsOf(root['auto_approve']).map((tool) => carry(at('auto_approve', tool), 'allow', { when: { tool } })),
    ...stringsOf(root['never_allow']).map((tool) => carry(at('never_allow', tool), 'deny', { when: { tool } })),
  ]
}

function leveled(place: Place, level: unknown, when: Conditions, note?: string): Carried {
  const supervision = LEVELS.find((one) => one === String(level).toLowerCase()) satisfies Level | undefined
  if (supervision === undefined) return { kind: 'left', ...place, why: 'no known `supervision`' }
  return { kind: 'rule', ...place, when, supervision, floor: false, ...(note === undefined ? {} : { note }) }
}
