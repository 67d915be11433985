import type { ActionType } from '../intent/model/intent.ts'
import type { RiskLevel } from '../risk/report/level.ts'
import { type Cue, INTENT, type ObjectCategory, type VerbGroup, type WordClass } from './compiled/intent.ts'
import { Words } from './words.ts'

export type { Cue, ObjectCategory, VerbGroup } from './compiled/intent.ts'

/** The form of a verb in a sentence. `self` is a first person that announces by itself. */
export type VerbForm = 'base' | 'ing' | 'past' | 'third' | 'self'

/** A group of verbs that act alike. The last three have no severity: their object or the sentence says what is done. */
export type VerbKind = VerbGroup | 'make' | 'run' | 'proceed'

/** An action type that is not yet known to be one of many. */
export type SingleAction = Exclude<ActionType, `batch_${string}`>

/** How bad an action is, by what it is done to: a row of `severity.yaml`. */
export interface Severity {
  readonly action: SingleAction
  /** The first category that fits counts. */
  readonly objects: readonly (readonly [ObjectCategory, RiskLevel])[]
  /** The object is unknown or not named. */
  readonly otherwise: RiskLevel
  /** At least this in production. */
  readonly production: RiskLevel
  /** At most this in a test environment. */
  readonly sandbox: RiskLevel
  /** At least this when an amount of money is named. */
  readonly money?: RiskLevel
}

/** Words of Chinese or Japanese. */
export interface UnspacedWords {
  readonly asks: readonly string[]
  readonly questions: readonly string[]
  readonly harmless: readonly string[]
  readonly announce: readonly string[]
  readonly past: readonly string[]
  readonly completion_marks: readonly string[]
  readonly firm_intention: readonly string[]
  readonly negation: readonly string[]
  readonly hypothetical: readonly string[]
  readonly doubt: readonly string[]
  readonly irreversible: readonly string[]
  readonly claimed_approval: readonly string[]
}

/** Everything in `knowledge/intent`. Verbs are inflected when it is compiled. */
export interface IntentKnowledge {
  readonly phrases: readonly (readonly [Cue, readonly string[]])[]
  readonly verbs: { readonly [kind in VerbKind]?: { readonly [form in VerbForm]?: readonly string[] } }
  /** Verbs whose second word may follow the object, by first word and second: `take … down`. */
  readonly separable: Readonly<Record<string, Readonly<Record<string, readonly [VerbKind, VerbForm]>>>>
  readonly nouns: { readonly [group in VerbGroup]?: readonly string[] }
  readonly objects: Readonly<Record<ObjectCategory, readonly string[]>>
  readonly classes: Readonly<Record<WordClass, readonly string[]>>
  readonly severity: Readonly<Record<VerbGroup, Severity>>
  readonly commands: readonly { readonly phrase: string; readonly action: SingleAction; readonly level: RiskLevel }[]
  readonly compounds: readonly {
    readonly first: readonly string[]
    readonly second: readonly string[]
    readonly joined: string
  }[]
  readonly contractions: Readonly<Record<string, readonly string[]>>
  readonly contraction_endings: Readonly<Record<string, string>>
  readonly contracted_is: readonly string[]
  readonly numbers: {
    readonly number_words: Readonly<Record<string, number>>
    readonly scales: Readonly<Record<string, number>>
    readonly currency_signs: Readonly<Record<string, string>>
    readonly currency_words: Readonly<Record<string, string>>
  }
  readonly unspaced: {
    readonly chinese: UnspacedWords
    readonly japanese: UnspacedWords
    readonly verbs: { readonly [group in VerbGroup]?: readonly string[] }
    readonly ignored: readonly string[]
    readonly production: readonly string[]
    readonly sandbox: readonly string[]
    readonly scratch: readonly string[]
    readonly code: readonly string[]
    readonly all: readonly string[]
  }
}

let parsed: IntentKnowledge | undefined

/** The words of every language, parsed on first use. */
export function intentKnowledge(): IntentKnowledge {
  parsed ??= JSON.parse(INTENT) as IntentKnowledge
  return parsed
}

/** A class of `word-classes.yaml`. */
export function wordClass(name: WordClass): Words {
  return new Words([{ [Symbol.iterator]: () => intentKnowledge().classes[name][Symbol.iterator]() }])
}
