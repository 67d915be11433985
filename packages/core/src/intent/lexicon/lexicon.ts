import { conjugateFrench, conjugateGerman, conjugatePortuguese, conjugateSpanish } from '../languages/conjugate.ts'
import type { Cue, CueTable } from '../languages/cue.ts'
import { ENGLISH, FILLERS } from '../languages/english.ts'
import { ENGLISH_MOODS } from '../languages/english-moods.ts'
import { MAKING, NOUNS, RUNNING, VERBS } from '../languages/english-verbs.ts'
import { FRENCH, FRENCH_VERBS } from '../languages/french.ts'
import { GERMAN, GERMAN_VERBS } from '../languages/german.ts'
import { PORTUGUESE, PORTUGUESE_VERBS } from '../languages/portuguese.ts'
import { FRENCH_REGULAR, GERMAN_REGULAR, PORTUGUESE_REGULAR, SPANISH_REGULAR } from '../languages/regular-verbs.ts'
import { SPANISH, SPANISH_VERBS } from '../languages/spanish.ts'
import type { ProfileName } from '../severity/profiles.ts'
import { PhraseTable } from '../text/phrase-table.ts'
import { inflect, type VerbForm, words } from '../text/words.ts'

/** A verb of the lexicon in one of its forms. */
export interface VerbEntry {
  readonly does: ProfileName | 'make' | 'run' | 'proceed'
  readonly form: VerbForm
}

/** Everything words can mean here, ready to be looked up. */
export interface Lexicon {
  readonly cues: PhraseTable<Cue>
  readonly verbs: PhraseTable<VerbEntry>
  /** Verbs whose second word may stand after the object: `take … down`. */
  readonly apart: ReadonlyMap<string, ReadonlyMap<string, VerbEntry>>
  readonly nouns: PhraseTable<ProfileName>
  readonly fillers: ReadonlySet<string>
}

const PROCEED =
  'proceed continue go+ahead do+it do+that do+this do+so move+forward move+ahead carry+on go+on go+for+it resume advance go+through+with+it'

const REGULAR = [
  [SPANISH_REGULAR, conjugateSpanish],
  [FRENCH_REGULAR, conjugateFrench],
  [GERMAN_REGULAR, conjugateGerman],
  [PORTUGUESE_REGULAR, conjugatePortuguese],
] as const

let made: Lexicon | undefined

/** The lexicon, made when it is first needed. */
export function lexicon(): Lexicon {
  made ??= makeLexicon()
  return made
}

function makeLexicon(): Lexicon {
  const cues = new PhraseTable<Cue>()
  for (const table of [ENGLISH, ENGLISH_MOODS, SPANISH, FRENCH, GERMAN, PORTUGUESE]) addCues(cues, table)
  const verbs = new PhraseTable<VerbEntry>()
  addEnglish(verbs, PROCEED, 'proceed')
  for (const [does, list] of Object.entries(VERBS) as [ProfileName, string][]) addEnglish(verbs, list, does)
  addEnglish(verbs, MAKING, 'make')
  addEnglish(verbs, RUNNING, 'run')
  for (const table of [SPANISH_VERBS, FRENCH_VERBS, GERMAN_VERBS, PORTUGUESE_VERBS])
    for (const [does, forms] of Object.entries(table) as [VerbEntry['does'], Partial<Record<VerbForm, string>>][])
      for (const [form, list] of Object.entries(forms) as [VerbForm, string][])
        for (const word of words(list)) verbs.add(word.replaceAll('+', ' '), { does, form })
  for (const [table, conjugate] of REGULAR)
    for (const [does, list] of Object.entries(table) as [VerbEntry['does'], string][])
      for (const verb of words(list)) for (const [word, form] of conjugate(verb)) verbs.add(word, { does, form })
  const nouns = new PhraseTable<ProfileName>()
  for (const [does, list] of Object.entries(NOUNS) as [ProfileName, string][])
    for (const noun of words(list)) nouns.add(noun.replaceAll('+', ' '), does)
  return { cues, verbs, apart: makeApart(), nouns, fillers: words(FILLERS) }
}

const PARTICLES = words('down off on out over away back up live offline public')

function makeApart(): Lexicon['apart'] {
  const apart = new Map<string, Map<string, VerbEntry>>()
  for (const [does, list] of Object.entries(VERBS) as [ProfileName, string][])
    for (const verb of words(list)) {
      const [first = '', particle = '', ...more] = verb.split('+')
      if (more.length > 0 || !PARTICLES.has(particle)) continue
      for (const [form, kind] of inflect(first)) {
        const known = apart.get(form) ?? new Map<string, VerbEntry>()
        if (!known.has(particle)) apart.set(form, known.set(particle, { does, form: kind }))
      }
    }
  return apart
}

function addCues(cues: PhraseTable<Cue>, table: CueTable): void {
  for (const [cue, list] of Object.entries(table) as [Cue, string][])
    for (const line of list.split('\n')) if (line.trim() !== '') cues.add(line.trim(), cue)
}

function addEnglish(verbs: PhraseTable<VerbEntry>, list: string, does: VerbEntry['does']): void {
  for (const verb of words(list)) {
    const [first = '', ...rest] = verb.split('+')
    const bends =
      rest[0] === 'push' || rest[0] === 'delete' || rest[0] === 'update' || rest[0] === 'edit' || rest[0] === 'reset'
    for (const [form, kind] of inflect(bends ? (rest[0] ?? '') : first))
      verbs.add(bends ? `${first} ${form}` : [form, ...rest].join(' '), { does, form: kind })
    if (bends) verbs.add([first, ...rest].join(' '), { does, form: 'base' })
  }
}
