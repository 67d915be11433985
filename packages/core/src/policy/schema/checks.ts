import * as z from 'zod'
import { named, notEmpty } from '../../knowledge/strict-object.ts'
import { CHECK_TABLE, type CheckOption, type NamedCheck } from '../model/builtin-checks.ts'
import * as text from './scalars.ts'

/** Schemas of option values, by kind. */
const VALUES = {
  bytes: text.bytes,
  count: z.int().min(1).max(1_000_000),
  hosts: text.oneOrMore(text.host),
  folders: text.oneOrMore(text.folder),
  schemes: text.oneOrMore(text.scheme),
} as const

function optionsShape(name: string, table: { readonly [option: string]: CheckOption }) {
  const shape = Object.entries(table).map(([option, { kind, means }]) => [
    option,
    VALUES[kind].describe(means).exactOptional(),
  ])
  return named(`the check \`${name}\``, Object.fromEntries(shape)).check(
    notEmpty(`\`${name}\` is empty; write an option or the name alone`),
  )
}

const configured = named(
  'a check with options',
  Object.fromEntries(
    Object.entries(CHECK_TABLE)
      .filter(([, table]) => Object.keys(table).length > 0)
      .map(([name, table]) => [name, optionsShape(name, table).describe(`Options of ${name}.`).exactOptional()]),
  ),
  '{ size: { most: 5MB } }',
).check((context) => {
  if (context.issues.length > 0 || Object.keys(context.value).length === 1) return
  const message = 'write each check with options as a separate item: `checks: [{ size: { most: 5MB } }, backup]`'
  context.issues.push({ code: 'custom', message, input: context.value })
})

const byName = text.checkerName.transform((name): NamedCheck => ({ name, options: {} }))
const withOptions = configured.transform((value): NamedCheck => {
  const [[name, options] = ['', {}]] = Object.entries(value)
  return { name, options: (options ?? {}) as NamedCheck['options'] }
})

/** `checks:` of a rule: names, or a name with its options. */
export const checks = text.oneOrMore(z.union([byName, withOptions]))

/** `checkers:` of a file: programs by the name rules use. */
export const checkers = z.record(
  text.checkerName,
  named(
    'a checker',
    {
      run: z
        .tuple([text.programPath], text.word)
        .describe('The program and its words; run without a shell, JSON on its standard input and output.'),
      timeout: text.checkTimeout.describe('A checker that takes longer fails. Default 5s.').exactOptional(),
    },
    '{ run: [~/bin/check-ticket, --strict] }',
  ),
)
