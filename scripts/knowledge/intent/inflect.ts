import type { VerbForm } from '../../../packages/core/src/knowledge/intent.ts'

export type InflectedForm = readonly [word: string, form: VerbForm]

/** Irregularities that the spelling of an English verb does not show. */
export interface EnglishInflection {
  readonly past: Readonly<Record<string, readonly string[]>>
  readonly unchanged: readonly string[]
  readonly doubled: readonly string[]
}

const ONE_SYLLABLE = /^[^aeiou]*[aeiou][^aeiouwxy]$/

/** The forms of an English verb: `delete deletes deleting deleted`. */
export function inflectEnglish(
  verb: string,
  { past: irregular, unchanged, doubled }: EnglishInflection,
): readonly InflectedForm[] {
  const last = verb.at(-1) ?? ''
  const isDoubled = doubled.includes(verb) || (verb.length > 2 && ONE_SYLLABLE.test(verb))
  const stem = last === 'e' && !verb.endsWith('ee') ? verb.slice(0, -1) : isDoubled ? verb + last : verb
  const isConsonantY = last === 'y' && !/[aeiou]y$/.test(verb)
  const third = isConsonantY ? `${verb.slice(0, -1)}ies` : /(s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`
  const past = unchanged.includes(verb)
    ? []
    : (irregular[verb] ?? [isConsonantY ? `${verb.slice(0, -1)}ied` : `${stem}ed`])
  return [[verb, 'base'], [third, 'third'], [`${stem}ing`, 'ing'], ...all('past', past)]
}

const all = (form: VerbForm, words: readonly string[]): readonly InflectedForm[] => words.map((word) => [word, form])

/** Regular verbs of a language in all forms that may announce an action. */
export const CONJUGATE: Readonly<Record<string, (verb: string) => readonly InflectedForm[]>> = {
  spanish: conjugateSpanish,
  french: conjugateFrench,
  german: conjugateGerman,
  portuguese: conjugatePortuguese,
  italian: conjugateItalian,
}

/** `borrar`: `borrando borrado borraré borro borre borrará`, and with pronouns attached. */
function conjugateSpanish(verb: string): readonly InflectedForm[] {
  const [stem, isAr] = [verb.slice(0, -2), verb.endsWith('ar')]
  const soft = isAr ? stem.replace(/c$/, 'qu').replace(/g$/, 'gu').replace(/z$/, 'c') : stem.replace(/g$/, 'j')
  const subjunctive = soft + (isAr ? 'e' : 'a')
  const plural = isAr ? 'amos' : verb.endsWith('er') ? 'emos' : 'imos'
  return [
    ...all('base', [verb, ...['lo', 'la', 'los', 'las', 'le', 'les'].map((pronoun) => verb + pronoun)]),
    ...all('base', [subjunctive, `${subjunctive}mos`]),
    ...all('ing', [isAr ? `${stem}ando` : `${stem}iendo`]),
    ...all('past', participles(stem + (isAr ? 'ad' : 'id'))),
    ...all('past', isAr ? [`${soft}é`, `${stem}ó`] : [`${stem}í`, `${stem}ió`]),
    ...all('self', [`${verb}é`, `${verb}emos`, `${soft}o`, stem + plural]),
    ...all('third', [`${verb}á`, `${verb}án`]),
  ]
}

function conjugatePortuguese(verb: string): readonly InflectedForm[] {
  const [stem, isAr] = [verb.slice(0, -2), verb.endsWith('ar')]
  const soft = isAr ? stem.replace(/c$/, 'qu').replace(/g$/, 'gu').replace(/ç$/, 'c') : stem.replace(/g$/, 'j')
  return [
    ...all('base', [
      verb,
      soft + (isAr ? 'e' : 'a'),
      ...['lo', 'la', 'los', 'las'].map((pronoun) => `${verb.slice(0, -1)}-${pronoun}`),
    ]),
    ...all('ing', [stem + (isAr ? 'ando' : verb.endsWith('er') ? 'endo' : 'indo')]),
    ...all('past', participles(stem + (isAr ? 'ad' : 'id'))),
    ...all('past', isAr ? [`${soft}ei`, `${stem}ou`] : [`${stem}i`, `${stem}iu`]),
    ...all('self', [`${verb}ei`, `${verb}emos`, `${stem}o`]),
    ...all('third', [`${verb}á`, `${verb}ão`]),
  ]
}

/** `cancellare`: `cancellando cancellato cancellerò cancello cancelli cancellerà`. */
function conjugateItalian(verb: string): readonly InflectedForm[] {
  const [stem, vowel] = [verb.slice(0, -3), verb.at(-3)]
  const isAre = vowel === 'a'
  const hard = isAre ? stem.replace(/[cg]$/, '$&h') : stem
  const short = hard.replace(/i$/, '')
  const future = isAre ? `${stem.replace(/[cg]$/, '$&h').replace(/([cg])i$/, '$1')}er` : verb.slice(0, -1)
  return [
    ...all('base', [verb, ...['lo', 'la', 'li', 'le'].map((pronoun) => verb.slice(0, -1) + pronoun), `${short}i`]),
    ...all('ing', [isAre ? `${stem}ando` : `${stem}endo`]),
    ...all('past', participles(stem + (isAre ? 'at' : vowel === 'e' ? 'ut' : 'it'))),
    ...all('self', [`${future}ò`, `${future}emo`, `${stem}o`, `${short}iamo`]),
    ...all('third', [`${future}à`, `${future}anno`]),
  ]
}

function participles(stem: string): readonly string[] {
  return [`${stem}o`, `${stem}a`, `${stem}os`, `${stem}as`]
}

/** Verbs in -er. */
function conjugateFrench(verb: string): readonly InflectedForm[] {
  const stem = verb.slice(0, -2)
  const soft = stem.replace(/c$/, 'ç').replace(/g$/, 'ge')
  return [
    ...all('base', [verb]),
    ...all('ing', [`${soft}ant`]),
    ...all('past', [`${stem}é`, `${stem}ée`, `${stem}és`, `${stem}ées`]),
    ...all('self', [`${stem}e`, `${verb}ai`, `${soft}ons`, `${verb}ons`]),
    ...all('third', [`${verb}a`, `${verb}ont`]),
  ]
}

const INSEPARABLE = /^(?:be|ver|ent|er|zer|ge|über|wider)|ieren$/

/** Weak verbs; `ab|schalten` has a separable prefix. */
function conjugateGerman(verb: string): readonly InflectedForm[] {
  const [prefix = '', root = ''] = verb.includes('|') ? verb.split('|', 2) : ['', verb]
  const stem = root.replace(/e?n$/, '')
  const ending = /[td]$/.test(stem) ? 'et' : 't'
  const past = `${prefix}${INSEPARABLE.test(root) ? '' : 'ge'}${stem}${ending}`
  return [
    ...all('base', prefix === '' ? [root] : [`${prefix}${root}`, `${prefix}zu${root}`]),
    ...all('past', [past, `${past}e`, `${past}en`]),
    ...all('self', [`${stem}e`]),
    // The prefix may also be separate.
    ...(prefix === ''
      ? []
      : [...all('base', [`${prefix} ${root}`]), ...all('past', [`${prefix} ${past.slice(prefix.length)}`])]),
  ]
}
