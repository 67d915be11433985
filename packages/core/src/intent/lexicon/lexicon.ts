import { type Cue, intentKnowledge, type VerbForm, type VerbGroup, type VerbKind } from '../../knowledge/intent.ts'
import { PhraseTable } from '../text/phrase-table.ts'

/** A verb in one of its forms. */
export interface VerbEntry {
  readonly kind: VerbKind
  readonly form: VerbForm
}

/** The words and phrases of all languages, ready to look up. */
export interface Lexicon {
  readonly cues: PhraseTable<Cue>
  readonly verbs: PhraseTable<VerbEntry>
  readonly nouns: PhraseTable<VerbGroup>
}

let built: Lexicon | undefined

/** The lexicon, built on first use. */
export function lexicon(): Lexicon {
  built ??= buildLexicon()
  return built
}

function buildLexicon(): Lexicon {
  const { phrases, verbs, nouns } = intentKnowledge()
  const lexicon: Lexicon = { cues: new PhraseTable(), verbs: new PhraseTable(), nouns: new PhraseTable() }
  for (const [cue, list] of phrases) for (const phrase of list) lexicon.cues.add(phrase, cue)
  for (const [kind, forms] of Object.entries(verbs) as [VerbKind, Readonly<Record<VerbForm, readonly string[]>>][])
    for (const [form, list] of Object.entries(forms) as [VerbForm, readonly string[]][]) {
      const entry = { kind, form }
      for (const verb of list) lexicon.verbs.add(verb, entry)
    }
  for (const [group, list] of Object.entries(nouns) as [VerbGroup, readonly string[]][])
    for (const noun of list) lexicon.nouns.add(noun, group)
  return lexicon
}

/** The verb that a word forms with a particle further on: `take … down`. */
export function separableVerb(word: string, particle: string): VerbEntry | null {
  const { separable } = intentKnowledge()
  const particles = Object.hasOwn(separable, word) ? separable[word] : undefined
  const found = particles !== undefined && Object.hasOwn(particles, particle) ? particles[particle] : undefined
  return found === undefined ? null : { kind: found[0], form: found[1] }
}
