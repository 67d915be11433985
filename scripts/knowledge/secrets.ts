import * as z from 'zod'
import { CheckedFiles, jsonLiteral } from './checked-file.ts'
import type { Compiled, Domain, KnowledgeFile } from './knowledge-file.ts'

/** The order in which tokens with the same prefix are tried. */
const FAMILIES = ['cloud', 'code', 'models', 'payments', 'messaging', 'monitoring', 'productivity', 'generic'] as const

const text = z.string().min(1)
const list = z.array(text).min(1)
const pattern = text.refine(isPattern, { message: 'not a valid regular expression' })
const words = list.superRefine((entries, context) => {
  for (const [at, entry] of entries.entries())
    if (entries.indexOf(entry) !== at)
      context.addIssue({ code: 'custom', path: [at], message: `\`${entry}\` is listed twice` })
})

const SCHEMAS = {
  tokens: z.strictObject({
    tokens: z.array(
      z.strictObject({
        kind: text,
        starts: z.array(text.min(3)).min(1),
        pattern,
        shared: z.literal(true).optional(),
        example: list,
      }),
    ),
  }),
  shapes: z.strictObject({
    shapes: z.array(
      z.strictObject({
        kind: text,
        after: text.length(1),
        first_word: z.tuple([z.number().int().min(1), z.number().int().min(1)]),
        pattern,
        random: z.number().int().optional(),
        example: list,
      }),
    ),
  }),
  webhooks: z.strictObject({ webhooks: z.array(z.strictObject({ kind: text, host: text, pattern })) }),
  redaction: z.strictObject({ tokens: z.array(z.strictObject({ kind: text, starts: pattern, pattern })) }),
  commandPasswords: z.strictObject({
    after_program: z.array(z.strictObject({ programs: words, pattern, ignore_case: z.literal(true).optional() })),
    before_program: z.array(z.strictObject({ programs: words, rest: pattern, pattern })),
    secret_options: z.array(
      z.strictObject({
        programs: words,
        after: words.optional(),
        options: words.optional(),
        joined: words.optional(),
        bundled: words.optional(),
        hosts: words.optional(),
        most: z.number().int().min(1).optional(),
        logins: z.record(z.string(), text.length(1)).optional(),
        login_words: text.length(1).optional(),
        pairs: words.optional(),
        definitions: words.optional(),
        operands: z.number().int().min(0).optional(),
        pair_words: z.literal(true).optional(),
        named: z.literal(true).optional(),
        stdin: z.union([z.literal(true), words]).optional(),
      }),
    ),
  }),
  names: z.strictObject({
    key_owners: words,
    harmless_before: words,
    about_after: words,
    switches: words,
    weak: words,
  }),
  placeholders: z.strictObject({
    demo_passwords: words,
    leet: z.record(z.string(), text),
    published: z.array(list),
  }),
}

/** `knowledge/secrets`: token formats, and words that tell secrets from other values. */
export const SECRETS: Domain = { folder: 'secrets', compile }

function compile(files: readonly KnowledgeFile[]): Compiled {
  const checked = new CheckedFiles('secrets', files)
  const tokens = FAMILIES.flatMap((family) =>
    located(checked, family, 'tokens', checked.read(family, SCHEMAS.tokens)?.tokens ?? []),
  )
  const shapes = located(checked, 'shapes', 'shapes', checked.read('shapes', SCHEMAS.shapes)?.shapes ?? [])
  const passwords = checked.read('command-passwords', SCHEMAS.commandPasswords)
  const placeholders = checked.read('placeholders', SCHEMAS.placeholders)
  const knowledge = {
    // Tokens with a prefix shared by several issuers come last.
    tokens: [...tokens.filter(({ shared }) => shared !== true), ...tokens.filter(({ shared }) => shared === true)],
    shapes,
    webhooks: checked.read('webhooks', SCHEMAS.webhooks)?.webhooks,
    redaction: checked.read('redaction', SCHEMAS.redaction)?.tokens,
    ...passwords,
    names: checked.read('names', SCHEMAS.names),
    placeholders: placeholders && {
      ...placeholders,
      published: placeholders.published.map((pieces) => pieces.join('')),
    },
  }
  checked.reportUnread()
  const module = `/** A \`SecretKnowledge\` as JSON. */\nexport const SECRETS = ${jsonLiteral(knowledge)}\n`
  return { text: module, problems: checked.problems }
}

interface Row {
  readonly pattern: string
  readonly example: readonly string[]
  readonly starts?: readonly string[]
}

/** The rows of a file with their lines, without their examples, which are checked here. */
function located<T extends Row>(
  checked: CheckedFiles,
  name: string,
  key: string,
  rows: readonly T[],
): (Omit<T, 'example'> & { file: string; line: number })[] {
  return rows.map(({ example, ...row }, at) => {
    const file = checked.file(name)
    const token = example.join('')
    if (file !== undefined && new RegExp(row.pattern, 'y').exec(token)?.[0] !== token)
      checked.problem(file, [key, at, 'example'], 'the example does not match the pattern')
    if (file !== undefined && row.starts?.some((start) => token.startsWith(start)) === false)
      checked.problem(file, [key, at, 'starts'], 'the example has none of these starts')
    return { file: file?.path ?? '', line: file?.lineOf([key, at]) ?? 1, ...row }
  })
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
