import type { Json } from '@countersign/core'

/** What another product's rule does with a call. */
export type Effect = 'allow' | 'ask' | 'deny'

/** The programs whose rules can be imported. */
export const SOURCES = ['claude-code', 'codex', 'gemini', 'vscode', 'adh'] as const
export type Source = (typeof SOURCES)[number]

/** A settings file of another product. */
export interface ForeignFile {
  readonly source: Source
  /** As shown in comments: `~/.claude/settings.json`. */
  readonly name: string
  readonly text: string
  /** `project`: its relative paths start at the project. */
  readonly scope: 'user' | 'project'
}

/** Conditions of a rule, as in a policy file. */
export type Conditions = Readonly<Record<string, Json>>

/** One foreign rule: converted to our own, or left out with the reason. */
export type Carried =
  | {
      readonly kind: 'rule'
      /** The file and the place in it. */
      readonly from: string
      /** The foreign rule as written. */
      readonly text: string
      readonly when: Conditions
      readonly supervision: 'automatic' | 'notify' | 'confirm' | 'manual' | 'deny'
      readonly floor: boolean
      /** How our rule differs from the foreign one. */
      readonly note?: string
    }
  | {
      readonly kind: 'left'
      readonly from: string
      readonly text: string
      readonly why: string
      /** Present if the foreign rule asks or denies: what it covers is not allowed by other rules either. */
      readonly tightens?: Area
    }

/** What a rule covers. An unreadable rule that asks or denies covers everything. */
export type Area = 'commands' | 'files' | 'hosts' | 'tools' | 'anything'

/** A foreign rule and its location. */
export interface Place {
  readonly from: string
  readonly text: string
}

/** The conditions that stand for a foreign rule, or why there are none. */
export type Translated =
  | {
      readonly when: Conditions
      readonly note?: string
      /** The conditions match more than the foreign rule does, so a deny becomes a question. */
      readonly wider?: true
    }
  | { readonly why: string; readonly area?: Area }

/** Rules of these products for files, commands and pages are about their own tools, never about those of MCP servers. */
const OWN_TOOLS: Conditions = { not: { server: '*' } }

/**
 * Turns conditions into a rule of ours. INVARIANT: an import never allows more than the foreign rule did: wider conditions
 * never allow, and never deny what was not denied; they ask. If a rule that asks or denies can't be converted, nothing in
 * its area is allowed (`withheld`).
 */
export function carry(place: Place, effect: Effect, translated: Translated): Carried {
  if ('why' in translated) {
    const { why, area = 'anything' } = translated
    return { kind: 'left', ...place, why, ...(effect === 'allow' ? {} : { tightens: area }) }
  }
  const { wider } = translated
  const when =
    effect === 'allow' && !('tool' in translated.when) ? { ...translated.when, ...OWN_TOOLS } : translated.when
  if (wider === true && effect === 'allow')
    return { kind: 'left', ...place, why: translated.note ?? 'Countersign has no rule as narrow' }
  const supervision = effect === 'allow' ? 'automatic' : wider === true || effect === 'ask' ? 'confirm' : 'deny'
  const notes = [translated.note, wider === true && effect === 'deny' ? 'asks instead of denying' : undefined]
  const note = notes.filter((one) => one !== undefined).join('; ')
  return {
    kind: 'rule',
    ...place,
    when,
    supervision,
    floor: supervision === 'confirm',
    ...(note === '' ? {} : { note }),
  }
}

/** Paths that a rule may allow. A relative pattern of theirs stays in the project; `**` of ours is any folder. */
export function insideWorkspace(globs: readonly string[]): Json {
  const relative = globs.every((glob) => !/^[/~]/.test(glob))
  return relative ? { glob: [...globs], inside: '${workspace}' } : [...globs]
}

/** A project's settings apply only there, but applied rules apply to every project, so what they allow is left out. */
export function allowedInProject(one: Carried, { scope }: Pick<ForeignFile, 'scope'>): Carried {
  if (scope === 'user' || !isAllowing(one)) return one
  const why = 'a project’s own rule; without `--apply` it is printed for `.countersign/policy.yaml` of the project'
  return { kind: 'left', from: one.from, text: one.text, why }
}

const isAllowing = (one: Carried): one is Extract<Carried, { readonly kind: 'rule' }> =>
  one.kind === 'rule' && (one.supervision === 'automatic' || one.supervision === 'notify')

/** Leaves out rules that allow something in the area of a rule that asks or denies and can't be converted. */
export function withheld(carried: readonly Carried[]): readonly Carried[] {
  const lost = carried.flatMap((one) => (one.kind === 'left' && one.tightens !== undefined ? [one] : []))
  return carried.map((one) => {
    if (!isAllowing(one)) return one
    const area = areaOf(one.when)
    const over = lost.find(({ tightens }) => tightens === 'anything' || tightens === area)
    if (over === undefined) return one
    const why = `might allow something that \`${over.text}\` covers, which could not be imported`
    return { kind: 'left', from: one.from, text: one.text, why }
  })
}

function areaOf({ kind, command, args, path, url }: Conditions): Area {
  if (command !== undefined || args !== undefined || kind === 'execute') return 'commands'
  if (url !== undefined || kind === 'fetch') return 'hosts'
  return path !== undefined || kind !== undefined ? 'files' : 'tools'
}
