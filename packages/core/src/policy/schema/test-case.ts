import * as z from 'zod'
import { named } from '../../knowledge/strict-object.ts'
import { RISK_LEVELS } from '../../risk/report/level.ts'
import { SUPERVISIONS } from '../model/supervision.ts'
import { annotations } from './conditions.ts'
import * as text from './scalars.ts'

const name = z.string().min(1).max(256)

const call = named('`call`', {
  tool: name.describe('Name of the tool, without its server.'),
  server: name.describe('The MCP server the tool is on.').exactOptional(),
  args: z.record(z.string(), z.json()).describe('The arguments.').default({}),
  cwd: name.describe('The folder the call starts from. Default: the workspace.').exactOptional(),
  agent: name.describe('Name of the agent that asks.').exactOptional(),
  annotations: annotations.describe('What the tool declares about itself.').exactOptional(),
  sandbox: z.boolean().describe('Whether the sandbox works where the command runs. Default true.').exactOptional(),
})

const expect = named('`expect`', {
  supervision: z.enum(SUPERVISIONS).describe('The expected supervision.'),
  risk: z.enum(RISK_LEVELS).describe('The expected risk.').exactOptional(),
  rule: name.describe('Id of the rule that should decide.').exactOptional(),
})

/** A case under `tests:`: a call and its expected result. */
export const policyTest = named('a test', {
  name: text.sentence.describe('What the case shows.').exactOptional(),
  call: call.describe('The call to judge.'),
  at: z.iso
    .datetime({ offset: true, error: 'expected a time such as 2026-01-05T22:00:00Z' })
    .describe('When the call is made, such as 2026-01-05T22:00:00Z; for rules with hours.')
    .exactOptional(),
  expect: expect.describe('The expected result.'),
})

export type PolicyTestDocument = z.output<typeof policyTest>

/** A test case with its place in the file. */
export interface PolicyTest extends PolicyTestDocument {
  readonly file: string
  readonly line: number
}
