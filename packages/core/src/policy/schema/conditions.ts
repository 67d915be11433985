import * as z from 'zod'
import { KINDS } from '../../call/descriptor.ts'
import { named, notEmpty } from '../../knowledge/strict-object.ts'
import { RISK_LEVELS, riskRank } from '../../risk/report/level.ts'
import type { Conditions } from '../model/rule.ts'
import * as text from './scalars.ts'

const { oneOrMore } = text

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const json: z.ZodType<z.core.util.JSONType> = z.json()

const valueTest = named('an argument’s test', {
  equals: json.describe('The argument is exactly this value, of this type.').exactOptional(),
  in: z.array(json).min(1).describe('The argument is one of these values.').exactOptional(),
  glob: text.textGlob
    .describe('The argument is text that matches this glob; `*` matches any characters.')
    .exactOptional(),
  regex: text.regex
    .describe('The argument is text in which this regular expression (RE2) finds a match.')
    .exactOptional(),
  above: z.number().describe('The argument is a number above this one.').exactOptional(),
  below: z.number().describe('The argument is a number below this one.').exactOptional(),
}).check((context) => {
  const { above, below } = context.value
  const keys = Object.keys(context.value)
  const refuse = (message: string): void => void context.issues.push({ code: 'custom', message, input: context.value })
  if (context.issues.length > 0) return
  if (keys.length === 0) refuse('the test is empty; write equals, in, glob, regex, above or below')
  if (keys.length > 1 && keys.includes('equals')) refuse('`equals` can’t be combined with other tests; remove them')
  if (above !== undefined && below !== undefined && above >= below)
    refuse(`no number is above ${above} and below ${below}`)
})

const args = z
  .record(
    text.argName,
    z.union([
      scalar.transform((equals) => ({ equals })),
      z
        .array(scalar)
        .min(1)
        .transform((values) => ({ in: values })),
      valueTest,
    ]),
  )
  .refine((map) => Object.keys(map).length > 0, { error: '`args` is empty; name an argument or remove it' })

const pathTest = named('`path`', {
  inside: oneOrMore(text.folder).describe('The path is one of these folders or inside one.').exactOptional(),
  outside: oneOrMore(text.folder).describe('The path is inside none of these folders.').exactOptional(),
  glob: oneOrMore(text.pathGlob)
    .describe('The path matches one of these globs; relative ones start at the workspace.')
    .exactOptional(),
  except: oneOrMore(text.pathGlob).describe('… and matches none of these.').exactOptional(),
}).check(notEmpty('`path` is empty; write inside, outside, glob or except'))

const path = z.union([oneOrMore(text.pathGlob).transform((glob) => ({ glob })), pathTest])

const command = named(
  '`command`',
  {
    program: oneOrMore(text.program).describe('The program, by its bare name.').exactOptional(),
    verb: oneOrMore(text.verb)
      .describe(
        'The first word after the program that is not a flag, `status` in `git status`; or several words: `pr list`.',
      )
      .exactOptional(),
    flags: oneOrMore(text.flag)
      .describe('Any of these flags is present, bundled (-rf) or with a value.')
      .exactOptional(),
    like: text.likeCommand
      .describe(
        'A command of the same shape as this one: the same program and verb, first operand and options, and no other host, folder, variable or redirection. `git push origin` covers every branch of that remote.',
      )
      .exactOptional(),
    in: oneOrMore(text.folder).describe('The command runs in one of these folders, not in one below.').exactOptional(),
  },
  '{ program: git, verb: status }',
).check(notEmpty('`command` is empty; write program, verb, flags or like'))

const urlTest = named('`url`', {
  scheme: oneOrMore(text.scheme).describe('The scheme, such as https.').exactOptional(),
  host: oneOrMore(text.host).describe('The host, exact or a glob such as *.example.com.').exactOptional(),
  method: oneOrMore(text.method).describe('The HTTP method.').exactOptional(),
}).check(notEmpty('`url` is empty; write scheme, host or method'))

const url = z.union([oneOrMore(text.host).transform((host) => ({ host })), urlTest])

const networkTest = named('`network`', {
  host: oneOrMore(text.networkHost).describe(
    'A host that is contacted: a name, *.example.com or an address; with a port for others than 80 and 443.',
  ),
})

