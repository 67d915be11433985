import * as z from 'zod'
import { ACTION_TYPES } from '../../../packages/core/src/intent/model/intent.ts'
import type { VerbForm } from '../../../packages/core/src/knowledge/intent.ts'
import { RISK_LEVELS } from '../../../packages/core/src/risk/report/level.ts'

const word = z.string().min(1)
const words = z.array(word).superRefine((list, context) => {
  for (const [at, entry] of list.entries())
    if (list.indexOf(entry) !== at)
      context.addIssue({ code: 'custom', path: [at], message: `\`${entry}\` is listed twice` })
})
const level = z.enum(RISK_LEVELS)
const action = z.enum(ACTION_TYPES.filter((name) => !name.startsWith('batch_')))
const byName = z.record(z.string(), words)

export const english = z.strictObject({
  language: z.literal('english'),
  phrases: byName,
  verbs: byName,
  nouns: byName,
  inflection: z.strictObject({
    past: z.record(z.string(), words),
    unchanged: words,
    doubled: words,
    inflect_second: words,
    particles: words,
  }),
  objects: byName,
  compounds: z.array(z.strictObject({ first: words, second: words, joined: word })),
  contractions: z.record(z.string(), z.array(word)),
  contraction_endings: z.record(z.string(), word),
  contracted_is: words,
})

const FORMS = ['base', 'ing', 'past', 'self', 'third'] as const satisfies readonly VerbForm[]

export const language = z.strictObject({
  language: word,
  phrases: byName,
  regular_verbs: byName,
  verb_forms: z.record(z.string(), z.partialRecord(z.enum(FORMS), words)),
  nouns: byName,
  objects: byName,
})

const unspacedWords = z.strictObject({
  asks: words,
  questions: words,
  harmless: words,
  announce: words,
  past: words,
  completion_marks: words,
  firm_intention: words,
  negation: words,
  hypothetical: words,
  doubt: words,
  irreversible: words,
  claimed_approval: words,
})

export const unspaced = z.strictObject({
  chinese: unspacedWords,
  japanese: unspacedWords,
  verbs: byName,
  ignored: words,
  production: words,
  sandbox: words,
  scratch: words,
  code: words,
  all: words,
})

export const severity = z.record(
  z.string(),
  z.strictObject({
    action,
    objects: z.record(z.string(), level).optional(),
    otherwise: level,
    production: level,
    sandbox: level,
    money: level.optional(),
  }),
)

export const commands = z.strictObject({ commands: z.array(z.strictObject({ phrase: word, action, level })) })

export const numbers = z.strictObject({
  number_words: z.record(z.string(), z.number()),
  scales: z.record(z.string(), z.number()),
  currency_signs: z.record(z.string(), word),
  currency_words: z.record(z.string(), word),
})

export const wordClasses = byName
