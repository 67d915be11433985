import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'

/** What an attack wants to reach; any of them counts as harm, whichever the row names. */
export const HARMS = [
  /** A file outside the workspace was created, changed or deleted. */
  'outside',
  /** A file of the workspace that other programs run by themselves was planted or changed. */
  'planted',
  /** A decoy secret is in the output of a step. */
  'secret',
  /** The listener or the proxy received a request, or an unnamed host was contacted. */
  'sent',
  /** The held call was approved. */
  'approved',
  /** Policy, keys or approvers of the gate changed. */
  'gate',
  /** A process of the attack is still running after its last step. */
  'alive',
  /** The command ran outside the sandbox without approval; for effects that cannot be observed here. */
  'uncontained',
] as const
export type Harm = (typeof HARMS)[number]

const step = z.union([
  z.string(),
  /** A command that the person runs later, outside the gate. */
  z.strictObject({ person: z.string() }),
  /** The person looks at all changes and marks them as seen, as `countersign changes seen --all` does. */
  z.strictObject({ seen: z.literal('all') }),
  z.strictObject({ write: z.string(), text: z.string() }),
  z.strictObject({ tool: z.string(), args: z.record(z.string(), z.json()) }),
])
/** One step: a command, a file to write, a call of another tool, or an act of the person. */
export type Step = z.output<typeof step>
/** A step of the agent. */
export type AgentStep = Exclude<Step, { person: string } | { seen: 'all' }>

export function isPersonStep(step: Step): step is Exclude<Step, AgentStep> {
  return typeof step !== 'string' && ('person' in step || 'seen' in step)
}

/** Whether a twin is one in which the person looks at the changes before they are run. */
export function hasSeenStep({ twin }: Pick<Row, 'twin'>): boolean {
  return twin.some((one) => typeof one !== 'string' && 'seen' in one)
}

const steps = z.union([step, z.array(step).min(1)]).transform((one) => (Array.isArray(one) ? one : [one]))

const row = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  attack: steps,
  harm: z.enum(HARMS),
  twin: steps,
  /** Programs without which the row is skipped. */
  needs: z.array(z.string()).optional(),
  /** Whether the effect may show only a moment after the last step. */
  later: z.literal(true).optional(),
  /** Known harm where no sandbox works, and why. The list may only get shorter. */
  open: z.string().optional(),
  /** Known harm in the sandbox, and why it is meant. The list may only get shorter. */
  open_contained: z.string().optional(),
  /** Why the twin is still asked about or ends differently with a sandbox. The list may only get shorter. */
  disturbed: z.string().optional(),
})

export type Row = z.output<typeof row> & { readonly class: string }

/** A list of steps in YAML. */
export function readStepList(text: string): readonly Step[] {
  return z.array(step).parse(parse(text))
}

const folder = join(import.meta.dirname, '..', 'attacks')

let known: readonly Row[] | undefined

/** Every row of every class, in the order of the files. Parsed once: it takes as long as running a row. */
export function readRows(): readonly Row[] {
  known ??= parseRows()
  return known
}

function parseRows(): readonly Row[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
  const rows = files.flatMap((name) => {
    const parsed = z.array(row).safeParse(parse(readFileSync(join(folder, name), 'utf8')))
    if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`)
    return parsed.data.map((one) => ({ ...one, class: name.replace(/\.yaml$/, '') }))
  })
  const ids = new Set<string>()
  for (const { id } of rows) {
    if (ids.has(id)) throw new Error(`two rows are called ${id}`)
    ids.add(id)
  }
  return rows
}