const network = z.union([oneOrMore(text.networkHost).transform((host) => ({ host })), networkTest])

const level = z.enum(RISK_LEVELS)

const riskTest = named('`risk`', {
  at_least: level.describe('The risk is this or higher.').exactOptional(),
  at_most: level.describe('The risk is this or lower.').exactOptional(),
})
  .check(notEmpty('`risk` is empty; write at_least or at_most'))
  .refine(({ at_least = 'none', at_most = 'critical' }) => riskRank(at_least) <= riskRank(at_most), {
    error: 'no risk is at least `at_least` and at most `at_most`',
  })

const risk = z.union([level.transform((at_least) => ({ at_least })), riskTest])

export const annotations = named('`annotations`', {
  readOnlyHint: z.boolean().describe('The tool claims to change nothing.').exactOptional(),
  destructiveHint: z.boolean().describe('The tool may be destructive, by its own declaration.').exactOptional(),
  idempotentHint: z.boolean().describe('The tool claims that repeating a call has no further effect.').exactOptional(),
  openWorldHint: z.boolean().describe('The tool may reach external systems, by its own declaration.').exactOptional(),
}).check(notEmpty('`annotations` is empty; name a hint or remove it'))

const hours = named(
  '`hours`',
  {
    inside: text.hours.describe('The time is inside this range; it may wrap around midnight.').exactOptional(),
    outside: text.hours.describe('The time is outside this range.').exactOptional(),
    zone: text.zone.describe('IANA time zone of the range. UTC when absent.').exactOptional(),
    days: oneOrMore(text.days)
      .transform((lists) => [...new Set(lists.flat())])
      .describe('The day is one of these: mon to sun, or a range such as mon-fri.')
      .exactOptional(),
  },
  '{ inside: "08:00-20:00", zone: Europe/Vienna }',
).check((context) => {
  const { inside, outside, days } = context.value
  const refuse = (message: string): void => void context.issues.push({ code: 'custom', message, input: context.value })
  if (context.issues.length > 0) return
  if (inside === undefined && outside === undefined && days === undefined)
    refuse('`hours` is empty; write inside, outside or days')
  if (inside !== undefined && outside !== undefined) refuse('`hours` has both inside and outside; write one')
})

const nested = (meaning: string): z.ZodType<Conditions> => z.lazy(() => conditions).describe(meaning)

/** All conditions of the language, by key. */
export const conditionShape = {
  tool: oneOrMore(text.nameGlob)
    .describe('Name of the tool, exact or a glob, case-insensitive; `server/name` for a server’s tool.')
    .exactOptional(),
  kind: oneOrMore(z.enum(KINDS)).describe('What the call does, whatever the tool is called.').exactOptional(),
  server: oneOrMore(text.nameGlob).describe('The MCP server, exact or a glob.').exactOptional(),
  agent: oneOrMore(text.nameGlob)
    .describe('The agent, exact or a glob. A name is a claim: use it to tighten.')
    .exactOptional(),
  args: args.describe('Tests on arguments by dotted name. A value means equals, a list means one of.').exactOptional(),
  path: path
    .describe('A path the call touches, after `..`, links and `~` are resolved. Text means glob.')
    .exactOptional(),
  command: command.describe('One simple command; a compound command is judged part by part.').exactOptional(),
  url: url.describe('The URL the call reaches. Text means host.').exactOptional(),
  network: network
    .describe('A host that the call or command contacts. Text means host. A rule that allows must name all of them.')
    .exactOptional(),
  risk: risk.describe('The risk of the call, or of the part judged. A level means at least.').exactOptional(),
  annotations: annotations.describe('What the tool declares about itself.').exactOptional(),
  hours: hours.describe('The time of day and the day of the week.').exactOptional(),
  any: z.array(nested('One of them.')).min(1).describe('At least one of these matches.').exactOptional(),
  all: z.array(nested('One of them.')).min(1).describe('All of these match.').exactOptional(),
  not: nested('This does not match.').exactOptional(),
}

/** A group of conditions inside `any`, `all`, `not` or `unless`, and the pattern of a grant. */
export const conditions = named('conditions', conditionShape)
  .check(notEmpty('there is no condition here; write one or remove it'))
  .meta({ id: 'conditions' })
