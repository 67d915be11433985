import type * as z from 'zod'
import type { VerbForm } from '../../../packages/core/src/knowledge/intent.ts'
import { CheckedFiles, jsonLiteral } from '../checked-file.ts'
import type { Compiled, Domain, KnowledgeFile } from '../knowledge-file.ts'
import { CONJUGATE, inflectEnglish } from './inflect.ts'
import * as schema from './schema.ts'

type English = z.infer<typeof schema.english>
type Language = z.infer<typeof schema.language>

/** Of two phrases of the same length the first wins, so the order of languages matters. */
const LANGUAGES = ['spanish', 'french', 'german', 'portuguese', 'italian'] as const

/** Verb groups without a severity: it depends on their object or sentence. */
const UNRATED = ['make', 'run', 'proceed']

/** `knowledge/intent`: the words of every language. Verbs are inflected here, so that the program only looks them up. */
export const INTENT: Domain = { folder: 'intent', compile }

function compile(files: readonly KnowledgeFile[]): Compiled {
  const checked = new CheckedFiles('intent', files)
  const { problems } = checked
  const english = checked.read('english', schema.english)
  const others = LANGUAGES.flatMap((name) => checked.read(name, schema.language) ?? [])
  const severity = checked.read('severity', schema.severity)
  const classes = checked.read('word-classes', schema.wordClasses)
  const unspaced = checked.read('chinese-japanese', schema.unspaced)
  const numbers = checked.read('numbers', schema.numbers)
  const commands = checked.read('commands', schema.commands)
  checked.reportUnread()
  if (english === undefined || severity === undefined || classes === undefined || others.length < LANGUAGES.length)
    return { text: '', problems }
  const languages: readonly (English | Language)[] = [english, ...others]
  const verbs = new VerbTable()
  addEnglish(verbs, english)
  for (const { verb_forms } of others)
    for (const [kind, forms] of Object.entries(verb_forms))
      for (const [form, list] of Object.entries(forms) as [VerbForm, string[]][])
        for (const word of list) verbs.add(word, kind, form)
  for (const { language, regular_verbs } of others) {
    const conjugate = CONJUGATE[language]
    if (conjugate === undefined && Object.keys(regular_verbs).length > 0)
      problems.push(
        `knowledge/intent: no conjugation for \`${language}\`; add one to scripts/knowledge/intent/inflect.ts`,
      )
    for (const [kind, list] of Object.entries(regular_verbs))
      for (const verb of list) for (const [word, form] of conjugate?.(verb) ?? []) verbs.add(word, kind, form)
  }
  const groups = Object.keys(severity)
  const categories = Object.keys(english.objects)
  const known = (kind: string, names: Iterable<string>, allowed: readonly string[]) => {
    for (const name of names)
      if (!allowed.includes(name)) problems.push(`knowledge/intent: unknown ${kind} \`${name}\``)
  }
  known('verb group', [...verbs.kinds(), ...Object.keys(unspaced?.verbs ?? {})], [...groups, ...UNRATED])
  const cues = Object.keys(english.phrases)
  for (const { phrases, nouns, objects } of languages) {
    known('kind of phrase', Object.keys(phrases), cues)
    known('verb group', Object.keys(nouns), groups)
    known('object category', Object.keys(objects), categories)
  }
  for (const { objects } of Object.values(severity)) known('object category', Object.keys(objects ?? {}), categories)
  const knowledge = {
    phrases: languages.flatMap(({ phrases }) => Object.entries(phrases)),
    verbs: verbs.grouped(),
    separable: separable(english),
    nouns: merged(languages.map(({ nouns }) => nouns)),
    objects: merged(languages.map(({ objects }) => objects)),
    classes,
    severity: Object.fromEntries(
      Object.entries(severity).map(([name, row]) => [name, { ...row, objects: Object.entries(row.objects ?? {}) }]),
    ),
    commands: commands?.commands,
    compounds: english.compounds,
    contractions: english.contractions,
    contraction_endings: english.contraction_endings,
    contracted_is: english.contracted_is,
    numbers,
    unspaced,
  }
  const names = { Cue: cues, VerbGroup: groups, ObjectCategory: categories, WordClass: Object.keys(classes) }
  return { text: moduleText(names, knowledge), problems }
}

function moduleText(names: Readonly<Record<string, readonly string[]>>, knowledge: object): string {
  return [
    ...Object.entries(names).map(
      ([type, list]) => `export type ${type} = ${list.map((name) => `'${name}'`).join(' | ')}`,
    ),
    '/** An `IntentKnowledge` as JSON. */',
    `export const INTENT = ${jsonLiteral(knowledge)}`,
    '',
  ].join('\n')
}

/** Verb forms. A form that occurs twice keeps its first meaning. */
class VerbTable {
  readonly #forms = new Map<string, readonly [kind: string, form: VerbForm]>()

  add(phrase: string, kind: string, form: VerbForm): void {
    if (!this.#forms.has(phrase)) this.#forms.set(phrase, [kind, form])
  }

  kinds(): Set<string> {
    return new Set([...this.#forms.values()].map(([kind]) => kind))
  }

  grouped(): Record<string, Record<string, string[]>> {
    const grouped: Record<string, Record<string, string[]>> = {}
    for (const [phrase, [kind, form]] of this.#forms) {
      grouped[kind] ??= {}
      grouped[kind][form] ??= []
      grouped[kind][form].push(phrase)
    }
    return grouped
  }
}

/** Inflects the first word of a verb, or its second: `take down`, `takes down`; `force push`, `force pushed`. */
function addEnglish(table: VerbTable, { verbs, inflection }: English): void {
  for (const [kind, list] of Object.entries(verbs))
    for (const verb of list) {
      const [first = '', ...rest] = verb.split(' ')
      const [second] = rest
      if (second !== undefined && inflection.inflect_second.includes(second)) {
        for (const [word, form] of inflectEnglish(second, inflection)) table.add(`${first} ${word}`, kind, form)
        table.add(verb, kind, 'base')
      } else
        for (const [word, form] of inflectEnglish(first, inflection)) table.add([word, ...rest].join(' '), kind, form)
    }
}

/** `take … down`: two-word verbs whose second word may follow the object. */
function separable({ verbs, inflection }: English): Record<string, Record<string, readonly [string, VerbForm]>> {
  const found: Record<string, Record<string, readonly [string, VerbForm]>> = {}
  for (const [kind, list] of Object.entries(verbs)) {
    if (UNRATED.includes(kind)) continue
    for (const verb of list) {
      const [first = '', particle = '', ...more] = verb.split(' ')
      if (more.length > 0 || !inflection.particles.includes(particle)) continue
      for (const [word, form] of inflectEnglish(first, inflection)) {
        found[word] ??= {}
        found[word][particle] ??= [kind, form]
      }
    }
  }
  return found
}

function merged(tables: readonly Readonly<Record<string, readonly string[]>>[]): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  for (const table of tables)
    for (const [name, list] of Object.entries(table)) all[name] = [...new Set([...(all[name] ?? []), ...list])]
  return all
}
