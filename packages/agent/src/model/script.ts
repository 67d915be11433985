import {
  CountersignError,
  formatProblem,
  type IntentTags,
  type JsonObject,
  positionsIn,
  readYaml,
} from '@countersign/core'
import { z } from 'zod'

/** One turn of a script. */
export interface ScriptTurn {
  readonly text?: string | undefined
  readonly thought?: string | undefined
  readonly calls?: readonly { readonly tool: string; readonly args: JsonObject }[] | undefined
  /** The agent’s tags for its turn. */
  readonly intent?: IntentTags | undefined
  /** Played only when the person’s last message contains this, ignoring case. */
  readonly when?: string | undefined
  /**
   * Played next when a call of this turn did not run or failed, or its question was cancelled; then the script
   * continues.
   */
  readonly if_refused?: readonly ScriptTurn[] | undefined
}

/** The agent’s side of a conversation. */
export interface Script {
  readonly name: string
  readonly turns: readonly ScriptTurn[]
}

const MAX_BYTES = 256 * 1024

const intent = z.strictObject({
  confirmation_required: z.boolean().optional(),
  risk_level: z.enum(['none', 'low', 'medium', 'high', 'critical']).optional(),
  action_type: z.string().max(64).optional(),
  scope: z.record(z.string(), z.unknown()).optional(),
})

const turn = z.strictObject({
  text: z.string().optional(),
  thought: z.string().optional(),
  calls: z
    .array(z.strictObject({ tool: z.string().min(1), args: z.record(z.string(), z.json()).default({}) }))
    .optional(),
  intent: intent.optional(),
  when: z.string().min(1).optional(),
  get if_refused() {
    return z.array(turn).max(100).optional()
  },
})

const script = z.strictObject({ version: z.literal(1), turns: z.array(turn).min(1).max(1000) })

/** Parses a script strictly; errors have line and column. */
export function readScript(text: string, name: string): Script {
  if (text.length > MAX_BYTES) throw wrong(`${name} is over 256 KiB; shorten the script`)
  const position = positionsIn(text)
  const at = (offset: number, message: string): CountersignError =>
    wrong(formatProblem({ file: name, ...position(offset), message }))
  const read = readYaml(text)
  const [first] = read.problems
  if (first !== undefined || read.kind === 'refused')
    throw at(first?.offset ?? 0, `${inScriptWords(first?.message ?? 'not valid YAML')}; correct the YAML`)
  const checked = script.safeParse(read.tree.value)
  if (checked.success) return { name, turns: checked.data.turns as readonly ScriptTurn[] }
  const [issue] = checked.error.issues
  const path = (issue?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)))
  throw at(read.tree.offsetOf(path), `\`${path.join('.') || 'script'}\`: ${oneLine(issue?.message ?? 'is invalid')}`)
}

/** The YAML parser’s messages mention policies. */
function inScriptWords(message: string): string {
  return oneLine(message).replace('a policy file is one document', 'a script is one document')
}

function wrong(message: string): CountersignError {
  return new CountersignError('CS_MODEL', message)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 300).trim()
}
