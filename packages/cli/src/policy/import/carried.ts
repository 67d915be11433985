import type { Json } from '@countersign/core'

/** What a rule of another product does with a call. */
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

/** One foreign rule: carried over as a rule of ours, or left out with the reason. */
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
  | { readonly kind: 'left'; readonly from: string; readonly text: string; readonly why: string }

/** What a foreign rule says, and where. */
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
  | { readonly why: string }

/**
 * Turns conditions into a rule of ours. INVARIANT: an import never allows more than the foreign rule did: wider conditions
 * never allow, and never deny what was not denied; they ask.
 */
export function carry(place: Place, effect: Effect, translated: Translated): Carried {
  if ('why' in translated) return { kind: 'left', ...place, why: translated.why }
  const { when, wider } = translated
  if (wider === true && effect === 'allow')
    return { kind: 'left', ...place, why: translated.note ?? 'no rule here is as narrow' }
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
