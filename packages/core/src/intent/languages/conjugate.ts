import type { VerbForm } from '../text/words.ts'

/** A form of a verb and how it stands in a sentence. */
export type Conjugated = readonly [word: string, form: VerbForm]

const all = (form: VerbForm, words: readonly string[]): readonly Conjugated[] => words.map((word) => [word, form])

/** Spanish, regular: `borrar` bends as `borrando borrado borraré borro borre borrará`, with the pronouns that hang on it. */
export function conjugateSpanish(verb: string): readonly Conjugated[] {
  const [stem, isAr] = [verb.slice(0, -2), verb.endsWith('ar')]
  const soft = isAr ? stem.replace(/c$/, 'qu').replace(/g$/, 'gu').replace(/z$/, 'c') : stem.replace(/g$/, 'j')
  const wish = isAr ? 'e' : 'a'
  return [
    ...all('base', [verb, ...['lo', 'la', 'los', 'las', 'le', 'les'].map((one) => verb + one)]),
    ...all('base', [soft + wish, `${soft + wish}mos`]),
    ...all('ing', [isAr ? `${stem}ando` : `${stem}iendo`]),
    ...all('past', participles(stem + (isAr ? 'ad' : 'id'))),
    ...all('past', isAr ? [`${soft}é`, `${stem}ó`] : [`${stem}í`, `${stem}ió`]),
    ...all('self', [
      `${verb}é`,
      `${verb}emos`,
      `${soft}o`,
      stem + (isAr ? 'amos' : verb.endsWith('er') ? 'emos' : 'imos'),
    ]),
    ...all('third', [`${verb}á`, `${verb}án`]),
  ]
}

/** Portuguese, regular. */
export function conjugatePortuguese(verb: string): readonly Conjugated[] {
  const [stem, isAr] = [verb.slice(0, -2), verb.endsWith('ar')]
  const soft = isAr ? stem.replace(/c$/, 'qu').replace(/g$/, 'gu').replace(/ç$/, 'c') : stem.replace(/g$/, 'j')
  return [
    ...all('base', [
      verb,
      soft + (isAr ? 'e' : 'a'),
      ...['lo', 'la', 'los', 'las'].map((one) => `${verb.slice(0, -1)}-${one}`),
    ]),
    ...all('ing', [stem + (isAr ? 'ando' : verb.endsWith('er') ? 'endo' : 'indo')]),
    ...all('past', participles(stem + (isAr ? 'ad' : 'id'))),
    ...all('past', isAr ? [`${soft}ei`, `${stem}ou`] : [`${stem}i`, `${stem}iu`]),
    ...all('self', [`${verb}ei`, `${verb}emos`, `${stem}o`]),
    ...all('third', [`${verb}á`, `${verb}ão`]),
  ]
}

function participles(stem: string): readonly string[] {
  return [`${stem}o`, `${stem}a`, `${stem}os`, `${stem}as`]
}

/** French, regular verbs in -er. */
export function conjugateFrench(verb: string): readonly Conjugated[] {
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

/** German, weak; `ab|schalten` has a prefix that comes off. */
export function conjugateGerman(verb: string): readonly Conjugated[] {
  const [prefix, rest] = verb.includes('|') ? verb.split('|', 2) : ['', verb]
  const root = rest ?? ''
  const stem = root.replace(/e?n$/, '')
  const ending = /[td]$/.test(stem) ? 'et' : 't'
  const past = `${prefix}${INSEPARABLE.test(root) ? '' : 'ge'}${stem}${ending}`
  return [
    ...all('base', prefix === '' ? [root] : [`${prefix}${root}`, `${prefix}zu${root}`]),
    ...all('past', [past, `${past}e`, `${past}en`]),
    ...all('self', [`${stem}e`]),
    // Some are also written apart.
    ...(prefix === ''
      ? []
      : [...all('base', [`${prefix} ${root}`]), ...all('past', [`${prefix} ${past.slice(prefix?.length)}`])]),
  ]
}
